"""Cross-check: compiles code and tests in one file with plain ocamlc and compares the verdict."""

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
"""Maximum number of mutants that are tried."""

# Fewer mutants may all be correct, as not every change is a mistake.
_ENOUGH = 4
_NOT_PLAIN: Final = re.compile(r"\b(?:OUnit2|Alcotest|QCheck)|%test")

Plain = Callable[[Problem, str], bool]
"""Returns whether a problem's tests finish after some code, run by plain OCaml."""


def disagreements(
    problem: Problem,
    code: str,
    passes: Callable[[str], bool],
    plain: Plain,
    *,
    files: Sequence[str] = (),
) -> Iterator[Complaint]:
    """Find programs that pass here and fail with plain OCaml, and tests that no mutant fails.

    The programs are the reference and its mutants.

    Args:
        problem: The problem. Nothing is reported for tests that are not OCaml, and for those of
            ppx_inline_test or a framework, which need files and processes.
        code: Its reference, which passes here.
        passes: Grades code here.
        plain: Runs it with plain OCaml.
        files: Modules that the tests use as the code's file, unless the tests define them.

    Yields:
        A complaint for each program, with the program if it is a mutant.

    Raises:
        MachineError: The machine failed.
    """
    tests = problem.tests
    if not isinstance(tests, str) or _NOT_PLAIN.search(tests):
        return
    note = ": code and tests in one file, compiled and run as they are"
    if not plain(problem, _wrapped_in_modules(code, tests, files)):
        message = f"the reference passes here and fails as plain OCaml{note}"
        yield Complaint(kind="plain OCaml", message=message)
        return
    kept = tried = 0
    for mutant in mutants(code, MUTANTS):
        tried += 1
        if not passes(mutant.code):
            continue
        kept += 1
        if not plain(problem, _wrapped_in_modules(mutant.code, tests, files)):
            where = f"{mutant.what} in line {mutant.line}"
            message = f"the reference with {where} passes here and fails as plain OCaml{note}"
            yield Complaint(kind="plain OCaml", message=f"{message}\n{mutant.code}")
    if kept == tried >= _ENOUGH:
        message = f"each of {tried} wrong versions of the reference passes{note}"
        yield Complaint(kind="plain OCaml", message=message)


def _wrapped_in_modules(code: str, tests: str, files: Sequence[str]) -> str:
    """Wrap code in the modules of its file, each with the names that tests look for in
    the others.
    """
    if not files:
        return code
    names = [name for name in files if name not in defined_names(code)]
    inside = [name for name in names if f".{name}" in tests]
    below = " ".join(f"module {name} = Code__file" for name in inside)
    named = [f"module {name} = struct include Code__file {below} end\n" for name in names]
    return f"module Code__file = struct\n{code}\nend\nopen! Code__file\n{''.join(named)}"


def plain_checker(tried: Callable[..., list[Any]]) -> Plain:
    """Return a `Plain` from `Printing.tried`."""

    def plain(problem: Problem, code: str) -> bool:
        program = f"{code}\n;;\n{problem.tests}"
        try:
            (printed,) = tried(program, [""], libraries=problem.libraries)
        except ProblemError:
            # It does not compile.
            return False
        return not printed.failed

    return plain
