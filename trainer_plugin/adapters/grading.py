"""Grading for all adapters: settings, one scorer per process, and figures of a breakdown.

An adapter passes a label and a text. A failure to grade raises an exception, and is never a number;
each adapter converts it to what its trainer accepts as a missing reward.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ocaml_reward import (
    Breakdown,
    Completion,
    InputError,
    MachineError,
    Problem,
    ProblemError,
    Verdict,
)
from ocaml_reward.engine.engines.select import check_name
from ocaml_reward.formats import load_problems
from ocaml_reward.formats.labels import problem_by_label
from ocaml_reward.scheme import RewardScheme, load

from ..environment import settings_from
from ..samples import Sample
from ..scorer import Scorer

PROBLEMS_VARIABLE = "OCAML_REWARD_PROBLEMS"
SETTINGS: Final = ("engine", "scheme", "sandbox", "jobs", "deadline_s", "problems")
"""The settings that a trainer's configuration may have, as variables may."""


class RewardUnavailable(MachineError):
    """A completion could not be graded, so it has no reward; 0 would be wrong."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Settings of the grading in a process.

    `engine`, `sandbox`, `scheme`, `jobs` and `deadline_s`, in seconds, are as for OCamlReward; a
    scheme may also be one that is loaded.
    `problems` is a file of problems, whose ids labels may use. `regions` is whether breakdowns have
    regions.
    """

    scheme: str | RewardScheme = "seed"
    engine: str = "auto"
    sandbox: str = "auto"
    jobs: int | None = None
    deadline_s: float = 300.0
    problems: str | None = None
    regions: bool = False

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ, **given: Any) -> Settings:
        """Read the variables OCAML_REWARD_...; given settings take precedence.

        Args:
            environment: The variables.
            **given: Settings by name; for None the environment's is used.

        Raises:
            ValueError: A variable or an engine's name cannot be used.
            TypeError: There is no such setting.
        """
        # Phases and rare checks are of a training, which an adapter does not see.
        variables = settings_from(environment)
        read: dict[str, Any] = {name: variables[name] for name in SETTINGS if name in variables}
        if file := environment.get(PROBLEMS_VARIABLE):
            read["problems"] = file
        told = {name: value for name, value in given.items() if value is not None}
        settings = cls(**{**read, **told})
        check_name(settings.engine)
        return settings


@dataclass(frozen=True, kw_only=True)
class Grading:
    """Grades completions, from any thread, in this process or in one forked from it."""

    settings: Settings
    _scheme: RewardScheme = field(repr=False)
    _scorer: Scorer = field(repr=False)

    def close(self) -> None:
        """Stop the engine, if it has been started."""
        self._scorer.close()

    @cached_property
    def problems(self) -> Mapping[str, Problem]:
        """Load the problems that labels may name; raises InputError if one is bad."""
        if self.settings.problems is None:
            return {}
        found = load_problems(Path(self.settings.problems))
        if found.bad:
            raise InputError(str(found.bad[0]))
        return found.problems

    def breakdowns(self, asked: Sequence[tuple[object, str, bool | None]]) -> list[Breakdown]:
        """Grade labels with their completions, in order; those with a fault have no reward.

        Args:
            asked: For each completion its label, as for problem_by_label; its text; and whether
                it was cut off, None if unknown.

        Raises:
            InputError: A label names no problem.
        """
        samples = []
        for label, text, truncated in asked:
            problem = self.problem(label)
            samples.append(
                Sample(
                    problem_id=problem.id,
                    prompt=problem.prompt,
                    completion=Completion(text=text, truncated=truncated),
                    problem=problem,
                )
            )
        return self.scored(samples)

    def scored(self, samples: Sequence[Sample]) -> list[Breakdown]:
        """Grade samples, in order; those with a fault have no reward."""
        return [each.breakdown for each in self._scorer.score(samples, self._scheme)]

    def problem(self, label: object) -> Problem:
        """Find the problem of a label; raises InputError if there is none."""
        return problem_by_label(plain(label), self.problems, where=PROBLEMS_VARIABLE)

    def breakdown(self, label: object, text: str, *, truncated: bool | None = None) -> Breakdown:
        """Grade one completion.

        Args:
            label: The problem, as for problem_by_label.
            text: The text of the completion.
            truncated: Whether it was cut off, None if unknown.

        Returns:
            The breakdown, which has a reward.

        Raises:
            InputError: The label names no problem.
            RewardUnavailable: It could not be graded.
        """
        (found,) = self.breakdowns([(label, text, truncated)])
        return with_reward(found)

    async def breakdown_async(
        self, label: object, text: str, *, truncated: bool | None = None
    ) -> Breakdown:
        """Grade one completion in a thread, as `breakdown` does."""
        return await asyncio.to_thread(self.breakdown, label, text, truncated=truncated)


def plain(value: Any) -> Any:
    """Convert arrays to lists, and drop the keys without a value that parquet adds."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value


def with_reward(breakdown: Breakdown) -> Breakdown:
    """Return a breakdown that has a reward.

    Raises ProblemError if its problem cannot be graded, RewardUnavailable for another fault.
    """
    fault = breakdown.fault
    if fault is not None:
        if fault.kind == ProblemError.__name__:
            raise ProblemError(fault.message)
        raise RewardUnavailable(
            f"problem {breakdown.problem_id!r}: not graded, {fault.kind}:"
            f" {' '.join(fault.message.split())}"
        )
    return breakdown


def figures(breakdown: Breakdown) -> dict[str, float]:
    """Return the figures of a breakdown that has a reward.

    `score` is the reward, `passed` is 1 if every check passes, `tests` is the share of checks that
    pass, and `type_errors` is -1 if nothing was typed.
    """
    tests = breakdown.tests
    errors = breakdown.type_errors
    reward = with_reward(breakdown).reward
    if reward is None:
        raise RewardUnavailable(f"problem {breakdown.problem_id!r}: no reward")
    return {
        "score": reward,
        "passed": float(breakdown.verdict is Verdict.PASSED),
        "tests": tests.passed / tests.total if tests.total else 0.0,
        "type_errors": float(-1 if errors is None else errors),
    }


_made: dict[Settings, Grading] = {}
_lock = threading.Lock()


def close_all() -> None:
    """Stop the engines of this process; a later completion starts another."""
    with _lock:
        for each in _made.values():
            each.close()


def _forget() -> None:
    """Reset the state of a forked child, whose engines and lock belong to its parent."""
    global _lock  # noqa: PLW0603
    _lock = threading.Lock()
    _made.clear()


atexit.register(close_all)
os.register_at_fork(after_in_child=_forget)


def grading(**given: Any) -> Grading:
    """Return the grading of this process with the given settings, else the environment's.

    The first completion starts an engine. Raises SchemeError for a bad scheme, and the exceptions
    of `Settings.of`.
    """
    settings = Settings.of(**given)
    with _lock:
        found = _made.get(settings)
        if found is None:
            # The epoch is unknown here, so phases of a curriculum do not apply.
            scheme = replace(load(settings.scheme), phases=())
            scorer = Scorer(
                scheme,
                engine=settings.engine,
                sandbox=settings.sandbox,
                jobs=settings.jobs,
                deadline_s=settings.deadline_s,
                regions=settings.regions,
            )
            found = _made[settings] = Grading(settings=settings, _scheme=scheme, _scorer=scorer)
        return found
