"""
Code in a diff, and code in a quotation.
"""

from __future__ import annotations

import pytest

from ocaml_reward.reading.extraction import extract, traced

CODE = "let f x =\n  x + 1"


def lined(mark: str, text: str) -> str:
    """
    Put a mark before each line.
    """
    return "\n".join(mark + line for line in text.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        f"```diff\n{lined('+', CODE)}\n```",
        f"Sure:\n```diff\n-let f x = x\n{lined('+', CODE)}\n```\nDone.",
        "```patch\n--- a/f.ml\n+++ b/f.ml\n@@ -1,2 +1,2 @@\n let f x =\n-  x\n+  x + 1\n```",
        f"```diff\n{lined('+', CODE)}",
        lined("> ", f"```ocaml\n{CODE}\n```") + "\nDone.",
    ],
)
def test_marks_before_fenced_lines_are_no_code(text: str) -> None:
    """
    What a diff adds and leaves is read, and what a quotation says; its places are its own.
    """
    found = traced(text, uses=("f",))
    code = found.extraction.code
    origins = found.origins()

    assert CODE == code.strip()
    assert code == "".join(
        text[slice(*origins.places(at, at + 1)[0])] for at in range(len(code))
    )


@pytest.mark.parametrize(
    "text",
    [
        f"```ocaml\n{CODE}\n```\nInstead of:\n```diff\n+let f x = x\n```",
        f"> I want f.\n\n```ocaml\n{CODE}\n```",
        f"{CODE}\n  - 2",
    ],
)
def test_other_code_keeps_its_lines(text: str) -> None:
    """
    A block that is tagged as OCaml goes before a diff, and a quoted sentence is none.
    """
    assert extract(text, uses=("f",)).code.strip().startswith(CODE)
