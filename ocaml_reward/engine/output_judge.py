"""A problem's own judge: OCaml that says of a case whether what a program printed will do, run in
a jail of its own, apart from the program.

All cases of a completion are judged in one run, and nothing of it is left for the next one.  Where
the judge does not come to the end of that, each case that it has said nothing of is judged alone, so
that a death costs only its own case.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final

from ..errors import JudgeFault, ProblemError
from ..model import Budget, Check, CheckReport, Stage, StdioCase
from . import CheckRequest, PreparedTests
from .outputs import NO_TIME, Died, Judged, Printed
from .pace import trusted_limits
from .protocol import Event, nonce, pack
from .run_outcome import FinishedRun, cpu_cost, outcome_of_run
from .verdicts import settled

JUDGE_BUDGET: Final = Budget(tests_cpu_s=5.0, tests_wall_s=30.0).flat(5.0)
"""What judging all cases of one completion may spend.  Judging some of them alone may spend it once
more, and so may trying good outputs: three times this is the most.
"""
# Of that a case may have its share when it is judged alone, and so much at least: what many others
# use up is not taken from it.
_LEAST_ALONE_S: Final = 0.1
# What starting a judge once more costs at least.
_RESTART_S: Final = 0.005

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
    """Write the program that a judge is part of."""
    before, after = _around()
    return f"{before}{source}{after}"


def judge_request(source: str) -> CheckRequest:
    """Ask for a judge to be compiled."""
    return CheckRequest(
        code=judge_program(source), tests=_NO_TESTS, budget=JUDGE_BUDGET
    )


def require_judge(problem_id: str, report: CheckReport) -> None:
    """Raise ProblemError for a judge that does not compile, naming its line."""
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
"""Runs a judge once on a standard input, within a budget; None where it does not compile."""


def judged(run: Run, printed: Sequence[Printed]) -> list[Judged]:
    """Judge what a completion printed in some cases.

    Args:
        run: Runs the judge.
        printed: What was printed in the cases that came to an end.

    Returns:
        What is said of each, in order.

    Raises:
        JudgeFault: The judge dies on good outputs, too, or does not understand its problem.
    """
    return settled(lambda each: _verdicts(run, each), printed)


def _verdicts(run: Run, printed: Sequence[Printed]) -> list[Judged | Died]:
    said, _ = _judged_once(run, printed, JUDGE_BUDGET)
    # Alone the same would come of one; and good outputs have to be judged in one run.
    if len(printed) == 1 or all(each.text == each.good for each in printed):
        return said
    lost = [place for place, word in enumerate(said) if isinstance(word, Died)]
    alone = _judged_alone(run, [printed[place] for place in lost])
    for place, word in zip(lost, alone, strict=True):
        said[place] = word
    return said


def _judged_alone(run: Run, printed: Sequence[Printed]) -> Iterator[Judged | Died]:
    """Judge each output in a run of its own; all of these may spend what one run may."""
    left_s = JUDGE_BUDGET.tests_cpu_s
    deadline = time.monotonic() + JUDGE_BUDGET.tests_wall_s
    for done, each in enumerate(printed):
        wall_s = deadline - time.monotonic()
        if left_s <= 0 or wall_s <= 0:
            yield NO_TIME
            continue
        share_s = max(left_s / (len(printed) - done), _LEAST_ALONE_S)
        budget = replace(JUDGE_BUDGET, tests_cpu_s=share_s, tests_wall_s=wall_s)
        (word,), spent_s = _judged_once(run, [each], budget.flat(share_s))
        left_s -= max(spent_s, _RESTART_S)
        yield word


def _judged_once(
    run: Run, printed: Sequence[Printed], budget: Budget
) -> tuple[list[Judged | Died], float]:
    """Judge outputs in one run, and say what that has cost in CPU seconds."""
    secret = nonce()
    texts = [(each.case.stdin, each.case.stdout, each.text) for each in printed]
    ran = run(pack(secret, *(text for each in texts for text in each)), budget)
    if ran is None:
        raise JudgeFault("the problem's judge does not compile")
    finished, events = ran
    said = _read(finished.stdout.decode("utf-8", "replace"), secret)
    ended = outcome_of_run(finished, events, budget)
    # How much time that was is not said: a case's share of it is another on each machine.
    detail = "" if ended.by_clock else ended.detail
    silence = Died(how=f"{ended.outcome.value} {detail}".strip())
    said += [silence] * (len(printed) - len(said))
    return said, cpu_cost(finished, events, budget, trusted_limits(budget))


def _read(printed: str, secret: str) -> list[Judged | Died]:
    found: list[Judged | Died] = []
    # What a judge that was killed has not written to its end is no answer.
    for line in printed.split("\n")[:-1]:
        told, _, rest = line.partition(" ")
        if told != secret:
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
