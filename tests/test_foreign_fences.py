"""
Fences with the tag of another language: OCaml in them is the code, other languages are not.
"""

from __future__ import annotations

import pytest

from ocaml_reward.reading.extraction import Extraction, How, extract
from tests.other_languages import PROGRAMS

CODE = "let f x = x"
TAGS = ["haskell", "fsharp", "hack", "sml", "reason", "js", "python", "text", "{.rust}"]


def take(text: str, *, uses: tuple[str, ...] = ("f",)) -> Extraction:
    """
    Extract for tests that call `f`.
    """
    return extract(text, uses=uses, end_marker="(* END *)")


def fenced(tag: str, code: str) -> str:
    """
    Put code in a fence with a tag.
    """
    return f"```{tag}\n{code}\n```\n"


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("uses", [("f",), ()])
def test_ocaml_under_another_name_is_code(tag: str, uses: tuple[str, ...]) -> None:
    """
    Where no block is OCaml by its tag, what a block defines counts, or how it reads.
    """
    extraction = take(f"Sure:\n{fenced(tag, CODE)}It works.", uses=uses)

    assert CODE == extraction.code
    assert How.FENCE is extraction.how
    assert (CODE,) == extraction.fenced_blocks


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (fenced("ocaml", "let g = 1"), ""),
        ("", fenced("ml", "f 1")),
        (fenced("", CODE), ""),
    ],
)
def test_a_block_that_is_ocaml_by_its_tag_goes_before(
    tag: str, before: str, after: str
) -> None:
    """
    Beside a block with OCaml's tag, or one without any that has the answer, other tags are
    believed.
    """
    other = fenced(tag, "let f x = 0 (* long enough to win *)")

    assert "long enough" not in take(f"{before}{other}{after}").code


def test_an_untagged_block_of_output_hides_nothing() -> None:
    """
    A block without a tag and without the answer does not keep another from being it.
    """
    assert CODE == take(f"{fenced('fsharp', CODE)}Output:\n{fenced('', '3')}").code
    assert CODE == take(fenced("fsharp", CODE) + fenced("", "3"), uses=()).code


def test_plain_code_goes_before_a_block_of_another_language() -> None:
    """
    Code outside of any fence is the answer where it defines what is wanted.
    """
    text = f"{CODE}\n\nIn F#:\n{fenced('fsharp', 'let f x = x + 1')}"

    assert How.WHOLE is take(text).how


def test_every_block_counts_where_none_is_ocaml_by_its_tag() -> None:
    """
    Fence spam is the same under any tag.
    """
    text = fenced("hack", CODE) + "```hack\n```\n" * 4

    assert (CODE, "", "", "", "") == take(text).fenced_blocks


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_program_of_another_language_is_no_code(language: str) -> None:
    """
    What is really written in another language is not taken, whether the name that the tests
    use is defined in it or not known.
    """
    name, tag, program = PROGRAMS[language]

    assert "" == take(fenced(tag, program), uses=(name,)).code
    assert "" == take(fenced(tag, program), uses=()).code


def test_a_language_that_is_close_is_left_to_the_compiler() -> None:
    """
    F# that defines what is wanted by `let` is taken, and compiles or does not.
    """
    code = (
        "let f (xs: int list) : int =\n    xs |> List.map (fun x -> x + 1) |> List.sum"
    )

    assert code == take(fenced("fsharp", code)).code
