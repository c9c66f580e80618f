"""The request to the helper that rewrites a problem's tests (ocaml/tests/rewrite.ml), and its
answer.  Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..errors import EngineFault, ProblemError
from ..model import Check, Problem, Span
from ..reading.given import Given
from ..reading.signature import code_in, prompt_code
from . import TESTS_ONLY, Outside, PreparedTests
from .judgements import read_judgement
from .protocol import pack
from .toolchain import modules

# What a prompt asks for by name, in code of its own: `let rec f (x : int) =`, `val f :`,
# `module Stack :`; of English only "implement a module Stack".
_ASKED = re.compile(
    r"^(?:(?:let(?:\s+rec)?|and)\s+(?:\(\s*(?P<operator>[^\s()\w]+)\s*\)"
    r"|(?P<name>[a-z_][\w']*))(?=[^\n=]*=\s*$)"
    r"|val\s+(?:\(\s*(?P<declared_operator>[^\s()\w]+)\s*\)|(?P<declared>[a-z_][\w']*))\s*:"
    r"|module\s+(?P<module>[A-Z][\w']*)\s*[:=(])"
    r"|\b(?:[Ii]mplement|[Ww]rite|[Dd]efine|[Cc]reate)\s+an?\s+module\s+(?:named\s+|called\s+)?"
    r"[`']?(?P<described>[A-Z][\w']*)",
    re.MULTILINE,
)
Applies = Literal["nothing", "predicates", "names"]
"""What is applied to values outside the code's process: predicates of the tests' own, and also
what is said more than once of a value that has a name.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """The tests with code in them whose answers are wrong: the same whatever is `unasked`, or those
    of the reference `changed`.  At the places `merely` a statement is a check for what it prints
    alone; some tests `catches` exceptions.  Those that are `constant` look at nothing that answers
    may have changed.
    """

    unasked: bytes
    changed: bytes
    merely: frozenset[int]
    catches: bool
    constant: frozenset[int]


class Rewritten(NamedTuple):
    """Tests as numbered checks; `dynamic` is True where only running them tells how many there are."""

    tests: PreparedTests
    dynamic: bool
    trial: Trial


def prepare_request(
    problem: Problem,
    *,
    owned: bool = False,
    applies: Applies = "names",
    beside: Collection[int] = (),
    idle: Collection[int] = (),
    catches: Collection[int] = (),
    tried: bool = False,
) -> bytes:
    """Write the request of `tool prepare`.

    With `owned`, tests mean the reference's own by every name that it defines, also where
    the standard library has one: `max`, `compare`.  Predicates of the tests' own are applied
    where no code is as far as `applies` says.  The checks at the places `beside` are decided beside
    the code, whatever they are.  What may be a check is none at the places `idle`, and at
    those of these that are in `catches` nothing gets past it that is raised.  With `tried`
    the answer has the tests with wrong answers in them, too.
    """
    asked = [
        next(name for name in found.groups() if name)
        for found in _ASKED.finditer(problem.prompt)
    ]
    if not isinstance(problem.tests, str):
        raise TypeError("only tests written in OCaml are rewritten")
    return pack(
        # Windows line ends are no part of any OCaml token.
        problem.tests.replace("\r\n", "\n"),
        problem.signature or "",
        problem.given,
        " ".join(dict.fromkeys(asked)),
        "\0".join(code_in(problem.prompt)),
        problem.reference or "",
        " ".join(sorted(modules(problem.libraries))),
        " ".join(name[1:] for name in problem.libraries if name[0] == TESTS_ONLY),
        str(owned).lower(),
        applies,
        " ".join(map(str, sorted(beside))),
        " ".join(map(str, sorted(idle))),
        " ".join(map(str, sorted(catches))),
        str(tried).lower(),
    )


