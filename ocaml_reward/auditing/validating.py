"""Checks that problems can be graded fairly.

The tests work, the reference passes, an empty answer does not, and the prompt's examples are
correct.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ..engine import CheckRequest, Engine, PreparedTests, Stage, allowance
from ..engine.judge.outputs import DIED
from ..errors import JudgeFault, MachineError, ProblemError
from ..formats import BadLine, ProblemLine
from ..formats.sameness import content
from ..grader import Grader
from ..model import Breakdown, Completion, DiagnosticKind, Problem, Verdict
from ..reading.signature import prompt_code
from ..scheme import load
from .complaints import Complaint
from .costs import costly
from .examples import examples
from .references import reference_failures
from .trivial import arities, handed_on

_LINE = re.compile(r"\bline (\d+)")
# A scheme that ignores the length of a reference and its end marker.
_SCHEME = "concise"
_NOTHING = "let nothing_at_all = ()\n"

_SILENT: Final = "let () = ()\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Validation:
    """The defects found in the problem of one row of a file."""

    line: int
    id: str
    complaints: tuple[Complaint, ...] = ()
    problem: Problem | None = None

    @property
    def broken(self) -> bool:
        """Return whether the problem has to be repaired or left out."""
        return any(complaint.broken for complaint in self.complaints)

    @property
    def duplicate(self) -> bool:
        """Return whether an earlier problem is the same."""
        return any(complaint.kind == "duplicate" for complaint in self.complaints)


class Validator:
    """Validates the problems of a file in order. The caller closes the engine."""

    def __init__(self, engine: Engine) -> None:
        """Start without known problems."""
        self._engine = engine
        self._scheme = load(_SCHEME)
        self._by_id: dict[str, ProblemLine] = {}
        self._by_content: dict[Hashable, ProblemLine] = {}

    def validate(self, rows: Iterable[ProblemLine | BadLine]) -> Iterator[Validation]:
        """Yield the defects of each row. Raises MachineError if the machine fails."""
        for row in rows:
            if isinstance(row, BadLine):
                complaint = Complaint(kind="unreadable", message=row.message)
                yield Validation(line=row.line, id="", complaints=(complaint,))
                continue
            found = list(self.repeated(row))
            if not found:
                found += self.complaints(row.problem)
            found += (Complaint(kind="key", message=remark, broken=False) for remark in row.remarks)
            yield Validation(
                line=row.line,
                id=row.problem.id,
                complaints=tuple(found),
                problem=row.problem,
            )

    def repeated(self, row: ProblemLine) -> Iterator[Complaint]:
        """Yield a complaint if an earlier problem has this id or this content.

        (openai/SWELancer-Benchmark issue 64)
        """
        problem = row.problem
        key = content(problem)
        first = self._by_id.setdefault(problem.id, row)
        same = self._by_content.setdefault(key, row)
        if content(first.problem) != key:
            message = f"line {first.line} has another problem of this id"
            yield Complaint(kind="id clash", message=message)
        elif same is not row:
            message = f"the same as {same.problem.id!r} in line {same.line}"
            yield Complaint(kind="duplicate", message=message, broken=False)

    def complaints(self, problem: Problem) -> Iterator[Complaint]:
        """Yield all complaints about a problem but repetitions.

        (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv medium_133)
        """
        budget = allowance(problem, self._scheme.budget)
        try:
            prepared = self._engine.prepare(problem, budget)
        except ProblemError as error:
            message = str(error).removeprefix(f"{problem.id}: ")
            where = _LINE.search(message)
            line = int(where[1]) if where else 0
            yield Complaint(kind="tests", message=message, line=line)
            return
        yield from _unused_checks(prepared)
        yield from _in_process_checks(prepared)
        yield from _as_written(prepared)
        budget = allowance(problem, self._scheme.budget, prepared.costs)
        yield from costly(prepared, budget)
        # Programs of ours only have to do with the tests.
        bare = replace(problem, forbidden=(), required=())
        if (problem.judge or problem.checker) and (broken := tuple(self._judge(bare))):
            yield from broken
            return
        yield from self._passed_by_nothing(bare)
        yield from self._unknown_names(problem)
        if problem.reference is None:
            message = "no reference: nobody knows whether the tests can be passed"
            yield Complaint(kind="no reference", message=message, broken=False)
            if prepared.files:
                yield _unknown_modules(prepared.files)
            yield from self._untypable(bare, prepared)
            return
        failed = reference_failures(self._graded(problem, problem.reference))
        yield from failed
        if failed:
            return
        yield from self._wrong_examples(problem)
        yield from self._public(problem)

    def _prepared(self, problem: Problem) -> PreparedTests:
        return self._engine.prepare(problem, allowance(problem, self._scheme.budget))

    def _passed_by_nothing(self, problem: Problem) -> Iterator[Complaint]:
        """Report checks that pass without an answer. (OpenHands/OpenHands pull 2776)"""
        earned = self._graded(problem, "").reward
        if earned:
            yield Complaint(kind="empty answer", message=f"it earns {earned:g}")
        idle = self._graded(problem, _NOTHING)
        passed = [r.line for r in idle.tests.results if r.outcome == "passed"]
        if passed:
            count = f"{len(passed)} of {idle.tests.total} checks pass without an answer"
            # A program's correct output may be empty in some case.
            asserts = isinstance(problem.tests, str)
            yield Complaint(kind="empty answer", message=count, line=passed[0], broken=asserts)

    def _unknown_names(self, problem: Problem) -> Iterator[Complaint]:
        """Report forbidden names that neither OCaml nor the problem's libraries have.

        (jaylene-zhang/ArtifactProgramming2025 benchmarks/CodeGen/hw9.txt)
        """
        bare = Problem(id="", tests="", untested=True, libraries=problem.libraries)
        alone = self._engine.prepare(bare)
        for name in (each for each in problem.forbidden if each != "::"):
            request = CheckRequest(code=_use_of(name), tests=alone, libraries=problem.libraries)
            # A word of the language does not parse there.
            if self._engine.check(request).stage is Stage.TYPE_ERROR:
                message = f"OCaml has no {name}, nor have the problem's libraries"
                yield Complaint(kind="forbidden", message=message, broken=False)

    def _untypable(self, problem: Problem, prepared: PreparedTests) -> Iterator[Complaint]:
        """Report tests that do not even type with functions of any type.

        Labels are the code's own choice, and so are types that the prompt does not define.
        """
        if not isinstance(problem.tests, str) or re.search(r"[~?][a-z_]", problem.tests):
            return
        # Only the compiler knows how many arguments such a function has to take.
        if handed_on(prepared.uses, problem.tests):
            return
        shown = prompt_code(problem.prompt).opened
        takes = arities(problem.signature or "", shown, prepared.uses, problem.tests)
        if takes.keys() != set(prepared.uses) or 0 in takes.values():
            return
        found = self._graded(problem, "".join(map(_of_any_type, takes.items())))
        errors = [each for each in found.diagnostics if each.kind is DiagnosticKind.ERROR]
        if found.verdict is Verdict.INTERFACE_ERROR and not any(
            each.message.startswith("Unbound") for each in errors
        ):
            first = next((each for each in errors if each.span), None)
            line = first.span.line if first and first.span else 0
            said = f": {' '.join(first.message.split())}" if first else ""
            message = f"they do not type, whatever the code is{said}"
            yield Complaint(kind="tests", message=message, line=line, broken=False)

    def _wrong_examples(self, problem: Problem) -> Iterator[Complaint]:
        """Report examples of the prompt that its own reference contradicts.

        (openai/human-eval pull 23)
        """
        prepared = self._prepared(problem)
        if prepared.stdio:
            return
        for example in examples(problem.prompt, prepared.uses):
            variant = replace(problem, tests=example.assertion)
            try:
                found = self._graded(variant, problem.reference or "")
            except ProblemError:
                # Prose that looks like an example.
                continue
            if found.verdict is Verdict.FAILED_TESTS:
                claim = f"{example.call} = {example.value}"
                message = f"the reference disagrees with the prompt: {claim}"
                yield Complaint(kind="example", message=message, line=example.line)

    def _judge(self, problem: Problem) -> Iterator[Complaint]:
        """Yield complaints about a judge that dies on no output or accepts it.

        (Codeforces/polygon-issue-tracking issues 306, 450)
        """
        programs = {"no output": _SILENT}
        if problem.reference is not None:
            programs["the reference's output"] = problem.reference
        for what, code in programs.items():
            grader = Grader(self._scheme, engine=self._engine, jobs=1)
            found = grader.grade(problem, Completion(text=code))
            if found.fault is not None and found.fault.kind == JudgeFault.__name__:
                yield Complaint(kind="judge", message=f"on {what}: {found.fault.message}")
            elif died := _deaths(found):
                yield Complaint(kind="judge", message=f"on {what}: {died[0]}")
            elif found.verdict is Verdict.PASSED and code is _SILENT:
                yield Complaint(kind="judge", message=f"it is content with {what}")

    def _public(self, problem: Problem) -> Iterator[Complaint]:
        """Report public tests that cannot be used, or that the reference fails."""
        if not problem.public_tests:
            return
        variant = replace(problem, tests=problem.public_tests, public_tests=(), untested=False)
        try:
            failed = tuple(reference_failures(self._graded(variant, problem.reference or "")))
        except ProblemError as error:
            failed = (Complaint(kind="", message=str(error)),)
        for each in failed:
            yield replace(each, kind="public tests")

    def _graded(self, problem: Problem, text: str) -> Breakdown:
        """Grade a text; raise MachineError if this machine failed."""
        grader = Grader(self._scheme, engine=self._engine, jobs=1)
        breakdown = grader.grade(problem, Completion(text=text))
        if breakdown.fault is not None:
            raise MachineError(breakdown.fault.message)
        return breakdown


def _use_of(name: str) -> str:
    """Return a program that names a value or a module."""
    parts = re.fullmatch(r"((?:[A-Z][\w']*\.)*)(.+)", name)
    before, last = parts.groups() if parts else ("", name)
    if last[0].isupper():
        return f"module Used = {name}\n"
    return f"let _ = {name}\n" if last[0].isalpha() else f"let _ = {before}( {last} )\n"


def _of_any_type(function: tuple[str, int]) -> str:
    name, count = function
    return f"let {name} {'_ ' * count}= raise Not_found\n"


def _deaths(found: Breakdown) -> list[str]:
    """Return the details of checks on which the judge died."""
    return [each.detail for each in found.tests.results if each.detail.startswith(DIED)]


def _unused_checks(prepared: PreparedTests) -> Iterator[Complaint]:
    """Report the lines of checks that earn nothing.

    (ocaml/ocaml.org data/exercises/003_nth_element.md)
    """
    lines = dict.fromkeys(check.line for check in prepared.idle)
    if lines:
        shown = ", ".join(map(str, lines))
        message = f"line {shown}: no wrong answer fails what is checked there: it earns nothing"
        line = prepared.idle[0].line
        yield Complaint(kind="idle", message=message, line=line, broken=False)


def _unknown_modules(files: tuple[str, ...]) -> Complaint:
    """Report modules of tests that may be either a completion's file or a mistake."""
    one = len(files) == 1
    message = (
        f"the tests name the {'module' if one else 'modules'} {', '.join(files)}, which"
        " neither they, the prompt nor `libraries` have: code that does not define"
        f" {'it' if one else 'them'} is taken for {'it' if one else 'each of them'} itself"
    )
    return Complaint(kind="module of the code", message=message, broken=False)


