"""Measures how easily a problem can be cheated.

Reports what trivial programs earn, and which mutants of the reference pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..engine import Engine, PreparedTests
from ..engine.prepare.preparation import reference_code
from ..errors import JudgeFault, MachineError, ProblemError
from ..grader import Grader
from ..model import Completion, Outcome, Problem, StdioCase, is_impossible
from ..reading.signature import prompt_code
from ..scheme import load
from .examples import checked_calls, examples
from .trivial import Program, arities, mutants, trivial_programs

MUTANTS = 24
"""Maximum number of mutants of a reference."""

LIMITS = ("budget.most_steps=5000000", "budget.tests_steps=10000000")
"""Changes of a scheme: looping mutants are detected quickly."""

_UNKNOWN = (
    "the tests call no function by its name; a signature or a reference would show what it takes"
)

_TYPES = re.compile(
    r"^(?:type|exception)\b.*(?:\n(?!(?:let|val|module|type|exception|open)\b).*)*",
    re.MULTILINE,
)
_EXCEPTION = re.compile(r"^exception\b.*\n", re.MULTILINE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


@dataclass(frozen=True, kw_only=True, slots=True)
class Weakness:
    """A trivial program that passes `passed` of `total` checks."""

    kind: str
    what: str
    passed: int
    total: int
    code: str

    @property
    def share(self) -> float:
        """Return the share of the test credit that it earns."""
        return self.passed / self.total


@dataclass(frozen=True, kw_only=True, slots=True)
class Survivor:
    """A mutant of the reference that passes every check: its change and line, and calls that return
    another result, if any were found.
    """

    what: str
    line: int
    differs_on: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Audit:
    """The results for a problem; `skipped` is the reason why there are none."""

    id: str
    tried: int = 0
    weaknesses: tuple[Weakness, ...] = ()
    mutants: int = 0
    survivors: tuple[Survivor, ...] = ()
    skipped: str = ""


def audit(
    engine: Engine, problem: Problem, *, threshold: float, of_twin: str | None = None
) -> Audit:
    """Audit one problem.

    Reports trivial programs that earn more than `threshold` of the test credit, and mutants of the
    reference that pass although a call returns another result. For an impossible twin, which has no
    reference, `of_twin` is its problem's, and each program that passes is a weakness. Raises
    MachineError if the machine fails. (EleutherAI/lm-evaluation-harness issue 4212)
    """
    run = _Run(engine, problem)
    try:
        prepared = run.prepared()
    except ProblemError as error:
        return Audit(id=problem.id, skipped=str(error).removeprefix(f"{problem.id}: "))
    if is_impossible(problem.id):
        return _audit_of_twin(run, problem, prepared, of_twin)
    code = reference_code(problem, prepared)
    tests = problem.tests if isinstance(problem.tests, str) else ""
    tried = list(_without_an_idea(problem, code, prepared.uses, tests))
    if not (tried or code):
        return Audit(id=problem.id, skipped=_UNKNOWN)
    earned = map(run.weakness, tried)
    weak = [each for each in earned if each.passed > threshold * each.total]
    changed = list(mutants(code, MUTANTS)) if code else []
    passing = [each for each in changed if run.passes(each.code)]
    calls = _calls(prepared.uses, [check.source for check in prepared.checks])
    survivors = [_survivor(run, code, each, calls) for each in passing]
    weak.sort(key=lambda each: -each.passed)
    return Audit(
        id=problem.id,
        tried=len(tried),
        weaknesses=tuple(weak),
        mutants=len(changed),
        survivors=tuple(survivors),
    )


def _audit_of_twin(run: _Run, twin: Problem, prepared: PreparedTests, of: str | None) -> Audit:
    # (arXiv 2510.20270, ImpossibleBench)
    code = reference_code(replace(twin, reference=of), prepared)
    tried = list(_without_an_idea(twin, code, prepared.uses))
    tried += mutants(code, MUTANTS) if code else ()
    weak = [each for each in map(run.weakness, tried) if 0 < each.passed == each.total]
    return Audit(id=twin.id, tried=len(tried), weaknesses=tuple(weak))


class _Run:
    """Grades programs for one problem, by their checks alone."""

    def __init__(self, engine: Engine, problem: Problem) -> None:
        scheme = load("concise", LIMITS)
        self._grader = Grader(scheme, engine=engine, jobs=1)
        self._problem = problem

    def prepared(self) -> PreparedTests:
        return self._grader.prepare(self._problem)

    def tally(self, code: str, problem: Problem | None = None) -> tuple[int, int]:
        """Return how many checks code passes, and of how many."""
        found = self._grader.grade(problem or self._problem, Completion(text=code))
        if found.fault is not None and found.fault.kind != JudgeFault.__name__:
            raise MachineError(found.fault.message)
        # If a judge also dies on correct outputs, nothing passes; `validate` reports that.
        return found.tests.passed, found.tests.total

    def failed(self, code: str, tests: str) -> list[int]:
        """Return the checks that were run and failed or raised."""
        problem = replace(self._problem, tests=tests, reference=None, signature=None)
        try:
            found = self._grader.grade(problem, Completion(text=code))
        except ProblemError:
            return []
        wrong = (Outcome.FAILED, Outcome.RAISED)
        return [r.index for r in found.tests.results if r.outcome in wrong]

    def passes(self, code: str) -> bool:
        passed, total = self.tally(code)
        return passed == total

    def weakness(self, program: Program) -> Weakness:
        """Return the weakness that a program would show."""
        passed, total = self.tally(program.code)
        return Weakness(
            kind=program.kind,
            what=program.what,
            passed=passed,
            total=total,
            code=program.code,
        )


def _without_an_idea(
    problem: Problem, reference: str, uses: tuple[str, ...], tests: str = ""
) -> Iterator[Program]:
    """Yield programs that solve nothing, for a problem.

    The calls in `tests` show the arguments of functions that neither signature, reference nor prompt
    declares. A twin is tried without them, so one whose problem is missing counts as not tried.
    """
    if not isinstance(problem.tests, str):
        yield from _silent(problem.tests)
        return
    shown = reference or prompt_code(problem.prompt).opened
    takes = arities(problem.signature or "", shown, uses, tests)
    if takes:
        prelude = "".join(f"{each}\n" for each in _TYPES.findall(reference))
        yield from trivial_programs(takes, prelude, examples(problem.prompt, uses))


def _silent(cases: tuple[StdioCase, ...]) -> Iterator[Program]:
    """Yield programs that print nothing, their input, and the first case's output."""
    yield Program(kind="constant", what="prints nothing", code="let () = ()\n")
    copy = "let () = try while true do print_endline (input_line stdin) done with _ -> ()\n"
    yield Program(kind="identity", what="prints its input", code=copy)
    printed = "".join(f"\\{byte:03d}" for byte in cases[0].stdout.encode())
    code = f'let () = print_string "{printed}"\n'
    yield Program(kind="echo", what="prints the first answer", code=code)


