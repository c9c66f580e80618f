"""Problems from JSON Lines, JSON, CSV or TSV, each of them plain or gzipped, or parquet.

Of several keys the first present counts; docs/formats.md says what each holds.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Final

from ..errors import FormatError, InputError, ProblemError
from ..model import Budget, Comparison, Problem, StdioCase, most_of
from .chat import last_user_text
from .files import file_rows
from .lines import BadLine, as_source, name_of
from .rows import Row, first_of, id_of, json_in_text, json_list, object_of, text_of
from .rules import forbidden_of, required_of
from .sameness import content
from .stdio import cases_of

IDS: Final = ("id", "problem_id", "task_id", "name", "question_id")
PROMPTS: Final = ("prompt", "problem", "question", "problem_text", "messages")
TESTS: Final = ("tests", "test", "test_list", "test_cases")
REFERENCES: Final = ("reference", "solution", "canonical_solution")
_SINGLE: Final = (
    *("public_tests", "signature", "given", "libraries", "forbidden", "required", "budget"),
    *("comparison", "judge", "checker", "untested"),
)
PROBLEM_FIELDS: Final = frozenset({*PROMPTS, *TESTS, *REFERENCES, *_SINGLE})
_KINDS: Final = (IDS, PROMPTS, TESTS, REFERENCES, *((name,) for name in _SINGLE))
# Nearer than "test_setup" is to "test_list", or "question_title" to "question_id".
_LIKE: Final = 0.85
_LONGEST_KEY: Final = 40
REWARD_LOGS: Final = "reward_logs"
"""The folder in a training's folder that holds completions and records."""
LEFT_OUT: Final = "left out"
"""The `part` of a problem in a training's `problems.jsonl` that the training did not use."""
_WAY_OUT: Final = '; "untested": true grades without'
LIBRARY: Final = re.compile(r"[A-Za-z][\w.+-]*\??")


@dataclass(frozen=True, kw_only=True, slots=True)
class ProblemLine:
    """A problem and the place it was read from; `remarks` are on what was not read there."""

    file: str
    line: int
    problem: Problem
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ProblemSet:
    """The problems of a file by id, what was wrong with the others, and what to say of all."""

    file: str
    problems: Mapping[str, Problem]
    bad: tuple[BadLine, ...] = ()
    unusable: Mapping[str, BadLine] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Problem]:
        """Yield the problems that can be used, in the order of the file."""
        return iter(self.problems.values())

    def __len__(self) -> int:
        """Return the number of problems that can be used."""
        return len(self.problems)

    def __contains__(self, id: object) -> bool:  # noqa: A002 - the word for it
        """Tell whether the file has a problem of that id, usable or not."""
        return id in self.problems or id in self.unusable

    def get(self, id: str) -> Problem:  # noqa: A002 - the word for it everywhere
        """Return a problem; raises ProblemError if it is not there or cannot be used."""
        if id in self.unusable:
            bad = self.unusable[id]
            raise ProblemError(f"problem {id!r} cannot be used, see {bad}")
        if id not in self.problems:
            raise ProblemError(f"problem {id!r} is not in {self.file}")
        return self.problems[id]


def problems_beside(path: Path) -> Path | None:
    """Return the `problems.jsonl` in a folder, or in that of a file; None without it.

    A training's logs of rewards have theirs one folder up.
    """
    folder = path if path.is_dir() else path.parent
    found = [folder / "problems.jsonl"]
    if (whole := folder.resolve()).name == REWARD_LOGS:
        found.append(whole.parent / "problems.jsonl")
    return next((each for each in found if each.is_file()), None)


def read_problems(source: str | Path | IO[bytes]) -> Iterator[ProblemLine | BadLine]:
    """Yield the problems of a file in order; a row that is not one yields a BadLine.

    Raises FormatError for a file that cannot be opened.
    """
    for _, item in identified(as_source(source)):
        yield item


def load_problems(source: str | Path | IO[bytes], *, untested: bool = False) -> ProblemSet:
    """Load a file of problems; with `untested`, those without tests too.

    An id that occurs twice is reported with both lines.  If both are the same problem
    the first stands; else neither can be used, as nobody knows which was meant.
    Raises FormatError for a file that cannot be opened, or has no rows.
    """
    seen: dict[str, ProblemLine] = {}
    unusable: dict[str, BadLine] = {}
    bad: list[BadLine] = []
    remarks: Counter[str] = Counter()
    source = as_source(source)
    for id_, item in identified(source, untested=untested):
        if isinstance(item, ProblemLine):
            remarks.update(item.remarks)
        first = seen.get(id_)
        if isinstance(item, ProblemLine) and first is not None:
            same = content(item.problem) == content(first.problem)
            message = f"problem {id_!r} again; it is defined on line {first.line} already" + (
                "" if same else ", with other content"
            )
            again = BadLine(file=item.file, line=item.line, message=message)
            bad.append(again)
            if not same:
                unusable[id_] = again
        elif isinstance(item, ProblemLine):
            seen[id_] = item
        else:
            bad.append(item)
            if id_:
                unusable[id_] = item
    if not seen and not bad:
        raise FormatError(f"no problems in {name_of(source)}")
    return ProblemSet(
        file=name_of(source),
        problems={id_: line.problem for id_, line in seen.items()},
        bad=tuple(bad),
        unusable=unusable,
        remarks=tuple(
            f"{count} of {len(seen)} problems: {remark}" for remark, count in remarks.items()
        ),
    )


