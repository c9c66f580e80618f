"""
Which lines an answer needs, and whether code has to do with what is asked for.
"""

from __future__ import annotations

import pytest

from ocaml_reward.lexing import Source
from ocaml_reward.substance import lines_of_substance, touches

ANSWER = "let helper x =\n  x + 1\n\nlet answer xs =\n  List.map helper xs\n"
WANTED = frozenset({"answer"})


def needed(code: str, prompt: str = "") -> int:
    return lines_of_substance(Source(code), WANTED, prompt)


@pytest.mark.parametrize(
    "padding",
    [
        "let unused = 1\n",
        "let unused x =\n  x\n",
        "let a = 1\nlet b = a\n",
        "type unused = A | B of int\n",
        "exception Unused\n",
        "module Unused = struct\n  let x = 1\nend\n",
        "let () = ()\n",
        "let _ = 0\n",
        "let () = ignore (answer [])\n",
        ";;\n;;\n",
        "(* a comment *)\n",
        "let rec loop x = loop x\nand other x = loop x\n",
    ],
)
def test_what_nothing_leads_to_does_not_count(padding: str) -> None:
    """
    Padding before or behind an answer adds no line that counts.
    """
    assert 4 == needed(ANSWER)
    assert 4 == needed(ANSWER + padding)
    if "answer" not in padding:
        assert 4 == needed(padding + ANSWER)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("type t = A of int\nlet f (A x) = x\nlet answer x =\n  f x\n", 4),
        ("exception Odd\nlet answer x =\n  if x then raise Odd else 0\n", 3),
        ("module M = struct\n  let f x = x\nend\nlet answer x = M.f x\n", 4),
        ("module Inner = struct\n  let answer x = x\nend\ninclude Inner\n", 4),
        ("let rec even x = odd x\nand odd x = even x\nlet answer x = even x\n", 3),
        ("let ( |+| ) a b = a + b\nlet answer x =\n  x |+| 1\n", 3),
        ("let seen = ref []\nlet () = seen := [ 1 ]\nlet answer () = !seen\n", 3),
        ("let a, b = 1, 2\nlet answer x =\n  x + b\n", 3),
        ("open Printf\nlet answer x = sprintf x\n", 2),
        ("let answer x = x\n\nlet answer x =\n  answer x + 1\n", 3),
        ("let answer _ = 0\n\nlet answer x =\n  x + 1\n", 3),
        (
            "let answer x =\n  let open List in\n  let module L = List in\n  L.map x\n",
            4,
        ),
        ("let answer : type a. a -> a =\n  fun x -> x\n", 2),
        (
            "let answer x =\n  match x with\n  | exception Not_found -> 0\n  | y -> y\n",
            4,
        ),
        ("let answer x =\n  let dead = 1 in\n  let () = () in\n  x\n", 2),
    ],
)
def test_what_an_answer_leads_to_counts(code: str, lines: int) -> None:
    """
    Helpers, types, exceptions, operators, modules, state and one draft are needed.
    """
    assert lines == needed(code)


def test_the_same_definition_again_counts_once() -> None:
    """
    A draft may be honest, a copy is none.
    """
    assert 4 == needed(ANSWER + ANSWER)


@pytest.mark.parametrize("enough", range(1, 9))
def test_a_count_may_end_early(enough: int) -> None:
    """
    Up to as many lines as are enough the count is the same.
    """
    for code in (ANSWER, f"{ANSWER}let c = 1\n", f"open List\n{ANSWER}", "let f = 1\n"):
        found = lines_of_substance(Source(code), WANTED, enough=enough)

        assert min(found, enough) == min(needed(code), enough)


def test_what_the_prompt_declares_counts() -> None:
    """
    A function that the prompt asks for is needed, although the tests do not call it.
    """
    code = ANSWER + "let more x =\n  x\n"

    assert 4 == needed(code)
    assert 6 == needed(
        code, "val answer : int list -> int list\nval more : int -> int\n"
    )


@pytest.mark.parametrize("code", ["let f x = x\n", "let x = = 1\n", ""])
def test_what_cannot_be_told_counts(code: str) -> None:
    """
    Where nothing asked for is found, every line counts; and where nothing is asked for.
    """
    assert len(Source(code).lines) == needed(code)
    assert 4 == lines_of_substance(Source(ANSWER), frozenset())


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("let helpr x =\n  x + 1\n\nlet answer xs =\n  List.map helper xs\n", 4),
        ("let anser xs =\n  xs\n\nlet make_answer xs =\n  answer xs\n", 4),
        ("let answer xs =\n  xs\n\nlet other xs =\n  xs\n", 2),
    ],
)
def test_a_name_misspelt_still_leads_to_what_it_means(code: str, lines: int) -> None:
    """
    A slip of the pen in code that does not type leaves its helpers part of the answer.
    """
    assert lines == lines_of_substance(Source(code), WANTED, mistakes=())


def test_a_definition_with_a_mistake_pads_nothing() -> None:
    """
    What is wrong has cost what a mistake costs, whether anything leads to it or not.
    """
    code = Source(
        "(* first *)\n\n" + ANSWER + "let a = 1\nlet b x =\n  x + a + true\nlet c = 2\n"
    )

    assert 4 == lines_of_substance(code, WANTED, mistakes=())
    assert 7 == lines_of_substance(code, WANTED, mistakes={10})


@pytest.mark.parametrize(
    ("code", "wanted", "expected"),
    [
        ("let rotate k xs = xs", {"rotate_left"}, True),
        ("let rotateLeft k xs = xs", {"rotate_left"}, True),
        ("let rec sum xs = 0", {"rotate_left"}, False),
        ("module M = struct let left = 1 end", {"rotate_left"}, True),
        ("let x = rotate_left 1", {"rotate_left"}, False),
        ("let g x = x", {"f"}, True),
        ("let create n = n", {"Stack"}, True),
        ("let g x = x", set(), True),
        ("let total_value x = x", {"stock_value", "restock"}, True),
    ],
)
def test_an_attempt_is_called_something_like_it(
    code: str, wanted: set[str], *, expected: bool
) -> None:
    """
    Code that defines nothing with a word in common is about something else.
    """
    assert expected == touches(code, frozenset(wanted))


def test_broken_code_may_mention_it_anywhere() -> None:
    """
    What does not parse hides its definitions.
    """
    assert touches("fun rotate_left (k", frozenset({"rotate_left"}), broken=True)
    assert not touches("The answer is", frozenset({"rotate_left"}), broken=True)


def test_megabytes_are_read_in_seconds() -> None:
    """
    Spam costs time in proportion to its length, and no more.
    """
    spam = "let x = let y = 1 in y\n" * 50_000 + ANSWER
    names = "".join(f"let answer{n} = anwer{n}\n" for n in range(50_000)) + ANSWER

    assert needed(spam) >= 4
    assert lines_of_substance(Source(names), WANTED, mistakes=()) >= 4
