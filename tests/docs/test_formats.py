"""docs/formats.md names all that the readers take and the records hold."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from cli.score.records import record_line
from cli.terminal import exit_codes as codes
from ocaml_reward import Completion, Problem
from ocaml_reward.engine.engines import select
from ocaml_reward.formats import (
    CompletionLine,
    Item,
    completions,
    endings,
    problems,
    read_completions,
    read_problems,
    stdio,
)
from ocaml_reward.formats.problems import ProblemLine
from ocaml_reward.model import (
    Blame,
    Breakdown,
    CaseGroup,
    CheckResult,
    Credits,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Fault,
    Ground,
    Outcome,
    Penalty,
    Region,
    Span,
    SubLocation,
    Tally,
    Verdict,
)
from ocaml_reward.reasons import FIGURES, Reason, Reasons, Why
from tests.pages import ROOT, examples, marked, section


def rows(text: str) -> list[list[str]]:
    """Return the cells of a section's tables."""
    lines = re.findall(r"^\|(.*)\|$", text, re.MULTILINE)
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def row(text: str, first: str) -> set[str]:
    """Return the keys that stand in the second cell of the row with that first cell."""
    (cells,) = (cells for cells in rows(text) if cells[0] == first)
    return marked(cells[1])


def test_the_formats_page_names_every_key_of_a_problem() -> None:
    """Each key that a reader of problems takes stands in its row, and no other."""
    text = section("formats.md", "## Problems")

    assert set(problems.IDS) == row(text, "id")
    assert set(problems.PROMPTS) == row(text, "prompt")
    assert set(problems.TESTS) == row(text, "tests")
    assert set(problems.REFERENCES) == row(text, "reference")
    assert problems.PROBLEM_FIELDS <= marked(text)


def test_the_formats_page_names_every_key_of_a_case() -> None:
    """Likewise of a case of a program judged by what it prints."""
    text = section("formats.md", "## Tests")

    assert set(stdio.INPUTS) == row(text, "read")
    assert set(stdio.OUTPUTS) == row(text, "printed")


def test_the_formats_page_names_every_key_of_a_completion() -> None:
    text = section("formats.md", "## Completions")
    words = endings.LENGTH_REASONS | endings.END_REASONS | endings.ENDINGS

    assert set(completions.IDS) == row(text, "id of the problem")
    assert set(completions.SINGLE) == row(text, "one completion")
    assert set(completions.SEVERAL) == row(text, "several")
    assert set() == words - marked(text)


def keys(value: Any) -> set[str]:
    """Return every key of a JSON value, however deep."""
    if isinstance(value, dict):
        return {*value, *(key for inner in value.values() for key in keys(inner))}
    if isinstance(value, list):
        return {key for inner in value for key in keys(inner)}
    return set()


def record_table() -> str:
    """Return the table of a record's keys, as the fields of a breakdown are documented."""
    _, _, attributes = str(inspect.getdoc(Breakdown)).partition("Attributes:\n")
    found = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", attributes, re.MULTILINE)
    assert [name for name, _ in found] == [each.name for each in fields(Breakdown)]
    lines = ["| key | value |", "|---|---|"]
    for name, text in found:
        plain = re.sub(r"\s+", " ", text).replace("None", "null").removesuffix(".")
        lines.append(f"| `{name}` | {plain} |")
    return "\n".join(lines) + "\n"


def test_the_table_of_records_says_what_the_fields_say(
    golden: Callable[[Path, str], None],
) -> None:
    """`pytest --promote` writes the table anew."""
    page = ROOT / "docs" / "formats.md"
    before, heading, text = page.read_text("utf-8").partition("\n## Records\n")
    table = r"\| key \| value \|\n\|---\|---\|\n(\|.*\n)+"
    text = re.sub(table, lambda _: record_table(), text, count=1)

    golden(page, before + heading + text)


REASONS = Reasons(
    structural=Reason(code=Why.END_MARKER, available=0.05),
    type=Reason(code=Why.ERRORS, available=0.2, errors=1, rung=1, share=0.8),
    compile=Reason(code=Why.TYPE_ERROR, available=0.1, share=0.1),
    tests=Reason(code=Why.CHECKS, available=0.65, passed=1, total=2),
    solved=Reason(code=Why.UNSOLVED, available=0.1, passed=1, total=2),
)


