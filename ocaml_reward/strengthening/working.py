"""
The checks that might be added to a problem: found, tried, put behind its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from ..auditing.examples import examples
from ..engine import PreparedTests
from ..model import CheckResult, Outcome, Problem
from .calls import calls_of
from .reading import read_interface
from .running import Running
from .seen import Shown
from .telling import Candidate, told

__all__ = ["OTHERWISE", "Work"]

OTHERWISE: Final = "a right program answers otherwise"
"""
Why a check is in doubt that some right program does not pass.
"""
_BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class Work:
    """
    One problem, with what is known of its tests and of what its reference defines;
    `modules` are those that tests make of the reference's functors.
    """

    running: Running
    problem: Problem
    prepared: PreparedTests
    signature: str
    modules: tuple[str, ...] = ()

    def candidates(self, random: Random) -> tuple[list[Candidate], dict[str, str]]:
        """
        Find out what the reference makes of calls; and why some names have none.
        """
        problem, uses = self.problem, self.prepared.uses
        tests = str(problem.tests)
        shown = [each.assertion[9:] for each in examples(problem.prompt, uses)]
        sources = [*shown, *(check.source for check in self.prepared.checks)]
        interface = read_interface(self.signature)
        if problem.signature:
            # What it names is promised, whether tests use it or not.
            named = (*interface.values, *interface.functors)
            tops = (each.partition(".")[0] for each in named)
            uses = tuple(dict.fromkeys((*uses, *tops)))
        if self.modules:
            # What functors make stands for them.
            uses = (*(u for u in uses if u not in interface.functors), *self.modules)
        calls, left = calls_of(
            interface,
            uses,
            Shown(checks=tuple(sources), prompt=problem.prompt, tests=tests),
            random,
            signed=bool(problem.signature),
        )
        found, unmade = told(
            self.running, interface, calls, f"{problem.prompt}\n{tests}"
        )
        unique = {each.check or each.call.text: each for each in found}
        return list(unique.values()), left | unmade

    def agreed(
        self, candidates: Sequence[Candidate], right: Sequence[str]
    ) -> list[Candidate]:
        """
        Leave out checks that the reference does not pass, and doubt those that some right
        program does not pass.
        """
        checks = [each for each in candidates if each.check]
        passed = self._outcomes(self.running.reference, checks)
        refused: set[str] = set()
        for code in right:
            outcomes = self._outcomes(code, checks)
            refused |= {
                each.check
                for each in checks
                if outcomes.get(each.check) is not Outcome.PASSED
            }
        return [
            replace(each, doubt=OTHERWISE) if each.check in refused else each
            for each in candidates
            if not each.check or passed.get(each.check) is Outcome.PASSED
        ]

    def catches(
        self, candidates: Sequence[Candidate], programs: Sequence[str]
    ) -> dict[str, frozenset[int]]:
        """
        Return the programs that each check catches, by their places.
        """
        checks = [each for each in candidates if each.check]
        found: dict[str, set[int]] = {each.check: set() for each in checks}
        for place, code in enumerate(programs):
            for check, outcome in self._outcomes(code, checks).items():
                if outcome not in (Outcome.PASSED, Outcome.NOT_RUN):
                    found[check].add(place)
        return {check: frozenset(places) for check, places in found.items()}

    def _outcomes(self, code: str, checks: Sequence[Candidate]) -> dict[str, Outcome]:
        found: dict[str, Outcome] = {}
        for start in range(0, len(checks), _BATCH):
            batch = checks[start : start + _BATCH]
            tests = "".join(f"let () = assert ({each.check})\n" for each in batch)
            results: Sequence[CheckResult] = self.running.results(code, tests)
            found |= {
                each.check: result.outcome
                for each, result in zip(batch, results, strict=False)
            }
        return found

    def added(self, checks: Sequence[str]) -> tuple[Problem, int]:
        """
        Return the problem with checks behind its own, and how many it has then; as it was,
        and 0, where they cannot stand there.
        """
        if not checks:
            return self.problem, 0
        own = str(self.problem.tests).rstrip()
        block = ";\n".join(f"  assert ({check})" for check in checks)
        asserted = f"let () =\n{block}\n"
        cases = "".join(
            f'  "added {number}" >:: (fun _ -> assert_bool "added {number}" ({check}));\n'
            for number, check in enumerate(checks, 1)
        )
        suite = f'let () = run_test_tt_main ("added" >::: [\n{cases}])\n'
        for behind in (f"\n\n{asserted}", f" ;;\n\n{asserted}", f"\n\n{suite}"):
            stronger = replace(self.problem, tests=own + behind)
            count = self.running.sound(stronger)
            if count == len(self.prepared.checks) + len(checks):
                return stronger, count
        return self.problem, 0
