"""The corpus grades as recorded: every completion, in the real jail.

`pytest tests/corpus/test_corpus.py --promote` records; review the difference before it goes in.
The record was made with OCaml 4.13.  elsewhere.jsonl lists all that another compiler may
make of it: where, why, and the very values that the fields then have.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward import Breakdown, Completion, Grader, Problem, SchemeError, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.formats import CompletionLine, load_problems, read_completions
from ocaml_reward.penalties import PENALTIES
from ocaml_reward.record import breakdown_to_dict, dumps
from ocaml_reward.scheme import load, shipped
from ocaml_reward.scoring.rescoring import Rescoring
from tests.generated.comparing import record as values

CORPUS = Path(__file__).parents[2] / "test_corpus"
# What differs between machines and compilers, and says nothing about the scoring.
ELSEWHERE = ("timings_ms", "engine", "sandbox", "toolchain", "code", "schema")
# Compilers differ in what they make a function of its own, and so in the steps that it takes.
STEPS = ("steps", "reference_steps")
# By how much a typed fraction may: later compilers make fewer nodes of the same text.
NEAR = 0.05

Golden = Callable[[Path, str], None]


@cache
def problems() -> dict[str, Problem]:
    return dict(load_problems(CORPUS / "problems.jsonl").problems)


@cache
def lines() -> list[CompletionLine]:
    found = list(read_completions(CORPUS / "completions.jsonl"))
    return [line for line in found if isinstance(line, CompletionLine)]


def rows_of(name: str) -> list[dict[str, Any]]:
    text = (CORPUS / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@cache
def record() -> dict[str, dict[str, Any]]:
    return {row["case"]: row for row in rows_of("expected.jsonl")}


def holds_here(where: dict[str, str]) -> bool:
    """Tell whether this compiler is of that version or later, or its library lacks a file."""
    toolchain = locate()
    if "lacks" in where:
        return not (toolchain.stdlib / where["lacks"]).exists()
    major, minor = where["ocaml"].split(".")
    return toolchain.number >= (int(major), int(minor))


@cache
def differing_here() -> dict[str, dict[str, Any]]:
    rows = rows_of("elsewhere.jsonl")
    return {row["case"]: row["fields"] for row in rows if holds_here(row["where"])}


@pytest.fixture(scope="module")
def engine(engines: Callable[[str], Engine]) -> Engine:
    return engines("auto")


@pytest.fixture(scope="module")
def grader(engine: Engine) -> Grader:
    """Return a grader that remembers what it has checked."""
    return Grader("seed", engine=engine, jobs=2)


def graded(grader: Grader, chosen: list[CompletionLine]) -> list[Breakdown]:
    return list(
        grader.grade_many((problems()[line.problem_id], line.completion) for line in chosen)
    )


def recorded(line: CompletionLine, breakdown: Breakdown) -> str:
    # By way of JSON, since a record read from a file is compared with it.
    found = json.loads(dumps(breakdown_to_dict(breakdown)))
    for name in ELSEWHERE:
        del found[name]
    tests = found["tests"]
    for each in (tests, *tests["failures"], *tests["passes"]):
        for name in STEPS:
            each.pop(name, None)
    # Texts differ between compiler versions; where an error is seldom does.
    found["diagnostics"] = [f"{d['kind']}:{d['source']}:{d['line']}" for d in found["diagnostics"]]
    return as_on_record({"case": line.extra["case"], **found})


def as_on_record(row: dict[str, Any]) -> str:
    """Write a row, with the recorded values where its own are those expected here."""
    fields = differing_here().get(row["case"], {})
    fraction = (record()[row["case"]] | fields)["typed_fraction"]
    if (
        locate().number >= (4, 14)
        and None not in (fraction, row["typed_fraction"])
        and abs(fraction - row["typed_fraction"]) < NEAR
    ):
        row = row | {"typed_fraction": fraction}
    if fields != {name: row[name] for name in fields}:
        # Kept apart from the record even if this compiler should agree with it.
        return dumps(row | {"expected_here": fields})
    return dumps(row | {name: record()[row["case"]][name] for name in fields})


@pytest.mark.parametrize("name", ["seed", "capped", "curriculum", "decisive"])
def test_every_reference_earns_exactly_the_full_reward(grader: Grader, name: str) -> None:
    """A problem's own solution, with its end marker, is worth 1."""
    scheme = load(name)
    marker = scheme.end_marker or ""
    under = grader.under(scheme)
    rewards = {
        problem.id: under.grade(problem, Completion(text=f"{problem.reference}\n{marker}")).reward
        for problem in problems().values()
    }

    assert dict.fromkeys(rewards, 1.0) == rewards


