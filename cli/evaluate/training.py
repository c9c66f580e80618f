"""What a training's folder says: the problems that it held out, and how it asked and graded."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from ocaml_reward import InputError
from ocaml_reward.codec.readers import read
from trainer_plugin.config.settings import SETTINGS

from ..terminal.text import one_line

OPTIONS: Final = {
    "scheme_name": "reward.scheme",
    "overrides": "reward.overrides",
    "style": "prompt.style",
    "template": "prompt.template",
    "system": "prompt.system",
    "few_shot": "prompt.few_shot",
    "examples": "prompt.examples",
    "max_tokens": "grpo.max_completion_length",
}
"""The options of `evaluate` that are taken from a training, each with its setting there."""
FILES: Final = ("template", "examples")


def held_out(folder: Path) -> frozenset[str]:
    """Return the ids of a run's validation problems, from its selection report.

    Raises InputError for a folder without a report, or with no validation problems.
    """
    path = folder / "problems.jsonl"
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        found = frozenset(row["id"] for row in rows if row["part"] == "validation")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder} is no folder of a training: {error}") from error
    if not found:
        raise InputError(f"{folder} kept no problem for validation")
    return found


def options_of_training(ctx: click.Context, folder: Path) -> dict[str, Any]:
    """Return options as a training had them, without those that the command was given.

    Overrides are of the training's scheme, and are left out with it.

    Args:
        ctx: The context of the command, which tells the options that it was given.
        folder: The output folder of the training.

    Raises:
        InputError: `config.json` cannot be read, or a file that it names is gone.
    """
    path = folder / "config.json"
    try:
        settings = json.loads(path.read_text("utf-8"))["settings"]
        written = {key: one["value"] for key, one in settings.items()}
    except FileNotFoundError:
        click.echo(f"ocaml-reward: no {path}: prompts and scheme are the defaults", err=True)
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is not the configuration of a training: {error}") from error
    given = {
        name for name in OPTIONS if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    # More overrides change the training's scheme, and another scheme is without its overrides.
    given = given | {"overrides"} if "scheme_name" in given else given - {"overrides"}
    found: dict[str, Any] = {}
    for name, key in OPTIONS.items():
        if name in given or written.get(key) is None:
            continue
        reader = SETTINGS[key].reader
        found[name] = read(reader, written[key], error=InputError, path=key, prefix=f"{path}: ")
        if name in FILES and not Path(found[name]).is_file():
            raise InputError(f"{path}: {key}: no file {found[name]}; --{name} names another")
    flags = {each.name: each.opts[0] for each in ctx.command.params}
    words = [
        f"{flags[name]} {shlex.quote(str(one))}"
        for name, value in found.items()
        for one in (value if isinstance(value, tuple) else (value,))
    ]
    click.echo(one_line(f"ocaml-reward: as in {path}: {' '.join(words)}"), err=True)
    return found
