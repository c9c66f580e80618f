"""Generates completions in a process of the trainer plugin."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Generator, Mapping
from contextlib import closing
from hashlib import sha256
from typing import Any

import click

from ocaml_reward import MachineError, Problem

from ..terminal.exit_codes import BAD_INPUT, BAD_MACHINE
from ..terminal.progress import progress
from ..train import plugin_command
from .folder import EvaluationFolder


def generation_job(options: dict[str, Any], problems: list[Problem], *, end: str) -> dict[str, Any]:
    """Return the job for the process that generates completions."""
    names = ("style", "template", "system", "few_shot", "examples")
    return {
        **{name: value for name, value in options.items() if name not in names},
        "end": end,
        "prompt": {name: options[name] for name in names},
        "problems": [{"id": one.id, "prompt": one.prompt} for one in problems],
    }


def job_settings(job: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that determine completions; those for reaching a server do not."""
    not_settings = {"problems", "url", "concurrency", "timeout_s"}
    problems = job["problems"]
    text = json.dumps([list(each.values()) for each in problems])
    settings = {name: value for name, value in job.items() if name not in not_settings}
    return settings | {
        "problems": len(problems),
        "problems_sha256": sha256(text.encode()).hexdigest(),
    }


def generate_missing(ctx: click.Context, folder: EvaluationFolder, job: Mapping[str, Any]) -> None:
    """Generate the completions that the folder lacks."""
    samples = job["samples"]
    expected = [
        (one["id"], one.get("sample", 0) + n) for one in job["problems"] for n in range(samples)
    ]
    unit = 1 if job["url"] else job["batch"] * samples
    done = folder.keep_batches(expected, unit=unit)
    if done == len(expected):
        return
    with progress(
        ctx,
        total=len(expected),
        doing="generating",
        when_stopped=lambda: (
            f"stopped; {done} of {len(expected)} completions are in"
            f" {folder.completions}; the same command with --resume continues"
        ),
    ) as screen:
        for _ in range(done):
            screen.skip()
        with closing(generate({**job, "done": done})) as batches:
            for rows in batches:
                folder.add(rows)
                done += len(rows)
                screen.step(None, count=len(rows))
    if done < len(expected):
        raise MachineError(f"{done} of {len(expected)} completions came, and no more")


def generate(job: Mapping[str, Any]) -> Generator[list[dict[str, Any]], None, None]:
    """Yield the batches of a job from a process of the trainer plugin; closing ends it.

    Raises MachineError if the process died. If it reported an error itself, the command exits with
    the same code.
    """
    with subprocess.Popen(
        plugin_command(".generation"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        try:
            # Both are pipes, as requested.
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
