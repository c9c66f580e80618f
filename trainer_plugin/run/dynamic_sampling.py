"""GRPO trainer with dynamic sampling (DAPO).

Problems whose completions all pass or all fail are sampled less often. TRL has no public hook for a
sampler. The method that is replaced here is private, so versions that differ are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from ..config.value import Config, ConfigError
from ..reading import rows
from ..reward import OCamlReward
from ..supported_trl_versions import check_tested

Passes = Mapping[str, Sequence[bool | None]]
"""By problem, whether each of its completions passes; None if it was not scored."""


class DrawSchedule:
    """The next turn of each problem, in turns of a problem that is not settled.

    A problem is settled if its completions all passed or all failed the last `after` times in a
    row. Its turns are 1 / `share` apart.
    """

    def __init__(self, *, share: float, after: int) -> None:
        """Begin with no problem drawn.

        With a `share` of 0 settled problems are drawn only if there is nothing else.
        """
        self._apart = 1 / share if share else math.inf
        self._after = after
        self._next: dict[str, float] = {}
        self._alike: dict[str, tuple[bool, int]] = {}

    def next(self, problem_id: str) -> float:
        """Return a problem's next turn, 0 before its first."""
        return self._next.get(problem_id, 0.0)

    def is_settled(self, problem_id: str) -> bool:
        """Return whether a problem is settled."""
        return self._alike.get(problem_id, (False, 0))[1] >= self._after

    def note(self, groups: Passes) -> None:
        """Record the outcomes of drawn problems."""
        for problem_id, flags in groups.items():
            outcomes = {flag for flag in flags if flag is not None}
            if len(outcomes) == 1:
                (outcome,) = outcomes
                before, times = self._alike.get(problem_id, (outcome, 0))
                self._alike[problem_id] = (
                    outcome,
                    times + 1 if before == outcome else 1,
                )
            elif outcomes:
                self._alike.pop(problem_id, None)
            apart = self._apart if self.is_settled(problem_id) else 1.0
            self._next[problem_id] = self.next(problem_id) + apart

    def read(self, folder: Path, *, until: int) -> None:
        """Read the outcomes that a run has logged up to an update, from its
        `batch_metrics.jsonl`.
        """
        for row in rows(folder / "batch_metrics.jsonl"):
            if row.get("split") == "train" and row["step"] <= until:
                groups: Mapping[str, Any] = row["groups"]
                self.note({name: group["passed"] for name, group in groups.items()})


class ProblemSampler:
    """A sampler for TRL's trainer that draws the problems with the earliest turns first.

    An epoch has as many draws as there are problems. The trainer may fetch one generation ahead, so
    outcomes take effect from the next but one on. Processes that train together have the same data
    and draw the same.
    """

    def __init__(
        self,
        problems: Sequence[str],
        turns: DrawSchedule,
        *,
        problems_per_generation: int,
        completions_per_problem: int,
        repeats: int,
        shuffled: bool,
        seed: int,
    ) -> None:
        """Begin a run.

        Args:
            problems: The ids of the data set's rows, in order.
            turns: The turns of the problems, updated during the run.
            problems_per_generation: Number of problems per generation.
            completions_per_problem: Number of completions per problem.
            repeats: How often a generation is repeated, once per micro-batch.
            shuffled: Whether problems with the same turn are shuffled.
            seed: The seed of the random numbers.
        """
        self._problems = problems
        self._turns = turns
        self._problems_per_generation = problems_per_generation
        self._completions_per_problem = completions_per_problem
        self._repeats = repeats
        self._shuffled = shuffled
        self._random = Random(seed)  # noqa: S311 - no secret
        # Drawn last, and possibly not scored yet.
        self._pending: list[int] = []

    def __len__(self) -> int:
        """Return the number of rows of an epoch; an incomplete generation is dropped, as in TRL."""
        return (
            self._generations
            * self._problems_per_generation
            * self._completions_per_problem
            * self._repeats
        )

    def __iter__(self) -> Iterator[int]:
        """Yield the rows of an epoch, repeated in the order of TRL's sampler."""
        for _ in range(self._generations):
            chunk = self._drawn()
            for _ in range(self._repeats):
                for place in chunk:
                    yield from [place] * self._completions_per_problem

    @property
    def _generations(self) -> int:
        return len(self._problems) // self._problems_per_generation

    def _drawn(self) -> list[int]:
        """Return the problems of the next generation, by their places."""
        busy = set(self._pending)
        ranked = sorted(
            range(len(self._problems)),
            key=lambda place: (
                place in busy,
                self._turns.next(self._problems[place]),
                self._random.random() if self._shuffled else place,
            ),
        )
        chunk = ranked[: self._problems_per_generation]
        self._pending = chunk
        return chunk


def check_dynamic_sampling(config: Config) -> None:
    """Raise ConfigError if dynamic sampling is on and does not run with the installed TRL."""
    if config.dataset.settled_share < 1:
        try:
            check_tested("dataset.settled_share: it", otherwise="1 draws all problems alike")
        except RuntimeError as error:
            raise ConfigError(str(error)) from error


def enable_dynamic_sampling(
    trainer: Any, score: OCamlReward, config: Config, *, resumed_at: int
) -> None:
    """Enable dynamic sampling in a trainer, if configured.

    Args:
        trainer: The trainer, before it trains; its data set has a column `id`.
        score: Its reward, which reports the outcomes of problems.
        config: The run's configuration.
        resumed_at: The update that a resumed run continues after, 0 for a new one; logged outcomes
            up to there are read at once.
    """
    dataset = config.dataset
    if dataset.settled_share == 1:
        return
    turns = DrawSchedule(share=dataset.settled_share, after=dataset.settled_after)
    if resumed_at:
        turns.read(Path(config.grpo.output_dir), until=resumed_at)
    score.seen = turns.note
    arguments = trainer.args
    ids = list(trainer.train_dataset["id"])

    def sampler(_: object = None) -> ProblemSampler:
        return ProblemSampler(
            ids,
            turns,
            problems_per_generation=arguments.generation_batch_size // arguments.num_generations,
            completions_per_problem=arguments.num_generations,
            repeats=arguments.num_iterations * arguments.steps_per_generation,
            shuffled=dataset.order == "shuffled",
            seed=config.grpo.seed,
        )

    trainer._get_train_sampler = sampler  # noqa: SLF001 - see above