_INSTEAD: Final = "assert (f x = 3) is judged outside of it; left as it is, code that could break types is forbidden"


def _in_process_checks(prepared: PreparedTests) -> Iterator[Complaint]:
    """Report the checks that are decided in the code's process, by reason.

    There, code could obtain answers by breaking type safety, so features that break it are
    forbidden for the problem. (exercism/ocaml exercises/practice/hamming/test.ml)
    """
    reasons: dict[str, list[int]] = {}
    for place, reason in sorted(prepared.in_process.items()):
        reasons.setdefault(reason, []).append(place)
    for reason, places in reasons.items():
        shown = ", ".join(str(prepared.checks[place].index) for place in places)
        plural = "check" if len(places) == 1 else "checks"
        message = f"{plural} {shown} decided beside the code: {reason}; {_INSTEAD}"
        line = prepared.checks[places[0]].line
        yield Complaint(kind="beside", message=message, line=line, broken=False)


def _as_written(prepared: PreparedTests) -> Iterator[Complaint]:
    """Report what only the end of the tests tells: it takes one more run of code that passes.

    (sauravbhattacharya001/Ocaml-sample-code queue)
    """
    written = prepared.written
    if written is not None and written.check is not None:
        line = written.check.line
        message = f"what line {line} does is judged by how the tests end as they were written"
        yield Complaint(kind="as written", message=message, line=line, broken=False)
