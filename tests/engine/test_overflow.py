"""Code that overflows the compiler's stack or heap costs its own reward and nobody else's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines.select import engine

PROBLEM = Problem(id="next", tests="let () = assert (f 1 = 2)\nlet () = assert (f 5 = 6)")
F = "\nlet f x = x + 1\n"
NEIGHBOURS = ("let f x = x + 1", "let f x = x ^ 1", "let f x = 1 + x")

SHAPES: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "array": (lambda n: "let a = [|" + "1;" * n + "1|]", (20_000, 150_000, 299_999)),
    "list": (lambda n: "let a = [" + "1;" * n + "1]", (10_000, 60_000, 400_000)),
    "cons": (lambda n: "let a = " + "1::" * n + "[]", (3_000, 12_000, 25_000)),
    "sum": (lambda n: "let a = " + "1+" * n + "1", (5_000, 25_000, 100_000)),
    "lets": (
        lambda n: "let a = " + "".join(f"let x{i} = 1 in " for i in range(n)) + "1",
        (5_000, 20_000, 60_000),
    ),
    "functions": (lambda n: "let a = " + "fun _ -> " * n + "1", (1_000, 10_000)),
    "calls": (lambda n: "let a = " + "succ (" * n + "1" + ")" * n, (10_000, 100_000)),
    "ifs": (
        lambda n: "let a = " + "if true then 1 else " * n + "1",
        (5_000, 20_000, 50_000),
    ),
    "patterns": (
        lambda n: "let a = function " + "_::" * n + "_ -> 1 | _ -> 0",
        (3_000, 30_000),
    ),
    "or patterns": (
        lambda n: "let a = function " + "|".join(map(str, range(n))) + " -> 1 | _ -> 0",
        (2_000, 20_000),
    ),
    "arrows": (lambda n: "type t = " + "int -> " * n + "int", (5_000, 50_000)),
    "lists of lists": (
        lambda n: "type t = int" + " list" * n,
        (5_000, 50_000, 200_000),
    ),
    "nested tuples": (
        lambda n: "let a = " + "(1," * n + "1" + ")" * n,
        (1_000, 4_000, 40_000),
    ),
    "modules": (
        lambda n: "module M = struct " * n + "end " * n,
        (200, 3_000, 30_000),
    ),
    "functors": (
        lambda n: "module F " + "(X : sig end) " * n + "= struct end",
        (500, 5_000),
    ),
    "records": (
        lambda n: "type r = {" + ";".join(f"f{i} : int" for i in range(n)) + "}",
        (5_000, 50_000),
    ),
    "comments": (lambda n: "(*" * n + "*)" * n, (10_000, 500_000)),
    "strings": (lambda n: 'let a = "' + "\\x41" * n + '"', (10_000, 450_000)),
    "long numbers": (lambda n: "let a = 1" + "0" * n, (10_000, 1_500_000)),
}
CASES = [
    pytest.param(make, size, id=f"{name}-{size}")
    for name, (make, sizes) in SHAPES.items()
    for size in sizes
]


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    """Make one grader, whose one server everything runs on."""
    with Grader("concise", engine=engine("warm"), jobs=1) as made:
        yield made


def test_there_are_forty() -> None:
    """Below and above the limits."""
    assert len(CASES) >= 40


@pytest.mark.parametrize(("make", "size"), CASES)
def test_the_next_completions_get_what_they_get_alone(
    grader: Grader, make: Callable[[int], str], size: int
) -> None:
    """Whatever comes of the code, three neighbours behind it are graded rightly and at once."""
    bomb = grader.grade(PROBLEM, Completion(text=make(size) + F))
    found: list[tuple[str, int | None]] = []
    for text in NEIGHBOURS:
        started = time.monotonic()
        # Each text is another one, so that none is remembered.
        breakdown = grader.grade(
            PROBLEM, Completion(text=f"{text}\nlet n = {id(text) + size}{len(found)}")
        )
        found.append((breakdown.verdict.value, breakdown.type_errors))
        assert time.monotonic() - started < 3

    assert bomb.fault is None
    assert [("passed", 0), ("type_error", 1), ("passed", 0)] == found
    assert not grader.replaced
