"""Suggests a setting for an unknown key: by the names in other programs, or by spelling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ocaml_reward.codec.readers import nearest

from .settings import SETTINGS
from .trl import DIRECT

NAMES: Final[Mapping[str, str]] = {
    "accum": "grpo.gradient_accumulation_steps",
    "accumulation_steps": "grpo.gradient_accumulation_steps",
    "base_model": "model.id",
    "batch_size": "grpo.per_device_train_batch_size",
    "bs": "grpo.per_device_train_batch_size",
    "clip": "grpo.max_grad_norm",
    "clip_grad": "grpo.max_grad_norm",
    "dataset": "dataset.source",
    "early_stopping_patience": "reward.patience",
    "entropy": "grpo.entropy_coef",
    "entropy_bonus": "grpo.entropy_coef",
    "epochs": "grpo.num_train_epochs",
    "file": "dataset.source",
    "g": "grpo.num_generations",
    "ga": "grpo.gradient_accumulation_steps",
    "grad_accum_steps": "grpo.gradient_accumulation_steps",
    "grad_clip": "grpo.max_grad_norm",
    "group_size": "grpo.num_generations",
    "gradient_clipping": "grpo.max_grad_norm",
    "kl": "grpo.beta",
    "kl_coef": "grpo.beta",
    "kl_penalty": "grpo.beta",
    "loss": "grpo.loss_type",
    "lora_alpha": "lora.alpha",
    "lora_dropout": "lora.dropout",
    "lora_r": "lora.r",
    "lr": "grpo.learning_rate",
    "max_length": "grpo.max_completion_length",
    "max_new_tokens": "grpo.max_completion_length",
    "max_prompt": "grpo.max_prompt_length",
    "max_completion": "grpo.max_completion_length",
    "max_tokens": "grpo.max_completion_length",
    "model_id": "model.id",
    "model_name": "model.id",
    "model_name_or_path": "model.id",
    "name": "model.id",
    "num_epochs": "grpo.num_train_epochs",
    "n_generations": "grpo.num_generations",
    "output": "grpo.output_dir",
    "path": "dataset.source",
    "rank": "lora.r",
    "scheduler": "grpo.lr_scheduler_type",
    "steps": "grpo.max_steps",
    "temp": "grpo.temperature",
    "warmup": "grpo.warmup_steps",
    "warmup_ratio": "grpo.warmup_steps",
    "wd": "grpo.weight_decay",
    "workers": "reward.jobs",
}
"""Names of our settings in other programs, and common abbreviations."""


def suggest_setting(key: str) -> str:
    """Return a suggestion for a key, with or without its table, as the end of a message."""
    table, _, name = key.rpartition(".")
    word = name.casefold().replace("-", "_")
    # Of several candidates prefer the one in the named table.
    known = sorted(_known(word), key=lambda each: not each.startswith(f"{table}."))
    if known:
        return f"; did you mean {known[0]}?"
    near = [each for each in SETTINGS if each.startswith(f"{table}.")] if table else []
    parts = [each for each in near or SETTINGS if word in each.partition(".")[2].split("_")]
    return f"; did you mean {parts[0]}?" if parts else nearest(key, near or SETTINGS)


def suggest_variable(name: str) -> str:
    """Return a suggestion for an unknown variable, as the end of a message."""
    word = name.partition("_")[2].casefold()
    for key in _known(word):
        return f"; did you mean {SETTINGS[key].env}?"
    return nearest(name, [one.env for one in SETTINGS.values()])


def _known(word: str) -> Iterator[str]:
    """Yield the keys that a word may mean."""
    yield from (each for each in SETTINGS if each.endswith(f".{word}"))
    if word in DIRECT:
        yield DIRECT[word]
    if word in NAMES:
        yield NAMES[word]
