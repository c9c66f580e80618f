"""
A problem's own judge: OCaml that says of a case whether what a program printed will do, run in
a jail of its own, apart from the program.

All cases of a completion are judged in one run, and nothing of it is left for the next one.  A
judge that dies, loops or says nothing is a JudgeFault: whatever made it do so, the completion
earns nothing by it, and loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from ..errors import JudgeFault, ProblemError
from ..model import Budget, Check, CheckReport, Stage, StdioCase
from . import CheckRequest, PreparedTests
from .outputs import Judged
from .protocol import Event, nonce, pack
from .run_outcome import FinishedRun, outcome_of_run

__all__ = [
    "JUDGE_BUDGET",
    "judge_program",
    "judge_request",
    "judged",
    "require_judge",
]

JUDGE_BUDGET: Final = Budget(tests_cpu_s=5.0, tests_wall_s=30.0).flat(5.0)
"""
What judging all cases of one completion may spend.
"""

_CHECK: Final = Check(index=1, line=1, source="the judge")
_NO_TESTS: Final = PreparedTests(
    checks=(_CHECK,), stdio=(StdioCase(stdin="", stdout=""),)
)
_NAME: Final = "judge.ml"


@cache
def _around() -> tuple[str, str]:
    folder = files(__package__) / "ocaml" / "judges"
    library, main = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("judging.ml", "judge_main.ml")
    )
    before = (
        f"module Judging = struct\n{library}\nend\n"
        f"module Judge_main = struct\n{main}\nend\n"
        f'module Judge = struct\nopen Judging\n# 1 "{_NAME}"\n'
    )
    return before, '\nend\n# 1 "judge_main.ml"\nlet () = Judge_main.run Judge.judge\n'


def judge_program(source: str) -> str:
    """
    Write the program that a judge is part of.
    """
    before, after = _around()
    return f"{before}{source}{after}"


def judge_request(source: str) -> CheckRequest:
    """
    Ask for a judge to be compiled.
    """
    return CheckRequest(
        code=judge_program(source), tests=_NO_TESTS, budget=JUDGE_BUDGET
    )


def require_judge(problem_id: str, report: CheckReport) -> None:
    """
    Raise ProblemError for a judge that does not compile, naming its line.
    """
    if report.stage is Stage.EXECUTABLE and not report.forbidden:
        return
    if report.forbidden:
        raise ProblemError(
            f"{problem_id}: the judge uses {report.forbidden[0]}, which no program may"
        )
    first = report.diagnostics[0] if report.diagnostics else None
    where = "" if first is None or first.span is None else f", line {first.span.line}"
    why = report.stage.value if first is None else " ".join(first.message.split())
    raise ProblemError(f"{problem_id}: the judge{where}: {why}")


def judged(
    run: Callable[[bytes], tuple[FinishedRun, list[Event]] | None],
    cases: Sequence[tuple[StdioCase, str]],
) -> list[Judged]:
    """
    Judge what a completion printed in some cases, all in one run.

    Args:
        run: Runs the judge once on a standard input; None where it does not compile.
        cases: The cases that came to an end, each with what was printed.

    Returns:
        What is said of each, in order.

    Raises:
        JudgeFault: The judge did not come to its end.
    """
    secret = nonce()
    texts = [(case.stdin, case.stdout, printed) for case, printed in cases]
    ran = run(pack(secret, *(text for each in texts for text in each)))
    if ran is None:
        raise JudgeFault("the problem's judge does not compile")
    finished, events = ran
    said = _read(finished.stdout.decode("utf-8", "replace"), secret)
    if len(said) != len(cases):
        ended = outcome_of_run(finished, events, JUDGE_BUDGET)
        how = f"{ended.outcome.value} {ended.detail}".strip()
        raise JudgeFault(f"the problem's judge did not answer: {how}")
    return said


def _read(printed: str, secret: str) -> list[Judged]:
    found = []
    for line in printed.split("\n"):
        told, _, rest = line.partition(" ")
        if told != secret:
            continue
        score, _, digits = rest.partition(" ")
        message = bytes.fromhex(digits).decode("utf-8", "replace")
        if score == "died":
            raise JudgeFault(f"the problem's judge failed: {message}")
        found.append(Judged(score=float.fromhex(score), message=message))
    return found
