"""Runs a training from its configuration: check, load, train, save, and merge if requested."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accelerate import PartialState
from accelerate.utils import broadcast_object_list
from datasets import Dataset

from ocaml_reward import MachineError

from ..config.reading import Loaded
from ..config.scale import fit_to_size
from ..config.table import changes, save
from ..config.value import Config, ConfigError
from ..data.datasets import dataset_rows
from ..data.selection_report import write_selection_report
from ..logs.disk import is_full
from ..reward import OCamlReward
from .checkpoints import checkpoint_step, last_checkpoint, remove_models, write_final
from .dynamic_sampling import enable_dynamic_sampling
from .merge import merge
from .model_card import NAME, write_cards
from .parts import reward
from .preparing import Prepared, locked_run, prepare, say
from .stopping import StopOnSignal
from .trainer import create_trainer, with_supported_credit


def train(loaded: Loaded, *, resume: bool, overwrite: bool, merged: bool) -> int:
    """Run a training; its configuration is checked already.

    Returns the signal that stopped it, 0 without one. Raises InputError for unusable input and
    MachineError if the machine cannot score, both before the model is loaded.
    """
    with locked_run(loaded.config) as (state, _):
        return run(
            loaded,
            state,
            resume=resume,
            overwrite=overwrite,
            merged=merged and loaded.config.lora.enabled,
        )


def run(loaded: Loaded, state: PartialState, *, resume: bool, overwrite: bool, merged: bool) -> int:
    """Run a training in a folder that this run has locked."""
    world = state.num_processes
    # The first process decides, so that all have the same trainer.
    box = [with_supported_credit(loaded) if state.is_main_process else (loaded, ())]
    if world > 1:
        broadcast_object_list(box)
    ((loaded, notes),) = box
    config = loaded.config
    folder = Path(config.grpo.output_dir)
    checkpoint = checkpoint_to_resume(folder, resume=resume, overwrite=overwrite)
    score = reward(config)
    score.start()
    prepared = prepare(config)
    fitted = fit_to_size(
        config,
        world=world,
        training=len(prepared.problems.training),
        validation=len(prepared.problems.validation),
    )
    # Before any process writes, so that all see the same files.
    state.wait_for_everyone()
    over = checkpoint is not None and checkpoint_step(checkpoint) >= fitted.updates
    if state.is_main_process:
        if overwrite:
            remove_models(folder)
        if checkpoint is not None and not over:
            say(f"resuming from {checkpoint}", *changes(loaded, folder))
        if not over:
            save(loaded, folder)
        write_selection_report(prepared.problems, folder)
        say(*prepared.problems.report_lines(), *prepared.preflight, *fitted.lines, *notes)
    if checkpoint is None or not over:
        trainer = make_trainer(fitted.config, prepared, score, world=world)
        at = 0 if checkpoint is None else checkpoint_step(checkpoint)
        write_cards(trainer, loaded, prepared.problems, scheme=score.scheme.label)
        enable_dynamic_sampling(trainer, score, fitted.config, resumed_at=at)
        return train_and_save(trainer, prepared, score, checkpoint=checkpoint, merged=merged)
    score.close()
    if state.is_main_process:
        say(
            f"finished: {checkpoint} is the last of {fitted.updates} updates; a higher"
            " grpo.max_steps or grpo.num_train_epochs trains on"
        )
        write_missing_results(folder, checkpoint, merged=merged)
    return 0


def train_and_save(
    trainer: Any,
    prepared: Prepared,
    score: OCamlReward,
    *,
    checkpoint: Path | None,
    merged: bool,
) -> int:
    """Train to the end and save, or until a signal, which is returned."""
    folder = Path(str(trainer.args.output_dir))
    main = trainer.accelerator.is_main_process
    stop = StopOnSignal()
    trainer.add_callback(stop)
    with disk_full_reported(folder):
        try:
            with stop.listening():
                trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        finally:
            score.close()
        if stop.signal is not None:
            if main:
                say(stop.message(folder))
            return stop.signal
        final = folder / "final"
        trainer.save_model(str(final))
        if main:
            trainer.create_model_card()
            shutil.copy(folder / NAME, final)
            prepared.tokenizer.save_pretrained(final)
            say(f"saved {final}")
            if merged:
                say(f"merged into {merge(final, folder / 'merged')}")
    return 0


def write_missing_results(folder: Path, checkpoint: Path, *, merged: bool) -> None:
    """Write the missing results of a run that has been trained to its end."""
    final = folder / "final"
    if not final.is_dir():
        say(f"saved {write_final(folder, checkpoint)}")
    if merged and not (folder / "merged").is_dir():
        say(f"merged into {merge(final, folder / 'merged')}")


@contextmanager
def disk_full_reported(folder: Path) -> Iterator[None]:
    """Raise MachineError with one line if a checkpoint does not fit on the disk.

    The libraries that write raise different errors for a full disk.
    """
    try:
        yield
    except Exception as error:
        if not is_full(folder):
            raise
        there = last_checkpoint(folder)
        way = f"; with more space --resume goes on from {there}" if there else ""
        raise MachineError(f"grpo.output_dir: {folder}: the disk is full{way}") from error


def checkpoint_to_resume(folder: Path, *, resume: bool, overwrite: bool) -> Path | None:
    """Return the checkpoint to continue from.

    Raises ConfigError if there is one and neither `resume` nor `overwrite` is set.
    """
    checkpoint = last_checkpoint(folder)
    if checkpoint is None or overwrite:
        return None
    if not resume:
        raise ConfigError(
            f"grpo.output_dir: {checkpoint} is there from an earlier run; --resume goes on"
            " from it, --overwrite starts again"
        )
    return checkpoint


def make_trainer(config: Config, prepared: Prepared, score: OCamlReward, *, world: int) -> Any:
    """Create the trainer, which loads the model."""
    problems = prepared.problems
    evaluates = bool(problems.validation)
    training = dataset_rows(problems.training, prepared.prompts, part="train")
    validation = dataset_rows(problems.validation, prepared.prompts, part="validation")
    return create_trainer(
        config,
        score,
        world=world,
        evaluates=evaluates,
        model=prepared.source,
        train_dataset=Dataset.from_list(training),
        eval_dataset=Dataset.from_list(validation) if evaluates else None,
        processing_class=prepared.tokenizer,
    )
