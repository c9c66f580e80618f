"""GRPO trainer with dynamic sampling (DAPO).

Problems whose completions all pass or all fail are sampled less often. TRL has no public hook for a
sampler. The method that is replaced here is private, so untested versions are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import trl

from ..config.value import Config, ConfigError
from ..data.drawing import Draws, Turns
from ..reward import OCamlReward
from ..supported_trl_versions import TESTED


def check_drawing(config: Config) -> None:
    """Raise ConfigError if dynamic sampling is on and the installed TRL version was not tested."""
    if config.dataset.settled_share < 1 and not trl.__version__.startswith(TESTED):
        raise ConfigError(
            f"dataset.settled_share: it relies on the inside of trl {TESTED[0]}*, found"
            f" {trl.__version__}; 1 draws all problems alike"
        )


def draw_by_outcome(
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
    turns = Turns(share=dataset.settled_share, after=dataset.settled_after)
    if resumed_at:
        turns.read(Path(config.grpo.output_dir), until=resumed_at)
    score.seen = turns.note
    arguments = trainer.args
    ids = list(trainer.train_dataset["id"])

    def sampler(_: object = None) -> Draws:
        return Draws(
            ids,
            turns,
            at_a_time=arguments.generation_batch_size // arguments.num_generations,
            each=arguments.num_generations,
            repeats=arguments.num_iterations * arguments.steps_per_generation,
            shuffled=dataset.order == "shuffled",
            seed=config.grpo.seed,
        )

    trainer._get_train_sampler = sampler  # noqa: SLF001 - see above
