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
    **{
        name: f"grpo.{name}"
        for name in (
            "output_dir", "per_device_train_batch_size", "gradient_accumulation_steps",
            "num_generations", "max_completion_length", "num_train_epochs", "learning_rate",
            "lr_scheduler_type", "warmup_steps", "weight_decay", "temperature", "top_p", "beta",
            "max_grad_norm", "entropy_coef", "loss_type", "scale_rewards",
            "mask_truncated_completions", "gradient_checkpointing", "logging_steps",
            "log_completions", "save_steps", "save_total_limit", "seed",
        )
    },
    "use_cpu": "model.cpu",
}  # fmt: skip
"""Settings that are passed to TRL unchanged, by TRL's names."""

COMPUTED: Final[Mapping[str, str]] = {
    "model_init_kwargs": "model.dtype, model.revision and model.attention",
    "bf16": "model.dtype",
    "fp16": "model.dtype",
    "generation_batch_size": "grpo.generation_batch_size",
    # TRL takes one of the two.
    "steps_per_generation": "grpo.generation_batch_size",
    "max_steps": "grpo.max_steps",
    "lr_scheduler_kwargs": "grpo.num_cycles",
    "reward_weights": "reward.weight and reward.functions",
    "num_completions_to_print": "grpo.num_completions_to_print",
    "report_to": "grpo.report_to",
    "eval_strategy": "grpo.eval_steps",
    "eval_steps": "grpo.eval_steps",
    "num_generations_eval": "grpo.num_generations_eval",
    "per_device_eval_batch_size": "grpo.num_generations_eval",
    "load_best_model_at_end": "grpo.eval_steps",
    "metric_for_best_model": "grpo.eval_steps",
    "greater_is_better": "grpo.eval_steps",
    "shuffle_dataset": "dataset.order",
    "resume_from_checkpoint": "the option --resume",
    "use_vllm": "vllm.enabled",
    "vllm_mode": "vllm.mode",
    "vllm_server_host": "vllm.server_host",
    "vllm_server_port": "vllm.server_port",
    "vllm_gpu_memory_utilization": "vllm.gpu_memory_utilization",
    "vllm_tensor_parallel_size": "vllm.tensor_parallel_size",
    "vllm_max_model_length": "grpo.max_prompt_length and grpo.max_completion_length",
    "ddp_find_unused_parameters": "",
}
"""TRL options that are derived from settings with other names or types; empty if no setting changes
one.
"""

SDPO_ONLY: Final = {
    "include_environment_feedback": "reward.feedback",
    "max_prompt_length": "grpo.max_prompt_length",
}
"""Options of TRL's SDPO trainer alone that are derived from settings."""
GRPO_ONLY: Final = ("entropy_coef", "log_completions", "num_completions_to_print")
"""Options above that it lacks."""


def direct(config: Config) -> dict[str, Any]:
    """Return the settings that are passed to TRL unchanged."""
    return {name: attrgetter(key)(config) for name, key in DIRECT.items()}


def check_owned(config: Config) -> None:
    """Raise ConfigError for an extra option that has a setting."""
    ours = {**DIRECT, **COMPUTED, **SDPO_ONLY}
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