def read_prepare_answer(problem: Problem, items: list[bytes]) -> Rewritten:
    """Read the answer of `tool prepare`.

    Raises ProblemError, naming the line, for tests that cannot be used.
    """
    match items:
        case [
            b"ok", payload, uses, dynamic, asking, telling, typed, leaning, merely, files,
            given, needed, unasked, changed, catches, constant, *rest
        ]:  # fmt: skip
            rows = list(zip(*(rest[start::4] for start in range(4)), strict=True))
            checks = tuple(
                _check(index, *(word.decode("utf-8", "replace") for word in row))
                for index, row in enumerate(rows, start=1)
            )
            verdicts = {place: row[2].decode() for place, row in enumerate(rows)}
            judgements = {
                place: read_judgement(verdict)
                for place, verdict in verdicts.items()
                if verdict.startswith("(")
            }
            outside = Outside(
                payload=asking,
                answers=telling,
                judgements=judgements,
                typed=typed == b"true",
            )
            prepared = PreparedTests(
                checks=checks,
                uses=tuple(uses.decode().split()),
                files=tuple(files.decode().split()),
                payload=payload,
                outside=outside if judgements else None,
                leaning=_leaning(leaning.decode()),
                given=_given(problem)
                or Given(
                    code=given.decode("utf-8", "replace"),
                    needed=tuple(needed.decode().split()),
                ),
                beside={p: v for p, v in verdicts.items() if p not in judgements},
                frameworks=tuple(
                    name for name in problem.libraries if name[0] == TESTS_ONLY
                ),
            )
            trial = Trial(
                unasked=unasked,
                changed=changed,
                merely=frozenset(map(int, merely.split())),
                catches=catches == b"true",
                constant=frozenset(map(int, constant.split())),
            )
            return Rewritten(prepared, dynamic == b"true", trial)
        case [b"unsupported", line, what]:
            where = _where(problem, int(line))
            raise ProblemError(
                f"{where}: unsupported: {what.decode('utf-8', 'replace')}"
            )
        case [b"error", line, what]:
            where = _where(problem, int(line))
            raise ProblemError(f"{where}: {what.decode('utf-8', 'replace')}")
    raise EngineFault("the helper that prepares tests answered nonsense")


def _leaning(text: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """Read which checks lean on what else.  (ocaml/tests/shared_state.ml)"""
    return {
        what: tuple(
            (int(first), int(last))
            for first, _, last in (each.partition("-") for each in ranges.split(","))
        )
        for what, _, ranges in (word.partition(":") for word in text.split())
    }


def _check(index: int, place: str, source: str, _: str, taken: str) -> Check:
    line, column, end_line, end_column = map(int, place.split())
    return Check(
        index=index,
        line=line,
        source=source,
        # What the helper says where it cannot tell.  (ocaml/tests/names_per_check.ml)
        needs=None if taken == "?" else tuple(taken.split()),
        span=Span(line=line, end_line=end_line, column=column, end_column=end_column),
    )


def _where(problem: Problem, line: int) -> str:
    # Of what is given it stands below 0.
    what, text = ("given", problem.given) if line < 0 else ("tests", str(problem.tests))
    # The parser reports a missing end on the line after the last.
    last = len(text.splitlines()) or 1
    return f"{problem.id}: {what}, line {min(abs(line), last)}"


def _given(problem: Problem) -> Given | None:
    return Given(code=problem.given, whole=True) if problem.given else None


def stdio_checks(problem: Problem) -> PreparedTests:
    """Make one check per case of a program judged on its output.

    Raises ProblemError when there is no case.
    """
    if isinstance(problem.tests, str) or not problem.tests:
        raise ProblemError(f"{problem.id}: no tests: nothing could ever be credited")
    checks = tuple(
        Check(index=index, line=index, source=f"stdin/stdout case {index}")
        for index in range(1, len(problem.tests) + 1)
    )
    return PreparedTests(
        checks=checks,
        stdio=problem.tests,
        comparison=problem.comparison,
        judge=problem.judge,
        checker=problem.checker,
        given=_given(problem) or Given(code=prompt_code(problem.prompt).given),
    )
