"""The reward for SkyRL, as an environment of one turn. Tested with skyrl-gym 0.4.0.

    from skyrl_gym import register
    register(id="ocaml", entry_point="trainer_plugin.adapters.skyrl:OCamlEnv")

A row of the data set has its problem in `reward_spec.ground_truth`. A completion that cannot be
graded raises an exception, because a step of SkyRL needs a reward.
"""

from __future__ import annotations

from typing import Any, Final

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from .grading import figures, grading

GRADING: Final = "ocaml_grading"
"""The key of a row's extras under which a generator may hand over what grades."""


class OCamlEnv(BaseTextEnv):
    """One problem: the model answers once, without feedback."""

    def __init__(self, env_config: Any = None, extras: Any = None) -> None:
        """Read a row; `env_config` may have settings of `grading`."""
        super().__init__()
        extras = extras or {}
        self._grading = extras.get(GRADING) or grading(**dict(env_config or {}))
        self._label = extras["reward_spec"]["ground_truth"]
        self._made: dict[str, float] = {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Grade an answer; raises RewardUnavailable if that fails."""
        made = figures(self._grading.breakdown(self._label, action))
        self._made = made
        return BaseTextEnvStepOutput(
            observations=[], reward=made["score"], done=True, metadata=made
        )

    def get_metrics(self) -> dict[str, Any]:
        """Return the figures of the answer, which SkyRL averages."""
        return {name: each for name, each in self._made.items() if name != "score"}
