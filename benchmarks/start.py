"""From nothing to the first score: a new process each time, with the engine already built.

python -m benchmarks.start --times 15
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

SCRIPT = """
import sys
from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines.select import engine
problem = Problem(id="p", tests="let () = assert (f 1 = 1)")
with Grader("seed", engine=engine(*sys.argv[1:]), jobs=1) as grader:
    print(grader.grade(problem, Completion(text="let f x = x")).verdict)
"""


def main() -> None:
    """Time whole processes, interpreter included, and empty ones beside them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--engines", nargs="+", default=["warm", "stock"])
    parser.add_argument("--sandboxes", nargs="+", default=["nsjail", "bubblewrap"])
    options = parser.parse_args()
    sides = {"an empty Python": ["-c", "pass"]}
    for name in options.engines:
        for sandbox in options.sandboxes:
            sides[f"{name} in {sandbox}"] = ["-c", SCRIPT, name, sandbox]
    seconds: dict[str, list[float]] = {side: [] for side in sides}
    for number in range(options.times + 1):
        for side, words in sides.items():
            started = time.perf_counter()
            subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, check=True)
            # The first time builds what is missing.
            if number:
                seconds[side].append(time.perf_counter() - started)
    for side, spent in seconds.items():
        print(f"{side:24} median {statistics.median(spent) * 1e3:6.0f} ms")


if __name__ == "__main__":
    main()
