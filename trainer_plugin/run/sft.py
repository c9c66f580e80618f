"""Supervised warm start on the references, for a model that passes too rarely to learn from a
reward.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PrinterCallback, ProgressCallback
from trl import SFTConfig, SFTTrainer

from ocaml_reward import Problem

from ..config.reading import Loaded
from ..config.table import save
from ..config.value import Config, ConfigError
from ..data.prompts import Prompting
from ..data.selection_report import write_selection_report
from ..logs.log_events import LogEventCallback
from .merge import merge
from .parts import adapter, model_options, number_format
from .preparing import locked_run, prepare, say

FOLDER = "sft"
"""The folder of the model, below the run's folder."""


class LossPrinter(LogEventCallback):
    """Prints the loss of each logged update."""

    def on_log_event(self, state: Any, logs: Mapping[str, Any]) -> None:
        """Print the loss."""
        if "loss" in logs:
            say(f"[step {state.global_step}]  sft loss={float(logs['loss']):.4f}")


def warm_start(loaded: Loaded, *, overwrite: bool) -> None:
    """Train the configuration's model on the references of its training problems.

    Writes the whole model to `<output_dir>/sft`. Raises InputError for unusable input, before the
    model is loaded.
    """
    config = loaded.config
    with locked_run(config) as (state, folder):
        target = folder / FOLDER
        if target.exists() and not overwrite:
            raise ConfigError(
                f"grpo.output_dir: {target} is there from before; --overwrite makes it anew"
            )
        prepared = prepare(config)
        rows = reference_rows(prepared.problems.training, prepared.prompts)
        if not rows:
            raise ConfigError("dataset.source: no problem to train on has a reference")
        state.wait_for_everyone()
        if state.is_main_process:
            shutil.rmtree(target, ignore_errors=True)
            # In a folder of its own, because the model's settings have the same file name.
            save(loaded, target / "run")
            write_selection_report(prepared.problems, folder)
            say(
                *prepared.problems.report_lines(),
                f"references: {len(rows)} to learn from",
            )
        trainer = SFTTrainer(
            model=prepared.source,
            args=arguments(config, target),
            train_dataset=Dataset.from_list(rows),
            processing_class=prepared.tokenizer,
            peft_config=adapter(config),
            callbacks=[LossPrinter()],
        )
        trainer.remove_callback(PrinterCallback)
        trainer.remove_callback(ProgressCallback)
        trainer.train()
        learnt = target / "adapter" if config.lora.enabled else target
        trainer.save_model(str(learnt))
        if state.is_main_process:
            prepared.tokenizer.save_pretrained(learnt)
            if config.lora.enabled:
                merge(learnt, target)
                shutil.rmtree(learnt)
            say(f"saved {target}; a training begins there with --set model.id={target}")
        state.wait_for_everyone()


def reference_rows(problems: Iterable[Problem], prompts: Prompting) -> list[dict[str, Any]]:
    """Return the training rows: each problem's prompt, and its reference as an answer, with the
    marker.
    """
    rows: list[dict[str, Any]] = []
    for one in problems:
        if one.reference is None:
            continue
        answer: Any = prompts.solution(one)
        if prompts.chat:
            answer = [{"role": "assistant", "content": answer}]
        rows.append({"prompt": prompts.render(one), "completion": answer})
    return rows


def arguments(config: Config, target: Path) -> SFTConfig:
    """Translate the settings; all that are not about supervised steps are those of the training."""
    dtype = number_format(config)
    return SFTConfig(
        output_dir=str(target),
        num_train_epochs=config.sft.num_train_epochs,
        max_steps=-1 if config.sft.max_steps is None else config.sft.max_steps,
        per_device_train_batch_size=config.sft.per_device_train_batch_size,
        gradient_accumulation_steps=config.sft.gradient_accumulation_steps,
        learning_rate=config.sft.learning_rate,
        warmup_steps=config.sft.warmup_steps,
        lr_scheduler_type="constant_with_warmup",
        max_grad_norm=config.grpo.max_grad_norm,
        weight_decay=config.grpo.weight_decay,
        max_length=config.grpo.max_prompt_length + config.grpo.max_completion_length,
        # Learn only the answer, not the prompt.
        completion_only_loss=True,
        model_init_kwargs=model_options(config),
        bf16=dtype == "bfloat16",
        fp16=dtype == "float16",
        use_cpu=config.model.cpu,
        gradient_checkpointing=config.grpo.gradient_checkpointing,
        logging_steps=config.grpo.logging_steps,
        report_to=list(config.grpo.report_to) or "none",
        save_strategy="no",
        disable_tqdm=True,
        seed=config.grpo.seed,
        ddp_find_unused_parameters=False,
    )
