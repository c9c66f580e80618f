"""A problem's judge: OCaml that scores a program's output in each case, in its own jail.

All cases of a completion are judged in one run, which keeps no state for the next completion.  If
the judge dies, each case without a verdict is judged alone, so that a death affects only its case.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from ...errors import JudgeFault, ProblemError
from ...model import Budget, Check, CheckReport, Stage, StdioCase
from .. import CheckRequest, PreparedTests
from ..build.sources import OCAML
from ..messages.protocol import Event, nonce, pack
from ..messages.run_outcome import FinishedRun, cpu_of_run, outcome_of_run
from .outputs import NO_TIME, Died, Judged, Printed, settle_verdicts

JUDGE_BUDGET: Final = Budget(check_cpu_s=5.0, tests_cpu_s=5.0, tests_wall_s=30.0)
"""The budget of judging all cases of one completion.

Judging some of them alone may use the same again, and so may judging good outputs: at most three
times this in total.
"""
# A case that is judged alone gets its share of the budget, but at least this much CPU time.
_LEAST_ALONE_S: Final = 0.1
# The minimal cost of a restart in CPU seconds.
_RESTART_S: Final = 0.005

_CHECK: Final = Check(index=1, line=1, source="the judge")
_NO_TESTS: Final = PreparedTests(checks=(_CHECK,), stdio=(StdioCase(stdin="", stdout=""),))
_NAME: Final = "judge.ml"


@cache
def _around() -> tuple[str, str]:
    """Return the OCaml text before a problem's judge and the text after it."""
    library, main = (
        (OCAML / "judges" / name).read_text(encoding="utf-8")
        for name in ("judging.ml", "judge_main.ml")
    )
    before = (
        f"module Judging = struct\n{library}\nend\n"
        f"module Judge_main = struct\n{main}\nend\n"
        f'module Judge = struct\nopen Judging\n# 1 "{_NAME}"\n'
    )
    return before, '\nend\n# 1 "judge_main.ml"\nlet () = Judge_main.run Judge.judge\n'


def judge_program(source: str) -> str:
    """Return the program that contains a judge."""
    before, after = _around()
    return f"{before}{source}{after}"


def judge_request(source: str) -> CheckRequest:
    """Return the request to compile a judge."""
    return CheckRequest(code=judge_program(source), tests=_NO_TESTS, budget=JUDGE_BUDGET)


def require_judge(problem_id: str, report: CheckReport) -> None:
    """Raise ProblemError for a judge that does not compile; the message has the line."""
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


Run = Callable[[bytes, Budget], tuple[FinishedRun, list[Event]] | None]
"""Runs a judge once on a standard input, within a budget; None if it does not compile."""


def judge_outputs(run: Run, printed: Sequence[Printed]) -> list[Judged]:
    """Return a judge's verdicts on the outputs of some cases.

    Args:
        run: Runs the judge.
        printed: The outputs of the cases that finished.

    Returns:
        The verdict on each, in order.

    Raises:
        JudgeFault: The judge also dies on good outputs, or cannot read its problem's case.
    """
    return settle_verdicts(lambda each: _verdicts(run, each), printed)


def _verdicts(run: Run, printed: Sequence[Printed]) -> list[Judged | Died]:
    """Return the verdict on each output; judge again alone those on which the judge died."""
    verdicts, _ = _judged_once(run, printed, JUDGE_BUDGET)
    # A single output was judged alone already; good outputs must be judged in one run.
    if len(printed) == 1 or all(each.text == each.good for each in printed):
        return verdicts
    lost = [place for place, each in enumerate(verdicts) if isinstance(each, Died)]
    alone = _judged_alone(run, [printed[place] for place in lost])
    for place, verdict in zip(lost, alone, strict=True):
        verdicts[place] = verdict
    return verdicts


def _judged_alone(run: Run, printed: Sequence[Printed]) -> Iterator[Judged | Died]:
    """Yield the verdict on each output, judged in its own run; all of them share the budget of one
    run.
    """
    left_s = JUDGE_BUDGET.tests_cpu_s
    deadline = time.monotonic() + JUDGE_BUDGET.tests_wall_s
    for done, each in enumerate(printed):
        wall_s = deadline - time.monotonic()
        if left_s <= 0 or wall_s <= 0:
            yield NO_TIME
            continue
        share_s = max(left_s / (len(printed) - done), _LEAST_ALONE_S)
        budget = replace(
            JUDGE_BUDGET, check_cpu_s=share_s, tests_cpu_s=share_s, tests_wall_s=wall_s
        )
        (word,), spent_s = _judged_once(run, [each], budget)
        left_s -= max(spent_s, _RESTART_S)
        yield word


def _judged_once(
    run: Run, printed: Sequence[Printed], budget: Budget
) -> tuple[list[Judged | Died], float]:
    """Judge outputs in one run; return the verdicts and the cost in CPU seconds."""
    secret = nonce()
    texts = [(each.case.stdin, each.case.stdout, each.text) for each in printed]
    ran = run(pack(secret, *(text for each in texts for text in each)), budget)
    if ran is None:
        raise JudgeFault("the problem's judge does not compile")
    finished, events = ran
    verdicts = _read(finished.stdout.decode("utf-8", "replace"), secret)
    ended = outcome_of_run(finished, events, budget)
    # The detail leaves the time out: a case's share of it differs between machines.
    detail = "" if ended.limit else ended.detail
    silence = Died(how=f"{ended.outcome.value} {detail}".strip())
    verdicts += [silence] * (len(printed) - len(verdicts))
    return verdicts, max(cpu_of_run(events), finished.cpu_s)


def _read(printed: str, secret: str) -> list[Judged | Died]:
    """Return the verdicts in a judge's output, from the lines that begin with the secret."""
    found: list[Judged | Died] = []
    # Ignore an incomplete last line, of a judge that was killed.
    for line in printed.split("\n")[:-1]:
        word, _, rest = line.partition(" ")
        if word != secret:
            continue
        score, _, digits = rest.partition(" ")
        message = bytes.fromhex(digits).decode("utf-8", "replace")
        if score == "misread":
            raise JudgeFault(f"the problem's judge failed: {message}")
        if score == "died":
            found.append(Died(how=message))
        else:
            found.append(Judged(score=float.fromhex(score), message=message))
    return found