def _calls(uses: tuple[str, ...], sources: list[str]) -> list[str]:
    """Return calls to try: those of the checks, and the same with other numbers."""
    found: dict[str, None] = {}
    for name in uses:
        for arguments, _ in checked_calls(sources, name):
            call = f"{name} {arguments}"
            found[call] = None
            for number in _NUMBER.finditer(call):
                n = int(number[0])
                for other in (0, 1, 9, max(n - 1, 0), n + 1, 2 * n):
                    changed = f"{call[: number.start()]}{other}{call[number.end() :]}"
                    found[changed] = None
    return list(found)[:200]


def _survivor(run: _Run, reference: str, mutant: Program, calls: list[str]) -> Survivor:
    """Return a mutant that passes, with calls whose results differ: checks that would detect it."""
    # Declare exceptions once, because exceptions of two modules are never equal.
    raised = "".join(_EXCEPTION.findall(reference))
    right, wrong_one = (_EXCEPTION.sub("", code) for code in (reference, mutant.code))
    both = f"{raised}module Right = struct\n{right}\nend\nmodule Wrong = struct\n{wrong_one}\nend\n"
    tests = "".join(
        "let () = assert ("
        f"(try Ok (Right.({call})) with e -> Error e)"
        f" = (try Ok (Wrong.({call})) with e -> Error e))\n"
        for call in calls
    )
    wrong = run.failed(both, tests) if calls else []
    return Survivor(
        what=mutant.what,
        line=mutant.line,
        differs_on=tuple(calls[index - 1] for index in wrong[:3]),
    )
