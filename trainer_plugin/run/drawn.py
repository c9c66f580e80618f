"""A trainer that draws problems by what came of them before.

TRL has no public place for a sampler.  The one method that is replaced here is private, so
versions that it was not tested with are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import trl

from ..config.value import Config, ConfigError
from ..data.drawing import Draws, Turns
from ..reward import OCamlReward
from ..tested import TESTED


def check_drawing(config: Config) -> None:
    """Raise ConfigError where drawing is asked for and the installed TRL is another than that
    whose sampler is known.
    """
    if config.dataset.settled_share < 1 and not trl.__version__.startswith(TESTED):
        raise ConfigError(
            f"dataset.settled_share: it relies on the inside of trl {TESTED[0]}*, found"
            f" {trl.__version__}; 1 draws all problems alike"
        )


def draw_by_outcome(
    trainer: Any, score: OCamlReward, config: Config, *, resumed_at: int
) -> None:
    """Let a trainer draw settled problems less often, where the configuration says so.

    Args:
        trainer: The trainer, before it trains; its data set has a column `id`.
        score: Its reward, which tells what came of each problem.
        config: The run's configuration.
        resumed_at: The update that a run goes on after, 0 for a new one; what its logs say
            up to there is known at once.
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
