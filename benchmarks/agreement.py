"""
Whether programs with a recorded outcome are graded as recorded, one by one.

The file is JSON Lines.  A row holds `code` (or `completion`), `tests`, and what another
judge measured: `typechecks` and `typechecks_with_tests`, `asserts_passed` and
`asserts_total`; `signature`, `problem` and `id` where they are known.  The code is taken
as it stands.  Each row that comes out otherwise is listed with how its checks ended.

    python benchmarks/agreement.py attempts.jsonl --jobs 2
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ocaml_reward import Problem, ProblemError
from ocaml_reward.engine import CheckRequest
from ocaml_reward.engine.stock import StockEngine
from ocaml_reward.model import Budget, CheckReport, Outcome, Stage

Row = dict[str, Any]

# What the recorded flags say of how far a program got.
ALONE, TOGETHER, RUNS = "does not type", "types alone only", "runs"
WORDS = {
    Stage.SYNTAX_ERROR: ALONE,
    Stage.TYPE_ERROR: ALONE,
    Stage.INTERFACE_ERROR: TOGETHER,
    Stage.EXECUTABLE: RUNS,
}


def recorded_stage(row: Row) -> str:
    """
    Say how far the record's compiler got.
    """
    together = RUNS if row["typechecks_with_tests"] else TOGETHER
    return together if row["typechecks"] else ALONE


def found_stage(report: CheckReport) -> str:
    """
    Say how far ours got, in the record's words where it has one.
    """
    return WORDS.get(report.stage, report.stage.value.replace("_", " "))


def graded(engine: StockEngine, row: Row) -> CheckReport:
    """
    Compile and run one row's code; raises ProblemError for unusable tests.
    """
    signature = row.get("signature") or None
    problem = Problem(id="recorded", tests=row["tests"], signature=signature)
    code = row["code"] if "code" in row else row["completion"]
    prepared = engine.prepare(problem)
    return engine.check(CheckRequest(code=code, tests=prepared, budget=Budget()))


def differences(row: Row, report: CheckReport) -> Iterator[str]:
    """
    Yield what came out otherwise than recorded, each with its reason.
    """
    then, now = recorded_stage(row), found_stage(report)
    if then != now:
        first = report.diagnostics[0].message if report.diagnostics else "no message"
        yield f"stage: recorded {then!r}, found {now!r} ({' '.join(first.split())})"
    passed = sum(result.outcome is Outcome.PASSED for result in report.results)
    total = len(report.results) or row["asserts_total"]
    if (passed, total) != (row["asserts_passed"], row["asserts_total"]):
        recorded = f"{row['asserts_passed']} of {row['asserts_total']}"
        ends = ", ".join(
            f"{result.index} {result.outcome} {result.detail}".rstrip()
            for result in report.results
        )
        signal = -(row.get("run_rc") or 0)
        killed = f", by a run that signal {signal} ended" if signal > 0 else ""
        reasons = "; ".join(report.forbidden) or ends or "no check ran"
        yield f"passed: recorded {recorded}{killed}, found {passed} ({reasons})"


def main() -> None:
    """
    Grade every row, print the ones that differ, and how many are equal.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.rows.open(encoding="utf-8")]
    engine = StockEngine()

    def judged(row: Row) -> list[str]:
        try:
            report = graded(engine, row)
        except ProblemError as error:
            return [str(error)]
        return list(differences(row, report))

    with ThreadPoolExecutor(options.jobs) as pool:
        found = list(pool.map(judged, rows))
    engine.close()
    for number, (row, each) in enumerate(zip(rows, found, strict=True), 1):
        for difference in each:
            print(f"line {number} {row.get('id', '')}: {difference}")
    differing = sum(map(bool, found))
    stages = Counter(map(recorded_stage, rows)).most_common()
    print(", ".join(f"{count} {stage}" for stage, count in stages))
    print(f"{len(rows) - differing} of {len(rows)} equal")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
