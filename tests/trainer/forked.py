"""Programs in processes of their own, forked from one that has loaded the training libraries.

To load them takes six seconds of a processor, which each `python -m` would spend again.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What takes long; the rest is small.
LOADED = ("trl", "trl.trainer.grpo_trainer", "peft", "datasets", "torch.distributed")


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """How a program ended, and what it said: as `subprocess.run` has it."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Running:
    """A program that was started, and the files that it prints to."""

    process: ForkServerProcess
    stdout: Path
    stderr: Path

    @property
    def ended(self) -> bool:
        """Whether the program has ended."""
        return self.process.exitcode is not None

    def wait(self, timeout_s: float = 600) -> Done:
        """Wait for its end."""
        self.process.join(timeout_s)
        assert self.process.exitcode is not None, self.stderr.read_text("utf-8")
        return Done(
            returncode=self.process.exitcode,
            stdout=self.stdout.read_text("utf-8"),
            stderr=self.stderr.read_text("utf-8"),
        )


def start(folder: Path, module: str, *words: str, **variables: str) -> Running:
    """Start a program as `python -m MODULE WORD...` does; what it prints goes to files in
    `folder`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stdout, stderr = folder / "stdout", folder / "stderr"
    environment = os.environ | variables
    process = _context().Process(target=_become, args=(module, words, environment, stdout, stderr))
    process.start()
    return Running(process=process, stdout=stdout, stderr=stderr)


def ran(folder: Path, module: str, *words: str, **variables: str) -> Done:
    """Run a program to its end."""
    return start(folder, module, *words, **variables).wait()


@contextmanager
def two_ranks(folder: Path, module: str, *words: str) -> Iterator[list[Running]]:
    """Start the two ranks of one run, with the variables and the store that torchrun would
    give them.
    """
    from torch.distributed import TCPStore  # noqa: PLC0415 (loads torch)

    store = TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    shared = {
        "WORLD_SIZE": "2",
        "LOCAL_WORLD_SIZE": "2",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(store.port),
        "TORCHELASTIC_USE_AGENT_STORE": "True",
        "TORCHELASTIC_RESTART_COUNT": "0",
    }
    yield [
        start(
            folder / f"rank{rank}",
            module,
            *words,
            **shared | {"RANK": str(rank), "LOCAL_RANK": str(rank)},
        )
        for rank in (0, 1)
    ]


def together(folder: Path, module: str, *words: str) -> None:
    """Run a program in two ranks, to a good end."""
    with two_ranks(folder, module, *words) as both:
        for each in both:
            done = each.wait()
            assert 0 == done.returncode, done.stderr[-3000:]


def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*LOADED])
    return context


def _become(
    module: str,
    words: tuple[str, ...],
    environment: dict[str, str],
    stdout: Path,
    stderr: Path,
) -> None:
    """Be the program, in the child."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    for path, descriptor in ((stdout, 1), (stderr, 2)):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.argv[1:] = words
    runpy.run_module(module, run_name="__main__", alter_sys=True)