def identified(
    source: Path | IO[bytes], *, untested: bool = False
) -> Iterator[tuple[str, ProblemLine | BadLine]]:
    """Yield each row's id, "" where it has none, with the problem or what is wrong."""
    rows = (row for row in file_rows(source) if not _is_left_out(row))
    return (identified_row(row, untested=untested) for row in rows)


def _is_left_out(row: Row | BadLine) -> bool:
    """Tell whether a row of a training's problems only says that a problem was not used."""
    return isinstance(row, Row) and row.fields.get("part") == LEFT_OUT


def identified_row(
    row: Row | BadLine, unnamed: str = "", *, untested: bool = False, way_out: str = _WAY_OUT
) -> tuple[str, ProblemLine | BadLine]:
    """Read one row.

    Args:
        row: A row of a file of problems.
        unnamed: What a row without an id is called; "" if each has to have one.
        untested: Whether it may have no tests, as one may that says so itself.
        way_out: What else is said of one without tests.

    Returns:
        The id, `unnamed` where that is wrong, with the problem or what is wrong.
    """
    if isinstance(row, BadLine):
        return unnamed, row
    id_, taken = unnamed, frozenset[str]()
    try:
        if not unnamed or first_of(row.fields, IDS) is not None:
            name, id_ = id_of(row.fields, IDS)
            taken = frozenset({name})
        problem = problem_of(row, id_=id_, taken=taken, untested=untested, way_out=way_out)
    except InputError as error:
        return id_, BadLine(file=row.file, line=row.line, message=str(error))
    remarks = tuple(misspelt(row.fields))
    return id_, ProblemLine(file=row.file, line=row.line, problem=problem, remarks=remarks)


def problem_from_row(row: Mapping[str, object]) -> Problem:
    """Return the problem that a row of a data set describes, as a line of a file does.

    Args:
        row: Its fields (see above): tests may be OCaml, a list of assertions, or cases as a list of
            objects or JSON text.

    Raises:
        InputError: It is no problem: it has no id, no tests, or a field that cannot be read.
    """
    found = Row(file="", line=0, fields=dict(row), repaired=False)
    name, id_ = id_of(found.fields, IDS)
    return problem_of(found, id_=id_, taken=frozenset({name}))


def misspelt(fields: Mapping[str, object]) -> Iterator[str]:
    """Yield a remark on each key that nearly is one of ours, where the row has none of its kind."""
    there = {name for name, value in fields.items() if value is not None}
    for name in fields:
        meant = _meant(name[:_LONGEST_KEY])
        kind = next((each for each in _KINDS if meant in each), None)
        if kind is not None and there.isdisjoint(kind):
            yield f"{name!r} is not read; did you mean {meant}?"


@lru_cache(maxsize=4096)
def _meant(name: str) -> str | None:
    """Return the key that a name is near to, but is not; None where there is none."""
    known = [each for kind in _KINDS for each in kind]
    if name in known:
        return None
    plain = "_".join(re.findall(r"\w+", name.casefold()))
    near = difflib.get_close_matches(plain, known, n=1, cutoff=_LIKE)
    return near[0] if near else None


def problem_of(
    row: Row, *, id_: str, taken: frozenset[str], untested: bool = False, way_out: str = ""
) -> Problem:
    """Read a problem from a row whose fields in `taken` have another meaning.

    Raises ProblemError naming the id, above all for a problem without tests that neither says
    so itself nor may be `untested`: most often they stand under another name.  `way_out` is what
    else the message says then.
    """
    own = {name: value for name, value in row.fields.items() if name not in taken}
    try:
        tests = tests_of(own, TESTS)
        untested = says_untested(own, tests) or (untested and not tests)
        if not (tests or untested):
            looked = "" if first_of(own, TESTS) else f" (one of {', '.join(TESTS)})"
            raise ProblemError(f"no tests{looked}{way_out}")
        solution = first_of(own, REFERENCES)
        reference = text_of(own, solution) if solution else ""
        prompt = first_of(own, PROMPTS)
        return Problem(
            id=id_,
            tests=tests or "",
            prompt=last_user_text(own[prompt]) if prompt else "",
            # Blank where a table has the column and the problem has no reference.
            reference=reference if reference.strip() else None,
            signature=text_of(own, "signature") if own.get("signature") else None,
            given=text_of(own, "given") if own.get("given") else "",
            libraries=libraries_of(own.get("libraries")),
            forbidden=forbidden_of(own.get("forbidden")),
            required=required_of(own.get("required")),
            budget=budget_of(own.get("budget")),
            public_tests=tests_of(own, ("public_tests",)),
            comparison=comparison_of(own.get("comparison"), tests),
            judge=judge_of(own, "judge", tests),
            checker=judge_of(own, "checker", tests),
            untested=untested,
        )
    except InputError as error:
        raise ProblemError(f"problem {id_!r}: {error}") from None


