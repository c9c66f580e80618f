"""What code that parses consists of, as both engines tell it."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.model import CheckReport, Part

CODE = """\
let table = Hashtbl.create 9
let () =
  Hashtbl.add table 1 2
let f x =
  let unused = x in
  Hashtbl.find table x
"""
TESTS = "let () = assert (f 1 = 2)"


def test_parts_have_lines_names_and_needs(check: Callable[..., CheckReport]) -> None:
    """Places are those of the list, lines those of the text, and what is unused stands apart."""
    report = check(CODE, TESTS, holes=True)

    assert report.parts == (
        Part(),
        Part(
            names=("table",),
            lines=(1, 1),
            needs=(0,),
            keeps=True,
            span=(0, 28),
        ),
        Part(
            lines=(2, 3),
            needs=(0, 1),
            acts=True,
            span=(29, 61),
        ),
        Part(
            names=("f",),
            lines=(4, 4, 6, 6),
            needs=(0, 1),
            span=(62, 114),
        ),
        Part(lines=(5, 5), needs=(3,), span=(74, 94)),
    )


def test_code_that_does_not_type_has_parts(check: Callable[..., CheckReport]) -> None:
    """Parsing is enough for them; what does not parse has none."""
    ill_typed = check("let f x = x + true\n", TESTS)
    broken = check("let f x = = x\n", TESTS)

    assert ill_typed.parts is not None
    assert ["f"] == [name for part in ill_typed.parts for name in part.names]
    assert broken.parts is None


def test_code_that_passes_has_parts_only_with_holes(check: Callable[..., CheckReport]) -> None:
    """Nobody asks what right code consists of, except for its regions."""
    right, wrong = "let f x = x + 1\n", "let f x = x\n"

    assert check(right, TESTS).parts is None
    assert [check(right, TESTS, holes=True).parts, check(wrong, TESTS).parts].count(None) == 0


def test_a_line_directive_is_not_believed(check: Callable[..., CheckReport]) -> None:
    report = check('# 100 "other.ml"\nlet f x =\n  x + 1\n', TESTS, holes=True)

    assert report.parts is not None
    assert [(2, 3)] == [part.lines for part in report.parts if part.names]


MODULE = """\
module Deque = struct
  let keep x = x
  let push x xs = keep x :: xs
  module Inner = struct let size = List.length end
end
"""


def test_what_is_in_a_module_has_a_path(check: Callable[..., CheckReport]) -> None:
    """A value in a module can be needed alone: a part without text leads to its definition."""
    parts = check(MODULE, "let () = assert (Deque.push 1 [] = [1])", holes=True).parts or ()
    written = [MODULE[slice(*part.span)].partition("=")[0] for part in parts]
    led = {
        name: [written[place] for place in part.needs if written[place]]
        for part in parts
        for name in part.names
        if "." in name
    }

    assert {
        "Deque.Inner.size": ["module Deque ", "module Inner ", "let size "],
        "Deque.keep": ["module Deque ", "let keep x "],
        "Deque.push": ["module Deque ", "let push x xs "],
    } == led


def test_names_of_modules_end_somewhere(check: Callable[..., CheckReport]) -> None:
    """The same values under very many names of a module have parts for some of them only, as
    have modules within modules; what is left out is needed with its module.
    """
    values = "".join(f"let v{n} = {n} " for n in range(400))
    code = f"module M = struct {values} end\n" + "".join(f"module A{n} = M\n" for n in range(400))
    parts = check(code, "let () = assert (M.v0 = 0)", holes=True).parts or ()

    members = [name for part in parts for name in part.names if "." in name]
    nested = "module M0 = struct let x = 1 end\n" + "".join(
        f"module M{n + 1} = struct module A = M{n} module B = M{n} end\n" for n in range(40)
    )
    within = check(nested, "let () = assert (M0.x = 1)", holes=True).parts or ()

    assert 5_000 < len(members) < 20_000
    assert 82 < len(within) < 20_000
    assert {"M0", "M40"} <= {name for part in within for name in part.names}


BROKEN = """\
let f x = x
let g é = (é
(* a comment *)
let h y = y
type t = = A
"""


def test_what_does_not_parse_is_placed(check: Callable[..., CheckReport]) -> None:
    """The items that do not parse by themselves are given in bytes, comments behind them
    included; code that parses has none.
    """
    report = check(BROKEN, TESTS)
    raw = BROKEN.encode()

    assert 0.5 == report.parsed_share
    assert ["let g é = (é\n(* a comment *)\n", "type t = = A\n"] == [
        raw[start:stop].decode() for start, stop in report.unparsed
    ]
    assert () == check(CODE, TESTS).unparsed


def test_an_unpacked_module_needs_what_it_is_unpacked_from(
    check: Callable[..., CheckReport],
) -> None:
    """A pattern binds a module as `let module` does."""
    code = """\
module type S = sig val g : int -> int end
let choose n : (module S) =
  if n > 0 then (module struct let g x = x + 1 end)
  else (module struct let g x = x end)
let f x =
  let (module M) = choose x in
  M.g x
"""
    report = check(code, TESTS, holes=True)
    parts = report.parts or ()
    choose = next(n for n, part in enumerate(parts) if part.names == ("choose",))

    assert any(choose in part.needs for part in parts if part.lines == (6, 6))
