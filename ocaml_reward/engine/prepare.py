"""
A problem's tests on their way to and from the helper that rewrites them.  Pure.
"""

from __future__ import annotations

import re

from ..errors import EngineFault, ProblemError
from ..model import Check, Problem
from . import PreparedTests
from .protocol import pack

__all__ = ["answer", "request", "stdio_checks"]

# What a prompt asks for by name, in code of its own: `let rec f (x : int) =`, `val f :`,
# `module Stack`.  Only at the start of a line: what is indented belongs to something else.
_ASKED = re.compile(
    r"^(?:let(?:\s+rec)?|and|val|module(?:\s+type)?)\s+"
    r"(?:\(\s*(?P<operator>[^\s()\w]+)\s*\)|(?P<name>[A-Za-z_][\w']*))",
    re.MULTILINE,
)


_WORD = re.compile(r"[A-Za-z_][\w']*|(?<=\()[!$%&*+\-./:<=>?@^|~#]+(?=\))")


def request(problem: Problem) -> bytes:
    """
    Write what `tool prepare` reads.
    """
    asked = [m["operator"] or m["name"] for m in _ASKED.finditer(problem.prompt)]
    if not isinstance(problem.tests, str):
        raise TypeError("only tests written in OCaml are rewritten")
    return pack(
        # Windows line ends are no part of any OCaml token.
        problem.tests.replace("\r\n", "\n"),
        problem.signature or "",
        " ".join(dict.fromkeys(asked)),
        " ".join(
            dict.fromkeys(
                _WORD.findall(problem.prompt.replace("( ", "(").replace(" )", ")"))
            )
        ),
        problem.reference or "",
        " ".join(name.capitalize() for name in problem.libraries),
    )


def answer(problem: Problem, items: list[bytes]) -> tuple[PreparedTests, bool]:
    """
    Read its answer; True means that only running the tests tells how many checks there are.

    Raises ProblemError, naming the line, for tests that cannot be used.
    """
    match items:
        case [b"ok", payload, uses, dynamic, *rest]:
            checks = tuple(
                Check(
                    index=index,
                    line=int(line),
                    source=source.decode("utf-8", "replace"),
                )
                for index, (line, source) in enumerate(
                    zip(rest[::2], rest[1::2], strict=True), start=1
                )
            )
            names = tuple(uses.decode().split())
            prepared = PreparedTests(checks=checks, uses=names, payload=payload)
            return prepared, dynamic == b"true"
        case [b"unsupported", line, what]:
            where = f"{problem.id}: tests, line {int(line)}"
            raise ProblemError(
                f"{where}: unsupported: {what.decode('utf-8', 'replace')}"
            )
        case [b"error", line, what]:
            where = _where(problem, int(line))
            raise ProblemError(f"{where}: {what.decode('utf-8', 'replace')}")
    raise EngineFault("the helper that prepares tests answered nonsense")


def _where(problem: Problem, line: int) -> str:
    # The parser reports a missing end on the line after the last.
    last = len(str(problem.tests).splitlines()) or 1
    return f"{problem.id}: tests, line {min(line, last)}"


def stdio_checks(problem: Problem) -> PreparedTests:
    """
    Make one check per case of a program judged on its output.

    Raises ProblemError when there is no case.
    """
    if isinstance(problem.tests, str) or not problem.tests:
        raise ProblemError(f"{problem.id}: no tests: nothing could ever be credited")
    checks = tuple(
        Check(index=index, line=index, source=f"stdin/stdout case {index}")
        for index in range(1, len(problem.tests) + 1)
    )
    return PreparedTests(checks=checks, stdio=problem.tests)
