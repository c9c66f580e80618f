"""Errors that are found and not counted, each with the reason."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from cli.main import main

UNKNOWN_FIELD = "type t = { a : int }\nlet f r = r.b + 1\nlet g r = r.b * 2\n"


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


def test_both_commands_say_why_others_are_not_merged(tmp_path: Path) -> None:
    """Two that count stand apart; of one alone there is nothing to say."""
    code, tests = tmp_path / "code.ml", tmp_path / "tests.json"
    tests.write_text('[{"input": "", "output": ""}]', encoding="utf-8")
    said = "the 2 that count are not merged"
    for text, told in (("let f x = x + 1.0\nlet g y = y ^ 2\n", True), (UNKNOWN_FIELD, False)):
        code.write_text(text, encoding="utf-8")
        for command in (
            ["diagnostics", str(code), "--table"],
            ["explain", str(code), "--tests", str(tests)],
        ):
            assert told is (said in CliRunner().invoke(main, [*command, "--why"]).output)
