"""A reward configured by environment variables, for trainers that take a dotted path.

    OCAML_REWARD_SCHEME=curriculum trl grpo --reward_funcs trainer_plugin.ocaml_reward ...

Such commands cannot take callbacks, so this reward adds them to the trainer.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from ocaml_reward import FormatError
from ocaml_reward.codec.readers import read
from ocaml_reward.codec.settings import setting_reader, value_from_text

from .reward import OCamlReward

VARIABLES: Final[Mapping[str, tuple[str, type]]] = {
    "OCAML_REWARD_SCHEME": ("scheme", str),
    "OCAML_REWARD_BLEND": ("blend", bool),
    "OCAML_REWARD_RARE_CHECKS": ("rare_checks", bool),
    "OCAML_REWARD_ENGINE": ("engine", str),
    "OCAML_REWARD_SANDBOX": ("sandbox", str),
    "OCAML_REWARD_JOBS": ("jobs", int),
    "OCAML_REWARD_DEADLINE_S": ("deadline_s", float),
}
"""Each variable, with its setting of OCamlReward and the type of its value."""


class ReadyReward(OCamlReward):
    """A reward that adds `learning.log` and the rules of health to the calling trainer."""

    def __call__(self, *args: Any, log_metric: Any = None, **given: Any) -> list[float | None]:
        """Score a batch."""
        trainer = getattr(log_metric, "__self__", None)
        if trainer is not None:
            self._watch(trainer)
        return super().__call__(*args, log_metric=log_metric, **given)

    def _watch(self, trainer: Any) -> None:
        """Add the callbacks that watch the run, which are not there yet."""
        from .callbacks import watchers  # noqa: PLC0415 (only a trainer has transformers)

        there = {type(each) for each in trainer.callback_handler.callbacks}
        for each in watchers(self, patience=0):
            if type(each) not in there:
                trainer.add_callback(each)
                # The run has already begun.
                each.on_train_begin(trainer.args, trainer.state, trainer.control)


def settings_from(environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the settings of OCamlReward from variables; empty ones are ignored.

    Raises ValueError, naming the variable.
    """
    settings: dict[str, Any] = {}
    for variable, (name, kind) in VARIABLES.items():
        text = environment.get(variable, "")
        if not text:
            continue
        prefix = f"{variable}: cannot use {text!r}: "
        try:
            settings[name] = read(setting_reader(kind), value_from_text(text, kind), prefix=prefix)
        except FormatError as error:
            raise ValueError(str(error)) from None
    return settings


def reward_from(environment: Mapping[str, str] = os.environ) -> ReadyReward:
    """Create a reward; an empty or missing variable leaves the default.

    Raises ValueError, naming the variable, and the errors of OCamlReward.
    """
    return ReadyReward(**settings_from(environment))
