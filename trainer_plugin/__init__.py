"""Training with the reward: a reward function for TRL, its logs, and callbacks.

    from trainer_plugin import OCamlReward

Importing this loads neither torch nor a trainer. `ocaml_reward` is a ready-made reward for trainers
that take a dotted path; it is created on first use.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from .reward import OCamlReward

if TYPE_CHECKING:
    ocaml_reward: OCamlReward

__all__ = ["OCamlReward", "ocaml_reward"]

_lock = threading.Lock()


def __getattr__(name: str) -> OCamlReward:
    """Create the reward configured by the environment, once."""
    if name != "ocaml_reward":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .environment import reward_from  # noqa: PLC0415 (reads the environment late)

    with _lock:
        if name not in globals():
            globals()[name] = reward_from()
    made: OCamlReward = globals()[name]
    return made
