"""Train with SkyRL 0.4.0 and credit per token: docs/trainers.md#credit-per-token-in-skyrl.

python examples/skyrl_located.py environment.env_class=ocaml \
    trainer.algorithm.advantage_estimator=grpo generator.n_samples_per_prompt=8 ...
"""

from __future__ import annotations

import sys

import ray
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.utils import initialize_ray, validate_cfg
from skyrl_gym.envs import register

from trainer_plugin.adapters.skyrl_located import LocatedExperiment, LocatedTrainer


@ray.remote(num_cpus=1)
def run(config: SkyRLTrainConfig) -> None:
    """Train, in a process that has the environment."""
    register(id="ocaml", entry_point="trainer_plugin.adapters.skyrl:OCamlEnv")
    LocatedTrainer.located_scale = "batch"
    LocatedExperiment(config).run()


if __name__ == "__main__":
    settings = SkyRLTrainConfig.from_cli_overrides(sys.argv[1:])
    validate_cfg(settings)
    initialize_ray(settings)
    ray.get(run.remote(settings))
