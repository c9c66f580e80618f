"""Answers in several fenced blocks."""

from __future__ import annotations

import pytest

from ocaml_reward.reading.definitions import definitions
from ocaml_reward.reading.extraction import Extraction, extract
from ocaml_reward.reading.lexing import Source

HELPER = "let double x = 2 * x"
CODE = "let f x = double x + 1"
USAGE = [
    "let () = assert (f 1 = 2)",
    "let result = f 1\nlet () = print_int result",
    "# f 1;;\n- : int = 3",
    "f 1",
    "f 1;;",
    f"{CODE}\nlet () = assert (f 1 = 2)",
    f"# {CODE};;\nval f : int -> int = <fun>",
    "val f : int -> int",
    "3",
    "",
]


def take(*blocks: str, uses: tuple[str, ...] = ("f",)) -> Extraction:
    """Extract from fenced blocks with prose between."""
    text = "\n".join(f"Then:\n```ocaml\n{block}\n```" for block in blocks)
    return extract(text, uses=uses, end_marker="(* END *)")


def code(*blocks: str, uses: tuple[str, ...] = ("f",)) -> str:
    """Return the code of fenced blocks."""
    return take(*blocks, uses=uses).code


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (HELPER, CODE),
        ('let double x = if x = "" then 0 else 1', CODE),
        ("type t = Leaf | Node of t * t", "let rec f = function Leaf -> 0 | _ -> 1"),
        ("type p = { wide : int }", "let f p = p.wide"),
        ("exception Empty", "let f x = if x = 0 then raise Empty else x"),
        ("module M = struct let a = 1 end", "let f x = M.a + x"),
        ("let ( let* ) = Option.bind", "let f x =\n  let* y = x in\n  Some y"),
        ("open Printf", 'let f x = sprintf "%d" x'),
        ("let f x = 2 * x", "let f x = f (abs x)"),
        ("let ( +! ) a b = a + b", "let f x = x +! 1"),
    ],
)
def test_what_the_answer_uses_is_part_of_it(first: str, second: str) -> None:
    """An earlier block with a helper, a type or a module that the answer uses belongs to it."""
    assert f"{first}\n{second}" == code(first, second)
    assert f"{first}\n{second}" == code("let zero = 0", first, "let none = 0", second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("let acc = broken +", "let f x = acc x"),
        ("let double x = (2 * x", CODE),
        ("let double x = 2 * x (* twice", CODE),
        ("let double x =\n  ...", CODE),
        ("# let double x = 2 * x;;", CODE),
        ("let x = 1", "let f x = x"),
        ("let map = 1", "let f x = List.map x"),
        ("type t\nval double : int -> int", CODE),
        ("let y = 1", 'let f x = "y" (* y *)'),
    ],
)
def test_what_the_answer_does_not_use_is_left_out(first: str, second: str) -> None:
    """A fragment, a session, and what only shares a name with a parameter are no part of it."""
    assert second == code(first, second)


def test_all_that_is_wanted_may_be_spread() -> None:
    """Blocks that each define some of what the tests use are read together, in their order."""
    blocks = (HELPER, "let g x = double x", "let z = 0", CODE)

    assert f"{HELPER}\nlet g x = double x\n{CODE}" == code(*blocks, uses=("f", "g"))


@pytest.mark.parametrize("usage", USAGE)
@pytest.mark.parametrize("before", [(), (HELPER,)])
def test_examples_of_use_change_nothing(usage: str, before: tuple[str, ...]) -> None:
    """Tests, sessions, output and copies of the answer around it are not joined to it."""
    expected = "\n".join((*before, CODE))

    assert expected == code(*before, CODE, usage)
    assert expected == code(*before, CODE, usage, usage)
    if "let f" not in usage:
        assert expected == code(usage, *before, CODE)


def test_a_second_draft_replaces_the_first() -> None:
    """Of several drafts the last is the answer, and with it what it uses."""
    draft = "let f x = double x"

    assert f"{HELPER}\n{CODE}" == code(HELPER, draft, CODE)
    assert f"{HELPER}\n{CODE}" == code("let double x = x", draft, HELPER, CODE)
    assert f"{HELPER}\n{CODE}" == code(f"{HELPER}\n{CODE}", draft, f"{HELPER}\n{CODE}")


def test_what_is_replaced_is_no_part_of_the_answer() -> None:
    """Of a block that is needed for its helper the draft is left out, but not where something
    that stays uses it.
    """
    draft = "let f x = double x ^ x"
    wrapped = "let f x = f (abs x)"
    used = "let g x = f x"

    assert f"{HELPER}\n\n{CODE}" == code(f"{HELPER}\n{draft}", CODE)
    assert f"{HELPER}\n{draft}\n{wrapped}" == code(f"{HELPER}\n{draft}", wrapped)
    assert f"{HELPER}\n{draft}\n{used}\n{CODE} + g x" == code(
        f"{HELPER}\n{draft}\n{used}", f"{CODE} + g x"
    )


@pytest.mark.parametrize(
    "fragment",
    [
        "let f x =",
        "let f x = double x +",
        "let f x = ...",
        "let f (x : int",
    ],
)
def test_a_quotation_or_a_fragment_is_no_draft(fragment: str) -> None:
    """A piece of the answer, shown again to explain it, does not replace it."""
    assert CODE == code(CODE, fragment)


def test_a_draft_that_was_cut_off_replaces_nothing() -> None:
    """A block that no fence closes counts only where nothing before it is the answer."""
    text = f"```ocaml\n{HELPER}\n```\nthen\n```ocaml\n{CODE}"
    again = f"```ocaml\nlet f x = x\n```\nor\n```ocaml\n{CODE}"

    assert f"{HELPER}\n{CODE}" == extract(text, uses=("f",)).code
    assert "let f x = x" == extract(again, uses=("f",)).code


def test_the_end_marker_stands_behind_the_last_block() -> None:
    """The marker counts after the answer's last block, and only there."""
    marker = "(* END *)"

    assert take(HELPER, f"{CODE}\n{marker}").end_marker_present
    assert not take(f"{HELPER}\n{marker}", CODE).end_marker_present
    assert 1 == take(HELPER, f"{CODE}\n{marker}").end_markers


def test_signs_that_end_nothing_are_no_definitions() -> None:
    """The time to read a completion is not multiplied by them."""
    assert 2 == len(definitions(Source("let f x = x" + ";;\n" * 1000)).items)
