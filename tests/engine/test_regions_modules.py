"""Regions of modules: where one breaks its signature, and where items in it do not parse."""

from __future__ import annotations

import pytest

from ocaml_reward import Ground, Verdict

from .located import Locate, rows

CODE = """\
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
"""
TESTS = """\
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
"""
RIGHT = {"M.make", "M.next", "M.get"}


def known(locate: Locate, old: str, new: str) -> tuple[dict[str, Ground], set[str]]:
    """Change the code and tell what is known to be wrong, by its text; and the names of what is
    known to be right.
    """
    assert 1 == CODE.count(old)
    found = locate(CODE.replace(old, new), TESTS)
    told = rows(found)
    marks = {text: ground for text, ground, _ in told if ground.mark.value == "wrong"}
    right = {
        name for _, ground, names in told for name in names if ground.mark == "right"
    }
    assert found.verdict in (Verdict.TYPE_ERROR, Verdict.SYNTAX_ERROR)
    return marks, right & RIGHT


@pytest.mark.parametrize(
    ("old", "new"),
    [("get : t -> string", "get : t -> int"), ("next : t -> t", "next : t -> t -> t")],
)
def test_the_signature_is_wrong_where_the_structure_passes(
    locate: Locate, old: str, new: str
) -> None:
    """A definition of which checks show that it does what it should is not blamed for a
    signature that asks for something else: that line alone is.
    """
    marks, right = known(locate, old, new)

    assert ({f"val {new}": Ground.ERROR}, RIGHT) == (marks, right)


def test_the_definition_is_wrong_where_checks_do_not_pass(locate: Locate) -> None:
    """What breaks the signature and gives the tests another type is what is wrong, and nothing
    else of the structure.
    """
    marks, right = known(locate, "get t = string_of_int t", "get t = t")

    assert ({"let get t = t": Ground.HOLDS_ERROR}, set()) == (marks, right)


def test_a_type_that_makes_the_difference_is_wrong(locate: Locate) -> None:
    """Where all would match with another type behind the signature's, it is that type."""
    marks, right = known(locate, "type t = int", "type t = string")

    assert ({"type t = string": Ground.ERROR}, RIGHT) == (marks, right)


def test_what_a_structure_lacks_is_missing_in_its_own_words(locate: Locate) -> None:
    """The definitions that are there are known; a type that lacks makes none of them wrong."""
    marks, right = known(locate, "  let next t = t + 5\n", "")
    lacking, others = known(locate, "  type t = int\n", "")

    assert {Ground.HOLDS_ERROR} == set(marks.values()) == set(lacking.values())
    assert {"module M : S = struct", "end"} == marks.keys() == lacking.keys()
    assert (RIGHT - {"M.next"}, RIGHT) == (right, others)


def test_what_nobody_takes_is_asked_for_in_vain(locate: Locate) -> None:
    """A value that the signature asks for, and neither the structure nor the tests have, is the
    signature's mistake.
    """
    asked = "val more : t -> t"
    marks, right = known(locate, "  type t\n", f"  type t\n  {asked}\n")

    assert ({asked: Ground.ERROR}, RIGHT) == (marks, right)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("let next t =", "let next t ->", RIGHT - {"M.next"}),
        ("type t = int", "type t : int", RIGHT),
        ("val make", "vall make", RIGHT),
        ("get : t -> string", "get = t -> string", RIGHT),
    ],
)
def test_items_in_a_module_that_do_not_parse(
    locate: Locate, old: str, new: str, names: set[str]
) -> None:
    """They are wrong from the line on that they begin in, and checks tell of the others."""
    marks, right = known(locate, old, new)
    (line,) = (each for each in CODE.replace(old, new).splitlines() if new in each)

    assert all(text in line for text in marks)
    assert Ground.UNPARSED in marks.values()
    assert names == right


def test_what_does_not_parse_has_its_name(locate: Locate) -> None:
    """By its path, as the tests have it, so that it is compared with what others made of it."""
    found = locate(CODE.replace("let next t =", "let next t ->"), TESTS)

    assert {("M.next",)} == {
        region.names
        for region in found.regions or ()
        if region.ground in (Ground.UNPARSED, Ground.ERROR)
    }


def test_a_module_in_a_module_is_looked_into(locate: Locate) -> None:
    """To any usual depth; where the words around do not parse it is wrong as a whole."""
    inner = """\
module A = struct
  module B = struct
    let f x = x
    let g x -> x
  end
end
"""
    tests = "let () = assert (A.B.f 1 = 1); assert (A.B.g 1 = 1)"
    found = rows(locate(inner, tests))
    around = rows(locate(inner.replace("module A =", "module A -"), tests))

    assert ("let f x = x", Ground.PASSING, ("A.B.f",)) in found
    assert ("let g x", Ground.UNPARSED, ("A.B.g",)) in found
    assert Ground.PASSING not in {ground for _, ground, _ in around}


def test_the_share_of_items_that_parse_stays(locate: Locate) -> None:
    """No reward depends on what is found in a module: it does not parse as a whole."""
    broken = CODE.replace("let next t =", "let next t ->")
    found = locate(broken, TESTS)
    whole = locate(CODE.replace("module M :", "module M -"), TESTS)

    assert Verdict.SYNTAX_ERROR is found.verdict is whole.verdict
    assert found.credits == whole.credits


@pytest.mark.parametrize("inside", ["{}", "module M = struct\n{}\nend"])
def test_a_path_leads_into_the_file_that_a_module_is(
    locate: Locate, inside: str
) -> None:
    """A check of `M.f` tells of `f`, and one of what does not parse too, where the code is M."""
    tests = "let () = assert (M.f 1 = 1)\nlet () = assert (M.g 1 = 2)\nlet () = assert (M.h 1 = 1)"
    code = inside.format("let f x = x\nlet h x -> x\nlet g x = x")
    if inside != "{}":
        code = code.replace("\nlet", "\n  let")
    found = rows(locate(code, tests))
    path = "" if inside == "{}" else "M."

    assert ("let f x = x", Ground.PASSING, (f"{path}f",)) in found
    assert ("let g x = x", Ground.FAILING, (f"{path}g",)) in found
    assert ("let h x", Ground.UNPARSED, (f"{path}h",)) in found
