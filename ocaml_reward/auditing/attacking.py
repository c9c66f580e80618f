"""Runs attacks through an engine as ordinary completions and inspects the results."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from ..engine import Engine
from ..grader import Grader
from ..model import Completion, Problem, Verdict
from ..scheme import load
from .attacks import Attack, load_attacks
from .canaries import Canaries

JUDGED = {
    # A loop branches on query results, so the check is decided in the code's process.
    "beside": Problem(
        id="attacked-beside",
        tests="let () = for n = 1 to 1 do assert (answer n = 2) done\n"
        "let () = for n = 100 to 100 do assert (answer n = 101) done\n",
    ),
    "outside": Problem(
        id="attacked-outside",
        tests="let () =\n  assert (answer 1 = 2);\n  assert (answer 100 = 101)\n",
    ),
}
"""The attacked problems: judged in the code's process ("beside"), where the code must not break
type safety, or outside of it, where the code may do anything.
(eecs280staff/unit_test_framework issue 8)
"""
# Graded after each attack, with the same grader and so on the same server.
_NEIGHBOURS = (
    Completion(text="let answer n =\n  n + 1\n"),
    Completion(text="let answer n =\n  n ^ 1\n"),
    Completion(text="let answer n =\n  1 + n\n"),
)
_NEIGHBOUR_S = 3.0
# Short limits, because attacks may loop for ever.
_LIMITS = (
    "budget.check_cpu_s=0.3",
    "budget.check_steps=5000000",
    "budget.most_steps=5000000",
    "budget.tests_steps=10000000",
    "budget.tests_cpu_s=0.6",
    "budget.tests_wall_s=6.0",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class AttackResult:
    """The result of one attack on a problem `judged` beside or outside.

    `reward` is None if the machine failed to score it; `harmed` names what was damaged.
    """

    attack: Attack
    judged: str
    verdict: Verdict
    reward: float | None
    harmed: tuple[str, ...]

    @property
    def contained(self) -> bool:
        """Return whether nothing was harmed and the reward and verdict are permitted."""
        return not self.wrong

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return the violations, in words."""
        found = list(self.harmed)
        beside = self.judged == "beside"
        most = self.attack.most if beside else self.attack.most_outside
        if self.reward is None:
            found.append("it could not be scored")
        elif self.reward > most:
            found.append(f"it earned {self.reward:g}, more than {most:g}")
        # Outside of the code's process any outcome is permitted.
        if self.reward is not None and beside and self.verdict not in self.attack.verdicts:
            found.append(f"its verdict is {self.verdict}")
        return tuple(found)


def attack(
    engine: Engine,
    stdlib: Path,
    chosen: Sequence[Attack] | None = None,
    judged: Sequence[str] = tuple(JUDGED),
) -> Iterator[AttackResult]:
    """Run each attack (by default all that ship) on a problem of each kind of `JUDGED`; yield the
    results.

    `stdlib` is the standard library's folder. After each attack three neighbours, right, ill-typed
    and right, have to be graded as before, within three seconds each.
    """
    scheme = load("concise", _LIMITS)
    with Canaries(stdlib) as canaries:
        grader = Grader(scheme, engine=engine, jobs=1)
        before = {
            kind: [grader.grade(JUDGED[kind], each) for each in _NEIGHBOURS]
            # Of either kind, so that each server has its processes before they are counted.
            for kind in JUDGED
        }
        canaries.settle()
        for each, kind in product(load_attacks() if chosen is None else chosen, judged):
            # A new grader for each attack, because a grader caches results.
            grader = Grader(scheme, engine=engine, jobs=1)
            text = each.text(canaries.places)
            found = grader.grade(JUDGED[kind], Completion(text=text))
            harmed = list(canaries.harmed(repr(found)))
            for neighbour, alone in zip(_NEIGHBOURS, before[kind], strict=True):
                started = time.monotonic()
                if grader.grade(JUDGED[kind], neighbour) != alone:
                    harmed.append("a completion behind it was graded otherwise")
                if time.monotonic() - started > _NEIGHBOUR_S:
                    harmed.append("a completion behind it waited")
            yield AttackResult(
                attack=each.under(engine.toolchain),
                judged=kind,
                verdict=found.verdict,
                reward=found.reward,
                harmed=tuple(harmed),
            )
