"""One call of a trainer: 8 completions for each of 8 problems, graded as one group.

Each call has new code, so that nothing is remembered from an earlier one, and each second
one tests that no server has compiled, though they were prepared before.  The second table
has completions among the 64 that misbehave in each of seven checks, and that many at the
front: how long the call takes then, how much processor time, and after how long the others
were there.

    python -m benchmarks.group --jobs 4 --calls 40 --bad 4 16 32
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ocaml_reward import Breakdown, Completion, Grader, Problem
from ocaml_reward.engine.engines.select import ENGINES, engine
from ocaml_reward.scheme import load
from ocaml_reward.two_pass_scheduler import Task, Threads, TwoPassScheduler

from .stock import Pair
from .warm import quick_and_light

CHECKS = Problem(
    id="seven",
    tests="\n".join(f"let () = assert (f {n} = {n})" for n in range(7)),
    reference="let f n = n\n",
)
BAD = {
    "loops": "let f n = while true do () done; n",
    "loops at its top": "let f n = n\nlet () = while true do () done",
    "allocates arrays": "let rec g a = g (Array.make 1_000_000 0 :: a)\nlet f n = g []; n",
    "allocates a list": "let rec g a = g (1 :: a)\nlet f n = g []; n",
    "prints for ever": 'let f n = while true do print_string "flood" done; n',
    "recurses for ever": "let rec g k = 1 + g (k + 1)\nlet f n = g n",
    "leaves": "let f n = exit 3",
    "busy compiler": "\n".join(
        [
            "let t0 x = x",
            *(f"let t{n} x = t{n - 1} (t{n - 1} x, x)" for n in range(1, 60)),
        ]
    ),
}


class Call(NamedTuple):
    """How long a call took, its processor time, and how long until the good ones were there."""

    wall_s: float
    cpu_s: float
    good_s: float


def group_of(light: list[Pair], problems: int, each: int) -> list[Pair]:
    """Return `each` completions of each of the first problems that have so many."""
    found: dict[str, list[Pair]] = {}
    for pair in light:
        found.setdefault(pair[0].id, []).append(pair)
    full = [pairs[:each] for pairs in found.values() if len(pairs) >= each]
    return [pair for pairs in islice(full, problems) for pair in pairs]


def renewed(group: list[Pair], number: int) -> list[Pair]:
    """Return the same group, with code that no earlier call had."""
    return [
        (
            problem,
            Completion(text=completion.text.replace("let ", f"let  (*{number}*)", 1)),
        )
        for problem, completion in group
    ]


def unseen(group: list[Pair], number: int) -> list[Pair]:
    """Return the same group for problems with a check more, which no server has compiled, as in
    a run's first epoch.
    """
    known = dict.fromkeys(problem for problem, _ in group)
    problems = {
        problem: replace(
            problem,
            id=f"{problem.id}-{number}",
            tests=f"{problem.tests}\nlet () = assert ({number} > 0)\n",
        )
        for problem in known
    }
    return [(problems[problem], completion) for problem, completion in renewed(group, number)]


def bad(code: str, count: int, call: int) -> list[Pair]:
    """Return so many completions that misbehave, no two alike."""
    return [
        (CHECKS, Completion(text=f"let number = {call * 1000 + n}\n{code}\n")) for n in range(count)
    ]


def processor_s() -> float:
    """Return the processor time of this process and of all below it, with those that ended."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    family = {os.getpid()}
    while more := {pid for pid, above in parents.items() if above in family} - family:
        family |= more
    return sum(ticks[pid] for pid in family) / os.sysconf("SC_CLK_TCK")


def called(grader: Grader, pairs: Iterable[Pair], first_good: int) -> Call:
    """Grade a batch as a trainer does; the completions from `first_good` on are good."""
    threads = Threads(grader.jobs, "group")
    scheduler = TwoPassScheduler[Breakdown](threads)
    before, started = processor_s(), time.perf_counter()
    ends: dict[int, float] = {}

    def note(place: int, future: object) -> None:
        del future
        ends[place] = time.perf_counter() - started

    futures = []
    for place, pair in enumerate(pairs):
        task = Task(
            partial(grader.quick_attempt, *pair),
            partial(grader.grade, *pair),
            pair[0].id,
        )
        future = scheduler.submit(task)
        future.add_done_callback(partial(note, place))
        futures.append(future)
    for future in futures:
        future.result()
    scheduler.shutdown()
    threads.close()
    return Call(
        wall_s=max(ends.values()),
        cpu_s=processor_s() - before,
        good_s=max(end for place, end in ends.items() if place >= first_good),
    )


def shown(name: str, seconds: list[float]) -> None:
    """Print the median, the 99th percentile and the worst."""
    ordered = sorted(s * 1e3 for s in seconds)
    p99 = ordered[min(len(ordered) - 1, round(len(ordered) * 0.99))]
    print(
        f"{name:32} median {statistics.median(ordered):7.1f} ms"
        f"  p99 {p99:7.1f} ms  worst {ordered[-1]:7.1f} ms"
    )


def seconds(grader: Grader, pairs: list[Pair]) -> float:
    """Grade a call as a stream."""
    started = time.perf_counter()
    for _ in grader.grade_many(pairs):
        pass
    return time.perf_counter() - started


def table(grader: Grader, group: list[Pair], counts: list[int], times: int) -> None:
    """Print what each kind costs by itself, and what so many do to a call: the best of some."""
    call = 1
    plain = min(called(grader, renewed(group, -n), 0) for n in range(1, times + 1))
    print(
        f"no bad one: {plain.wall_s:.2f} s, processors {plain.cpu_s:.2f} s\n"
        f"{'':18} {'one':>11}" + "".join(f" {f'{count} of {len(group)}':>23}" for count in counts)
    )
    for name, code in BAD.items():
        alone = []
        for _ in range(times):
            alone.append(called(grader, bad(code, 1, call), 0).cpu_s)
            call += 1
        row = f"{name:18} {min(alone):6.2f} s cpu"
        for count in counts:
            found = []
            for _ in range(times):
                good = renewed(group[count:], call)
                found.append(called(grader, [*bad(code, count, call), *good], count))
                call += 1
            best = min(found)
            row += f"  {best.wall_s:5.2f} {best.cpu_s:6.2f} cpu {best.good_s:5.2f} g"
        print(row, flush=True)


def main() -> None:
    """Time the calls."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--bad", type=int, nargs="*", default=[4, 16, 32])
    parser.add_argument("--engine", default="warm", choices=ENGINES)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    chosen = engine(options.engine, options.sandbox)
    _, light = quick_and_light(chosen, options.jobs)
    group = group_of(light, 8, 8)
    print(f"{len(group)} completions a call, {options.jobs} workers, {chosen.sandbox}")
    scheme = load("seed")
    with Grader(scheme, engine=chosen, jobs=options.jobs) as grader:
        for problem, _ in [*group, (CHECKS, None)]:
            grader.prepare(problem)
        list(grader.grade_many(renewed(group, 0)))
        plain, fresh = [], []
        in_ocaml = [pair for pair in light if isinstance(pair[0].tests, str)]
        ours = group_of(in_ocaml, 8, 8)
        for number in range(1, options.calls + 1):
            plain.append(seconds(grader, renewed(group, number)))
            pairs = unseen(ours, number)
            for problem, _ in pairs:
                grader.prepare(problem)
            fresh.append(seconds(grader, pairs))
        shown("a call", plain)
        shown("with tests new to the servers", fresh)
        table(grader, group, options.bad, options.times)


if __name__ == "__main__":
    main()
