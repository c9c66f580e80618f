"""Programs with one planted mistake whose place is known: references of generated problems with one
thing changed, half of them ill-typed, half with a wrong result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from benchmarks.mutations import change
from experiments.pretrained.problems import HELD_OUT, TRAINED, WARMED
from ocaml_reward import Breakdown, Completion, Grader, Problem, Verdict
from ocaml_reward.auditing.mutants import mutants
from ocaml_reward.engine.engines.printing import Printing
from problem_sets import Oracle, Order, Tally, make
from tests.generated.single import SINGLE
from tests.generated.single import mutants as type_mistakes

FAMILIES: Final = (*TRAINED, *HELD_OUT, *WARMED)
"""Those with short references, some 60 to 150 tokens."""
SEED: Final = 7
LONGEST: Final = 200
"""Characters of a reference, some 70 tokens."""
TRIED: Final = 12
"""Changes of a reference that are graded before the next problem is taken."""
KINDS: Final = {"types": Verdict.TYPE_ERROR, "tests": Verdict.FAILED_TESTS}
_LEXEME: Final = re.compile(r"[\w'.]+|[^\w\s]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Planted:
    """A program with a mistake.

    Attributes:
        kind: "types" for a type error, "tests" for a wrong result.
        problem: The problem, whose reference has no mistake.
        code: The program.
        start: The first character of the mistake.
        stop: The character behind it.
        breakdown: The program's grading, with regions.
    """

    kind: str
    problem: Problem
    code: str
    start: int
    stop: int
    breakdown: Breakdown


def planted(count: int) -> Iterator[Planted]:
    """Yield so many programs, of one kind and the other in turn; the same ones each time."""
    order = Order(count=20 * count, seed=SEED, families=FAMILIES, tones=("doc",))
    kinds = list(KINDS)
    found = 0
    with Grader("concise", jobs=1, regions=True) as grader:
        for made in make(order, Oracle(Printing()), None, Tally()):
            one = _one(made.problem, kinds[found % len(kinds)], grader)
            if one is not None:
                found += 1
                yield one
            if found == count:
                return


def _one(problem: Problem, kind: str, grader: Grader) -> Planted | None:
    reference = (problem.reference or "").rstrip()
    if len(reference) > LONGEST:
        return None
    for code in _changed(reference, kind, Random(problem.id)):
        start, _, text = change(reference, code)
        place = lexemes(code, start, start + len(text))
        breakdown = grader.grade(problem, Completion(text=code))
        if text.strip() and breakdown.verdict is KINDS[kind] and breakdown.code == code:
            return Planted(
                kind=kind,
                problem=problem,
                code=code,
                start=place[0],
                stop=place[1],
                breakdown=breakdown,
            )
    return None


def _changed(reference: str, kind: str, random: Random) -> list[str]:
    """Return some programs with one thing changed; kinds of mistakes are as frequent as each
    other.
    """
    if kind == "tests":
        codes = [each.code for each in mutants(reference, 100)]
        return random.sample(codes, min(TRIED, len(codes)))
    by_kind = [found for each in SINGLE if (found := type_mistakes(reference, each))]
    random.shuffle(by_kind)
    return [random.choice(each) for each in by_kind[:TRIED]]


def lexemes(code: str, start: int, stop: int) -> tuple[int, int]:
    """Widen a range of characters to whole names, numbers and operators."""
    touched = [
        each.span() for each in _LEXEME.finditer(code) if each.start() < stop and each.end() > start
    ]
    return (touched[0][0], touched[-1][1]) if touched else (start, stop)
