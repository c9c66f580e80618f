"""
The reward that is made of environment variables, for trainers that take a dotted path.

    OCAML_REWARD_SCHEME=curriculum trl grpo --reward_funcs trainer_plugin.ocaml_reward ...
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final

from .reward import OCamlReward

__all__ = ["VARIABLES", "reward_from"]


def _flag(text: str) -> bool:
    if text.lower() not in {"0", "1", "false", "true"}:
        raise ValueError(text)
    return text.lower() in {"1", "true"}


VARIABLES: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    "OCAML_REWARD_SCHEME": ("scheme", str),
    "OCAML_REWARD_BLEND": ("blend", _flag),
    "OCAML_REWARD_ENGINE": ("engine", str),
    "OCAML_REWARD_SANDBOX": ("sandbox", str),
    "OCAML_REWARD_JOBS": ("jobs", int),
    "OCAML_REWARD_DEADLINE_S": ("deadline_s", float),
}
"""
Each variable, the setting of OCamlReward that it is, and what reads its text.
"""


def reward_from(environment: Mapping[str, str] = os.environ) -> OCamlReward:
    """
    Make a reward; a variable that is empty or not set leaves the default.

    Raises ValueError, naming the variable, and what OCamlReward raises.
    """
    settings: dict[str, Any] = {}
    for variable, (name, read) in VARIABLES.items():
        text = environment.get(variable, "")
        if not text:
            continue
        try:
            settings[name] = read(text)
        except ValueError:
            raise ValueError(f"{variable}: cannot use {text!r}") from None
    return OCamlReward(**settings)
