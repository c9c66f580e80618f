"""Checks a configuration before a model or data set is loaded."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from ocaml_reward.formats.files import container_of
from ocaml_reward.sandbox import BACKENDS
from ocaml_reward.scheme import load

from ..health import RULES
from .trl import check_owned
from .value import Config, ConfigError

# With more parameters a step on a CPU takes minutes.
LARGE: Final = 200e6
UNITS: Final = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}


BUILT_IN: Final = ("overlong", "length")
"""Functions that need no import."""

DOTTED: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")


def processes() -> int:
    """Return the number of training processes, according to the launcher."""
    return max(1, int(os.environ.get("WORLD_SIZE", "1") or 1))


def generation_batch_size(config: Config, world: int) -> int:
    """Return the number of completions generated at a time, over all processes.

    It has as many problems for each process as its batch has rows, so that every group is whole.
    """
    grpo = config.grpo
    whole = grpo.per_device_train_batch_size * grpo.num_generations * world
    return grpo.generation_batch_size or whole


def check_config(
    config: Config,
    *,
    world: int | None = None,
    accelerator: Callable[[], bool] | None = None,
) -> None:
    """Raise ConfigError, one line, for the first invalid combination of settings.

    `world` is the number of processes, by default the launcher's; `accelerator` tells whether there
    is a GPU.
    """
    world = processes() if world is None else world
    _check_batches(config, world)
    _check_lengths(config)
    _check_reward(config)
    _check_files(config)
    _check_output(Path(config.grpo.output_dir))
    check_owned(config)
    _check_device(config, has_accelerator if accelerator is None else accelerator)
    wanted = {"grpo.report_to": config.grpo.report_to}
    wanted["vllm.enabled"] = ("vllm",) if config.vllm.enabled else ()
    for key, names in wanted.items():
        for name in names:
            if find_spec(name) is None:
                raise ConfigError(f"{key}: {name} is not installed")


def _check_device(config: Config, accelerator: Callable[[], bool]) -> None:
    """Raise ConfigError for a model that this machine is too small for."""
    size = parameters(config.model.id)
    if size is not None and size > LARGE and not config.model.cpu and not accelerator():
        raise ConfigError(
            f"model.id: {config.model.id} has {size / 1e9:.2g}B parameters and this"
            " machine has no GPU; model.cpu=true trains it on the CPU all the same"
        )
    if config.vllm.enabled and config.model.cpu:
        raise ConfigError("vllm.enabled: vLLM needs a GPU, and model.cpu is true")


def batch_problem(config: Config, world: int) -> str | None:
    """Return why a generation cannot be divided into updates; None if it can."""
    grpo = config.grpo
    step = grpo.per_device_train_batch_size * world
    total = generation_batch_size(config, world)
    if total % grpo.num_generations:
        return (
            f"grpo.generation_batch_size: {total} completions are no whole groups of"
            f" grpo.num_generations={grpo.num_generations}"
        )
    if total % step:
        return (
            f"grpo.generation_batch_size: {total} is not a multiple of grpo.per_device_train_batch_size"
            f" x processes = {grpo.per_device_train_batch_size} x {world} = {step}"
        )
    parts, taken = total // step, grpo.gradient_accumulation_steps
    if parts % taken and taken % parts:
        return (
            f"grpo.gradient_accumulation_steps: a generation of {total} completions makes {parts}"
            f" micro-batches of {step}, which updates of {taken} do not divide evenly"
        )
    selects = config.reward.selection != "all" or config.reward.min_reward is not None
    if selects and taken % parts and taken != 1:
        return (
            f"grpo.gradient_accumulation_steps: an update of {taken} micro-batches is no whole"
            f" generation, and where few completions are learnt from it may have none;"
            f" {parts} is one"
        )
    return None


def _check_batches(config: Config, world: int) -> None:
    problem = batch_problem(config, world)
    if problem is not None:
        raise ConfigError(problem)


def _check_lengths(config: Config) -> None:
    """Raise ConfigError for numbers that make a run useless."""
    grpo = config.grpo
    if grpo.learning_rate == 0:
        raise ConfigError("grpo.learning_rate: 0 learns nothing")
    if grpo.max_steps is None and grpo.num_train_epochs == 0:
        raise ConfigError("grpo.num_train_epochs: 0 epochs and no grpo.max_steps")
    if grpo.eval_steps and grpo.save_steps % grpo.eval_steps:
        raise ConfigError(
            f"grpo.save_steps: {grpo.save_steps} is not a multiple of"
            f" grpo.eval_steps={grpo.eval_steps}, and the best checkpoint is one that was"
            " evaluated"
        )
    if not config.lora.target_modules and config.lora.enabled:
        raise ConfigError("lora.target_modules: an adapter needs at least one layer")
    k, samples = config.baseline.k, config.baseline.samples
    if k is not None and k > samples:
        raise ConfigError(
            f"baseline.k: pass@{k} needs that many completions, and baseline.samples is {samples}"
        )


def _check_reward(config: Config) -> None:
    """Load the scheme, which reports its first invalid key, and check the names."""
    if config.reward.algorithm == "sdpo":
        _check_sdpo(config)
    weighed = config.extra.get("importance_sampling_level", "token")
    is_located = config.reward.algorithm == "grpo" and config.reward.credit == "located"
    if is_located and weighed != "token":
        raise ConfigError(
            f"reward.credit: located needs credit token by token, and"
            f" grpo.extra.importance_sampling_level={weighed!r} weighs a completion as a"
            ' whole, which goes with reward.credit="sequence"'
        )
    load(config.reward.scheme, config.reward.overrides)
    parse_functions(config)
    rules = sorted({rule.name for rule in RULES})
    for name in config.reward.stop_on:
        if name not in rules:
            raise ConfigError(f"reward.stop_on: no rule {name!r}; there are {', '.join(rules)}")
    if config.reward.sandbox not in ("auto", *BACKENDS):
        names = ", ".join(("auto", *BACKENDS))
        raise ConfigError(f"reward.sandbox: {config.reward.sandbox!r} is not one of {names}")


def _check_sdpo(config: Config) -> None:
    """Raise ConfigError for a setting that TRL's SDPO trainer does not have."""
    grpo, reward = config.grpo, config.reward
    chosen = {
        "grpo.entropy_coef": grpo.entropy_coef != 0,
        "grpo.log_completions": grpo.log_completions,
        "grpo.loss_type": grpo.loss_type in {"cispo", "sapo"},
        "reward.selection": reward.selection != "all",
        "reward.min_reward": reward.min_reward is not None,
    }
    for key, is_chosen in chosen.items():
        if is_chosen:
            raise ConfigError(f"{key}: not with reward.algorithm=sdpo, whose trainer has no such")


