"""Completions joined with the problems they answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Final, TypeAlias

from ..errors import InputError, ProblemError
from ..model import Problem
from .completions import CompletionLine, read_completions
from .lines import BadLine
from .problems import ProblemSet, load_problems, problems_beside

# Lines that are read before the one whose turn it is.
_AHEAD: Final = 64

NO_TESTS: Final = (
    "problem {id!r} has no tests; give --problems, or put problems.jsonl beside the file;"
    " --untested grades without"
)


class _UntestedError(ProblemError):
    """A problem's tests are nowhere."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One completion to grade: `index` counts those of its problem from 0."""

    line: CompletionLine
    problem: Problem
    index: int


_Found: TypeAlias = tuple[CompletionLine, Problem | InputError] | BadLine


@dataclass(kw_only=True)
class Joining:
    """Reads completions one by one and finds each its problem.

    `report` is told of each bad line, and of a problem that cannot be used at its first line;
    `note` of what a user did not ask for by name.  `without_tests` has the first line of each
    problem whose tests are nowhere: one missing file may be all that is wrong.  `check` is called
    for each item that could be graded and raises an InputError to refuse its problem; `foresee` is
    told, some lines ahead, whose turn will come.  `form` is how the file is read.  With `untested`, what has no problem is graded without tests; one
    that is known by its prompt only is named after that.  Of problems that are not among `only`,
    if there are some, nothing is read and nothing said.
    """

    source: Path | IO[bytes]
    problems: ProblemSet | None
    report: Callable[[BadLine], None]
    note: Callable[[str], None]
    check: Callable[[Item], None]
    foresee: Callable[[Problem], None] = lambda _: None
    form: str = "auto"
    untested: bool = False
    only: frozenset[str] = frozenset()
    bad: int = 0
    repaired: int = 0
    without_tests: dict[str, BadLine] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _counts: dict[str, int] = field(default_factory=dict)
    _inline: dict[str, tuple[int, int]] = field(default_factory=dict)
    _asked: dict[str, str] = field(default_factory=dict)
    _noted: bool = False
    _looked_beside: bool = False

    def __iter__(self) -> Iterator[Item]:
        """Yield what can be graded, in the order of the file."""
        if self.problems is not None:
            self._report_problems(self.problems)
        ahead: deque[_Found] = deque()
        # Whoever writes a stream may wait for what comes of its first line.
        most = _AHEAD if isinstance(self.source, Path) else 0
        for found in map(self._found, read_completions(self.source, self.form)):
            if self._is_left_out(found):
                continue
            ahead.append(found)
            if not isinstance(found, BadLine) and isinstance(found[1], Problem):
                self.foresee(found[1])
            if len(ahead) > most:
                yield from self._admitted(ahead.popleft())
        while ahead:
            yield from self._admitted(ahead.popleft())

    def _is_left_out(self, found: _Found) -> bool:
        """Tell whether a line is of a problem that nobody asked for."""
        return bool(self.only) and not (
            isinstance(found, BadLine) or found[0].problem_id in {"", *self.only}
        )

    def _found(self, line: CompletionLine | BadLine) -> _Found:
        """Return a completion line with its problem, or with why it has none."""
        if isinstance(line, BadLine):
            return line
        try:
            if line.order is not None and not line.problem_id:
                line = replace(line, problem_id=self._at(*line.order))
            elif not line.problem_id and not line.prompt:
                line = replace(line, problem_id=self._only_one(line))
            elif not line.problem_id:
                line = replace(line, problem_id=self._asked_by(line.prompt))
            return line, self._problem_of(line)
        except InputError as error:
            return line, error

    def _admitted(self, found: _Found) -> Iterator[Item]:
        """Yield a completion line with its problem, unless it is bad."""
        if isinstance(found, BadLine):
            self._refuse(found)
            return
        line, problem = found
        if isinstance(problem, InputError):
            self._refuse_problem(line, problem)
            return
        self.repaired += line.repaired
        index = self._counts.get(line.problem_id, 0)
        item = Item(line=line, problem=problem, index=index)
        try:
            self.check(item)
        except InputError as error:
            self._refuse_problem(line, error)
            return
        self._counts[line.problem_id] = index + 1
        yield item

    def _refuse(self, bad: BadLine) -> None:
        self.bad += 1
        self.report(bad)

    def _refuse_problem(self, line: CompletionLine, error: InputError) -> None:
        """Refuse a line for its problem, which is told once and not for each completion."""
        bad = BadLine(file=line.file, line=line.line, message=str(error))
        if isinstance(error, _UntestedError):
            self.bad += 1
            self.without_tests.setdefault(line.problem_id, bad)
        elif line.problem_id and bad.message in self._told:
            self.bad += 1
        else:
            self._told.add(bad.message)
            self._refuse(bad)

    def _report_problems(self, problems: ProblemSet) -> None:
        for bad in problems.bad:
            self._refuse(bad)
        for remark in problems.remarks:
            self.note(remark)

    def _problem_of(self, line: CompletionLine) -> Problem:
        """Find a line's problem: `--problems` before the line's own tests, as whoever
        names a file means it; then the file that lies beside the completions.
        """
        named = self.problems
        if line.problem is not None and (named is None or line.problem_id not in named):
            return self._own_problem(line, line.problem)
        if line.problem is not None and not self._noted:
            self._noted = True
            self.note("tests in the completions are not used: --problems has them")
        if named is None and not self._looked_beside:
            self._look_beside()
            named = self.problems
        if self.untested and (named is None or line.problem_id not in named):
            return Problem(id=line.problem_id, tests="", prompt=line.prompt, untested=True)
        if named is None:
            raise _UntestedError(NO_TESTS.format(id=line.problem_id))
        # TOKEN/ue-tpn.ml, submissions/*/*.ml (pfitaxel/autograde-ocaml README.md)
        stem = Path(line.file).name.removesuffix(".ml")
        if line.problem_id not in named and stem in named:
            raise ProblemError(
                f"problem {line.problem_id!r} is not in {named.file}, but {stem!r} is: name the"
                f" files PROBLEM/STUDENT.ml, as {stem}/{line.problem_id}.ml"
            )
        problem = named.get(line.problem_id)
        if line.prompt and not problem.prompt:
            return replace(problem, prompt=line.prompt)
        return problem

    def _only_one(self, line: CompletionLine) -> str:
        """Return the id of the one problem there is, or the name of the line's file if it may be
        `untested`; raises ProblemError for none or several.
        """
        if self.problems is None and not self._looked_beside:
            self._look_beside()
        known = list(self.problems.problems) if self.problems else []
        if len(self.only) == 1:
            return next(iter(self.only))
        if self.untested and not known:
            return Path(line.file).stem
        if len(known) != 1:
            message = f"names no problem, and there are {len(known)}: give --problems with one"
            raise ProblemError(message)
        return known[0]

    def _asked_by(self, prompt: str) -> str:
        """Find the one problem whose prompt a line has, or has within a longer one, and
        return its id; raises ProblemError if it is none or several.
        """
        if self.problems is None and not self._looked_beside:
            self._look_beside()
        if prompt not in self._asked:
            known = self.problems.problems.values() if self.problems else ()
            words = " ".join(prompt.split())
            found = [
                (len(own), each.id)
                for each in known
                if (own := " ".join(each.prompt.split())) and own in words
            ]
            longest = max((length for length, _ in found), default=0)
            ids = [id_ for length, id_ in found if length == longest]
            self._asked[prompt] = ids[0] if len(ids) == 1 else ""
            if self.untested and not ids:
                self._asked[prompt] = f"prompt-{sha256(words.encode()).hexdigest()[:12]}"
        if not self._asked[prompt]:
            raise ProblemError("no problem id, and not one problem has this prompt")
        return self._asked[prompt]

    def _at(self, place: int, count: int) -> str:
        """Return the id of the problem at a place in the file of problems; raises ProblemError
        if not each of them has its list.
        """
        if self.problems is None and not self._looked_beside:
            self._look_beside()
        known = list(self.problems.problems) if self.problems else []
        if len(known) != count or (self.problems and self.problems.bad):
            there = f"{self.problems.file} has {len(known)}" if self.problems else "there are none"
            raise ProblemError(
                f"{count} lists, one for each problem in the order of --problems, and {there}"
                " that can be used; without that order each needs its problem's id"
            )
        return known[place]

    def _own_problem(self, line: CompletionLine, problem: Problem) -> Problem:
        """Take a line's own tests; all lines of one problem must have the same, or the
        figures of that problem would mean nothing.
        """
        tests = hash((problem.tests, problem.libraries, problem.forbidden, problem.required))
        first_tests, first_line = self._inline.setdefault(line.problem_id, (tests, line.line))
        if tests != first_tests:
            raise ProblemError(
                f"problem {line.problem_id!r}: other tests than on line {first_line}"
            )
        return problem

    def _look_beside(self) -> None:
        """Use the `problems.jsonl` that lies beside the completions, and say so."""
        self._looked_beside = True
        if not isinstance(self.source, Path):
            return
        beside = problems_beside(self.source)
        if beside is not None and not beside.samefile(self.source):
            self.problems = load_problems(beside, untested=self.untested)
            self.note(f"problems are read from {beside}")
            self._report_problems(self.problems)
