"""Whether plain OCaml agrees about who passes: code and tests pasted together, compiled by the
user's own ocamlc and run to their end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from ..errors import ProblemError
from ..model import Problem
from ..reading.definitions import defined_names
from .complaints import Complaint
from .trivial import mutants

MUTANTS = 20
"""Wrong versions of a reference that are tried, at the most."""

# Fewer may all be right: not each change makes code wrong.
_ENOUGH = 4
_NOT_PLAIN: Final = re.compile(r"\b(?:OUnit2|Alcotest|QCheck)|%test")

Plain = Callable[[Problem, str], bool]
"""Tells whether a problem's tests come to their end behind some code, as plain OCaml runs them."""


def disagreements(
    problem: Problem,
    code: str,
    passes: Callable[[str], bool],
    plain: Plain,
    *,
    files: Sequence[str] = (),
) -> Iterator[Complaint]:
    """Find programs that pass here and fail as plain OCaml: a reference that does, or wrong versions
    of it; and tests that no wrong version fails.

    Args:
        problem: The problem; of tests that are no OCaml, those of ppx_inline_test, or a
            framework's, which needs files and processes of its own, nothing is said.
        code: Its reference, which passes here.
        passes: Grades code here.
        plain: Runs it plainly.
        files: Modules that the tests take for the file that the code is, unless it defines them.

    Yields:
        A complaint for each, a wrong version with its program.

    Raises:
        MachineError: The machine failed.
    """
    tests = problem.tests
    if not isinstance(tests, str) or _NOT_PLAIN.search(tests):
        return
    said = ": code and tests in one file, compiled and run as they are"
    if not plain(problem, _filed(code, tests, files)):
        message = f"the reference passes here and fails as plain OCaml{said}"
        yield Complaint(kind="plain OCaml", message=message)
        return
    kept = tried = 0
    for mutant in mutants(code, MUTANTS):
        tried += 1
        if not passes(mutant.code):
            continue
        kept += 1
        if not plain(problem, _filed(mutant.code, tests, files)):
            where = f"{mutant.what} in line {mutant.line}"
            message = (
                f"the reference with {where} passes here and fails as plain OCaml{said}"
            )
            yield Complaint(kind="plain OCaml", message=f"{message}\n{mutant.code}")
    if kept == tried >= _ENOUGH:
        message = f"each of {tried} wrong versions of the reference passes{said}"
        yield Complaint(kind="plain OCaml", message=message)


def _filed(code: str, tests: str, files: Sequence[str]) -> str:
    """Put code behind the names of the file that it is, in each of which stand those that tests
    look for in others.
    """
    if not files:
        return code
    names = [name for name in files if name not in defined_names(code)]
    inside = [name for name in names if f".{name}" in tests]
    below = " ".join(f"module {name} = Code__file" for name in inside)
    named = [
        f"module {name} = struct include Code__file {below} end\n" for name in names
    ]
    return (
        f"module Code__file = struct\n{code}\nend\nopen! Code__file\n{''.join(named)}"
    )


def plainly(tried: Callable[..., list[Any]]) -> Plain:
    """Make a `Plain` of `Printing.tried`."""

    def plain(problem: Problem, code: str) -> bool:
        program = f"{code}\n;;\n{problem.tests}"
        try:
            (printed,) = tried(program, [""], libraries=problem.libraries)
        except ProblemError:
            # It does not compile.
            return False
        return not printed.failed

    return plain
