"""What it costs to have a server grade, beside the same engine in one's own process.

Both sides take the same calls in turns, on the same processors: 8 completions for each of 8
problems, with code that nobody has seen before; then the same one by one, each asked when the
one before is answered.  Printed are, a completion, the time that went by and the processor time
of client, server and all that they started, as medians over the calls, and their ratios.

    python -m benchmarks.remote --calls 40
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from ocaml_reward import Grader
from ocaml_reward.engine.engines.select import engine
from tests.serving.running import spawned

from .group import group_of, processor_s, renewed
from .stock import Pair
from .warm import quick_and_light


class Cost(NamedTuple):
    """What one completion took of a call, in milliseconds."""

    wall: float
    processor: float


def together(grader: Grader, pairs: list[Pair]) -> int:
    """Grade a call's completions as one stream."""
    return sum(each.fault is not None for each in grader.grade_many(pairs))


def one_by_one(grader: Grader, pairs: list[Pair]) -> int:
    """Grade each when the one before it is done."""
    return sum(grader.grade(*pair).fault is not None for pair in pairs)


def cost(how: Callable[[Grader, list[Pair]], int], grader: Grader, pairs: list[Pair]) -> Cost:
    """Make a call, and measure it."""
    used, began = processor_s(), time.perf_counter()
    faults = how(grader, pairs)
    wall_s, used_s = time.perf_counter() - began, processor_s() - used
    if faults:
        raise SystemExit(f"{faults} of {len(pairs)} were not graded")
    return Cost(wall=1e3 * wall_s / len(pairs), processor=1e3 * used_s / len(pairs))


def shown(name: str, costs: list[Cost]) -> Cost:
    """Print the medians, and return them."""
    middle = Cost(*map(statistics.median, zip(*costs, strict=True)))
    print(f"  {name:8} {middle.wall:6.2f} ms, processors {middle.processor:6.2f} ms")
    return middle


def main() -> None:
    """Measure both sides in turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--children", type=int, default=0, help="of the server")
    told = parser.parse_args()
    with (
        spawned("--children", str(told.children)) as server,
        Grader(engine=engine("warm")) as local,
        Grader(engine=engine(server.url)) as remote,
    ):
        _, light = quick_and_light(local.engine, local.jobs)
        group = group_of(light, 8, 8)
        for how in (together, one_by_one):
            here: list[Cost] = []
            there: list[Cost] = []
            for call in range(told.calls + 2):
                pairs = renewed(group, 1000 * call + (how is one_by_one))
                here.append(cost(how, local, pairs))
                there.append(cost(how, remote, pairs))
            # The first two load what the others find loaded.
            print(f"{how.__name__}: {len(group)} completions, {told.calls} calls")
            ours, theirs = shown("local", here[2:]), shown("remote", there[2:])
            wall, used = (one / other for one, other in zip(theirs, ours, strict=True))
            print(f"  remote / local: {wall:.2f}, processors {used:.2f}")
        server.end()


if __name__ == "__main__":
    main()
