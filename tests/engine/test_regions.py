"""Which parts of the code are right or wrong, from what the engines report: every verdict."""

from __future__ import annotations

from ocaml_reward import Ground

from .located import Locate, rows


def test_what_is_forbidden(locate: Locate) -> None:
    """The line of a forbidden feature is wrong; where it does not type either, its definition
    is, too.
    """
    tests = "let a = f 1\nlet b = f 2\nlet () = assert (f 1 = a && h (f 2) = b)"
    found = locate("let f x =\n  Obj.magic x\nlet h x = x\n", tests)
    # The error's text is the compiler's own: 5.4 points at the module alone.
    is_later = rows(found)[1][0] == "Obj"
    error, rest = ("Obj", ".magic x") if is_later else ("Obj.magic", "x")

    assert ("Obj (line 2)",) == found.forbidden
    assert [
        ("let f x =", Ground.HOLDS_ERROR, ("f",)),
        (error, Ground.ERROR, ("f",)),
        (rest, Ground.FORBIDDEN, ("f",)),
        ("let h x = x", Ground.UNTESTED, ("h",)),
    ] == rows(found)
