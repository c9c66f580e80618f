"""
Which lines an answer needs, and whether code has to do with what is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator

import pytest

from ocaml_reward.engine import CheckRequest, select
from ocaml_reward.model import Problem
from ocaml_reward.reading.lexing import Source
from ocaml_reward.scoring.substance import lines_of_substance, touches

Needed = Callable[..., int]

ANSWER = "let helper x =\n  x + 1\n\nlet answer xs =\n  List.map helper xs\n"
WANTED = frozenset({"answer"})


@pytest.fixture(scope="module")
def needed() -> Iterator[Needed]:
    """
    Count the lines that an answer needs, with the parts that the warm engine finds.
    """
    engine = select.engine("warm")
    tests = engine.prepare(Problem(id="p", tests="let () = assert (answer = answer)"))

    def needed(
        code: str,
        prompt: str = "",
        *,
        wanted: frozenset[str] = WANTED,
        mistakes: Collection[int] | None = None,
    ) -> int:
        report = engine.check(CheckRequest(code=code, tests=tests))
        source = Source(code)
        return lines_of_substance(
            source, report.parts, wanted, prompt, mistakes=mistakes
        )

    yield needed
    engine.close()


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
        '[@@@ocaml.text\n  "words"]\n',
        "include struct\n  let unused = 1\nend\n",
        "open struct\n  let unused = 1\nend\n",
        "module Unused = struct\n  let x = 1\nend\nopen Unused\n",
        "let table = ref []\nlet () = table := [ 1 ]\n",
        "let ( let* ) o f = f o\n",
    ],
)
def test_what_nothing_leads_to_does_not_count(padding: str, needed: Needed) -> None:
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
            "let answer x =\n  let open List in\n  let module L = List in\n  L.map (rev x)\n",
            4,
        ),
        ("let answer : type a. a -> a =\n  fun x -> x\n", 2),
        (
            "let answer x =\n  match x with\n  | exception Not_found -> 0\n  | y -> y\n",
            4,
        ),
        ("let answer x =\n  let dead = 1 in\n  let () = () in\n  x\n", 2),
        ("let answer x =\n  let dead =\n    List.length x\n  in\n  x\n", 2),
        ("let answer x =\n  ignore (List.length x);\n  ();\n  x\n", 2),
        ("let answer x =\n  assert (x > 0);\n  assert (1 = 1);\n  x\n", 3),
        ("let answer x =\n  let open List in\n  let open List in\n  map x\n", 3),
        ("let answer x =\n  let () = print_int x in\n  x\n", 3),
        ("let ( let* ) o f =\n  f o\nlet answer x =\n  let* y = x in\n  y\n", 5),
        (
            "let ( and+ ) a b = a, b\nlet ( let+ ) o f = f o\nlet answer x =\n"
            "  let+ y = x\n  and+ z = x in\n  y + z\n",
            6,
        ),
        (
            "include struct\n  let f x = x\n  let unused = 1\nend\nlet answer x = f x\n",
            2,
        ),
        ("open struct\n  let f x = x\nend\nlet answer x =\n  f x\n", 3),
        (
            "module M = struct\n  let f x = x\n  let g x = x\nend\nopen M\n"
            "let answer x = f x\n",
            5,
        ),
        ("module M = struct\n  let answer x = x\n  let g x = x\nend\ninclude M\n", 4),
        (
            "let answer x =\n  let module M = struct\n    let f x = x\n  end in\n"
            "  let open M in\n  f x\n",
            6,
        ),
        (
            "module F (X : sig\n  val k : int\nend) = struct\n  let f x = X.k * x\nend\n"
            "module Two = F (struct let k = 2 end)\nlet answer x = Two.f x\n",
            7,
        ),
        (
            "module Base = struct\n  let f x =\n    x\nend\n"
            "module M = struct\n  include Base\nend\n"
            "module Two = Id (M)\nlet answer x = Two.f x\n",
            9,
        ),
    ],
)
def test_what_an_answer_leads_to_counts(code: str, lines: int, needed: Needed) -> None:
    """
    Helpers, types, exceptions, operators, modules, state and one draft are needed.
    """
    assert lines == needed(code)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (
            "let t = Hashtbl.create 9\nlet fill () =\n  Hashtbl.add t 1 2\nlet () = fill ()\n"
            "let answer x = Hashtbl.find t x\n",
            5,
        ),
        (
            "let t = Hashtbl.create 9\nlet register k f =\n  Hashtbl.add t k f\n"
            "let () = register 1 (fun x -> x)\nlet () = register 2 (fun x ->\n  x + x)\n"
            "let answer k x = (Hashtbl.find t k) x\n",
            7,
        ),
        (
            "let hook = ref (fun x -> x)\nlet install f = hook := f\nlet body x =\n  x + 1\n"
            "let () = install body\nlet answer x = !hook x\n",
            6,
        ),
        (
            "let answer = Array.make 9 0\nlet square x = x * x\nlet () =\n"
            "  for i = 0 to 8 do\n    answer.(i) <- square i\n  done\n",
            6,
        ),
        ("let answer x = x\nlet () =\n  print_int (answer 1)\n", 1),
        ("let r = ref 0\nlet answer x = x + !r\nlet () = r := 1\nlet () = r := 1\n", 3),
    ],
)
def test_what_changes_what_an_answer_reads_counts(
    code: str, lines: int, needed: Needed
) -> None:
    """
    A table is filled, a function registered, a hook installed: directly or by a call; once.
    """
    assert lines == needed(code)


def test_the_same_definition_again_counts_once(needed: Needed) -> None:
    """
    A draft may be honest, a copy is none.
    """
    assert 4 == needed(ANSWER + ANSWER)


def test_what_the_prompt_declares_counts(needed: Needed) -> None:
    """
    A function that the prompt asks for is needed, although the tests do not call it.
    """
    code = ANSWER + "let more x =\n  x\n"

    assert 4 == needed(code)
    assert 6 == needed(
        code, "val answer : int list -> int list\nval more : int -> int\n"
    )


@pytest.mark.parametrize("code", ["let f x = x\n", "let x = = 1\n", ""])
def test_what_cannot_be_told_counts(code: str, needed: Needed) -> None:
    """
    Where nothing asked for is found, every line counts; and where nothing is asked for.
    """
    assert len(Source(code).lines) == needed(code)
    assert 4 == needed(ANSWER, wanted=frozenset())


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("let helpr x =\n  x + 1\n\nlet answer xs =\n  List.map helper xs\n", 4),
        ("let anser xs =\n  xs\n\nlet make_answer xs =\n  answer xs\n", 4),
        ("let answer xs =\n  xs\n\nlet other xs =\n  xs\n", 2),
        ("let answer xs =\n  let lenght = 1 in\n  let b = 2 in\n  length xs\n", 3),
    ],
)
def test_a_name_misspelt_still_leads_to_what_it_means(
    code: str, lines: int, needed: Needed
) -> None:
    """
    A slip of the pen in code that does not type leaves its helpers part of the answer.
    """
    assert lines == needed(code, mistakes=())


def test_a_definition_with_a_mistake_pads_nothing(needed: Needed) -> None:
    """
    What is wrong has cost what a mistake costs, whether anything leads to it or not.
    """
    code = (
        "(* first *)\n\n" + ANSWER + "let a = 1\nlet b x =\n  x + a + true\nlet c = 2\n"
    )

    assert 4 == needed(code, mistakes=())
    assert 7 == needed(code, mistakes={10})


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


def test_half_a_megabyte_is_read_in_seconds(needed: Needed) -> None:
    """
    Spam costs time in proportion to its length, and no more.
    """
    spam = "let x = let y = 1 in y\n" * 20_000 + ANSWER
    names = "".join(f"let answer{n} = anwer{n}\n" for n in range(20_000)) + ANSWER
    started = time.process_time()

    assert needed(spam) >= 4
    assert needed(names, mistakes=()) >= 4
    # A step that is quadratic takes minutes.
    assert time.process_time() - started < 30
