"""Code that no fence surrounds: among prose, in sessions with a toplevel, before a lone fence."""

from __future__ import annotations

import pytest

from ocaml_reward.reading.extraction import Extraction, How, extract
from ocaml_reward.reading.prose import is_prose

MARKER = "(* END *)"
CODE = "let f x =\n  x + 1"
OPEN = "Write it.\nlet f (x : int) : int ="


def take(text: str, *, uses: tuple[str, ...] = ("f",), prompt: str = "") -> Extraction:
    """Extract, and see that each piece of the code stands where it is said to."""
    found = extract(text, uses=uses, prompt=prompt, end_marker=MARKER)
    code = found.code
    origins = found.origins()
    for at, char in enumerate(code):
        assert all(char == text[slice(*place)] for place in origins.places(at, at + 1))
    return found


@pytest.mark.parametrize(
    "before",
    [
        "",
        "Sure!\n\n",
        "Here is the function:\n",
        "Sure!\nIt's this:\n\n",
        "Step 1: add\n\n",
        "Hi,\n\nhere is the function.\n\n",
    ],
)
@pytest.mark.parametrize(
    "behind",
    [
        "",
        "\n\nThis adds one to `x`.",
        "\n\nExplanation:\n- The function takes x.\n- It adds 1.\n",
        "\n\n* f 0 = 1\n* f 1 = 2\n",
        "\nNote that this doesn't overflow.",
        "\n\nit works because the sum is taken\nof both, let us say.",
        "\n\n## Explanation\n\nIt adds.",
        "\n\n---\n\nx is incremented.",
        "\n\n`f` adds one to it.",
        "\n\nThe result of `f 1` is `2`",
        "\n\nInput: [1; 2]\nOutput: [2; 3]\n",
        "\n\nhttps://ocaml.org/manual",
    ],
)  # fmt: skip
def test_prose_around_plain_code_is_no_code(before: str, behind: str) -> None:
    """Sentences at the margin end the code, and stand before it."""
    extraction = take(before + CODE + behind)

    assert CODE == extraction.code.rstrip()
    assert How.WHOLE is extraction.how


def test_runs_of_code_are_read_together() -> None:
    """What prose separates is joined as blocks are: helpers come along, a later draft replaces."""
    helper = "let double x = 2 * x"
    last = "let f x = double x"
    text = f"First a helper:\n\n{helper}\n\nThen the answer:\n\nlet f x = x\n\nThat is wrong.\n\n{last}\n"

    assert [helper, last] == [line for line in take(text).code.split("\n") if line]


@pytest.mark.parametrize(
    "text",
    [
        f"{CODE}\n\n(* This is prose\nHere is more of it.\n*)\nlet g = f",
        f'{CODE}\nlet s = "\nThis is prose.\n"\nlet g = f',
        "let f = function\nSome x -> x\n|\nNone -> 0",
        "type t =\nA of int\nlet f x = List.map\nsucc x",
        "print_int 1;;\nlet f x = x",
        "let f x = x\nand\ng x = f x",
        "Sure! let f x = x",
    ],
)
def test_code_without_prose_is_taken_whole(text: str) -> None:
    """Comments and strings say what they like, and layout is free."""
    assert text == take(text).code


def test_the_marker_counts_behind_plain_code() -> None:
    """Before the prose or behind it, it stands after the code, another task's too."""
    assert take(f"{CODE}\n{MARKER}\n\nThis adds one.").end_marker_present
    assert take(f"{CODE}\n\nThis adds one.\n{MARKER}").end_marker_present
    assert not take(f"{CODE}\n{MARKER}\n\nNow another one:\n\nlet g = 1").end_marker_present
    assert take(f"{CODE}\n\nNow another one:\n\nlet g = 1\n{MARKER}").end_marker_present
    assert not take(f"Sure!\n{MARKER}\n{CODE}\n\nThis adds one.").end_marker_present


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("  x + 1\n```", "  x + 1\n"),
        ("  x + 1\n```\n\nThis adds one.", "  x + 1\n"),
        ("  x + 1\n```\nThe rest is prose, see ```f``` above.", "  x + 1\n"),
        ("  x + 1\n\nExample:\n```ocaml\nlet () = assert (f 3 = 4)\n```", "  x + 1\n\n"),
        ("  x + 1\n\nThis adds one.", "  x + 1\n\n"),
        ("Here is the body:\n```ocaml\n  x + 1\n```", "  x + 1"),
        ("Here is the body:\n```\n  x + 1\n```\n```ocaml\nf 1, f 2, f 3\n```", "  x + 1"),
        ("Sure, the body:\n\n  x + 1\n", "  x + 1\n"),
        ('  match x with\n  | 0 -> g "let f"\n  | _ -> 1\n```', '  match x with\n  | 0 -> g "let f"\n  | _ -> 1\n'),
        ("  let module M = struct let y = 1 end in\n  x + M.y\n```\n", "  let module M = struct let y = 1 end in\n  x + M.y\n"),
    ],
)  # fmt: skip
def test_a_body_among_fences_and_prose_continues_its_signature(text: str, body: str) -> None:
    """What completes the definition that the prompt opened is its rest, before a lone fence or
    in one of the blocks.
    """
    extraction = take(text, prompt=OPEN)

    assert How.CONTINUATION is extraction.how
    assert f"let f (x : int) : int =\n{body}" == extraction.code


@pytest.mark.parametrize(
    "line",
    ["Some x", "Some x -> y", "None when x > 0", "Leaf as l", "Some x in", "A of int",
     "M.f x y", "Node (l, r)", "List.map f xs", "x + x", "f x y", "  Some text here",
     "<x>y", "< m : int >", "`A", "Num : int -> t", "ocaml x"],
)  # fmt: skip
def test_no_line_of_code_is_prose(line: str) -> None:
    """What a program may have at its margin is code."""
    assert not is_prose(line, "")
