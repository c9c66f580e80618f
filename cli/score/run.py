"""One run of `score`: grades the completions without a record, and writes their records."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from ocaml_reward import (
    Breakdown,
    Completion,
    FormatError,
    Grader,
    InputError,
    OCamlRewardError,
    Problem,
)
from ocaml_reward.engine import Engine
from ocaml_reward.engine.remote.urls import is_address
from ocaml_reward.formats import Item, Joining
from ocaml_reward.ray_grader import RayGrader, Setup
from ocaml_reward.scheme import RewardScheme

from ..terminal.progress import Screen
from .output import Output
from .records import StoredRecord, record_line
from .summary import Summary

# Maximum number of problems that are remembered as being prepared.
_MOST_PREPARED = 4096


class Run:
    """Grades the completions of a file that have no record yet.

    With --resume, existing records are matched to completions one by one, in the order of the
    file, so memory stays constant.
    """

    def __init__(
        self,
        *,
        grader: Grader,
        engine: Engine,
        scheme: RewardScheme,
        output: Output,
        screen: Screen,
        summary: Summary,
        shard: Shard | None = None,
    ) -> None:
        """Create a run that writes to `output` and counts in `summary`.

        With a `shard` it grades only that part of the lines.
        """
        self._shard = shard
        self.grader = grader
        self.output = output
        self.screen = screen
        self.summary = summary
        self._made_by = {
            "scheme": scheme.label,
            "engine": engine.name,
            "sandbox": engine.sandbox,
            "toolchain": engine.toolchain,
        }
        self._records = output.stored()
        self._stored = next(self._records, None)
        self._waiting: deque[tuple[Item, int | None]] = deque()
        self._prepared_ahead: set[Problem] = set()
        self._reported: set[str] = set()
        self._executor = ThreadPoolExecutor(grader.jobs, thread_name_prefix="prepare")

    def foresee(self, problem: Problem) -> None:
        """Start to prepare the tests of a problem that comes soon, in a thread."""
        if self._stored is None and problem not in self._prepared_ahead:
            if len(self._prepared_ahead) >= _MOST_PREPARED:
                self._prepared_ahead.clear()
            self._prepared_ahead.add(problem)
            # If no thread can be started, it is prepared when its turn comes.
            with suppress(RuntimeError):
                self._executor.submit(self._prepare, problem)

    def _prepare(self, problem: Problem) -> None:
        # Errors are reported when its turn comes.
        with suppress(OCamlRewardError):
            self.grader.prepare(problem)

    def close(self) -> None:
        """Stop preparing problems."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def prepare_new(self, item: Item) -> None:
        """Prepare the tests of a completion that has no record; raises ProblemError."""
        if not self._in_shard(item):
            return
        if self._stored is None or not self._stored.is_of(item):
            prepared = self.grader.prepare(item.problem)
            problem = item.problem.id
            known = item.problem.signature or item.problem.reference or item.problem.untested
            asks = prepared.uses or prepared.files or prepared.stdio or known
            if not asks and problem not in self._reported:
                self._reported.add(problem)
                self.screen.list(
                    "problems whose tests ask nothing of the code",
                    f"{problem}: its tests use no name that the standard library lacks;"
                    " if one of them is the code's, add a signature",
                )

    def grade_all(self, joining: Joining, *, limit: int | None, name_file: bool) -> None:
        """Grade all completions without a record, in the order of the file."""
        pairs = self._without_record(filter(self._in_shard, islice(joining, limit)))
        # If a write fails, this stops the workers before the output is closed.
        with closing(self.grader.grade_many(pairs)) as breakdowns:
            self._write_records(breakdowns, name_file=name_file)
        self.output.finish()

    def _in_shard(self, item: Item) -> bool:
        return self._shard is None or self._shard.has(item.line.line)

    def _write_records(self, breakdowns: Iterable[Breakdown], *, name_file: bool) -> None:
        """Write the record of each breakdown at its position."""
        for breakdown in breakdowns:
            item, position = self._waiting.popleft()
            line = record_line(item, breakdown, name_file=name_file)
            self.output.put(line, position)
            self.summary.add(breakdown, Path(item.line.file).name if name_file else "")
            if breakdown.fault is not None:
                where = f"{item.line.file}:{item.line.line}"
                message = f"{where}: not scored: {breakdown.fault.message}"
                self.screen.list("completions that are not scored", message)
            self.screen.step(self.summary.mean)

    def _without_record(self, items: Iterator[Item]) -> Iterator[tuple[Problem, Completion]]:
        """Yield the completions without a record, or whose record has a fault."""
        position = 0
        for item in items:
            stored = self._stored
            if stored is None:
                self._waiting.append((item, None))
                yield item.problem, item.line.completion
                continue
            self._check_matches(stored, item)
            if stored.breakdown.fault is None:
                self.summary.add(stored.breakdown, stored.file)
                self.screen.skip()
            else:
                self._waiting.append((item, position))
                yield item.problem, item.line.completion
            self._stored = next(self._records, None)
            position += 1
        if self._stored is not None:
            raise FormatError(
                f"{self.output.path} has more records than there are completions to score"
            )

    def _check_matches(self, stored: StoredRecord, item: Item) -> None:
        """Raise InputError if an uninterrupted run would have written another record."""
        for name, expected in self._made_by.items():
            found = getattr(stored.breakdown, name)
            if found != expected:
                raise InputError(
                    f"{self.output.path} was made with {name} {found}, this run has {expected}"
                )
        has = stored.breakdown.regions is not None
        if stored.breakdown.fault is None and has is not self.grader.regions:
            made = "with" if has else "without"
            raise InputError(f"{self.output.path} was made {made} --regions")
        if not stored.is_of(item):
            raise FormatError(
                f"{self.output.path} does not belong to these completions: its record"
                f" of problem {stored.breakdown.problem_id!r}, line {stored.line}, stands"
                f" where {item.problem.id!r}, line {item.line.line}, belongs"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Shard:
    """Every `count`th line, starting with the line `number`.

    The completions of a slow problem are distributed over all shards.
    """

    number: int
    count: int

    def has(self, line: int) -> bool:
        """Return whether a line, numbered from 1, belongs to this shard."""
        return line % self.count == self.number % self.count


def parse_shard(_: click.Context, __: click.Parameter, value: str | None) -> Shard | None:
    """Parse K/N; raises BadParameter."""
    if value is None:
        return None
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise click.BadParameter(f"{value!r} is not K/N with K from 1 to N")
    return Shard(number=int(found[1]), count=int(found[2]))


def refuse_beside_ray(
    address: str | None, engine: str, jobs: int | None, processes: int | None
) -> None:
    """Raise UsageError for options that conflict with --ray."""
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
    """Grade on every node of a cluster; at the end print what each has done."""
    setup = Setup(scheme=scheme, engine=engine, sandbox=sandbox, regions=regions)
    # Ray prints messages about its processes on standard output.
    with redirect_stdout(sys.stderr), RayGrader(address, setup) as grader:
        yield grader, grader.engine
        say(grader.summary())
