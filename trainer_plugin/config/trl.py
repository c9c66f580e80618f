"""TRL's names for a run's settings, and what `[grpo.extra]` may add to them.

Does not import TRL.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from operator import attrgetter
from typing import Any, Final

from ocaml_reward.codec.readers import nearest

from .settings import SETTINGS
from .value import Config, ConfigError

DIRECT: Final[Mapping[str, str]] = {
    "output_dir": "grpo.output_dir",
    "per_device_train_batch_size": "grpo.batch_size",
    "gradient_accumulation_steps": "grpo.grad_accum_steps",
    "num_generations": "grpo.num_generations",
    "max_completion_length": "grpo.max_completion",
    "num_train_epochs": "grpo.num_epochs",
    "learning_rate": "grpo.learning_rate",
    "lr_scheduler_type": "grpo.scheduler",
    "warmup_steps": "grpo.warmup_steps",
    "weight_decay": "grpo.weight_decay",
    "temperature": "grpo.temperature",
    "top_p": "grpo.top_p",
    "beta": "grpo.beta",
    "max_grad_norm": "grpo.max_grad_norm",
    "entropy_coef": "grpo.entropy_coef",
    "loss_type": "grpo.loss",
    "scale_rewards": "grpo.scale_rewards",
    "mask_truncated_completions": "grpo.mask_truncated",
    "gradient_checkpointing": "grpo.gradient_checkpointing",
    "logging_steps": "grpo.logging_steps",
    "log_completions": "grpo.log_completions",
    "save_steps": "grpo.save_steps",
    "save_total_limit": "grpo.save_total_limit",
    "seed": "grpo.seed",
    "use_cpu": "model.cpu",
}
"""Settings that are passed to TRL unchanged, by TRL's names."""

COMPUTED: Final[Mapping[str, str]] = {
    "model_init_kwargs": "model.dtype, model.revision and model.attention",
    "bf16": "model.dtype",
    "fp16": "model.dtype",
    "generation_batch_size": "grpo.generation_batch_size",
    # TRL takes one of the two.
    "steps_per_generation": "grpo.generation_batch_size",
    "max_steps": "grpo.max_steps",
    "lr_scheduler_kwargs": "grpo.cycles",
    "reward_weights": "reward.weight and reward.functions",
    "num_completions_to_print": "grpo.print_completions",
    "report_to": "grpo.report_to",
    "eval_strategy": "grpo.eval_steps",
    "eval_steps": "grpo.eval_steps",
    "num_generations_eval": "grpo.eval_generations",
    "per_device_eval_batch_size": "grpo.eval_generations",
    "load_best_model_at_end": "grpo.eval_steps",
    "metric_for_best_model": "grpo.eval_steps",
    "greater_is_better": "grpo.eval_steps",
    "shuffle_dataset": "dataset.order",
    "resume_from_checkpoint": "the option --resume",
    "use_vllm": "vllm.enabled",
    "vllm_mode": "vllm.mode",
    "vllm_server_host": "vllm.host",
    "vllm_server_port": "vllm.port",
    "vllm_gpu_memory_utilization": "vllm.memory",
    "vllm_tensor_parallel_size": "vllm.tensor_parallel",
    "vllm_max_model_length": "grpo.max_prompt and grpo.max_completion",
    "ddp_find_unused_parameters": "",
}
"""TRL options that are derived from settings with other names or types; empty if no setting changes
one.
"""


def direct(config: Config) -> dict[str, Any]:
    """Return the settings that are passed to TRL unchanged."""
    return {name: attrgetter(key)(config) for name, key in DIRECT.items()}


def check_owned(config: Config) -> None:
    """Raise ConfigError for an extra option that has a setting."""
    ours = {**DIRECT, **COMPUTED}
    for name in config.extra:
        key = ours.get(name)
        if key is None and f"grpo.{name}" in SETTINGS:
            key = f"grpo.{name}"
        if key is not None:
            instead = f"is set by {key}" if key else "is not for a run to choose"
            raise ConfigError(f"grpo.extra.{name}: {instead}")


def check_known(config: Config, names: Collection[str]) -> None:
    """Raise ConfigError for an extra option that is not among the `names` of TRL's."""
    for name in config.extra:
        if name not in names:
            near = nearest(name, names)
            raise ConfigError(f"grpo.extra.{name}: TRL has no such option{near}")
