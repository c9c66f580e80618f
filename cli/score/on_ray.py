"""Scoring on a Ray cluster: the grader, and what its workers came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from ocaml_reward import Grader
from ocaml_reward.engine import Engine
from ocaml_reward.engine.remote.urls import is_address
from ocaml_reward.fleet.grader import FleetGrader
from ocaml_reward.fleet.on_ray import RayCrew
from ocaml_reward.fleet.tally import Tally
from ocaml_reward.fleet.worker import Setup
from ocaml_reward.scheme import RewardScheme

from ..terminal.text import counted


def refuse_beside_ray(
    address: str | None, engine: str, jobs: int | None, processes: int | None
) -> None:
    """Refuse what says where to grade, where a cluster does; raises UsageError."""
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
    """Start workers on every node of a cluster, and end them; lines about them go to `say`."""
    setup = Setup(scheme=scheme, engine=engine, sandbox=sandbox, regions=regions)
    with FleetGrader(setup, RayCrew(address, setup, say), say=say) as grader:
        yield grader, grader.engine
        say(summary_of(grader.tally))


def summary_of(tally: Tally) -> str:
    """Say how much each node has done, and what was done again."""
    nodes = tally.nodes
    done = ", ".join(f"{name} {count}" for name, count in sorted(nodes.items()))
    return (
        f"graded on {counted(len(nodes), 'node')}: {done or 'nothing'};"
        f" {counted(tally.moved, 'chunk')} moved, {tally.copied} copied"
    )