def _check_output(folder: Path) -> None:
    """Raise ConfigError if the output folder cannot be written."""
    try:
        nearest = next(each for each in (folder, *folder.parents) if each.exists())
    except OSError as error:
        raise ConfigError(f"grpo.output_dir: {error.strerror}: {folder}") from error
    if not nearest.is_dir():
        raise ConfigError(f"grpo.output_dir: {nearest} is a file, not a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise ConfigError(f"grpo.output_dir: {nearest} cannot be written to")


def _check_files(config: Config) -> None:
    """Raise ConfigError if a file that the settings name is missing."""
    named = {
        "prompt.template": config.prompt.template,
        "prompt.examples": config.prompt.examples,
    }
    for key in ("source", "validation"):
        name = getattr(config.dataset, key)
        named[f"dataset.{key}"] = name if name and is_file_name(name) else None
    for key, name in named.items():
        if name is not None and not Path(name).is_file():
            raise ConfigError(f"{key}: {name}: no such file")


def is_file_name(source: str) -> bool:
    """Return whether a source is a file of problems rather than a data set on the hub."""
    return container_of(source) is not None


def check_launch(*, gpus: int, world: int) -> None:
    """Refuse several GPUs in one process, which the trainer cannot use."""
    if gpus > 1 and world == 1:
        raise ConfigError(
            f"{gpus} GPUs are visible to one process: accelerate launch --num_processes"
            f" {gpus} -m trainer_plugin ..., or hide all but one (CUDA_VISIBLE_DEVICES=0)"
        )


def parameters(model: str) -> float | None:
    """Return a model's number of parameters; None if unknown.

    A local folder's follows from the size of its weights, another's from the name, such as 1.5B.
    """
    folder = Path(model)
    if folder.is_dir():
        total = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
        return total / _bytes_per_weight(folder)
    found = re.search(r"(?:^|[-_/])(\d+(?:\.\d+)?)([kmbt])(?:$|[-_])", model.lower())
    return float(found[1]) * UNITS[found[2]] if found else None


def _bytes_per_weight(folder: Path) -> int:
    """Return the size of a model's weights, from its own settings."""
    try:
        model_config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return 4
    dtype = str(model_config.get("dtype") or model_config.get("torch_dtype"))
    return 2 if dtype in {"bfloat16", "float16"} else 4


def has_accelerator() -> bool:
    """Detect a GPU without importing torch: by its device files, or macOS."""
    devices = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
    return sys.platform == "darwin" or any(Path(name).exists() for name in devices)


@dataclass(frozen=True, kw_only=True, slots=True)
class WeightedFunction:
    """A function's name, and its weight."""

    name: str
    weight: float


def parse_functions(config: Config) -> tuple[WeightedFunction, ...]:
    """Parse the additional functions; raises ConfigError for an invalid entry."""
    found: list[WeightedFunction] = []
    for text in config.reward.functions:
        name, equals, weight_text = (part.strip() for part in text.partition("="))
        if not equals:
            raise ConfigError(
                f"reward.functions: {text!r}: expected NAME=WEIGHT, such as overlong=0.5"
            )
        try:
            weight = float(weight_text)
        except ValueError:
            weight = math.nan
        if not math.isfinite(weight):
            raise ConfigError(f"reward.functions: {name}: {weight_text!r} is no weight")
        if name not in BUILT_IN and not DOTTED.fullmatch(name):
            raise ConfigError(
                f"reward.functions: {name!r} is none of {', '.join(BUILT_IN)}, nor a"
                " dotted path such as my_rewards.brevity"
            )
        if name in {one.name for one in found}:
            raise ConfigError(f"reward.functions: {name} twice")
        found.append(WeightedFunction(name=name, weight=weight))
    return tuple(found)
