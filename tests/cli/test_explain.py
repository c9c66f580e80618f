"""`explain`: the account of one reward, as a person reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from cli.explain.listing import listing
from cli.explain.sections import check_lines
from cli.explain.sources import CheckSources
from ocaml_reward import EngineFault
from ocaml_reward.model import CheckResult, Diagnostic, Limit, Outcome
from ocaml_reward.testing import FakeEngine, diagnostic, report

from .conftest import Invoke
from .explained import FAILING, ROWS, TESTS, engine

Write = Callable[[str, Iterable[object]], Path]
GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("index", "name", "options"),
    [
        (0, "explain_ill_typed.txt", ()),
        (1, "explain_capped.txt", ("--scheme", "capped", "--set", "min_lines=1")),
    ],
)
def test_explanations(  # noqa: PLR0917 - pytest gives fixtures by name
    write: Write,
    invoke: Invoke,
    golden: Callable[[Path, str], None],
    index: int,
    name: str,
    options: tuple[str, ...],
) -> None:
    """The code with carets, the checks, the ladder, the penalties and the sum are shown."""
    path = write("c.jsonl", ROWS)

    result = invoke(
        "explain", path, "--problem", "add", "--index", str(index), *options,
        engine=engine(),
    )  # fmt: skip

    assert 0 == result.exit_code
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    # The digest changes with every number of a scheme, and is tested with the schemes.
    golden(GOLDEN / name, re.sub("@[0-9a-f]{8}", "@12345678", result.stdout))


def test_a_solved_problem_is_explained_where_it_pays(
    write: Write, invoke: Invoke, tmp_path: Path
) -> None:
    """A scheme that pays for it has a line for it and a term in the sum, now and as recorded."""
    path = write("c.jsonl", ROWS)
    output = tmp_path / "o.jsonl"
    options = ("--scheme", "decisive", "--set", "min_lines=1")
    shown = ("--problem", "add", "--index", "1")
    invoke("score", path, "-o", output, *options, engine=engine())

    now = invoke("explain", path, *shown, *options, engine=engine())
    then = invoke("explain", output, *shown)

    for result in (now, then):
        assert (
            "  solved      0.0000 of 0.80  not every check passes: all or nothing\n"
            in result.stdout
        )
        assert "  0.0000 + 0.0400 + 0.0200 + 0.0650 + 0.0000 = 0.1250\n" in result.stdout


def test_a_lone_file(invoke: Invoke, tmp_path: Path) -> None:
    """A file of code with a file of tests needs no JSON around them."""
    code, tests = tmp_path / "add.ml", tmp_path / "tests.ml"
    code.write_text(FAILING)
    tests.write_text(TESTS)

    result = invoke("explain", code, "--tests", tests, engine=engine())
    without = invoke("explain", code)

    assert str(code) == result.stdout.splitlines()[0]
    assert "checks: 1 of 2 passed" in result.stdout
    assert 2 == without.exit_code
    assert f"ocaml-reward: {code} needs --tests" in without.stderr


def test_a_marker_without_a_program(write: Write, invoke: Invoke) -> None:
    """A marker that earns nothing is not said to be missing."""
    path = write("c.jsonl", [{"id": "a", "completion": "] (* END *)", "tests": TESTS}])
    running = FakeEngine(otherwise=report(stage="syntax_error", parsed_share=0.0))

    result = invoke("explain", path, engine=running)

    assert (
        "structural  0.0000 of 0.05  (* END *) stands, but there is no program before"
    ) in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--problem", "sub"), "has no completion of problem 'sub'"),
        (
            ("--problem", "add", "--index", "2"),
            "has 2 of problem 'add': --index goes from 0 to 1",
        ),
        (("--problem", "bare"), "problem 'bare' has no tests"),
        (("--index", "7"), "has 2 of problem 'add'"),
    ],
)
def test_no_such_completion(
    write: Write, invoke: Invoke, arguments: tuple[str, ...], message: str
) -> None:
    """What is not there is one line that says what is."""
    path = write("c.jsonl", [*ROWS, {"id": "bare", "completion": "x"}])

    result = invoke("explain", path, *arguments)

    assert 2 == result.exit_code
    assert message in result.stderr


def test_errors_that_nobody_could_count(write: Write, invoke: Invoke) -> None:
    """Code with more type errors than the counter bears is read at the last rung."""
    path = write("c.jsonl", [{"id": "a", "completion": "let x = ()", "tests": TESTS}])
    uncounted = replace(report(stage="type_error"), type_errors=None)

    result = invoke("explain", path, engine=FakeEngine(otherwise=uncounted))

    assert (
        "type        0.0080 of 0.20  more type errors than could be counted: 0.04 of"
    ) in result.stdout
    assert "[10+: 0.04]" in result.stdout


def test_forbidden_code_may_be_ill_typed_too(write: Write, invoke: Invoke) -> None:
    """The rung shown for forbidden code is the one that its type errors were paid at."""
    path = write("c.jsonl", [{"id": "a", "completion": "let x = 1", "tests": TESTS}])
    answer = report(stage="type_error", type_errors=2, forbidden=["Obj (line 1)"])
    result = invoke("explain", path, engine=FakeEngine(otherwise=answer))

    assert "2 type errors: 0.60 of it" in result.stdout


def test_an_unscored_completion(write: Write, invoke: Invoke) -> None:
    """What our machine failed to score has no sum, and exit code 3."""
    path = write("c.jsonl", ROWS)
    failing = FakeEngine(otherwise=EngineFault("it died"))

    result = invoke("explain", path, engine=failing)

    assert 3 == result.exit_code
    assert "not scored, EngineFault: it died" in result.stdout


def test_untrusted_text_stays_text(write: Write, invoke: Invoke) -> None:
    """Escapes, markup and overrides in code, messages and ids are shown, never obeyed."""
    evil = 'let x = "\x1b]0;owned\x07[red]\u202e" (* [/] [link=http://x]y[/link] *)'
    running = FakeEngine(
        otherwise=report(
            stage="type_error",
            diagnostics=[diagnostic("[bold]\x1b[31mhello[/bold]\r\nbye", columns=(0, 3))],
        )
    )
    path = write("c.jsonl", [{"id": "a[b]\x1b", "completion": evil, "tests": TESTS}])

    result = invoke("explain", path, engine=running)

    assert 0 == result.exit_code
    assert not {"\x1b", "\x07", "\r", "\u202e"} & set(result.stdout)
    assert "a[b]\ufffd, completion 0" in result.stdout
    assert "[red]\ufffd" in result.stdout
    assert "[/] [link=http://x]y[/link]" in result.stdout
    assert "[bold]\ufffd[31mhello[/bold] bye" in result.stdout


def shown(code: str, *diagnostics: Diagnostic, width: int = 40) -> list[str]:
    """Return a listing's lines, none of which is wider than the terminal."""
    lines = [line.plain for line in listing(code, diagnostics, width=width)]
    assert all(cell_len(line) <= width for line in lines)
    return lines


