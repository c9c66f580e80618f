"""What all trainers' adapters share: settings, one scorer a process, and numbers from it.

An adapter hands over a label and a text.  What cannot be graded is an exception here and
never a number: each adapter makes of it what its trainer takes for a missing reward.
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
from typing import Any

from ocaml_reward import (
    Breakdown,
    Completion,
    InputError,
    MachineError,
    Problem,
    ProblemError,
    Verdict,
)
from ocaml_reward.engine.select import check_name
from ocaml_reward.formats import load_problems
from ocaml_reward.formats.labels import problem_by_label
from ocaml_reward.scheme import RewardScheme, load

from ..environment import settings_from
from ..samples import Sample
from ..scorer import Scorer

PROBLEMS_VARIABLE = "OCAML_REWARD_PROBLEMS"


class RewardUnavailable(MachineError):
    """Our side could not grade a completion: there is no reward, and 0 is not one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What a process grades with.

    `engine`, `sandbox`, `scheme`, `jobs` and `deadline_s`, in seconds, are those of
    OCamlReward; `problems` is a file of problems that labels may name by their ids.  `regions`
    is whether breakdowns say where in the code what is wrong.
    """

    scheme: str = "seed"
    engine: str = "auto"
    sandbox: str = "auto"
    jobs: int | None = None
    deadline_s: float = 300.0
    problems: str | None = None
    regions: bool = False

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ, **given: Any) -> Settings:
        """Read the variables OCAML_REWARD_..., and let what is given come first.

        Args:
            environment: The variables.
            **given: Settings by their names; None leaves one to the environment.

        Returns:
            The settings.

        Raises:
            ValueError: A variable or an engine's name cannot be used.
            TypeError: There is no such setting.
        """
        read = settings_from(environment)
        read.pop("blend", None)
        if file := environment.get(PROBLEMS_VARIABLE):
            read["problems"] = file
        told = {name: value for name, value in given.items() if value is not None}
        settings = cls(**{**read, **told})
        check_name(settings.engine)
        return settings


@dataclass(frozen=True, kw_only=True)
class Grading:
    """Grades under settings, from any thread, in this process or in one forked from it."""

    settings: Settings
    _scheme: RewardScheme = field(repr=False)
    _scorer: Scorer = field(repr=False)

    def close(self) -> None:
        """End the engine, if one has started."""
        self._scorer.close()

    @cached_property
    def problems(self) -> Mapping[str, Problem]:
        """The problems that labels may name; raises InputError for the first bad one."""
        if self.settings.problems is None:
            return {}
        found = load_problems(Path(self.settings.problems))
        if found.bad:
            raise InputError(str(found.bad[0]))
        return found.problems

    def breakdowns(
        self, asked: Sequence[tuple[object, str, bool | None]]
    ) -> list[Breakdown]:
        """Grade labels with their completions, in order; those with a fault have no reward.

        Args:
            asked: For each a label, as problem_by_label takes it; the text; and whether it
                was cut off, None where nobody knows.

        Returns:
            One breakdown each.

        Raises:
            InputError: A label stands for no problem.
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
        """Find the problem that a label stands for; raises InputError where there is none."""
        return problem_by_label(plain(label), self.problems, where=PROBLEMS_VARIABLE)

    def breakdown(
        self, label: object, text: str, *, truncated: bool | None = None
    ) -> Breakdown:
        """Grade one completion.

        Args:
            label: The problem, as problem_by_label takes it.
            text: What the model wrote.
            truncated: Whether it was cut off, None where nobody knows.

        Returns:
            The breakdown, which has a reward.

        Raises:
            InputError: The label stands for no problem.
            RewardUnavailable: It could not be graded.
        """
        (found,) = self.breakdowns([(label, text, truncated)])
        return with_reward(found)

    async def breakdown_async(
        self, label: object, text: str, *, truncated: bool | None = None
    ) -> Breakdown:
        """Grade one completion beside an event loop, as `breakdown` does."""
        return await asyncio.to_thread(self.breakdown, label, text, truncated=truncated)


def plain(value: Any) -> Any:
    """Undo what parquet and numpy do to a problem: arrays, and keys of other rows without a
    value.
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value


def with_reward(breakdown: Breakdown) -> Breakdown:
    """Return a breakdown that has a reward.

    Raises ProblemError where its problem has none to give, RewardUnavailable for another.
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
    """Return the numbers of a breakdown that has a reward, under the same names for each.

    `score` is the reward, `passed` 1 where every check passes, `tests` the share of the
    checks that do, and `type_errors` -1 where nothing was typed.
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
    """End this process's engines, as its end does; a later completion starts another."""
    with _lock:
        for each in _made.values():
            each.close()


def _forget() -> None:
    """Begin anew in a forked child: what there is is its parent's, and another thread may have
    held the lock.
    """
    global _lock  # noqa: PLW0603
    _lock = threading.Lock()
    _made.clear()


atexit.register(close_all)
os.register_at_fork(after_in_child=_forget)


def grading(**given: Any) -> Grading:
    """Return this process's grading under the environment's settings, or those given.

    An engine starts with the first completion.  Raises as `Settings.of` does, and
    SchemeError for a scheme that cannot be used.
    """
    settings = Settings.of(**given)
    with _lock:
        found = _made.get(settings)
        if found is None:
            # Nobody here knows the epoch, so a curriculum is as outside training.
            scheme = replace(load(settings.scheme), phases=())
            scorer = Scorer(
                scheme,
                engine=settings.engine,
                sandbox=settings.sandbox,
                jobs=settings.jobs,
                deadline_s=settings.deadline_s,
                regions=settings.regions,
            )
            found = _made[settings] = Grading(
                settings=settings, _scheme=scheme, _scorer=scorer
            )
        return found
