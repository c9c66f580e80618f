"""Merges an adapter into its base model, for use without PEFT."""

from __future__ import annotations

from pathlib import Path

from peft import AutoPeftModelForCausalLM
from transformers import AutoTokenizer

from ..config.value import ConfigError
from .checkpoints import last_checkpoint


def merge(adapter: Path, target: Path) -> Path:
    """Write the merged model and its tokenizer into `target`, in the base's number format."""
    model = AutoPeftModelForCausalLM.from_pretrained(str(adapter), dtype="auto")
    model.merge_and_unload().save_pretrained(str(target))
    AutoTokenizer.from_pretrained(str(adapter)).save_pretrained(str(target))
    return target


def merge_last(folder: Path) -> Path:
    """Merge a run's final adapter, or else that of its last checkpoint.

    Raises ConfigError if there is neither.
    """
    final = folder / "final"
    source = final if final.is_dir() else last_checkpoint(folder)
    if source is None or not (source / "adapter_config.json").is_file():
        raise ConfigError(f"grpo.output_dir: {folder} holds no adapter to merge")
    return merge(source, folder / "merged")
