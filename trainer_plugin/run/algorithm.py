"""The classes of TRL for a run's algorithm: GRPO, or self-distillation."""

from __future__ import annotations

from typing import Any, Final

import trl
from trl import GRPOConfig

from ocaml_reward import FeedbackLevel

from ..config.value import Config, ConfigError
from ..supported_trl_versions import check_tested

LEVELS: Final = {"located": FeedbackLevel.LOCATED, "outcome": FeedbackLevel.VERDICT, "none": None}
"""The levels of `reward.feedback`."""


def is_sdpo(config: Config) -> bool:
    """Return whether a run trains by self-distillation."""
    return config.reward.algorithm == "sdpo"


def arguments_class(config: Config) -> Any:
    """Return TRL's class of arguments; raises ConfigError if the installed TRL does not fit."""
    return sdpo_trainer_class().config_cls if is_sdpo(config) else GRPOConfig


def sdpo_trainer_class() -> Any:
    """Return our SDPO trainer; raises ConfigError if the installed TRL does not fit."""
    try:
        from ..sdpo import trainer  # noqa: PLC0415 (TRL announces that it is experimental)

        check_tested("reward.algorithm: sdpo", otherwise='take "grpo"', check=trainer.CHECK)
    except ImportError as error:
        raise ConfigError(
            f'reward.algorithm: sdpo is not in trl {trl.__version__} ({error}): take "grpo"'
        ) from error
    except RuntimeError as error:
        raise ConfigError(str(error)) from error
    return trainer.FeedbackSDPOTrainer
