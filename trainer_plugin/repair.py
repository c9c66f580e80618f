"""Multi-turn training: several tries at a problem, with feedback after each.

    GRPOTrainer(environment_factory=RepairEnvironments(turns=2), ...)

The model sees TRL's chat template for tools: it calls `submit` with a program and reads the result.
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
    """A problem and the tries so far.

    A try that could not be graded does not count; `fault` has the reason until another try is
    graded.
    """

    def __init__(self, problem: Problem, rules: Repair, score: Score) -> None:
        """Begin; `score` grades samples in order and never raises."""
        self.problem = problem
        self.rules = rules
        self.tries: tuple[Breakdown, ...] = ()
        self._last: Breakdown | None = None
        self._score = score

    @property
    def last(self) -> Breakdown:
        """Return the last try, with or without a fault; raises InputError before the first."""
        if self._last is None:
            raise InputError("nothing was tried")
        return self._last

    @property
    def is_over(self) -> bool:
        """Return whether the last try passed, or none is left."""
        return self.rules.is_over(self.tries)

    @property
    def reward(self) -> float | None:
        """Return the reward of the tries; None without any, or if the last could not be graded."""
        if self._last is None or self._last.reward is None:
            return None
        return self.rules.reward(self.tries)

    def answer(self, text: str, *, truncated: bool | None = None) -> str:
        """Grade a try, and return the feedback for the model."""
        if self.is_over:
            return OVER
        completion = Completion(text=text, truncated=truncated)
        public = self.rules.public_of(self.problem)
        problems = [self.problem, *([public] if public else [])]
        found, *shown = self._score(
            [
                Sample(
                    problem_id=each.id,
                    prompt=each.prompt,
                    completion=completion,
                    problem=each,
                )
                for each in problems
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

        Raises InputError for an invalid row.
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
        """Return the reward of the tries.

        Without any it is that of an answer without a program. If a try could not be graded it is
        None, which TRL masks.
        """
        assert self._episode is not None, "reset comes first"  # noqa: S101 (TRL's order)
        if not self._tried:
            self.submit("")
        return self._episode.reward


class RepairEnvironments:
    """Creates the environments of a training, which share one engine."""

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
            turns: Maximum number of tries.
            level: Detail of the feedback: verdict, compiler, located or public.
            discount: Weight of later improvements, as `Repair` describes.
            engine: As for OCamlReward, like the following.
            sandbox: A jail's name.
            jobs: Number of tries graded at a time.
            deadline_s: Time limit of a try, in seconds.

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
        """Create an environment."""
        return RepairEnvironment(self.rules, self._graded)

    def close(self) -> None:
        """Close the engine; a later try starts another."""
        self._scorer.close()

    def _graded(self, samples: Sequence[Sample]) -> list[Breakdown]:
        return [each.breakdown for each in self._scorer.score(samples, self._scheme)]
