"""Finds, tries and appends the checks that might be added to a problem."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar, Final

from ocaml_reward.auditing.examples import examples
from ocaml_reward.engine import PreparedTests
from ocaml_reward.engine.prepare.interfaces import are_expressions
from ocaml_reward.model import CheckResult, Problem
from ocaml_reward.model.types import Interface

from .calls import calls_of
from .examples import ProblemExamples
from .reference_results import Candidate, reference_results
from .running import Running
from .trials import Tried

_MOST: Final = 600
"""Maximum number of calls of all functions together: a problem takes bounded time."""


def _is_in(check: str, asked: str) -> bool:
    """Tell whether tests, without line breaks, have a check already, which would count twice."""
    words = re.escape(" ".join(check.split()))
    return bool(check) and re.search(rf"(?<![\w'.]){words}(?![\w'.])", asked) is not None


@dataclass(frozen=True, slots=True)
class TestedProblem(Tried):
    """A problem, its tests and the reference's interface.

    `modules` are those that tests create with the reference's functors.
    """

    batch: ClassVar[int] = 100

    running: Running
    problem: Problem
    prepared: PreparedTests
    interface: Interface
    modules: tuple[str, ...] = ()
    sandbox: str = "auto"

    def candidates(self, random: Random) -> tuple[list[Candidate], dict[str, str]]:
        """Run the reference on calls; return the candidates, and why some names have none."""
        problem, uses = self.problem, self.prepared.uses
        tests = str(problem.tests)
        shown = [each.assertion[9:] for each in examples(problem.prompt, uses)]
        sources = [*shown, *(check.source for check in self.prepared.checks)]
        interface = self.interface
        if problem.signature:
            # The problem requires the names that it mentions, whether tests use them or not.
            named = (*interface.values, *interface.functors)
            tops = (each.partition(".")[0] for each in named)
            uses = tuple(dict.fromkeys((*uses, *tops)))
        if self.modules:
            # Functors are tested through the modules that they create.
            uses = (*(u for u in uses if u not in interface.functors), *self.modules)
        calls, left = calls_of(
            interface,
            uses,
            ProblemExamples(checks=tuple(sources), prompt=problem.prompt, tests=tests),
            random,
            has_signature=bool(problem.signature),
        )
        calls = calls[:: max(1, -(-len(calls) // _MOST))]
        # What a prompt shows as an argument may be anything, and would spoil all calls with it.
        parse = are_expressions([each.text for each in calls], self.sandbox)
        calls = [each for each, does in zip(calls, parse, strict=True) if does]
        found, unmade = reference_results(
            self.running, interface, calls, f"{problem.prompt}\n{tests}"
        )
        asked = " ".join(tests.split())
        unique = {
            each.check or each.call.text: each for each in found if not _is_in(each.check, asked)
        }
        return list(unique.values()), left | unmade

    def _results(self, code: str, checks: Sequence[str]) -> Sequence[CheckResult]:
        tests = "".join(f"let () = assert ({check})\n" for check in checks)
        return self.running.results(code, tests)

    def added(self, checks: Sequence[str]) -> tuple[Problem, int]:
        """Add checks after the problem's own; see `Tried`."""
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
        behinds = [f"\n\n{asserted}", f" ;;\n\n{asserted}", f"\n\n{suite}"]
        # Assertions after a suite form one check together.
        for behind in behinds[::-1] if "OUnit2" in own else behinds:
            stronger = replace(self.problem, tests=own + behind)
            count = self.running.sound(stronger)
            if count == len(self.prepared.checks) + len(checks):
                return stronger, count
        return self.problem, 0
