"""Harbor's tasks in TRL, without a container: an agent with a shell in our jail. Tested with trl 1.16.

    spec = HarborSpec("tasks", agent="trainer_plugin.adapters.harbor_trl:JailedEnv")
    GRPOTrainer(..., train_dataset=spec.train_dataset, environment_factory=spec.environment_factory,
                reward_funcs=rewards_or_none)

TRL's own reward function raises what our verifier does; `rewards_or_none` gives None, which TRL
leaves out of the group. TRL's own verifier takes a `reward.json` without numbers for a 0.
"""

from __future__ import annotations

import logging
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from harbor.models.task.task import Task
from harbor.models.trial.paths import TrialPaths
from trl.experimental.harbor import HarborBashEnv

from .grading import RewardUnavailable
from .harbor import JailEnvironment, OCamlVerifier

_LOG: Final = logging.getLogger(__name__)


class JailedEnv(HarborBashEnv):
    """Gives a model the tool `bash` in our jail, and grades what it leaves as the answer."""

    PROMPT_SUFFIX = (
        "\n\nThe tool `bash` runs a command of the shell; `ocaml` and `ocamlc` are there."
    )

    async def _start(self, task_dir: str) -> str:
        """Start the jail of a task, and return its instruction."""
        await self._stop()
        self._task = Task(task_dir=Path(task_dir))
        self._paths = TrialPaths(trial_dir=Path(tempfile.mkdtemp(prefix="harbor_trl_")))
        self._env = JailEnvironment(
            environment_dir=self._task.paths.environment_dir,
            environment_name=self._task.short_name,
            session_id=uuid.uuid4().hex,
            trial_paths=self._paths,
            task_env_config=self._task.config.environment,
        )
        await self._env.start(force_build=False)
        return str(self._task.instruction)

    async def _verify(self) -> float:
        """Return the reward; raises RewardUnavailable where there is none."""
        verifier = OCamlVerifier(task=self._task, trial_paths=self._paths, environment=self._env)
        rewards = (await verifier.verify()).rewards
        return float(rewards["reward"])


def rewards_or_none(environments: Sequence[JailedEnv], **_: Any) -> list[float | None]:
    """Return the reward of each environment, None where the machine failed.

    Args:
        environments: What TRL's trainer gives its reward functions.
        **_: What else it gives.

    Returns:
        A number for each; TRL masks a completion whose reward is None.
    """
    return [_reward(each) for each in environments]


def _reward(environment: JailedEnv) -> float | None:
    try:
        return float(environment.reward)
    except RewardUnavailable as error:
        _LOG.warning("%s", error)
        return None
