"""
Two constructors or exceptions that are one are forbidden where a test has a name for each;
modules with exceptions are used, included and named anew otherwise.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Problem
from ocaml_reward.engine import Engine
from tests.cheats.test_soundness import TESTS, forbidden

# Tests that have names for what may be two or one.
NAMING = Problem(
    id="naming",
    tests=TESTS
    + "let which = function M.E | M.A -> 1 | N.E | N.A -> 2 | M.I.E -> 3 | E -> 4 | Not_found -> 6 | _ -> 5\n"
    "let () = assert (which Exit = 5)\n",
)

# Constructors and exceptions that no check could tell apart.
TWINS = {
    "named anew, from a functor's argument": (
        "module F (X : sig exception E end) = struct exception G = X.E end\n"
        "module M = struct exception E end module N = F (M)"
    ),
    "named anew, from a sealed module": (
        "module M : sig exception E end = struct exception E end\n"
        "module N = struct exception E = M.E end"
    ),
    "named anew, from an alias": (
        "module M = struct exception E end module N = M exception F = N.E"
    ),
    "named anew, from a recursive module": (
        "module rec M : sig exception E end = struct exception E end exception F = M.E"
    ),
    "named anew, from a value": (
        "module type S = sig exception E end\nlet f m =\n"
        "  let module M = (val m : S) in let module N = struct exception F = M.E end in N.F"
    ),
    "included": "module M = struct exception E end module N = struct include M end",
    "constructors, included": (
        "type t = .. module M = struct type t += A end module N = struct include M end"
    ),
    "included beside the module": "module M = struct exception E end include M",
    "an alias": "module M = struct exception E end module N = M",
    "sealed": (
        "module type S = sig exception E end\n"
        "module M = struct exception E end module N : S = M"
    ),
    "through a functor": (
        "module F (X : sig exception E end) = X\n"
        "module M = struct exception E end module N = F (M)"
    ),
    "twice in a functor": (
        "module F (X : sig exception E end) = struct module A = X module B = X end\n"
        "module N = F (struct exception E end)"
    ),
    "unpacked twice": (
        "module type S = sig exception E end\nlet m = (module struct exception E end : S)\n"
        "module M = (val m) module N = (val m)"
    ),
    "of a recursive module": (
        "module rec M : sig exception E end = struct exception E end\n"
        "and N : sig exception E end = struct include M end"
    ),
    "of a recursive module that follows": (
        "module rec N : sig exception E end = struct include Stack end\n"
        "and Stack : sig exception E end = struct exception E end"
    ),
    "of the library, in a module of its name": (
        "module Stack = struct include Stack let x = 1 end module N = Stack"
    ),
    "of the library, by an alias": "module M = Queue module N = M",
    "of the library": "module M = Queue module N = struct include Queue end",
}

# The same, where the tests have one name at most for what is one.
UNNAMED = {
    "included beside a module of another name": (
        "module Answer = struct exception E end include Answer"
    ),
    "included beside modules around it": (
        "module L = struct module K = struct exception E end end include L.K"
    ),
    "named anew": "exception E exception Mine = E",
    "named anew for the tests": "exception Mine exception E = Mine",
    "named anew in a module": (
        "module Core = struct exception E end module M = struct exception E = Core.E end"
    ),
    "a constructor, named anew": "type t = .. type t += Mine type t += A = Mine",
    "open and included": "module Errors = struct exception E end open Errors include Errors",
    "included twice": (
        "module A = struct exception E end module B = struct include A end include B"
    ),
    "a short name": "module Answer = struct exception E end module A = Answer",
    "a long name for what the tests ask for": (
        "module Answer = struct exception E end module M = Answer"
    ),
    "extended": (
        "module Base = struct exception E let x = 1 end\n"
        "module M = struct include Base let y = x end"
    ),
    "sealed and extended": (
        "module Base : sig exception E val x : int end = struct exception E let x = 1 end\n"
        "module M = struct include Base let y = x end"
    ),
    "exceptions that the tests do not name": (
        "module M = struct exception Mine end module N = M include N"
    ),
    "constructors of an extensible type": (
        "type t = .. module Answer = struct type t += A end module N = struct include Answer end"
    ),
    "hidden by a later one": (
        "module A = struct exception E end include A module M = A exception E"
    ),
}
NAMED = {
    "named anew": "exception A exception E = A",
    "named anew in a module": "exception E module M = struct exception E = E end",
    "a constructor, named anew": "type t = .. type t += E type t += A = E",
    "named anew, with a name of the library's": "exception Not_found exception A = Not_found",
    "named anew, opened": (
        "module L = struct exception Not_found end open L exception A = Not_found"
    ),
    "named anew twice": "exception Mine exception E = Mine exception A = Mine",
    "a name of the library's, included": (
        "module L = struct exception E = Queue.Empty end module M = L include L"
    ),
    "included under two names": (
        "module A = struct exception E end module M = struct include A end include A"
    ),
    "included in two modules": (
        "module A = struct exception E end\n"
        "module M = struct include A end module N = struct include A end"
    ),
    "in a module further in": (
        "module A = struct module I = struct exception E end include I end\n"
        "module M = A include A"
    ),
    "open at the end, and included": (
        "module A = struct exception E end open A module M = struct include A end"
    ),
    "behind what a functor brings": (
        "module F (X : sig end) = struct module A = struct exception E end end\n"
        "module A = struct end include F (struct end) include A module M = A"
    ),
    "modules that double themselves": (
        "module A0 = struct exception E end\n"
        + "".join(
            f"module A{n} = struct module X = A{n - 1} module Y = A{n - 1} end\n"
            for n in range(1, 30)
        )
        + "include A29"
    ),
}

APART = {
    "an exception in a module": "module M = struct exception E end open M",
    "a functor that makes its own": (
        "module F (X : sig type t end) = struct exception E of X.t end\n"
        "module A = F (Int) module B = F (String)"
    ),
    "a module with an exception as a key": (
        "module K = struct type t = int exception E let compare = compare end\n"
        "module S = Set.Make (K)"
    ),
    "hidden by a signature": (
        "module M = struct exception E let x = 1 end\n"
        "module N = (M : sig val x : int end)"
    ),
    "another name for a library's": "module Q = Queue exception Done = Stdlib.Exit",
    "a library's module that one's own takes the name of": (
        "module Old = Stack module Stack = struct exception Full let create = Old.create end"
    ),
    "a library's module in one's own": (
        "module Stack = struct include Stack exception Full end"
    ),
    "a module of one's own with a library's name": (
        "module Stack = struct let create () = [] end module S = Stack"
    ),
    "an alias in an expression": (
        "module M = struct exception E let x = 1 end\nlet y = let module N = M in N.x"
    ),
    "a library, included": "module List = struct include List let one = [1] end",
}


@pytest.mark.parametrize("code", (TWINS | NAMED).values(), ids=(TWINS | NAMED).keys())
def test_two_names_for_one_are_forbidden(engine: Engine, code: str) -> None:
    """
    No exception or constructor of an extensible type gets a second name.
    """
    assert forbidden(engine, code, NAMING)


@pytest.mark.parametrize("code", UNNAMED.values(), ids=UNNAMED.keys())
def test_a_second_name_that_no_test_says_is_not(engine: Engine, code: str) -> None:
    """
    A module may be included or get another name where the tests know one of them alone.
    """
    assert not forbidden(engine, code, NAMING)


@pytest.mark.parametrize("code", APART.values(), ids=APART.keys())
def test_exceptions_with_one_name_are_not(engine: Engine, code: str) -> None:
    """
    Modules with exceptions are used as long as nothing hands these on.
    """
    assert not forbidden(engine, code)
