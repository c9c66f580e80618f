"""Both engines find the mistakes that are marked, each at its place, and no other."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.messages.reports import readable
from ocaml_reward.model import Diagnostic, DiagnosticKind, Stage, StdioCase
from tests.engine.cases import FOLDER, Case, read_cases
from tests.engine.counted_programs import MARKED, place

NO_TESTS = (StdioCase(stdin="", stdout=""),)
# How many errors there are from a later version on, which words or places them otherwise.
LATER = {
    "modules: a recursive module that breaks its signature": ((5, 3), 2),
    "modules: a constraint on a module type": ((5, 5), 1),
}
# The marks are where 4.13 places an error; later versions may mark more or less of its line.
PLACES_MOVE = (5, 1)


@cache
def ocamlcs_own(code: str) -> list[Diagnostic]:
    """Return what ocamlc itself says of the code: the same beside each engine."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "solution.ml").write_text(code, encoding="utf-8")
        command = [str(locate().ocamlc), "-error-style", "short", "-color", "never"]
        command += ["-w", "-a", "-c", "solution.ml"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return list(readable(done.stderr))


@pytest.mark.parametrize("name", MARKED)
def test_each_mistake_is_found_at_its_place(name: str, check: Callable[..., CheckReport]) -> None:
    """As many errors as mistakes, each at its very place with a message; of code alone, the
    first is ocamlc's own: span, message and hint.
    """
    program = MARKED[name]
    report = check(program.code, program.tests or NO_TESTS)
    found = [d for d in report.diagnostics if d.kind is DiagnosticKind.ERROR]
    stage = Stage.INTERFACE_ERROR if program.tests else Stage.TYPE_ERROR

    assert report.stage is stage
    number = locate().number
    since, count = LATER.get(name, (number, len(program.spans)))
    if number < since:
        count = len(program.spans)
    assert report.type_errors == len(found) == count
    spans = sorted((d.span for d in found if d.span), key=place)
    if number < PLACES_MOVE:
        assert spans == list(program.spans)
    else:
        assert {span.line for span in spans} <= {span.line for span in program.spans}
    assert all(d.message for d in found)
    if not program.tests:
        assert found[:1] == ocamlcs_own(program.code)


@pytest.mark.parametrize("case", read_cases(FOLDER / "ill_typed.ml"), ids=lambda case: case.place)
def test_the_first_error_is_ocamlcs_own(case: Case, check: Callable[..., CheckReport]) -> None:
    """Message, place and hint; the others have a report each, and some of the code types."""
    report = check(case.code, NO_TESTS)
    found = [d for d in report.diagnostics if d.kind is DiagnosticKind.ERROR]

    assert found[:1] == ocamlcs_own(case.code or "")
    assert len(found) == report.type_errors
    assert 0.0 <= (report.typed_fraction or 0.0) < 1.0
