"""Which names the tests take from the code: those that nothing in them binds."""

from __future__ import annotations

import pytest

from ocaml_reward.engine import Engine
from ocaml_reward.model import Problem

# What binds a name, and what is taken from the code besides.
TESTS = {
    "let () = for n = 1 to 3 do assert (f n = n) done": {"f"},
    "let () = for n = f 0 to n do assert (f n = n) done": {"f", "n"},
    "let o = object val v = 1 method m = v end\nlet () = assert (f o#m = 1)": {"f"},
    "let o = object (self) method a = 1 method b = self#a end\n"
    "let () = assert (f o#b = 1)": {"f"},
    "class d = object method a = 1 end\n"
    "class c = object inherit d as up method b = up#a end\n"
    "let () = assert (f (new c)#b = 1)": {"f"},
    "class c k = let d = k + 1 in object method m = d end\n"
    "let () = assert (f (new c 1)#m = 1)": {"f"},
    "module G (X : sig val x : int end) = struct let y = X.x end\n"
    "module H = G (struct let x = 1 end)\nlet () = assert (f H.y = 1)": {"f"},
    "module G (X : sig val x : int end) = struct let () = assert (f X.x = 1) end\n"
    "module H = G (struct let x = 1 end)": {"f"},
    "let run (module M : Set.OrderedType with type t = int) = M.compare 1 2\n"
    "let () = assert (f (run (module Int)) = 1)": {"f"},
    # What stands in a module is out of scope behind it, unless that is opened or included.
    "module T = struct let f x = x let k = 1 end\nlet () = assert (f T.k = 1)": {"f"},
    "module T = struct let k = 1 end\nopen T\nlet () = assert (f k = 1)": {"f"},
    "module T = struct let k = 1 end\nlet () = T.(assert (f k = 1))": {"f"},
    "module T = struct let k = 1 end\ninclude T\nlet () = assert (f k = 1)": {"f"},
    "open struct let k = 1 end\nlet () = assert (f k = 1)": {"f"},
    "include struct let k = 1 end\nlet () = assert (f k = 1)": {"f"},
    "module rec A : sig val a : int end = struct let a = 1 let _ = fun () -> A.a end\n"
    "let () = assert (f A.a = 1)": {"f"},
    "open M\nlet () = assert (f 1 = 1)": {"M", "f"},
}


@pytest.mark.parametrize("tests", TESTS)
def test_what_binds_a_name_keeps_it_from_the_code(engine: Engine, tests: str) -> None:
    """Whatever it is that binds it: a loop, an object, a class, a functor, a pattern, a module."""
    prepared = engine.prepare(Problem(id="p", tests=tests))

    assert TESTS[tests] == {
        name for check in prepared.checks for name in check.needs or ()
    }