def record() -> dict[str, Any]:
    """Return a record in which nothing is left out."""
    span = Span(line=1, end_line=1, column=0, end_column=1)
    diagnostic = Diagnostic(
        kind=DiagnosticKind.ERROR,
        source=DiagnosticSource.TYPER,
        message="wrong",
        span=span,
        sub=(SubLocation(file="solution.ml", span=span, message="here"),),
    )
    breakdown = Breakdown(
        problem_id="half",
        reward=None,
        verdict=Verdict.UNGRADED,
        credits=Credits(),
        reasons=REASONS,
        penalties=(Penalty(code="runaway", factor=0.3, evidence="length"),),
        code="",
        type_errors=None,
        parsed_share=None,
        diagnostics=(diagnostic,),
        forbidden=(),
        tests=Tally(
            total=2,
            results=(
                CheckResult(index=1, line=1, outcome=Outcome.PASSED),
                CheckResult(index=2, line=2, outcome=Outcome.FAILED),
            ),
            groups=(CaseGroup(name="half", checks=(1, 2), points=1.0),),
        ),
        regions=(
            Region(
                start=0,
                stop=1,
                line=1,
                end_line=1,
                ground=Ground.ERROR,
                places=((0, 1),),
            ),
        ),
        blame=(Blame(line=1, column=0, end_line=1, end_column=3, weight=1.0),),
        given=((0, 1),),
        through_holes=(CheckResult(index=1, line=1, outcome=Outcome.MET_HOLE),),
        fault=Fault(kind="JailFault", message="no jail"),
        engine="stock",
        sandbox="nsjail",
        scheme="seed",
        toolchain="ocaml 4.13.1",
    )
    line = CompletionLine(
        file="half.json",
        line=1,
        position=0,
        problem_id="half",
        completion=Completion(text=""),
    )
    item = Item(line=line, problem=Problem(id="half", tests="assert true"), index=0)
    found: dict[str, Any] = json.loads(record_line(item, breakdown, name_file=True))
    return found


def test_the_formats_page_lists_the_fields_of_a_record() -> None:
    """The page names every key of a record, those inside them, and every outcome of a check."""
    text = section("formats.md", "## Records")
    outcomes = {outcome.value for outcome in Outcome} - {"passed"}

    assert set() == keys(record()) - marked(text)
    assert set() == outcomes - marked(text)


def test_the_formats_page_lists_the_reasons() -> None:
    """Each code that a part's reason may have stands in a row of that part, with its figures."""
    table = rows(section("formats.md", "### Reasons"))[2:]
    written = {
        (part, code, tuple(re.findall("`(\\w+)`", figures)))
        for part, codes_, figures, _ in table
        for code in re.findall("`(\\w+)`", codes_)
    }

    assert written == {
        (part, code.value, figures)
        for part, known in FIGURES.items()
        for code, figures in known.items()
    }


def test_the_formats_page_lists_the_grounds_of_regions() -> None:
    """Each ground stands in a row with the mark that follows from it."""
    table = rows(section("formats.md", "### Regions"))[2:]

    assert {ground.value: ground.mark.value for ground in Ground} == {
        ground.strip("`"): mark for mark, ground, _ in table
    }


def test_the_formats_page_lists_the_exit_codes() -> None:
    """Each exit code that the commands give a name to has its row."""
    table = {cells[0] for cells in rows(section("formats.md", "## Exit codes"))[2:]}
    named = {codes.BAD_LINES, codes.BAD_INPUT, codes.BAD_MACHINE, codes.BROKEN_PIPE}
    named |= {codes.WARNING, codes.CRITICAL}
    stopped = {codes.STOPPED + number for number in (2, 15)}

    assert {str(code) for code in {0} | named | stopped} == table


def test_the_formats_page_names_the_environment() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "ocaml_reward").rglob("*.py")
    )
    asked = set(re.findall(r'environ(?:\.get\(|\[)"(\w+)"', source))
    # Python's own, handed on to a process.
    asked.remove("PYTHONPATH")
    text = section("formats.md", "## The environment")

    names = "CAML_LD_LIBRARY_PATH", "NSJAIL", "OCAML_REWARD_CACHE", "XDG_CACHE_HOME"

    assert set(names) == asked
    assert all(name in text for name in asked)


def test_the_examples_of_input_are_read(tmp_path: Path) -> None:
    (csv,) = examples("formats.md", "## Problems", "csv")
    (tmp_path / "a.csv").write_text(csv, encoding="utf-8")
    lines = "".join(examples("formats.md", "## Problems", "json"))
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    answers = "".join(examples("formats.md", "## Completions", "json"))
    (tmp_path / "b.jsonl").write_text(answers, encoding="utf-8")
    found = [
        *read_problems(tmp_path / "a.csv"),
        *read_problems(tmp_path / "a.jsonl"),
        *read_completions(tmp_path / "b.jsonl"),
    ]
    (cases,) = examples("formats.md", "## Tests", "json")

    assert [ProblemLine] * 3 + [CompletionLine] * 5 == list(map(type, found))
    assert 2 == len(problems.tests_of({"tests": cases}, ["tests"]))


def test_the_examples_of_tests_are_counted() -> None:
    """The engine finds in each form of tests the checks that one counts in it."""
    engine = select.engine()
    counts = [
        len(engine.prepare(Problem(id="half", tests=text)).checks)
        for block in examples("formats.md", "## Tests", "ocaml")
        for text in re.split(r"\n\n(?=\(\*)", block)
    ]
    engine.close()

    assert [2, 2, 2, 2, 2, 2] == counts
