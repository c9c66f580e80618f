"""`python -m trainer_plugin CONFIG.toml`, under a launcher too; `ocaml-reward train` and
`ocaml-reward baseline` run this.
"""

from __future__ import annotations

import argparse
import errno
import importlib.util
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ocaml_reward import InputError, MachineError

from .config.checks import check_config
from .config.reading import Loaded, load_config, presets
from .config.table import table

COMMANDS: Final = ("train", "baseline")
NEEDED: Final = ("torch", "trl", "peft", "datasets", "accelerate")
BAD_INPUT: Final = 2
BAD_MACHINE: Final = 3
SIGNALLED: Final = 128
INTERRUPTED: Final = SIGNALLED + signal.SIGINT


def main(words: Sequence[str]) -> int:
    """Run a command; return its exit code, after one line for an error."""
    command, rest = "train", list(words)
    if rest and rest[0] in COMMANDS:
        command, *rest = rest
    options = parser(command).parse_args(rest)
    try:
        if command == "train" and options.resume and options.overwrite:
            raise InputError(
                "--resume goes on from a checkpoint and --overwrite removes it: choose one"
            )
        if command == "train" and options.sft and (options.resume or options.merge):
            raise InputError("--sft starts anew, and its model is whole: it stands alone")
        if missing := [name for name in NEEDED if not importlib.util.find_spec(name)]:
            raise MachineError(
                f"training needs {', '.join(missing)}: pip install 'ocaml-reward[train]'"
            )
        loaded = load_config(options.config, preset=options.preset, overrides=options.overrides)
        if command != "train" or not options.merge_only:
            check_config(loaded.config)
        return run(command, loaded, options)
    except (InputError, MachineError) as error:
        sys.stderr.write(f"ocaml-reward: {' '.join(str(error).splitlines())}\n")
        return BAD_INPUT if isinstance(error, InputError) else BAD_MACHINE
    except OSError as error:
        # What the libraries do with a path, and whatever that path is.
        if error.filename is None:
            raise
        path = os.fsdecode(error.filename)
        sys.stderr.write(f"ocaml-reward: cannot use {path}: {error.strerror}\n")
        return BAD_MACHINE if error.errno == errno.ENOSPC else BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED


def run(command: str, loaded: Loaded, options: argparse.Namespace) -> int:
    """Load the training libraries and run the command."""
    if os.environ.get("RANK", "0") == "0":
        sys.stdout.write(f"{table(loaded, changed=not options.verbose)}\n")
        sys.stdout.flush()
    # Otherwise tokenizers warn when the compiler is forked.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if command == "baseline":
        from .run.baseline import baseline  # noqa: PLC0415 (loads torch)

        baseline(loaded)
    elif options.sft:
        from .run.sft import warm_start  # noqa: PLC0415

        warm_start(loaded, overwrite=options.overwrite)
    elif options.merge_only:
        from .run.merge import merge_last  # noqa: PLC0415

        target = merge_last(Path(loaded.config.grpo.output_dir))
        sys.stdout.write(f"merged into {target}\n")
    else:
        from .run.train import train  # noqa: PLC0415

        stopped = train(
            loaded,
            resume=options.resume,
            overwrite=options.overwrite,
            merged=options.merge,
        )
        return SIGNALLED + stopped if stopped else 0
    return 0


def parser(command: str) -> argparse.ArgumentParser:
    """Return the parser of a command."""
    made = argparse.ArgumentParser(prog=f"ocaml-reward {command}")
    made.add_argument(
        "config",
        metavar="CONFIG.toml",
        type=Path,
        nargs="?",
        help="the run's configuration; without it the preset alone",
    )
    made.add_argument("--preset", help=f"one of {', '.join(presets())}")
    made.add_argument(
        "--set",
        dest="overrides",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change one setting; repeatable",
    )
    made.add_argument("--verbose", action="store_true", help="print every setting, defaults too")
    if command == "train":
        flags = {
            "--resume": "go on from the last checkpoint, if there is one",
            "--overwrite": "start again where an earlier run left checkpoints",
            "--merge": "write the merged model when the training is done",
            "--sft": "learn from the references instead, for a warm start",
            "--merge-only": "only merge what an earlier run has come to",
        }
        for flag, meaning in flags.items():
            made.add_argument(flag, action="store_true", help=meaning)
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
