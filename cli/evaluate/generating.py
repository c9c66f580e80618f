"""The process that generates: the trainer plugin's, which this package does not import."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Generator, Mapping
from typing import Any, Final

import click

from ocaml_reward import MachineError

from ..terminal.exit_codes import BAD_INPUT, BAD_MACHINE

PLUGIN: Final = "trainer_plugin"


def generated(job: Mapping[str, Any]) -> Generator[list[dict[str, Any]], None, None]:
    """Yield the completions of a job, batch by batch; closing ends the process.

    Raises MachineError for a process that died; where it said itself what is wrong, this
    one ends with its exit code.
    """
    if importlib.util.find_spec(PLUGIN) is None:
        raise MachineError(f"{PLUGIN} is not installed")
    words = [sys.executable, "-m", f"{PLUGIN}.generation"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        try:
            # Both are there, as both were asked for.
            assert child.stdin is not None  # noqa: S101
            assert child.stdout is not None  # noqa: S101
            with child.stdin as stdin:
                stdin.write(json.dumps(job).encode())
            for line in child.stdout:
                yield json.loads(line)
            code = child.wait()
        finally:
            child.kill()
    if code in {BAD_INPUT, BAD_MACHINE}:
        raise click.exceptions.Exit(code)
    if code:
        raise MachineError(f"the process that generates ended with status {code}")
