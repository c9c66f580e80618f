"""Errors that are found and not counted, each with the reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from ocaml_reward.model import CheckReport, StdioCase

TESTS = (StdioCase(stdin="", stdout=""),)
UNKNOWN_FIELD = "type t = { a : int }\nlet f r = r.b + 1\nlet g r = r.b * 2\n"


@pytest.mark.parametrize(
    ("code", "count", "merged"),
    [
        pytest.param(UNKNOWN_FIELD, 1, [("follows", 3)], id="a field, missed twice"),
        pytest.param(
            "module M = Nope\nlet x = M.y\n", 1, [("follows", 2)], id="a lost module"
        ),
        pytest.param(
            'let rec len l = match l with [] -> "0" | _ :: t -> 1 + len t\n',
            1,
            [("wider", 1)],
            id="one within another",
        ),
        pytest.param(
            "let scale k v = k * v\nlet a = scale 2.0 3.0\nlet b = scale 1.5 2.5\n",
            1,
            [("one_cause", 2), ("one_cause", 3), ("one_cause", 3)],
            id="a definition that no use fits",
        ),
        pytest.param(
            "let f x = x + 1\nlet g x = (x + 1) ^ (x * 2)\n",
            1,
            [("one_hole", 2)],
            id="an operator between two",
        ),
        pytest.param("let f x = x + 1.0\nlet g y = y ^ 2\n", 2, [], id="two mistakes"),
    ],
)
def test_what_is_not_counted_has_a_reason(
    check: Callable[..., CheckReport],
    code: str,
    count: int,
    merged: list[tuple[str, int]],
) -> None:
    """The reason, and the line of each error that is merged into those that count."""
    report = check(code, TESTS)
    found = [
        (each.why.value, each.error.span.line if each.error.span else 0)
        for each in report.merged
    ]

    assert count == report.type_errors
    assert merged == found


def test_both_commands_say_why(tmp_path: Path) -> None:
    code, tests = tmp_path / "code.ml", tmp_path / "tests.json"
    code.write_text(UNKNOWN_FIELD, encoding="utf-8")
    tests.write_text('[{"input": "", "output": ""}]', encoding="utf-8")
    said = "line 3, column 12: only follows from an error before it"
    for command in (
        ["diagnostics", str(code), "--table"],
        ["explain", str(code), "--tests", str(tests)],
    ):
        without = CliRunner().invoke(main, command)
        result = CliRunner().invoke(main, [*command, "--why"])

        assert said in result.output, result.output
        assert said not in without.output


def test_why_asks_for_code() -> None:
    result = CliRunner().invoke(main, ["diagnostics", "--why"], input="nothing")

    assert 2 == result.exit_code
    assert "--why is about a FILE.ml" in result.output
