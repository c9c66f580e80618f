"""What Python does for one passing completion of three checks in one fence: its function calls,
which are as many each time, and its processor and wall time; beside those of another commit, each
tree in turn in a process of its own.

    python -m benchmarks.python_share
    python -m benchmarks.python_share --calls 30
    python -m benchmarks.python_share --beside 28b014d --rounds 7
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from ocaml_reward import Completion, Grader, Problem

HERE = Path(__file__).resolve().parents[1]
PROBLEM = Problem(
    id="double",
    prompt="Write a function `double : int -> int` that doubles.",
    tests="".join(f"let () = assert (double {n} = {2 * n})\n" for n in range(3)),
)
COMPLETIONS = 1500


def completion(number: int) -> Completion:
    """Return a right completion; equal code is graded once, so each has other code."""
    code = f"let double x =\n  x + x + {number} - {number}"
    return Completion(text=f"Here is the function:\n\n```ocaml\n{code}\n```\n\nIt doubles.")


def calls_of(grader: Grader) -> Counter[str]:
    """Count the calls that grading one completion makes, of Python and C, by what is called."""
    found: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            found[f"{Path(code.co_filename).stem}.{code.co_qualname}"] += 1
        elif event == "c_call":
            found[argument.__qualname__] += 1

    another = completion(0)
    sys.setprofile(note)
    grader.grade(PROBLEM, another)
    sys.setprofile(None)
    return found


def measure() -> dict[str, Any]:
    """Measure with the library that is imported here."""
    with Grader(jobs=1) as grader:
        # Servers, caches and Python's own are warm then.
        for number in range(200):
            found = grader.grade(PROBLEM, completion(number + 1))
        if found.tests.passed != len(found.tests.results) or found.fault:
            raise SystemExit(f"the completion does not pass: {found}")
        calls = calls_of(grader)
        work = [completion(1000 + number) for number in range(COMPLETIONS)]
        started, used = time.perf_counter(), time.thread_time()
        for each in work:
            grader.grade(PROBLEM, each)
        used, wall = time.thread_time() - used, time.perf_counter() - started
    return {
        "calls": calls,
        "cpu_ms": used / COMPLETIONS * 1e3,
        "wall_ms": wall / COMPLETIONS * 1e3,
    }


def measured_in(tree: Path) -> dict[str, Any]:
    """Measure with the library of a tree, in a process of its own."""
    command = [sys.executable, "-P", __file__, "--measure"]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def unpack(commit: str, folder: Path) -> Path:
    """Unpack the tree of a commit."""
    tree = subprocess.run(
        ["git", "-C", str(HERE), "archive", commit], check=True, stdout=subprocess.PIPE
    )
    subprocess.run(["tar", "-x", "-C", str(folder)], input=tree.stdout, check=True)
    return folder


def show(name: str, rounds: list[dict[str, Any]]) -> list[float]:
    """Print a tree's figures, and return them."""
    calls = sum(rounds[0]["calls"].values())
    cpu, wall = (statistics.median(each[key] for each in rounds) for key in ("cpu_ms", "wall_ms"))
    print(f"{name:10} {calls:5} calls  {cpu:.3f} ms of processor time  {wall:.3f} ms of wall time")
    return [calls, cpu, wall]


def main() -> None:
    """Measure this tree, and another in turn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--beside", metavar="COMMIT", help="measure that commit, too")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=0, help="list the most frequent calls")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure()))
        return
    with tempfile.TemporaryDirectory() as folder:
        trees = {"this": HERE}
        if options.beside:
            trees[options.beside] = unpack(options.beside, Path(folder))
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in trees}
        for _ in range(options.rounds):
            for name, tree in trees.items():
                found[name].append(measured_in(tree))
    for what, count in Counter(found["this"][0]["calls"]).most_common(options.calls):
        print(f"{count:5} {what}")
    ours, *theirs = [show(name, rounds) for name, rounds in found.items()]
    for their in theirs:
        calls, cpu, wall = (mine / other for mine, other in zip(ours, their, strict=True))
        print(f"ratio      {calls:.2f} calls  {cpu:.2f} of processor time  {wall:.2f} of wall time")


if __name__ == "__main__":
    main()
