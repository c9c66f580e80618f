"""What cases/*.ml say of the engines; cases.py describes the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import groupby
from pathlib import Path

import pytest

from ocaml_reward import Breakdown, Completion, Grader, ProblemError
from ocaml_reward.engine import (
    CheckReport,
    CheckRequest,
    Engine,
    PreparedTests,
)
from ocaml_reward.engine.build.toolchain import missing
from ocaml_reward.model import CheckResult

from .cases import FOLDER, Case, CaseError, read_cases

CASES = [case for path in sorted(FOLDER.glob("*.ml")) for case in read_cases(path)]
# Files that run into limits, or that libraries are linked for: with the stock engine, left out of
# `make quick`.
SLOW = ("checks.", "code_file.", "frameworks.", "given.", "integrity.", "leaning.", "rules.")
STUB = "(* tests *)\nlet () = assert (f 1 = 1)\n(* code *)\nlet f x = x\n"


class Found:
    """What an engine says of a case, each part of it when it is asked for."""

    def __init__(self, engine: Engine, case: Case) -> None:
        self.engine, self.case = engine, case

    @cached_property
    def tests(self) -> PreparedTests:
        return self.engine.prepare(self.case.problem)

    @cached_property
    def report(self) -> CheckReport:
        assert self.case.code is not None
        request = CheckRequest(
            code=self.case.code,
            tests=self.tests,
            libraries=self.case.problem.libraries,
            forbidden=self.case.problem.forbidden,
            required=self.case.problem.required,
            budget=self.case.budget,
            holes="through holes" in self.case.expected,
        )
        return self.engine.check(request)

    @cached_property
    def breakdown(self) -> Breakdown:
        assert self.case.code is not None
        grader = Grader("concise", engine=self.engine, jobs=1, regions=True)
        return grader.grade(self.case.problem, Completion(text=self.case.code))

    def refusal(self) -> str:
        with pytest.raises(ProblemError) as caught:
            self.engine.prepare(self.case.problem)
        return str(caught.value)

    def regions(self) -> str:
        """Write a line for each: its line, its ground, how many of the checks that need it passed,
        its names, and its text.
        """
        code, rows = self.breakdown.code, []
        for one in self.breakdown.regions or ():
            text = " ".join(code[one.start : one.stop].split())
            checks = f"{one.passed}/{one.passed + one.failed}"
            head = (str(one.line), one.ground, checks, *one.names)
            rows.append(f"{' '.join(head)}: {text}\n")
        return "".join(rows)

    def stubs(self) -> str:
        stubs = {n: part.stub for part in self.report.parts or () for n in part.names}
        return " ".join(name for name, is_stub in stubs.items() if is_stub) or "none"


def outcomes(results: Iterable[CheckResult]) -> str:
    """Write how the checks ended, in order: `2 passed, failed`."""
    runs = [(word, len([*run])) for word, run in groupby(r.outcome for r in results)]
    return ", ".join(f"{count} {word}" if count > 1 else word for word, count in runs)


EXPECTATIONS: dict[str, Callable[[Found], str]] = {
    "checks": lambda found: outcomes(found.report.results),
    "check lines": lambda found: " ".join(str(c.line) for c in found.tests.checks),
    "count": lambda found: str(len(found.tests.checks)),
    "check sources": lambda found: " | ".join(c.source for c in found.tests.checks),
    "details": lambda found: " | ".join(r.detail for r in found.report.results),
    "errors": lambda found: " | ".join(
        " ".join(each.message.split()) for each in found.report.diagnostics if each.kind == "error"
    ),
    "error lines": lambda found: " ".join(
        str(each.span.line) for each in found.report.diagnostics if each.span
    ),
    "forbidden": lambda found: ", ".join(found.report.forbidden),
    "in process": lambda found: str(len(found.tests.in_process)),
    "merged": lambda found: ", ".join(
        f"{each.why} in line {each.error.span.line}"
        for each in found.report.merged
        if each.error.span
    ),
    "needs": lambda found: " | ".join(
        "unknown" if check.needs is None else " ".join(check.needs) for check in found.tests.checks
    ),
    "parsed share": lambda found: f"{found.report.parsed_share:.2f}",
    "refused": Found.refusal,
    "regions": Found.regions,
    "stage": lambda found: found.report.stage,
    "stubs": Found.stubs,
    "through holes": lambda found: outcomes(
        found.report.through_holes.results if found.report.through_holes else ()
    ),
    "type errors": lambda found: str(found.report.type_errors),
    "uses": lambda found: " ".join((*found.tests.files, *found.tests.uses)),
    "verdict": lambda found: found.breakdown.verdict,
}
# Of these, part of the text is enough.
TEXTS = ("details", "errors", "refused")


def found_of(engine: Engine, case: Case) -> dict[str, str]:
    """Return what is found of each thing that is expected; of a text what is expected, if it has it."""
    said = Found(engine, case)
    found = {key: EXPECTATIONS[key](said) for key in case.expected}
    for key in TEXTS:
        # OCaml 5.3 puts names in quotes.
        if case.expected.get(key, "\0") in found.get(key, "").replace('"', ""):
            found[key] = case.expected[key]
    return found


@pytest.mark.parametrize(
    ("case", "name"),
    [
        pytest.param(
            case,
            name,
            id=f"{case.place}-{name}",
            marks=[pytest.mark.slow] * case.place.startswith(SLOW),
        )
        for case in CASES
        for name in case.engines
    ],
)
def test_case(engines: Callable[[str], Engine], case: Case, name: str) -> None:
    # The newest compilers have no Base yet.
    if lacking := missing(case.problem.libraries):
        pytest.skip(f"no {lacking[0]} here")
    assert case.expected == found_of(engines(name), case)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (STUB, "no expectation"),
        (f"(* # One. *)\n{STUB}(* # Two. *)\n", "a.ml:6: the case before it has no"),
        (f"{STUB}(* expect checks: passed *)\nlet g = 1\n", "belongs to no section"),
    ],
)
def test_a_file_that_says_less_than_it_seems_is_refused(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "a.ml"
    path.write_text(text)

    with pytest.raises(CaseError, match=said):
        read_cases(path)


def test_only_what_is_known_can_be_expected(
    engines: Callable[[str], Engine], tmp_path: Path
) -> None:
    path = tmp_path / "a.ml"
    path.write_text(f"{STUB}(* expect check: passed *)\n")

    with pytest.raises(KeyError, match="check"):
        found_of(engines("warm"), *read_cases(path))