def says_untested(fields: Mapping[str, object], tests: object) -> bool:
    """Tell whether a row says that it has no tests on purpose; raises ProblemError if it has."""
    said = fields.get("untested")
    if said not in (None, "", False, True):
        raise ProblemError("untested: expected true or false")
    if said and tests:
        raise ProblemError("untested: it has tests")
    return bool(said)


def tests_of(fields: Mapping[str, object], names: Sequence[str]) -> str | tuple[StdioCase, ...]:
    """Read the tests that stand under the first of these names, in whichever of their shapes;
    empty where there are none.
    """
    name = first_of(dict(fields), names)
    value = fields[name] if name else None
    if isinstance(value, str) and (read := json_in_text(value)) is not None:
        value = read
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = "\n".join(closed(str(item)) for item in value if str(item).strip())
    if isinstance(value, str):
        return value if value.strip() else ()
    return cases_of(value) if value is not None else ()


def closed(item: str) -> str:
    """Return a test of a list with its end marked, as two expressions side by side would be an
    application.
    """
    item = item.rstrip()
    return item if item.endswith(";;") else f"{item} ;;"


def libraries_of(value: object) -> tuple[str, ...]:
    """Read findlib package names.  Anything else, options of a command above all, is
    refused with ProblemError.
    """
    if isinstance(value, str):
        value = json_list(value, "libraries")
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ProblemError("libraries: expected a list of package names")
    for name in value:
        if not isinstance(name, str) or not LIBRARY.fullmatch(name):
            raise ProblemError(f"libraries: {name!r} is not a package name")
    return tuple(value)


def budget_of(value: object) -> tuple[tuple[str, float], ...]:
    """Read what a problem's completions may spend in place of the scheme's budget.

    Raises ProblemError for a key that the budget does not have, or what is no amount.
    """
    amounts = object_of(value, "budget")
    whole = {each.name: each.type == "int" for each in fields(Budget)}
    for name, amount in amounts.items():
        if name not in whole:
            raise ProblemError(f"budget: no {name!r}, it has {', '.join(whole)}")
        kind = int if whole[name] else int | float
        is_number = isinstance(amount, kind) and not isinstance(amount, bool)
        if not (is_number and 0 < amount <= most_of(name)):
            what = "a whole number" if whole[name] else "a number"
            raise ProblemError(
                f"budget: {name}: expected {what} above 0, at most {most_of(name):,}"
            )
    return tuple(sorted(amounts.items()))


TOLERANCES: Final = {
    "float_tolerance": ("absolute", "relative"),
    "float_absolute_tolerance": ("absolute",),
    "float_relative_tolerance": ("relative",),
}
"""The words of ICPC's problem format, and what each sets."""
SWITCHES: Final = ("case_sensitive", "space_change_sensitive")


def comparison_of(value: object, tests: object) -> Comparison | None:
    """Read how outputs may differ; raises ProblemError for what is not one of the ways."""
    ways = object_of(value, "comparison")
    if not ways:
        return None
    if isinstance(tests, str):
        raise ProblemError("comparison: only cases for stdin and stdout have one")
    found: dict[str, Any] = {}
    for name, given in ways.items():
        found |= difference_of(name, given)
    if found.keys() & {"absolute", "relative"} and "unordered" in found:
        raise ProblemError("comparison: numbers that are near need an order")
    if found.get("unordered") == "tokens" and found.get("space_change_sensitive"):
        raise ProblemError("comparison: blanks that count need an order")
    return Comparison(**found)


def difference_of(name: str, given: object) -> dict[str, Any]:
    """Read one way in which outputs may differ."""
    if name in TOLERANCES:
        if (
            isinstance(given, bool)
            or not isinstance(given, int | float)
            or not 0 <= given < float("inf")
        ):
            raise ProblemError(f"comparison: {name}: expected a number from 0 on")
        return dict.fromkeys(TOLERANCES[name], float(given))
    is_switch = name in SWITCHES and isinstance(given, bool)
    if is_switch or (name == "unordered" and given in ("lines", "tokens")):
        return {name: given}
    there = ", ".join((*TOLERANCES, *SWITCHES, "unordered"))
    raise ProblemError(f"comparison: no {name!r} that is {given!r}; there are {there}")


def judge_of(fields: dict[str, object], name: str, tests: object) -> str:
    """Read a judge, OCaml that says what an output is worth, or a checker, C++ that does; raises
    ProblemError where there is nothing that it could judge.
    """
    if not fields.get(name):
        return ""
    if isinstance(tests, str):
        raise ProblemError(f"{name}: only cases for stdin and stdout have one")
    others = {"comparison", "judge", "checker"} - {name}
    if any(fields.get(each) for each in others):
        raise ProblemError("comparison, judge, checker: give one of them")
    return text_of(fields, name)