def test_long_lines_are_wrapped() -> None:
    """All of a line is shown, its rows end after blanks, and carets stand below what they mark."""
    line = "let total = first_value + second_value + third_value + fourth_value"
    low = line.index("second")
    found = diagnostic("bad", columns=(low, low + len("second_value + third_value")))

    assert [
        "  1 │ let total = first_value +",
        "    │ second_value + third_value +",
        "    │ ^^^^^^^^^^^^^^^^^^^^^^^^^^",
        "    │ error (typer): bad",
        "    │ fourth_value",
    ] == shown(line, found)


def test_carets_go_on_in_the_next_row() -> None:
    """What is marked across rows has carets in each of them, and its message once, below; wide
    characters and tabs have their columns.
    """
    line = '\tlet s = "字字字字" in f s "字字字字字字字字字字字字字字字字" + x'
    low = line.index('"字字字字字字')
    start, stop = (len(line[:at].encode()) for at in (low, len(line)))
    found = diagnostic("bad", columns=(start, stop))

    assert [
        '  1 │     let s = "字字字字" in f s',
        '    │ "字字字字字字字字字字字字字字字字"',
        "    │ " + "^" * 35,
        "    │ + x",
        "    │ ^^^",
        "    │ error (typer): bad",
    ] == shown(line, found, width=42)


