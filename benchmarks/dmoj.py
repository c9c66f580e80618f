"""Ours beside DMOJ's judge: 300 programs on the same problem folder of three cases, one worker each.

DMOJ's judge (`pip install dmoj` in an environment of its own; it builds with libseccomp) jails each
program, too, and compares what it prints.  Its executor of OCaml is told to call `ocamlc`.  Both
sides take turns, are started and have the problem read before their time counts.

    python -m benchmarks.dmoj --python ENVIRONMENT/bin/python
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.formats.importing import import_problems

CASES = (3, 10, 21)
# Runs in DMOJ's environment: a line of JSON for each batch of programs on its input, seconds out.
_DRIVER = """\
import json, sys, time
sys.argv = ["dmoj", "-c", sys.argv[1], "-e", "OCAML", "--skip-self-test", "--no-ansi"]
said, sys.stdout = sys.stdout, sys.stderr
from dmoj import contrib, executors, judgeenv
judgeenv.load_env(cli=True)
from dmoj.executors import OCAML
OCAML.Executor.get_compile_args = lambda self: [
    self.runtime_dict["ocamlfind"], "-w", "-a", self._code, "-o", self.problem]
OCAML.Executor.test_program = "let () = try while true do print_endline (read_line ()) done with _ -> ()"
executors.load_executors()
contrib.load_contrib_modules()
from dmoj.cli import LocalJudge
from dmoj.judge import Submission
judge = LocalJudge()
passed = []
judge.packet_manager.test_case_status_packet = lambda place, result: passed.append(
    result.readable_codes()[0] == "AC")
number = 0
for line in sys.stdin:
    programs = json.loads(line)
    passed.clear()
    started = time.perf_counter()
    for program in programs:
        number += 1
        judge.begin_grading(
            Submission(number, "doubles", "OCAML", program, 5.0, 262144, False, {}),
            blocking=True, report=lambda line: None)
    print(json.dumps([time.perf_counter() - started, sum(passed)]), file=said, flush=True)
"""


def problem_folder(root: Path) -> Path:
    """Write a problem as DMOJ has them."""
    folder = root / "problems" / "doubles"
    folder.mkdir(parents=True)
    cases = []
    for number, count in enumerate(CASES, 1):
        values = range(number, number + count)
        (folder / f"{number}.in").write_text(f"{count}\n{' '.join(map(str, values))}\n")
        (folder / f"{number}.out").write_text("".join(f"{2 * value}\n" for value in values))
        cases.append({"in": f"{number}.in", "out": f"{number}.out", "points": 1})
    (folder / "init.yml").write_text(json.dumps({"test_cases": cases}))
    (folder / "statement.md").write_text("Read n, then n numbers; print each number's double.\n")
    return folder


def program(number: int) -> str:
    """Return a right program; no two alike, as equal code is graded once."""
    return f"""\
let double x = x + x + {number} - {number}

let () =
  let n = Scanf.scanf " %d" Fun.id in
  for _ = 1 to n do
    Printf.printf "%d\\n" (double (Scanf.scanf " %d" Fun.id))
  done
"""


class Judge:
    """DMOJ's judge, in a process of its environment's Python."""

    def __init__(self, python: str, folder: Path) -> None:
        """Start it."""
        driver, settings = folder / "driver.py", folder / "judge.yml"
        driver.write_text(_DRIVER)
        found = {
            "problem_storage_globs": [str(folder / "problems" / "*")],
            # By the name under which its executor looks for a compiler.
            "runtime": {"ocamlfind": shutil.which("ocamlc")},
        }
        settings.write_text(json.dumps(found))
        self._process = subprocess.Popen(
            [python, driver, settings], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def seconds(self, programs: list[str]) -> float:
        """Judge programs, each of which must be accepted."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("no pipes")
        stdin.write(json.dumps(programs) + "\n")
        stdin.flush()
        took, accepted = json.loads(stdout.readline())
        if accepted != len(CASES) * len(programs):
            raise SystemExit(f"DMOJ accepts {accepted} cases of {len(programs)} right programs")
        return float(took)


def our_seconds(engine: WarmEngine, problem: Problem, programs: list[str]) -> float:
    """Grade programs, each of which must pass."""
    grader = Grader("seed", engine=engine, jobs=1)
    grader.prepare(problem)
    began = time.perf_counter()
    found = [grader.grade(problem, Completion(text=one)) for one in programs]
    took = time.perf_counter() - began
    if any(one.verdict != "passed" for one in found):
        raise SystemExit("not every right program passes")
    return took


def main() -> None:
    """Run the rounds and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True, help="Python of the environment with dmoj")
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    count = options.programs // options.rounds
    with tempfile.TemporaryDirectory() as scratch, contextlib.closing(WarmEngine()) as engine:
        folder = problem_folder(Path(scratch))
        (problem,) = (each.found.problem for each in import_problems(folder))
        judge = Judge(options.python, Path(scratch))
        ratios = []
        for number in range(options.rounds + 1):
            # The first few start both sides and do not count.
            batch = [program(number * 1000 + each) for each in range(count if number else 10)]
            theirs, ours = judge.seconds(batch), our_seconds(engine, problem, batch)
            if number:
                ratios.append(theirs / ours)
                print(
                    f"{count} programs: DMOJ {count / theirs:.2f}/s, ours {count / ours:.1f}/s,"
                    f" {theirs / ours:.1f} times",
                    flush=True,
                )
    print(f"median: {statistics.median(ratios):.1f} times")


if __name__ == "__main__":
    main()
