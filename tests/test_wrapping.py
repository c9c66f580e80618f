"""Answers within a longer fence, a quotation or a box, and fences within a comment of the code."""

from __future__ import annotations

from textwrap import indent

import pytest

from ocaml_reward.reading.extraction import extract, traced

CODE = "let f x =\n  let r = { a = x; b = '}' } in\n  r.a * 2"
FENCED = f"```ocaml\n{CODE}\n```"
CHAT = f"Here is `f`:\n\n{FENCED}\n\nIt doubles (and never fails)."
INDENTED = indent(f"```ocaml\n{CODE}\n```", "   ")


def quoted(text: str, mark: str = "> ") -> str:
    """Quote each line, as Markdown and mails do."""
    return "\n".join((mark + line).rstrip() for line in text.split("\n"))


WRAPPED = [
    *(f"{fence}\n{FENCED}\n{fence.rstrip('abcdefghijklmnopqrstuvwxyz ')}" for fence in (
        "````markdown", "````md", "````text", "````", "```` ocaml", "~~~~", "~~~md", "``````")),
    f"Sure!\n\n````markdown\n{CHAT}\n````\nDone.",
    f"`````md\n````markdown\n{CHAT}\n````\n`````",
    f"~~~~\n````text\nFirst:\n```\n{CODE}\n```\n````\n~~~~\n",
    f"1. The answer:\n   ````md\n{INDENTED}\n   ````",
    f"````markdown\n{FENCED}",
    f"````markdown\n```ocaml\n{CODE}\n````\nThis works for all x.",
    f"```markdown\n{CHAT}\n```",
    f"```text\nHere it is:\n\n{CODE}\n\nThis works for all x.\n```\nBye.",
    f"~~~\n````ocaml\n{CODE}\n````\n~~~",
    f"````markdown\n{FENCED}\n```",
    f"````ocaml\n{CODE}\n```\nIt works.",
]  # fmt: skip
QUOTED = [
    quoted(FENCED),
    quoted(CHAT),
    quoted(CHAT, ">"),
    quoted(quoted(CHAT)),
    quoted(CODE),
    quoted(f"Here it is:\n\n{CODE}\n\nIt doubles."),
    f"My answer:\n\n{quoted(FENCED)}\n\nThat is it.",
    quoted(f"````markdown\n{CHAT}\n````"),
]
BOXED = [
    rf"\boxed{{{CODE}}}",
    f"So the answer is\n\n$$\\boxed{{\n{CODE}\n}}$$\n\nas was to be shown.",
    f"\\boxed{{\n{FENCED}\n}}",
    rf"$\boxed{{{FENCED}}}$",
    rf"\[ \boxed{{\text{{{CODE}}}}} \]",
    rf"\fbox{{\texttt{{{CODE}}}}}",
    f"\\boxed{{\\begin{{lstlisting}}[language=caml]\n{CODE}\n\\end{{lstlisting}}}}",
    f"```latex\n\\boxed{{{CODE}}}\n```",
    f"```ocaml\nlet f x = x\n```\nNo: \\boxed{{{CODE}}}",
    f"{FENCED}\nIts cost is $\\boxed{{O(1)}}$.",
    rf"\boxed{{{CODE}",
]


@pytest.mark.parametrize("text", [*WRAPPED, *QUOTED, *BOXED])
def test_what_stands_around_an_answer_is_taken_off(text: str) -> None:
    """The code is read as if it had not been there, and each character where it stands."""
    found = traced(text, uses=("f",))
    code = found.extraction.code.strip()
    start = found.extraction.code.index(code)
    [place, *_] = found.origins().places(start, start + 9)

    assert CODE == code
    assert code[:9] == text[slice(*place)]


@pytest.mark.parametrize(
    "code",
    [
        "(** [f x] doubles.\n    ```ocaml\n    let f x = x\n    ```\n*)\nlet f x = x * 2",
        "(*\n * ```\n * let y = f 2\n * ```\n *)\nlet f x = x * 2",
        "(** {[ let f x = x ]} or ```let f x = x``` *)\nlet f x = x * 2",
        "let f x = x * 2 (** ```ocaml\n  f 2\n  ``` *)\nlet g = f 1",
        "let f x =\n  (* ~~~\n  let f x = x\n  ~~~ (* ```f``` *) *)\n  x * 2",
        "let help = {|\n```ocaml\nlet f x = x\n```\n|}\nlet f x = x * 2",
    ],
)
def test_a_fence_in_a_comment_is_none(code: str) -> None:
    """An example in a comment, or in a quoted string, cuts nothing out of code."""
    for text in (
        code,
        f"```ocaml\n{code}\n```",
        f"````md\n```\n{code}\n```\n````",
        quoted(code),
    ):
        assert code == extract(text, uses=("f",)).code.strip("\n")
    text = f"Here it is:\n\n{code}\n\nThis is what you asked for."
    assert code == extract(text, uses=("f",)).code.strip("\n")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```ocaml\nlet f x = (* oops\n```\nThen:\n```ocaml\nlet f x = x (* a *)\n```",
         "let f x = x (* a *)"),
        ("Use (*) with care:\n```ocaml\nlet f x = x\n```\nThat is *).", "let f x = x"),
        ("(*\n```ocaml\nlet f x = x\n```\n", "let f x = x"),
        ("let f x =\n  x\n> 3", "let f x =\n  x\n> 3"),
        ("> a quotation\n```ocaml\nlet f x =\n  x\n> 3\n```", "let f x =\n  x\n> 3"),
        ("````ocaml\nlet f = {|\n```\n|}\n````", "let f = {|\n```\n|}"),
        ('let f x = "\\\\boxed{" ^ x', 'let f x = "\\\\boxed{" ^ x'),
    ],
)  # fmt: skip
def test_what_only_looks_so_is_left_alone(text: str, code: str) -> None:
    """A comment that a fence ends, prose that speaks of comments, and signs of the code."""
    assert code == extract(text, uses=("f",)).code
