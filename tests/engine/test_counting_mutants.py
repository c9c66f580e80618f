"""One mistake counts one, whatever it is and however much follows from it; right code that
uses what is wrong adds nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocaml_reward.engine import CheckRequest, Engine
from ocaml_reward.formats import load_problems
from ocaml_reward.model import Problem, StdioCase
from tests.generated.programs import program
from tests.generated.samples import CORPUS
from tests.generated.single import SINGLE, mutants

Count = Callable[[str], int]

# A definition, wrong ways to write it, and uses that the right one allows.
WRONG: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "sum": (
        "let sum xs = List.fold_right (+) xs 0",
        (
            "let sum xs = List.fold_right (+) 0 xs",
            'let sum xs = List.fold_right (+) xs 0 ^ "0"',
            "let sum (xs : int list) = List.fold_right (^) xs 0",
        ),
        ("sum [] = 0", "sum [1] = 1", "sum (List.map succ [1; 2]) + 1 = 6"),
    ),
    "twice": (
        "let twice f x = f (f x)",
        ("let twice f x = f (f x) + not f", "let twice f x = f f (f x)"),
        ("twice succ 1 = 3", 'twice String.trim "a" = "a"', "twice not true"),
    ),
    "pow": (
        "let rec pow b e = if e = 0 then 1 else b * pow b (e - 1)",
        (
            'let rec pow b e = if e = 0 then "1" else b * pow b (e - 1)',
            "let rec pow b e = if e = 0 then 1 else b *. pow b (e - 1)",
            "let pow b e = if e = 0 then 1 else b * pow b (e - 1)",
            "let rec pow b e = if e = 0 then 1 else b * pow (e - 1)",
        ),
        ("pow 2 3 = 8", "pow 2 0 + 1 = 2", "List.map (pow 2) [1] = [2]"),
    ),
    "repeat": (
        "let rec repeat n x = if n = 0 then [] else x :: repeat (n - 1) x",
        (
            "let rec repeat n = if n = 0 then [] else x :: repeat (n - 1) x",
            "let repeat n x = if n = 0 then [] else x :: repeat (n - 1) x",
            "let rec repeat n x = if n = 0 then [] else x :: repeat n - 1 x",
        ),
        (
            "repeat 0 1 = []",
            'repeat 2 "a" = ["a"; "a"]',
            "List.hd (repeat 1 'c') = 'c'",
        ),
    ),
    "pair": (
        "let pair x = let swap (a, b) = (b, a) in swap (x, x)",
        ("let pair x = let swap (a, b) = (b, a + true) in swap (x, x)",),
        ("pair 1 = (1, 1)", 'fst (pair "a") = "a"', "snd (pair 'c') = 'c'"),
    ),
}
PLACES = ("{}", "module M = struct\n{}\nend", "let main () =\n{}\n()")
SAMPLES = 40


@pytest.fixture(scope="module")
def counted(engines: Callable[[str], Engine]) -> Count:
    engine = engines("warm")
    tests = engine.prepare(Problem(id="p", tests=(StdioCase(stdin="", stdout=""),)))
    return lambda code: engine.check(CheckRequest(code=code, tests=tests)).type_errors or 0


def placed(place: str, definition: str, uses: list[str]) -> str:
    """Write a definition and checks of it, at the top, in a module or in a function."""
    lines = [definition, *(f"let _ = {use}" for use in uses)]
    end = " in\n" if "main" in place else "\n"
    return place.format(end.join(lines) + (" in" if "main" in place else ""))


@given(data=st.data())
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_right_uses_add_nothing(counted: Count, data: st.DataObject) -> None:
    """A wrong definition is one mistake with any uses that the right one allows."""
    right, wrong, uses = WRONG[data.draw(st.sampled_from(sorted(WRONG)))]
    place = data.draw(st.sampled_from(PLACES))
    chosen = data.draw(st.lists(st.sampled_from(uses), max_size=6))
    mistaken = data.draw(st.sampled_from(wrong))
    alone = counted(placed(place, mistaken, []))

    assert counted(placed(place, right, chosen)) == 0
    assert alone >= 1
    assert counted(placed(place, mistaken, chosen)) == alone


@pytest.fixture(scope="module")
def counts(counted: Count) -> list[tuple[int, int]]:
    """Return how many errors mutants have, alone and with right uses behind them."""
    found = []
    for seed in range(1000, 1000 + SAMPLES):
        code, uses = program(Random(seed))
        for kind in SINGLE:
            made = mutants(code, kind)
            chosen = Random(f"{seed} {kind}").sample(made, min(2, len(made)))
            found += [(counted(m), counted(f"{m}\n{uses}")) for m in chosen]
    return found


def test_right_code_behind_a_mutant_adds_nothing(
    counts: list[tuple[int, int]],
) -> None:
    """Checks of the unchanged program leave the count of a mutant as it is, in 995 of
    1000: a definition that types otherwise than it did is not always found out.
    """
    wrong = [(alone, used) for alone, used in counts if alone]
    more = [(alone, used) for alone, used in wrong if used > alone]

    assert len(wrong) > 300
    assert len(more) / len(wrong) <= 0.005, more


@pytest.mark.parametrize("uses", [False, True], ids=["alone", "with uses"])
def test_a_single_mutation_counts_one(uses: bool, counted: Count) -> None:
    """In 95 of 100 mutants of the corpus' references, and with their tests behind them."""
    found: Counter[int] = Counter()
    for problem in load_problems(CORPUS / "problems.jsonl").problems.values():
        code = problem.reference or ""
        behind = f"\n{problem.tests}" if isinstance(problem.tests, str) else ""
        if uses and (not behind or counted(code + behind)):
            continue
        for kind in SINGLE:
            made = mutants(code, kind)
            for mutant in Random(kind + code).sample(made, min(3, len(made))):
                found[counted(mutant + (behind if uses else ""))] += 1
    wrong = found.total() - found[0]

    assert wrong > 500
    assert found[1] / wrong >= 0.95, found
