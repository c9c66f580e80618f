"""Resumes a run whose teacher is an adapter beside the student's.

A checkpoint then has the student's adapter and, in a folder, the teacher's. transformers loads the
adapters in folders only, and TRL's callback adds an adapter of the teacher's name, which is there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from peft import get_peft_model_state_dict

TEACHER: Final = "teacher"


def enable_resumption(trainer: Any) -> None:
    """Let a trainer resume with both adapters, if it has TRL's callback for the teacher's."""
    for each in trainer.callback_handler.callbacks:
        if type(each).__name__ == "PEFTAdapterEMACallback":
            _load_both(trainer, each)


def _load_both(trainer: Any, averaging: Any) -> None:
    load = trainer._load_from_checkpoint  # noqa: SLF001 (there is no other hook)

    def loading(checkpoint: str, model: Any = None) -> None:
        load(checkpoint, model)
        model = trainer.model if model is None else model
        if not (Path(checkpoint) / TEACHER).is_dir():
            return
        model.load_adapter(checkpoint, model.active_adapters[0], is_trainable=True)
        loaded = get_peft_model_state_dict(model, adapter_name=TEACHER)
        averaging.shadow_weights = {name: each.clone() for name, each in loaded.items()}
        averaging.teacher_adapter_config = model.peft_config[TEACHER]
        averaging._initialized = True  # noqa: SLF001 (as if it had begun itself)

    trainer._load_from_checkpoint = loading  # noqa: SLF001