def of_known_fields(found: Any, known: Any) -> Any:
    """Return a value without the fields that the recorded one has not: a new field of records
    changes no line.
    """
    if isinstance(found, dict) and isinstance(known, dict):
        return {name: of_known_fields(found[name], known[name]) for name in found if name in known}
    if isinstance(found, list) and isinstance(known, list) and len(found) == len(known):
        return list(map(of_known_fields, found, known))
    return found


def test_every_completion_grades_as_recorded(
    grader: Grader, golden: Golden, request: pytest.FixtureRequest
) -> None:
    """Verdict, credits, penalties, errors and every check are those on record."""
    results = graded(grader, lines())
    rows = [recorded(line, result) for line, result in zip(lines(), results, strict=True)]
    if not request.config.getoption("--promote"):
        known = rows_of("expected.jsonl")
        rows = [
            dumps(of_known_fields(json.loads(row), old))
            for row, old in zip(rows, known, strict=True)
        ]

    golden(CORPUS / "expected.jsonl", "".join(f"{row}\n" for row in rows))


@pytest.mark.parametrize("name", shipped())
def test_a_record_gives_that_of_another_scheme(grader: Grader, name: str) -> None:
    """Rescored under any scheme that ships, each record is the one that grading gives, whether
    a length limit ended the completion or not; from concise, which looks for no end marker,
    only to itself.
    """
    scheme = load(name)
    chosen = [
        replace(line, completion=replace(line.completion, truncated=truncated))
        for truncated, line in zip(cycle((None, True, False)), lines(), strict=False)
    ]
    expected = graded(grader.under(scheme), chosen)

    for was in ("seed", name):
        rescoring = Rescoring(load(was), scheme)
        old = graded(grader.under(load(was)), chosen)
        assert expected == [rescoring.of(each) for each in old]
    if name != "concise":
        with pytest.raises(SchemeError, match="nobody has looked for"):
            Rescoring(load("concise"), scheme)


def test_any_number_of_workers_gives_the_same_breakdowns(engine: Engine) -> None:
    """Breakdowns depend neither on how many are graded at a time nor on what was graded before."""
    # Completions that time out cost seconds each and are compared in the test above.
    quick = [
        line
        for line, row in zip(lines(), rows_of("expected.jsonl"), strict=True)
        if row["verdict"] not in ("timed_out", "compiler_limit")
    ][::3]

    one, eight = (Grader("seed", engine=engine, jobs=jobs) for jobs in (1, 8))
    alone, beside = graded(one, quick), graded(eight, quick[::-1])[::-1]

    assert {} == {
        line.extra["case"]: unlike
        for line, *pair in zip(quick, alone, beside, strict=True)
        # Their lines, so that a failure names the fields.
        if (unlike := {*values(pair[0]).splitlines()} ^ {*values(pair[1]).splitlines()})
    }


def test_the_checks_judge_all_that_the_tests_do(engine: Engine) -> None:
    """No problem's tests have to be run as they were written, too: that would take longer."""
    needy = {
        problem.id
        for problem in problems().values()
        if (written := engine.prepare(problem).written) is not None and written.check is not None
    }

    assert set() == needy


def test_the_corpus_shows_everything() -> None:
    """Every verdict a completion can get, every penalty and every rung is in the corpus."""
    rows = rows_of("expected.jsonl")
    verdicts = {row["verdict"] for row in rows}
    # A fault needs a broken machine, and every problem here has tests.
    possible = set(Verdict) - {Verdict.UNGRADED, Verdict.COMPILES}
    rungs = Counter(row["type_errors"] for row in rows)

    assert len(problems()) >= 40
    assert len(rows) >= 250
    assert possible == verdicts
    # No shipped scheme caps runaways, or pays for efficiency.
    assert {rule.code for rule in PENALTIES} - {"runaway_cap", "efficiency"} == {
        penalty["code"] for row in rows for penalty in row["penalties"]
    }
    assert set(range(10)) <= set(rungs)
    assert max(n for n in rungs if n is not None) >= 10


def test_case_names_are_unique() -> None:
    names = [line.extra["case"] for line in lines()]

    assert len(set(names)) == len(names)


def test_every_case_says_what_it_shows() -> None:
    verdicts = {case: row["verdict"] for case, row in record().items()}
    intended = {
        str(line.extra["case"]): str(line.extra["intent"]).rpartition("Expected: ")[2]
        for line in lines()
    }

    assert verdicts == {
        case: intent.partition(" ")[0].strip(".") for case, intent in intended.items()
    }


def test_what_differs_elsewhere_differs() -> None:
    """Each value expected of another compiler is of a recorded field, and another one."""
    same = [
        (row["case"], name)
        for row in rows_of("elsewhere.jsonl")
        for name, value in row["fields"].items()
        if record()[row["case"]][name] == value
    ]

    assert [] == same
