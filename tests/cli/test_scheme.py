"""`ocaml-reward scheme`: schemes shown and checked."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from ocaml_reward.scheme import load, shipped


def run(*arguments: str | Path) -> Result:
    """Call `ocaml-reward scheme`, its output piped."""
    return CliRunner().invoke(main, ["scheme", *map(str, arguments)], catch_exceptions=False)


def test_without_a_command_the_schemes_are_listed() -> None:
    """Each that ships has a line that says what it is, the first sentence of its file."""
    result = run()
    *lines, last = result.output.splitlines()

    assert 0 == result.exit_code
    assert list(shipped()) == [line.split()[0] for line in lines]
    assert (
        "seed        The default: most is for tests, some for types, compiling and" in result.output
    )
    assert [] == [line for line in lines if not re.fullmatch(r"\w+ +\w[^.]{20,}\.", line)]
    assert "show NAME" in last


class TestShow:
    """Every number of a scheme, for people or as a file."""

    @pytest.mark.parametrize("name", shipped())
    def test_a_pipe_gets_a_file_that_loads(self, name: str, tmp_path: Path) -> None:
        """Piped, the command prints a complete scheme to start one's own from."""
        file = tmp_path / "mine.toml"
        file.write_text(run("show", name).output)

        assert load(name) == load(file)

    def test_nothing_named_is_the_default(self) -> None:
        """Without a name the default scheme is shown, its digest first."""
        assert run("show").output == run("show", "seed").output
        assert run("show").output.startswith(f"# {load('seed').label}\n")

    def test_a_table_lists_every_number(self) -> None:
        lines = run("show", "curriculum", "--table").output.splitlines()
        rows = [line.split() for line in lines]

        assert [load("curriculum").label] == rows[0]
        assert ["min_lines", "8"] in rows
        assert ["tests", "0.65"] in rows
        assert ["until", "epoch", "0.5"] in rows
        assert ["tests", "0.2"] in rows
        assert [
            "Also",
            "shipped:",
            "capped,",
            "concise,",
            "decisive,",
            "letter,",
            "seed.",
        ] == rows[-1]

    def test_a_terminal_gets_the_table(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """People see a table without asking for it; `--toml` asks for the file."""
        runner = CliRunner()
        with runner.isolation() as (stdout, *_):
            monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
            main(["scheme", "show"], standalone_mode=False)
            shown = stdout.getvalue().decode()

        assert load("seed").label in shown.splitlines()[0]
        assert run("show", "--toml").output.startswith("#")

    def test_numbers_can_be_changed_first(self) -> None:
        """`--set` shows the scheme that `score` would use with it, markup left alone."""
        shown = run("show", "--set", "min_lines=1", "--set", "end_marker=(*[b]x*)").output

        assert "min_lines = 1\n" in shown
        assert 'end_marker = "(*[b]x*)"\n' in shown
        assert "(*[b]x*)" in run("show", "--table", "--set", "end_marker=(*[b]x*)").output

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["nope"], "nope: no such file, and no scheme of that name (capped,"),
            (["--set", "x=1"], "--set x=1: unknown key x"),
            (
                ["--set", "min_lines=-1"],
                "--set: min_lines: must be at least 0, found -1",
            ),
        ],
    )
    def test_what_does_not_exist_is_named(self, arguments: list[str], message: str) -> None:
        """An unknown scheme, key or value is one line and exit code 2."""
        result = run("show", *arguments)

        assert 2 == result.exit_code
        assert result.output.startswith(f"ocaml-reward: {message}")
        assert 1 == result.output.count("\n")


class TestCheck:
    """A user's own file, before it is used."""

    def test_a_sound_file_is_ok(self, tmp_path: Path) -> None:
        """A scheme that holds together is named with its digest, exit code 0."""
        file = tmp_path / "mine.toml"
        file.write_text('extends = "concise"\nmin_lines = 3\n')
        result = run("check", file)

        assert 0 == result.exit_code
        assert f"{file}: ok, {load(file).label}\n" == result.output

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('extends = "seed"\n[runaway]\nfactor = 3', "runaway.factor: must be betw"),
            (
                'extends = "seed"\n[available]\ntests = 1',
                "available: must sum to 1, the",
            ),
            ("x", "Expected '=' after a key"),
            (None, "no such file"),
        ],
    )
    def test_a_broken_file_is_named(self, text: str | None, message: str, tmp_path: Path) -> None:
        """The first thing wrong is one line with file and key, exit code 2."""
        file = tmp_path / "mine.toml"
        if text is not None:
            file.write_text(text)
        result = run("check", file)

        assert 2 == result.exit_code
        assert result.output.startswith(f"ocaml-reward: {file}: {message}")
        assert 1 == result.output.count("\n")

    def test_a_name_is_no_file(self) -> None:
        """A scheme that ships needs no check: its name is taken for that of a file."""
        result = run("check", "seed")

        assert 2 == result.exit_code
        assert "ocaml-reward: seed: no such file\n" == result.output
