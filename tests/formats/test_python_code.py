"""What is Python, and what OCaml could be, too."""

from __future__ import annotations

import pytest

from ocaml_reward.formats.python_code import is_python


@pytest.mark.parametrize(
    "text",
    [
        "assert f(1) == 2",
        "  assert f(1) == 2\n  assert f(2) == 3",
        "assert (f(1)) == 2",
        "assert(f([1, 2]) == True)",
        "assert (f('ab') == 2)",
        "assert f('é', 'ab') == 2",
        "assert not f(2)",
        "def check(candidate):\n    assert candidate(1)",
        "import unittest",
        "assert (\n    f([x for x in y]) == 2\n)",
    ],
)
def test_python(text: str) -> None:
    assert is_python(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "assert true",
        "assert (f(1) == 2)",
        "assert (not (f (3)))",
        "assert (\n  f(1) == 2)",
        "assert (f('a') == 2)",
        "assert M.holds",
        "half(7) == 3",
        "let () = assert (f 1 = 2)",
        "(((" * 5000,
    ],
)
def test_what_may_be_ocaml(text: str) -> None:
    assert not is_python(text)