def test_checks_that_fail_are_shown_whole() -> None:
    """The source of a failing check goes on below; of one that passes it is a line."""
    source = "assert (first_function [1; 2; 3] = [second_function 1; 2; 3])"
    results = (
        CheckResult(index=1, line=1, outcome=Outcome.PASSED),
        CheckResult(index=2, line=2, outcome=Outcome.FAILED),
    )
    sources = CheckSources(checks={1: source, 2: source})

    assert [
        "  ✓   1  line 1    passed         assert (first_function [1; 2;…",
        "  ✗   2  line 2    failed         assert (first_function [1; 2;",
        "                                  3] = [second_function 1; 2;",
        "                                  3])",
    ] == [line.plain for line in check_lines(results, sources, width=64)]


def test_steps_are_shown_where_they_are_many_or_a_limit() -> None:
    """Beside the reference's, if they are known."""
    results = (
        CheckResult(index=1, line=1, outcome=Outcome.PASSED, steps=999, reference_steps=9),
        CheckResult(index=2, line=2, outcome=Outcome.PASSED, steps=41_200, reference_steps=900),
        CheckResult(index=3, line=3, outcome=Outcome.PASSED, steps=1000),
        CheckResult(
            index=4,
            line=4,
            outcome=Outcome.OUTPUT_LIMIT,
            limit=Limit.OUTPUT,
            steps=7,
            reference_steps=9,
        ),
        CheckResult(index=5, line=5, outcome=Outcome.TIMED_OUT, limit=Limit.CPU, reference_steps=9),
    )
    sources = CheckSources(checks=dict.fromkeys(range(1, 6), "assert b"))
    lines = [line.plain for line in check_lines(results, sources, width=64)]

    assert ["41,200 steps, the reference 900", "1,000 steps", "7 steps, the reference 9"] == [
        line.strip() for line in lines if "assert" not in line
    ]


def test_a_line_without_blanks_is_wrapped_anywhere() -> None:
    line = "let x = " + "y" * 50 + "!"
    found = diagnostic("bad", columns=(58, 59))

    assert [
        "  1 │ let x = " + "y" * 26,
        "    │ " + "y" * 24 + "!",
        "    │ " + " " * 24 + "^",
        "    │ error (typer): bad",
    ] == shown(line, found)


def test_long_code_is_shown_around_its_diagnostics(write: Write, invoke: Invoke) -> None:
    """Of long code and long lines only the parts that matter are shown, carets in place."""
    long = "let y = " + "1 + " * 500 + "true"
    code = "\n".join([*["let x = 1"] * 500, long, *["let z = 2"] * 500])
    running = FakeEngine(
        otherwise=report(
            stage="type_error",
            diagnostics=[
                diagnostic("bad", line=501, columns=(2008, 2012)),
                diagnostic("elsewhere", line=5000),
            ],
        )
    )
    path = write("c.jsonl", [{"id": "a", "completion": code, "tests": TESTS}])

    lines = invoke("explain", path, engine=running).stdout.splitlines()

    assert len(lines) < 60
    assert all(len(line) <= 80 for line in lines)
    place = next(n for n, line in enumerate(lines) if "true" in line)
    assert lines[place].index("true") == lines[place + 1].index("^^^^")
    assert "  solution.ml, line 5000: error (typer): elsewhere" in lines
    assert any("497 lines" in line for line in lines)
    assert any("characters" in line for line in lines)
