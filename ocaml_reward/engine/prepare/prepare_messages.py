"""The request to the helper that rewrites a problem's tests (ocaml/tests/rewrite.ml), and its
reply.  Pure.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ...errors import EngineFault, ProblemError
from ...model import Check, Problem, Span
from ...reading.signature import code_in, prompt_code, requested_names
from .. import TESTS_ONLY, Given, Outside, PreparedTests, Written
from ..build.toolchain import modules
from ..judge.formulas import read_formula
from ..messages.protocol import pack

Applies = Literal["nothing", "predicates", "names"]
"""How much of a check is applied to returned values in the trusted process.

"predicates" applies predicates of the tests; "names" also applies several assertions on one named
value as a whole.
"""


_NO_CHECK = b"tests without an assertion"


class NoCheck(ProblemError):
    """No part of some tests is a check."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """The tests linked with code that returns wrong values, to find checks that cannot fail.

    * `unasked`: tests with code that always returns the same wrong value.
    * `changed`: tests with the reference's values, changed.
    * `merely`: the places of statements that are checks only for the text that they print.
    * `statements`: the places of statements that assert, other than single assertions and cases.
    * `definitions`: the places of definitions that are checks.
    * `perhaps`: the places of assertions that call the code, but not whenever they are evaluated.
    * `prints`: some tests print.
    * `exits`: some tests exit with a status that is not 0.
    * `notes`: some handlers of the tests take what they catch for a failure.
    * `catches`: some tests catch exceptions.
    * `constant`: the places of checks that no returned value can influence.
    * `state`: the tests' mutable values that each check leads to.
    """

    unasked: bytes
    changed: bytes
    merely: frozenset[int]
    statements: frozenset[int]
    definitions: frozenset[int]
    perhaps: frozenset[int]
    prints: bool
    exits: bool
    notes: bool
    catches: bool
    constant: frozenset[int]
    state: tuple[frozenset[str], ...]


class Rewritten(NamedTuple):
    """Tests as numbered checks; if `dynamic`, only running them shows how many there are.

    `unjudged` is the place of what the checks do not judge, so that the tests have to be run as
    they were written.
    """

    tests: PreparedTests
    dynamic: bool
    trial: Trial
    unjudged: Check | None


def prepare_request(
    problem: Problem,
    *,
    owned: bool = False,
    applies: Applies = "names",
    in_process: Collection[int] = (),
    idle: Collection[int] = (),
    constant: Collection[int] = (),
    strict: Collection[int] = (),
    whole: bool = False,
    tried: bool = False,
) -> bytes:
    """Return the request of `tool prepare`.

    Args:
        problem: The problem.
        owned: Names in the tests refer to the reference's definitions even if the standard library
            has them, too: `max`, `compare`.
        applies: How much is evaluated in the trusted process.
        in_process: Places of checks to decide in the code's process.
        idle: Places of statements that are not to be checks.
        constant: Those places in `idle` that do not depend on the code.
        strict: Places of checks in which the tests may catch nothing.
        whole: Whether tests may have no check, and the trial is of the tests as they were written.
        tried: Whether the reply shall have the tests for a trial with wrong values.
    """
    if not isinstance(problem.tests, str):
        raise TypeError("only tests written in OCaml are rewritten")
    return pack(
        # Windows line ends are no part of any OCaml token.
        problem.tests.replace("\r\n", "\n"),
        problem.signature or "",
        problem.given,
        " ".join(requested_names(problem.prompt, has_reference=bool(problem.reference))),
        "\0".join(code_in(problem.prompt)),
        problem.reference or "",
        " ".join(sorted(modules(problem.libraries))),
        " ".join(name[1:] for name in problem.libraries if name[0] == TESTS_ONLY),
        str(owned).lower(),
        applies,
        " ".join(map(str, sorted(in_process))),
        " ".join(map(str, sorted(idle))),
        " ".join(map(str, sorted(constant))),
        " ".join(map(str, sorted(strict))),
        str(whole).lower(),
        str(tried).lower(),
    )


def read_prepare_answer(problem: Problem, items: list[bytes]) -> Rewritten:
    """Return the tests in the reply of `tool prepare`.

    Raises ProblemError, naming the line, for tests that cannot be used.
    """
    match items:
        case [
            b"ok", payload, uses, dynamic, query, oracle, needs_types, leaning, merely, statements,
            definitions, perhaps, prints, exits, notes, files, given, needed, unasked, changed,
            catches, constant, written, unjudged, unjudged_source, *rest
        ]:  # fmt: skip
            rows = list(zip(*(rest[start::5] for start in range(4)), strict=True))
            checks = tuple(
                _check(index, *map(_text, row)) for index, row in enumerate(rows, start=1)
            )
            verdicts = {place: row[2].decode() for place, row in enumerate(rows)}
            formulas = {
                place: read_formula(verdict)
                for place, verdict in verdicts.items()
                if verdict.startswith("(")
            }
            outside = Outside(
                query_program=query,
                oracle_program=oracle,
                formulas=formulas,
                needs_types=needs_types == b"true",
            )
            prepared = PreparedTests(
                checks=checks,
                uses=tuple(uses.decode().split()),
                files=tuple(files.decode().split()),
                payload=payload,
                outside=outside if formulas else None,
                leaning=_leaning(leaning.decode()),
                given=_given(problem)
                or Given(
                    code=given.decode("utf-8", "replace"),
                    needed=tuple(needed.decode().split()),
                ),
                in_process={p: v for p, v in verdicts.items() if p not in formulas},
                frameworks=tuple(name for name in problem.libraries if name[0] == TESTS_ONLY),
                written=Written(program=written),
            )
            trial = Trial(
                unasked=unasked,
                changed=changed,
                merely=frozenset(map(int, merely.split())),
                statements=frozenset(map(int, statements.split())),
                definitions=frozenset(map(int, definitions.split())),
                perhaps=frozenset(map(int, perhaps.split())),
                prints=prints == b"true",
                exits=exits == b"true",
                notes=notes == b"true",
                catches=catches == b"true",
                constant=frozenset(map(int, constant.split())),
                state=tuple(frozenset(words.decode().split()) for words in rest[4::5]),
            )
            place = unjudged.decode()
            left = _check(0, place, _text(unjudged_source), "", "?") if place else None
            return Rewritten(prepared, dynamic == b"true", trial, left)
        case [b"unsupported", line, what]:
            where = _where(problem, int(line))
            kind = NoCheck if what.startswith(_NO_CHECK) else ProblemError
            raise kind(f"{where}: unsupported: {what.decode('utf-8', 'replace')}")
        case [b"error", line, what]:
            where = _where(problem, int(line))
            raise ProblemError(f"{where}: {what.decode('utf-8', 'replace')}")
    raise EngineFault("the helper that prepares tests answered nonsense")


def _text(word: bytes) -> str:
    return word.decode("utf-8", "replace")


def _leaning(text: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """Read which checks lean on what else.  (ocaml/tests/checks/shared_state.ml)"""
    return {
        what: tuple(
            (int(first), int(last))
            for first, _, last in (each.partition("-") for each in ranges.split(","))
        )
        for what, _, ranges in (word.partition(":") for word in text.split())
    }


def _check(index: int, place: str, source: str, _: str, taken: str) -> Check:
    """Return the check in these fields of an answer."""
    line, column, end_line, end_column = map(int, place.split())
    return Check(
        index=index,
        line=line,
        source=source,
        # The helper writes "?" if it does not know.  (ocaml/tests/checks/names_per_check.ml)
        needs=None if taken == "?" else tuple(taken.split()),
        span=Span(line=line, end_line=end_line, column=column, end_column=end_column),
    )


def _where(problem: Problem, line: int) -> str:
    """Return the place of a line of the tests or the given code, for a message."""
    # The lines of given code are numbered below 0.
    what, text = ("given", problem.given) if line < 0 else ("tests", str(problem.tests))
    # The parser reports a missing end on the line after the last.
    last = len(text.splitlines()) or 1
    return f"{problem.id}: {what}, line {min(abs(line), last)}"


def _given(problem: Problem) -> Given | None:
    """Return the problem's given definitions; None if it has none."""
    return Given(code=problem.given, whole=True) if problem.given else None


def stdio_checks(problem: Problem) -> PreparedTests:
    """Return one check per case of a program judged on its output.

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
        given=given_of(problem),
    )


def given_of(problem: Problem) -> Given:
    """Return the code that is put before a whole program: the problem's, or the prompt's."""
    return _given(problem) or Given(code=prompt_code(problem.prompt).given)
