"""
A training run from its configuration: check, load, train, save, and merge if asked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import broadcast_object_list
from datasets import Dataset
from trl import GRPOTrainer

from ocaml_reward import Grader, MachineError, OCamlRewardError

from ..config.checks import check_launch
from ..config.reading import Loaded
from ..config.scale import scaled
from ..config.table import changes, save
from ..config.value import Config, ConfigError
from ..data.account import NothingToTrainOn, Problems, write_account
from ..data.datasets import load_problems_of, rows_of
from ..data.prompts import Prompting, prompting
from ..logs.disk import is_full
from ..reward import OCamlReward
from .checkpoints import clear, last_checkpoint
from .merge import merge
from .parts import (
    check_options,
    engine_of,
    model_source,
    reward,
    scheme_of,
    token_count,
    tokenizer_of,
)
from .watched import trainer_of

__all__ = ["Prepared", "prepare", "train"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """
    What a run needs before a model's weights are loaded.
    """

    source: str
    tokenizer: Any
    prompts: Prompting
    problems: Problems


def train(loaded: Loaded, *, resume: bool, overwrite: bool, merged: bool) -> None:
    """
    Run a training; its configuration is checked already.

    Raises InputError for what cannot be used and MachineError for a machine that cannot
    score, both before the model is loaded.
    """
    config = loaded.config
    state = PartialState(cpu=config.model.cpu)
    gpus = 0 if config.model.cpu else torch.cuda.device_count()
    check_launch(gpus=gpus, world=state.num_processes)
    folder = Path(config.grpo.output_dir)
    checkpoint = starting_point(folder, resume=resume, overwrite=overwrite)
    score = reward(config)
    score.start()
    prepared = prepare(config)
    if state.is_main_process:
        if checkpoint is not None:
            say(f"resuming from {checkpoint}", *changes(loaded, folder))
        elif overwrite:
            clear(folder)
        save(loaded, folder)
        write_account(prepared.problems, folder)
        say(*prepared.problems.account())
    fitted = scaled(
        config,
        world=state.num_processes,
        training=len(prepared.problems.training),
        validation=len(prepared.problems.validation),
    )
    if state.is_main_process:
        say(*fitted.lines)
    trainer = make_trainer(fitted.config, prepared, score, world=state.num_processes)
    with saving_into(folder):
        try:
            trainer.train(
                resume_from_checkpoint=str(checkpoint) if checkpoint else None
            )
        finally:
            score.close()
        final = folder / "final"
        trainer.save_model(str(final))
        if state.is_main_process:
            prepared.tokenizer.save_pretrained(final)
            say(f"saved {final}")
            if merged and config.lora.enabled:
                say(f"merged into {merge(final, folder / 'merged')}")


@contextmanager
def saving_into(folder: Path) -> Iterator[None]:
    """
    Say in one line that a checkpoint did not fit; raises MachineError for it.

    Each of the libraries that write has an error of its own for a full disk.
    """
    try:
        yield
    except Exception as error:
        if not is_full(folder):
            raise
        there = last_checkpoint(folder)
        way = f"; with more space --resume goes on from {there}" if there else ""
        raise MachineError(
            f"grpo.output_dir: {folder}: the disk is full{way}"
        ) from error


def starting_point(folder: Path, *, resume: bool, overwrite: bool) -> Path | None:
    """
    Return the checkpoint to go on from; raises ConfigError if there is one and nobody
    said what to do about it.
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


def prepare(config: Config) -> Prepared:
    """
    Load tokenizer and problems, once TRL knows the options that it will get.

    With several processes the first reads and checks the problems for all of them; what
    it raises, all raise.
    """
    check_options(config)
    state = PartialState(cpu=config.model.cpu)
    with state.main_process_first():
        source = model_source(config)
    tokenizer = tokenizer_of(config, source)
    prompts = prompting(
        config.prompt,
        end=scheme_of(config).end_marker or "",
        chat=bool(getattr(tokenizer, "chat_template", None)),
    )
    box: list[Any] = [None]
    if state.is_main_process:
        try:
            box[0] = load_problems_of(
                config,
                prompts,
                count=lambda prompt: token_count(tokenizer, prompt),
                grader=lambda: Grader(
                    scheme_of(config),
                    engine=engine_of(config),
                    jobs=config.reward.jobs,
                ),
            )
        except OCamlRewardError as error:
            box[0] = error
            if isinstance(error, NothingToTrainOn) and error.problems is not None:
                write_account(error.problems, Path(config.grpo.output_dir))
                say(*error.problems.refusals())
    if state.num_processes > 1:
        broadcast_object_list(box)
    if isinstance(box[0], OCamlRewardError):
        raise box[0]
    return Prepared(
        source=source, tokenizer=tokenizer, prompts=prompts, problems=box[0]
    )


def make_trainer(
    config: Config, prepared: Prepared, score: OCamlReward, *, world: int
) -> GRPOTrainer:
    """
    Make the trainer, which loads the model.
    """
    problems = prepared.problems
    evaluates = bool(problems.validation)
    training = rows_of(problems.training, prepared.prompts, part="train")
    validation = rows_of(problems.validation, prepared.prompts, part="validation")
    return trainer_of(
        config,
        score,
        world=world,
        evaluates=evaluates,
        model=prepared.source,
        train_dataset=Dataset.from_list(training),
        eval_dataset=Dataset.from_list(validation) if evaluates else None,
        processing_class=prepared.tokenizer,
    )


def say(*lines: str) -> None:
    """
    Print for the user, at once.
    """
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
