"""Several tries at a problem in a training, the model being told about each:

    GRPOTrainer(environment_factory=RepairEnvironments(turns=2), ...)

TRL's chat template for tools is what a model sees of it: it calls `submit` with a program and
reads what comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ocaml_reward import (
    Breakdown,
    Completion,
    FeedbackLevel,
    InputError,
    Problem,
    RewardScheme,
)
from ocaml_reward.engine import Engine
from ocaml_reward.model import public_checks
from ocaml_reward.repair import Repair
from ocaml_reward.scheme import load

from .samples import Sample, samples_of
from .scorer import Scorer

Score = Callable[[Sequence[Sample]], Sequence[Breakdown]]

OVER = "There are no more tries."
UNGRADED = "It could not be graded here, which says nothing about it. Give it again."


class Episode:
    """A problem and the tries at it so far.

    A try that could not be graded is none: `fault` says why, until another can be.
    """

    def __init__(self, problem: Problem, rules: Repair, score: Score) -> None:
        """Begin; `score` grades samples in order, and never raises."""
        self.problem = problem
        self.rules = rules
        self.tries: tuple[Breakdown, ...] = ()
        self._last: Breakdown | None = None
        self._score = score

    @property
    def last(self) -> Breakdown:
        """The last try, with or without a fault; raises InputError before the first."""
        if self._last is None:
            raise InputError("nothing was tried")
        return self._last

    @property
    def is_over(self) -> bool:
        """Whether the last try passed, or no other is left."""
        return self.rules.is_over(self.tries)

    @property
    def reward(self) -> float | None:
        """What the tries are worth; None without any, or where the last could not be graded."""
        if self._last is None or self._last.reward is None:
            return None
        return self.rules.reward(self.tries)

    def answer(self, text: str, *, truncated: bool | None = None) -> str:
        """Grade a try, and return what the model is told."""
        if self.is_over:
            return OVER
        completion = Completion(text=text, truncated=truncated)
        public = self.rules.public_of(self.problem)
        asked = [self.problem, *([public] if public else [])]
        found, *shown = self._score(
            [
                Sample(
                    problem_id=each.id,
                    prompt=each.prompt,
                    completion=completion,
                    problem=each,
                )
                for each in asked
            ]
        )
        self._last = found
        if found.fault is not None:
            return UNGRADED
        self.tries += (found,)
        if self.is_over:
            return found.feedback(FeedbackLevel.VERDICT)
        checks = public_checks(public, shown[0]) if public else ()
        return self.rules.message(found, checks)


class RepairEnvironment:
    """An environment of TRL: its only tool is `submit`."""

    def __init__(self, rules: Repair, score: Score) -> None:
        """Wait for `reset`."""
        self._rules = rules
        self._score = score
        self._episode: Episode | None = None
        self._tried = False

    def reset(self, **row: Any) -> None:
        """Begin with a row of the data set, whose columns are those of OCamlReward.

        Raises InputError for a row that is no problem.
        """
        columns = {name: [value] for name, value in row.items() if name != "prompt"}
        (sample,) = samples_of([row.get("prompt") or ""], [""], [None], columns)
        if isinstance(sample.problem, InputError):
            raise sample.problem
        self._episode = Episode(sample.problem, self._rules, self._score)
        self._tried = False

    def submit(self, program: str) -> str:
        """Compile and test an OCaml program that solves the problem.

        Args:
            program: The whole program.

        Returns:
            What is wrong with it, or that it passes.
        """
        assert self._episode is not None, "reset comes first"  # noqa: S101 (TRL's order)
        self._tried = True
        return self._episode.answer(program)

    def get_reward(self) -> float | None:
        """Return what the tries are worth, as without a program where there was none; None, which
        TRL masks, where a try could not be graded.
        """
        assert self._episode is not None, "reset comes first"  # noqa: S101 (TRL's order)
        if not self._tried:
            self.submit("")
        return self._episode.reward


class RepairEnvironments:
    """Makes the environments of a training, which share one engine."""

    def __init__(
        self,
        scheme: RewardScheme | str | Path = "seed",
        *,
        turns: int = 2,
        level: FeedbackLevel | str = FeedbackLevel.LOCATED,
        discount: float = 1.0,
        engine: str | Callable[[], Engine] = "auto",
        sandbox: str = "auto",
        jobs: int | None = None,
        deadline_s: float = 300.0,
    ) -> None:
        """Check the settings; nothing starts before the first try.

        Args:
            scheme: As for OCamlReward; of a curriculum the last phase counts.
            turns: Tries at most.
            level: How much the model is told: verdict, compiler, located or public.
            discount: How much an improvement counts the later it comes, as `Repair` says.
            engine: As for OCamlReward, and so are the others.
            sandbox: A jail's name.
            jobs: Tries graded at a time.
            deadline_s: Seconds that a try may take.

        Raises:
            SchemeError: The scheme cannot be used.
            ValueError: Another setting cannot be used.
        """
        self.rules = Repair(turns=turns, level=FeedbackLevel(level), discount=discount)
        self._scheme = replace(load(scheme), phases=())
        self._scorer = Scorer(
            self._scheme,
            engine=engine,
            sandbox=sandbox,
            jobs=jobs,
            deadline_s=deadline_s,
            regions=True,
        )

    def __call__(self) -> RepairEnvironment:
        """Make one."""
        return RepairEnvironment(self.rules, self._graded)

    def close(self) -> None:
        """End the engine; a later try starts another."""
        self._scorer.close()

    def _graded(self, samples: Sequence[Sample]) -> list[Breakdown]:
        return [each.breakdown for each in self._scorer.score(samples, self._scheme)]
