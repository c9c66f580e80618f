"""
What code that parses consists of, as both engines tell it.
"""

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
    """
    Places are those of the list, lines those of the text, and what is unused stands apart.
    """
    report = check(CODE, TESTS)

    assert report.parts == (
        Part(),
        Part(
            names=("table",), lines=(1, 1), needs=(0,), missing=("Hashtbl",), keeps=True
        ),
        Part(lines=(2, 3), needs=(0, 1), missing=("()", "Hashtbl"), acts=True),
        Part(names=("f",), lines=(4, 4, 6, 6), needs=(0, 1), missing=("Hashtbl",)),
        Part(lines=(5, 5), needs=(3,)),
    )


def test_code_that_does_not_type_has_parts(check: Callable[..., CheckReport]) -> None:
    """
    Parsing is enough for them; what does not parse has none.
    """
    ill_typed = check("let f x = x + true\n", TESTS)
    broken = check("let f x = = x\n", TESTS)

    assert ill_typed.parts is not None
    assert ["f"] == [name for part in ill_typed.parts for name in part.names]
    assert broken.parts is None


def test_a_line_directive_is_not_believed(check: Callable[..., CheckReport]) -> None:
    """
    Lines are counted, whatever the code says of them.
    """
    report = check('# 100 "other.ml"\nlet f x =\n  x + 1\n', TESTS)

    assert report.parts is not None
    assert [(2, 3)] == [part.lines for part in report.parts if part.names]
