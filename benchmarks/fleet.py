"""
A cluster that is not there: the schedule of `score --ray`, with workers that only take time.

The schedule and its driver are the real ones; the clock is made up.  A completion takes
7 ms of a processor, and one in fifty loops and takes 2 s.  A worker has four processors, and
grades four chunks at a time, so that each has one of them.  Nodes are lost at random, and come back after five minutes.

    python -m benchmarks.fleet --completions 1000000 --nodes 64 --lost-per-hour 0.01
"""

from __future__ import annotations

import argparse
import heapq
import random
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Sequence

from ocaml_reward.fleet.driving import (
    AT_A_TIME,
    Answered,
    Event,
    Joined,
    Left,
    driven,
)
from ocaml_reward.fleet.tally import Tally

QUICK_S, LOOP_S, LOOPS = 0.007, 2.0, 0.02
WORKERS = 4
BACK_S = 300.0


class Imagined:
    """
    Workers that answer when the time has come.
    """

    def __init__(self, nodes: int, lost_per_hour: float) -> None:
        """
        Begin with all nodes.
        """
        self.random = random.Random(0)  # noqa: S311
        self.workers = [f"{node}/{n}" for node in range(nodes) for n in range(WORKERS)]
        self.now = 0.0
        self.busy_s: Counter[str] = Counter()
        self.dead: Counter[str] = Counter()
        self.turns = 0
        self.due: list[tuple[float, int, Event, int]] = []
        self.lost_per_s = lost_per_hour / 3600
        for node in range(nodes):
            if lost_per_hour:
                self.doom(node)

    def doom(self, node: int) -> None:
        """
        Say when a node will be lost, and when it comes back.
        """
        at = self.now + self.random.expovariate(self.lost_per_s)
        for n in range(WORKERS):
            worker = f"{node}/{n}"
            self.push(at, Left(worker=worker, why="lost"))
            self.push(at + BACK_S, Joined(worker=worker))

    def push(self, at: float, event: Event) -> None:
        """
        Have something happen.
        """
        self.turns += 1
        life = self.dead[event.worker]
        heapq.heappush(self.due, (at, self.turns, event, life))

    def send(self, worker: str, number: int, work: Sequence[int]) -> None:
        """
        Have work done when its time has passed.
        """
        took = [
            LOOP_S if self.random.random() < LOOPS else QUICK_S
            for _ in range(len(work))
        ]
        self.busy_s[worker] += sum(took)
        done = Answered(worker=worker, number=number, results=work)
        self.push(self.now + sum(took), done)

    def events(self, timeout_s: float) -> list[Event]:
        """
        Let time pass until something happens.
        """
        if not self.due or self.due[0][0] > self.now + timeout_s:
            self.now += timeout_s
            return []
        at, _, event, life = heapq.heappop(self.due)
        self.now = max(self.now, at)
        if isinstance(event, Left):
            self.dead[event.worker] += 1
        elif isinstance(event, Answered) and life != self.dead[event.worker]:
            # What the dead were doing.
            return []
        elif isinstance(event, Joined) and event.worker.endswith("/0"):
            self.doom(int(event.worker.partition("/")[0]))
        return [event]


def main() -> None:
    """
    Run the schedule through, and say what came of it.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--completions", type=int, default=1_000_000)
    parser.add_argument("--nodes", type=int, default=64)
    parser.add_argument("--lost-per-hour", type=float, default=0.01)
    parser.add_argument(
        "--memory", action="store_true", help="trace the driver's memory"
    )
    told = parser.parse_args()
    crew = Imagined(told.nodes, told.lost_per_hour)
    tally = Tally()
    run: Iterator[int] = driven(
        crew,
        range(told.completions),
        given_up=lambda _: -1,
        tally=tally,
        clock=lambda: crew.now,
    )
    if told.memory:
        tracemalloc.start()
    started = time.process_time()
    wrong = sum(found != place for place, found in enumerate(run))
    spent = time.process_time() - started
    share = sum(crew.busy_s.values()) / (crew.now * len(crew.workers) * AT_A_TIME)
    print(
        f"{told.completions} completions, {told.nodes} nodes: {crew.now:.0f} s,"
        f" {told.completions / crew.now:.0f}/s, processors {share:.0%} at work"
    )
    print(
        f"{wrong} not in order or given up, {tally.moved} chunks moved,"
        f" {tally.copied} copied; the schedule {1e6 * spent / told.completions:.0f} us each"
    )
    if told.memory:
        print(f"{tracemalloc.get_traced_memory()[1] / 1e6:.1f} MB at most")


if __name__ == "__main__":
    main()
