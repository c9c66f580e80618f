"""Prepares folder, tokenizer, prompts and problems before a model's weights are loaded."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import broadcast_object_list

from ocaml_reward import Grader, OCamlRewardError

from ..config.checks import check_launch
from ..config.value import Config
from ..data.datasets import load_run_problems
from ..data.prompts import Prompting, prompting
from ..data.selection_report import NothingToTrainOn, Problems, write_selection_report
from .dynamic_sampling import check_dynamic_sampling
from .functions import functions
from .lock import lock_folder
from .parts import (
    check_options,
    engine_of,
    model_source,
    scheme_of,
    token_count,
    tokenizer_of,
)
from .preflight import certificate_lines, preflight


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """Everything that a run needs before a model's weights are loaded."""

    source: str
    tokenizer: Any
    prompts: Prompting
    problems: Problems
    preflight: tuple[str, ...] = ()


@contextmanager
def locked_run(config: Config) -> Iterator[tuple[PartialState, Path]]:
    """Check how the run was launched, and lock its folder; yields both.

    Raises ConfigError for several GPUs in one process, and for a folder that another run uses.
    """
    state = PartialState(cpu=config.model.cpu)
    gpus = 0 if config.model.cpu else torch.cuda.device_count()
    check_launch(gpus=gpus, world=state.num_processes)
    folder = Path(config.grpo.output_dir)
    with lock_folder(folder) if state.is_main_process else nullcontext():
        yield state, folder


def prepare(config: Config) -> Prepared:
    """Check TRL's options, and load tokenizer and problems.

    Of several processes the first reads and checks the problems; an error is raised in all.
    """
    check_options(config)
    check_dynamic_sampling(config)
    functions(config)
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
            problems = load_run_problems(
                config,
                prompts,
                count=lambda prompt: token_count(tokenizer, prompt),
                grader=lambda: grader_of(config),
            )
            lines: tuple[str, ...] = ()
            if config.reward.preflight:
                with grader_of(config) as grader:
                    lines = (preflight(problems.training, grader),)
            lines += tuple(certificate_lines(config.dataset.source, problems.training))
            box[0] = (problems, lines)
        except OCamlRewardError as error:
            box[0] = error
            if isinstance(error, NothingToTrainOn) and error.problems is not None:
                write_selection_report(error.problems, Path(config.grpo.output_dir))
                say(*error.problems.refusals())
    if state.num_processes > 1:
        broadcast_object_list(box)
    if isinstance(box[0], OCamlRewardError):
        raise box[0]
    problems, lines = box[0]
    return Prepared(
        source=source,
        tokenizer=tokenizer,
        prompts=prompts,
        problems=problems,
        preflight=lines,
    )


def grader_of(config: Config) -> Grader:
    """Return a grader of the run's scheme in its last phase."""
    return Grader(scheme_of(config), engine=engine_of(config), jobs=config.reward.jobs)


def say(*lines: str) -> None:
    """Print lines at once."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
