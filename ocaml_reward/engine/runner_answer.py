"""
What a runner says of one run of a program.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from ..errors import EngineFault

__all__ = ["RunnerAnswer", "read_run"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RunnerAnswer:
    """
    How one run ended, and what it printed.
    """

    began: bool
    exit_code: int | None
    signal: int | None
    wall_exceeded: bool
    output_exceeded: bool
    cpu_s: float
    stdout: bytes
    stderr: bytes


def read_run(body: bytes) -> tuple[RunnerAnswer, bytes]:
    """
    Read a runner's answer: one line of figures, then three texts.  (ocaml/run/fork_server.c)

    The first figure is the number of the request, by which the checker knows the answer.
    """
    line, _, rest = body.partition(b"\n")
    with suppress(ValueError):
        _, exit_code, number, late, cpu_us, began, *lengths = (
            int(word) for word in line.split()
        )
        events, stdout, stderr = lengths
        if len(rest) == events + stdout + stderr:
            run = RunnerAnswer(
                began=bool(began),
                exit_code=None if number else exit_code,
                signal=number or None,
                wall_exceeded=bool(late),
                output_exceeded=False,
                cpu_s=cpu_us / 1e6,
                stdout=rest[events : events + stdout],
                stderr=rest[events + stdout :],
            )
            return run, rest[:events]
    raise EngineFault("the runner answered nonsense")
