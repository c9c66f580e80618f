"""Scoring on a Ray cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout

import click

from ocaml_reward import Grader
from ocaml_reward.engine import Engine
from ocaml_reward.engine.remote.urls import is_address
from ocaml_reward.ray_grader import RayGrader, Setup
from ocaml_reward.scheme import RewardScheme


def refuse_beside_ray(
    address: str | None, engine: str, jobs: int | None, processes: int | None
) -> None:
    """Refuse options that say where to grade, where a cluster does; raise UsageError."""
    if address is None:
        return
    if is_address(engine) or jobs is not None or processes is not None:
        raise click.UsageError(
            "--ray excludes --jobs, --processes and addresses of servers: each node grades"
            " with an engine of its own on all of its processors"
        )


@contextmanager
def grading_on_ray(
    address: str,
    scheme: RewardScheme,
    *,
    engine: str,
    sandbox: str,
    regions: bool,
    say: Callable[[str], object],
) -> Iterator[tuple[Grader, Engine]]:
    """Grade on every node of a cluster, and say at the end what each has done."""
    setup = Setup(scheme=scheme, engine=engine, sandbox=sandbox, regions=regions)
    # Ray prints on standard output what became of its processes.
    with redirect_stdout(sys.stderr), RayGrader(address, setup) as grader:
        yield grader, grader.engine
        say(grader.summary())
