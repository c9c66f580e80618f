"""
Where the time of one completion goes, in the stock engine and with the bare compiler.

One right program, its problem's reference, goes through each step `--times` times, with
nothing beside it; medians are printed.  Steps inside a jail are told apart by subtraction:
the same jail is started for a helper that does nothing, and that helper outside of it.

    python benchmarks/parts.py --problem plateaus --times 50
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import CheckRequest
from ocaml_reward.engine.compilation import Compilation
from ocaml_reward.engine.policies import policy
from ocaml_reward.engine.stock import StockEngine
from ocaml_reward.formats import load_problems
from ocaml_reward.model import Budget
from ocaml_reward.sandbox import choose, workdir

CORPUS = Path(__file__).parent.parent / "test_corpus"

# Without arguments the helper says how it is used and leaves.
IDLE = ("/engine/tool",)
# With these it parses and scans the code, and then becomes the idle one.
SCANNING = ("/engine/tool", "compile", *IDLE)


def bare(problem: Problem, times: int) -> dict[str, float]:
    """
    Time what a reward without a sandbox starts, in milliseconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        code = str(problem.reference)
        Path(folder, "a.ml").write_text(code, encoding="utf-8")
        joined = f"{code}\n;;\n{problem.tests}"
        Path(folder, "b.ml").write_text(joined, encoding="utf-8")

        def start(*command: str) -> Callable[[], object]:
            return lambda: subprocess.run(
                command, cwd=folder, capture_output=True, check=True
            )

        return medians(
            {
                "ocamlc -version": start("ocamlc", "-version"),
                "ocamlc -c": start("ocamlc", "-w", "-a", "-c", "a.ml"),
                "ocamlc -o": start("ocamlc", "-w", "-a", "-o", "b", "b.ml"),
                "the program": start("./b"),
            },
            times,
        )


def stock(problem: Problem, times: int, sandbox: str) -> dict[str, float]:
    """
    Time the steps of the stock engine, in milliseconds.
    """
    jail, engine = choose(sandbox), StockEngine(sandbox)
    prepared = engine.prepare(problem)
    request = CheckRequest(code=str(problem.reference), tests=prepared)

    def jailed(command: Sequence[str]) -> None:
        with workdir() as folder:
            (folder / "solution.ml").write_text(request.code, encoding="utf-8")
            jail.run(
                policy("compile", (), Budget(), folder), command, request=b"nonce\n"
            )

    def compiled() -> None:
        with workdir() as folder:
            Compilation(jail, request, folder).report()

    grader = Grader("seed", engine=engine, jobs=1)
    grader.prepare(problem)
    texts = iter(f"{problem.reference}\n(* {number} *)" for number in range(times + 1))

    def graded() -> None:
        # Another comment each time: equal code is graded once.
        grader.grade(problem, Completion(text=next(texts)))

    outside = str(policy("compile", (), Budget()).rootfs) + IDLE[0]

    def helped() -> None:
        subprocess.run([outside], capture_output=True, check=False)

    took = medians(
        {
            "helper": helped,
            "idle": lambda: jailed(IDLE),
            "scanned": lambda: jailed(SCANNING),
            "compiled": compiled,
            "graded": graded,
        },
        times,
    )
    engine.close()
    return {
        "first jail and work folder": took["idle"] - took["helper"],
        # The helper became an idle one, where it otherwise becomes ocamlc.
        "helper: start, parse, scan": took["scanned"] - took["idle"],
        "ocamlc, compile and link": took["compiled"] - took["scanned"] + took["helper"],
        "second jail, program, scoring": took["graded"] - took["compiled"],
        "together": took["graded"],
    }


def medians(steps: Mapping[str, Callable[[], object]], times: int) -> dict[str, float]:
    """
    Return the median duration of each step in milliseconds.

    Steps take turns, so that what else the machine does falls on all of them alike; a
    first round is not counted.
    """
    taken: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(times + 1):
        for name, step in steps.items():
            started = time.perf_counter()
            step()
            taken[name].append((time.perf_counter() - started) * 1e3)
    return {name: statistics.median(each[1:]) for name, each in taken.items()}


def main() -> None:
    """
    Time both and print the tables.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problem", default="plateaus")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    problem = load_problems(CORPUS / "problems.jsonl").get(options.problem)
    for name, parts in (
        ("bare", bare(problem, options.times)),
        ("stock", stock(problem, options.times, options.sandbox)),
    ):
        print(f"{name}, median of {options.times} in ms")
        for part, took in parts.items():
            print(f"  {part:30} {took:6.1f}")


if __name__ == "__main__":
    main()
