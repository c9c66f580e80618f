"""Finds cases that might be added to a problem judged by a program's output."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import ClassVar, Final

from ocaml_reward.engine.engines.printing import Printed, Printing
from ocaml_reward.errors import ProblemError
from ocaml_reward.model import CheckResult, Problem, StdioCase
from ocaml_reward.model.types import Constructed

from .calls import Call
from .inputs import inputs_of
from .reference_results import STRANGE, Candidate
from .running import Running
from .trials import Tried

_STRING: Final = Constructed("string")
# What a division by zero prints differs, in its sign, from one right program to another.
_NO_NUMBER: Final = re.compile(r"\b(?:nan|inf(?:inity)?)\b", re.IGNORECASE)
_LONGEST: Final = 400
"""Maximum length of a readable output, in characters."""


@dataclass(frozen=True, slots=True)
class Programs(Tried):
    """A problem that is judged by cases."""

    batch: ClassVar[int] = 40

    running: Running
    problem: Problem
    sandbox: str
    cases: dict[str, StdioCase] = field(default_factory=dict)

    def candidates(self, random: Random) -> tuple[list[Candidate], dict[str, str]]:
        """Run the reference on inputs like those of the cases."""
        own = [each.stdin for each in self._own]
        found = inputs_of(own, random, self.problem.prompt)
        printed = Printing(self.sandbox).tried(
            self.running.reference,
            [each.text for each in found],
            libraries=self.problem.libraries,
        )
        pairs = zip(found, printed, strict=True)
        made = [self._candidate(each.text, out, each.strange) for each, out in pairs]
        left = {} if found else {"input": "no other input is like its cases"}
        return [each for each in made if each is not None], left

    def _candidate(self, stdin: str, out: Printed, strange: bool) -> Candidate | None:
        """Return the check for an input and what the reference prints; None if that is too long."""
        call = Call(name="input", text=json.dumps(stdin), type=_STRING, strange=strange)
        if out.failed:
            doubt = "the reference does not come to its end there"
            said = f"ends in {out.failed}"[:80]
            return Candidate(call=call, check="", said=said, doubt=doubt)
        if len(out.text) > _LONGEST or _NO_NUMBER.search(out.text):
            return None
        case = {"input": stdin, "output": out.text}
        check = json.dumps(case, ensure_ascii=False)
        self.cases[check] = StdioCase(stdin=stdin, stdout=out.text)
        doubt = STRANGE if strange else ""
        said = f"= {json.dumps(out.text)}"
        return Candidate(call=call, check=check, said=said, doubt=doubt)

    @property
    def _own(self) -> tuple[StdioCase, ...]:
        tests = self.problem.tests
        return tests if isinstance(tests, tuple) else ()

    def _results(self, code: str, checks: Sequence[str]) -> Sequence[CheckResult]:
        return self.running.results(code, tuple(self.cases[each] for each in checks))

    def added(self, checks: Sequence[str]) -> tuple[Problem, int]:
        """Add cases; see `Tried`."""
        if not checks:
            return self.problem, 0
        more = tuple(self.cases[each] for each in checks)
        stronger = replace(self.problem, tests=(*self._own, *more))
        count = self.running.sound(stronger)
        if count != len(stronger.tests):
            return self.problem, 0
        return stronger, count


def is_program(problem: Problem) -> bool:
    """Return whether a problem is judged by cases. Raises ProblemError if it has too few."""
    if isinstance(problem.tests, tuple) and len(problem.tests) < 2:
        raise ProblemError("one case does not show what inputs look like")
    return isinstance(problem.tests, tuple)
