"""Texts and reports that the tests of penalties score."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from ocaml_reward.model import (
    CheckReport,
    CheckResult,
    Completion,
    Outcome,
    Part,
    Stage,
)
from ocaml_reward.reading.extraction import extract
from ocaml_reward.scheme import RewardScheme, load
from ocaml_reward.scoring import Score, score

SEED = load("seed")
CAPPED = load("capped")
CONCISE = load("concise")
END = "(* END *)"

# Twelve lines of code, so that no scheme finds it too short.
PROGRAM = textwrap.dedent(
    """\
    let rec sum = function
      | [] -> 0
      | x :: rest -> x + sum rest

    let average values =
      match values with
      | [] -> invalid_arg "average"
      | _ ->
        let total = sum values in
        let count = List.length values in
        if count = 0 then 0
        else total / count

    let double x = 2 * x
    """
)


def report(
    stage: Stage = Stage.EXECUTABLE,
    *,
    passed: int = 4,
    errors: int = 0,
    parsed: float | None = None,
    steps: int | None = None,
) -> CheckReport:
    """Make a report on four checks, which take so many steps each, and ten with the reference."""
    results = tuple(
        CheckResult(
            index=index,
            line=index + 1,
            outcome=Outcome.PASSED if index < passed else Outcome.FAILED,
            steps=steps,
            reference_steps=None if steps is None else 10,
        )
        for index in range(4)
    )
    return CheckReport(
        stage=stage,
        type_errors=errors,
        parsed_share=parsed,
        results=results if stage is Stage.EXECUTABLE else (),
    )


PASSING = report()
ONE_TYPE_ERROR = report(Stage.TYPE_ERROR, errors=1)
UNPARSED = report(Stage.SYNTAX_ERROR, parsed=0.0)


def graded(
    text: str,
    given: CheckReport = PASSING,
    *,
    truncated: bool | None = False,
    scheme: RewardScheme = SEED,
) -> Score:
    """Score a text whose tests use what the program above defines."""
    extraction = extract(text, uses=("sum", "average", "double"), end_marker=scheme.end_marker)
    completion = Completion(text=text, truncated=truncated)
    return score(given, extraction, completion, 4, scheme)


def codes(result: Score) -> list[str]:
    """List the codes of the penalties."""
    return [penalty.code for penalty in result.penalties]


def stubs(*names: str) -> CheckReport:
    """Make a report on a program that passes nothing and in which these functions are stubs."""
    parts = (Part(), *(Part(names=(each,), lines=(1, 30), stub=True) for each in names))
    return replace(report(passed=0), parts=parts)


def fenced(code: str) -> str:
    """Put code in a fence."""
    return f"```ocaml\n{code}\n```\n"
