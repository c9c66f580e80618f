"""Schemes that do not hold together are refused when they are loaded, in one line that
names the file and the key.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ocaml_reward.errors import SchemeError
from ocaml_reward.scheme import load, with_overrides


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[runaway]\nfactor = 2", "runaway.factor: must be between 0 and 1, found 2"),
        ("[runaway]\nfactor = nan", "runaway.factor: expected a finite number"),
        (
            "[runaway]\nfactr = 1",
            "runaway.factr: unknown key; did you mean factor?",
        ),
        ("min_line = 1", "min_line: unknown key; did you mean min_lines?"),
        ("qwerty = 1\n[runaway]\nfactr = 1", "qwerty: unknown key"),
        (
            "[shaping]\nenabled = 1\n[runaway]\nfactr = 1\n[available]\ntests = 'x'",
            "shaping.enabled: expected true or false",
        ),
        ("[budget]\nmemori_mb = 1\nstack_mb = 'x'", "budget.memori_mb: unknown key;"),
        ("[budget]\nstack_mb = 'x'\nmemori_mb = 1", "budget.stack_mb: expected a"),
        ("min_lines = 1.5", "min_lines: expected a whole number, found a number"),
        ("min_lines = -1", "min_lines: must be at least 0, found -1"),
        ("[available]\ntype = 0.3", "available: must sum to 1, the parts sum to 1.1"),
        ("[available]\ntype = -0.3", "available.type: must be between 0 and 1"),
        ("[available]\nsolved = -0.3", "available.solved: must be between 0 and 1"),
        (
            "[available]\nsolvd = 0",
            "available.solvd: unknown key; did you mean solved?",
        ),
        ("[type]\nladder = [1, 0.5, 0.6]", "type.ladder: must fall from one rung"),
        ("[type]\nladder = [0.9]", "type.ladder: must start at 1"),
        ("[type]\nladder = []", "type.ladder: must start at 1"),
        ("[type]\nladder = [1, 'x']", "type.ladder[1]: expected a number, found a str"),
        ("[type]\nladder = [1, 0.01]", "type.syntax_error_share: must not exceed the"),
        (
            "[compile]\nlink_error = 0.05",
            "compile: must fall from one rung to the next",
        ),
        ("[budget]\nmemory_mb = 0", "budget.memory_mb: must be above 0, at most 1,048,576"),
        ("[budget]\ntests_wall_s = 1e308", "budget.tests_wall_s: must be above 0, at most"),
        ("[budget]\nfile_bytes = 1" + "0" * 400, "budget.file_bytes: must be above 0, at most"),
        ("[shaping]\nenabled = 1", "shaping.enabled: expected true or false, found a"),
        ("type = 3", "type: expected an object, found a whole number"),
        ('end_marker = ""', "available.structural: must be 0 without an end_marker"),
        ('end_marker = " x"', "end_marker: must be one line without spaces around it"),
        ('name = "a b"', "name: must be 1 to 64 letters, digits, dots, dashes or"),
        ("phases = [3]", "phases[0]: expected an object, found a whole number"),
        ("[degenerate]\nrepeat_chars = 1", "degenerate.repeat_chars: must be at least"),
        ("x = ", "Invalid value (at line 2, column 5)"),
    ],
)
def test_a_broken_file_names_itself_and_the_key(text: str, message: str, tmp_path: Path) -> None:
    """A scheme that does not hold together is refused when it is loaded, in one line about
    the first key that is wrong, in the order of the file.
    """
    file = tmp_path / "mine.toml"
    file.write_text(f'extends = "seed"\n{text}\n')
    with pytest.raises(SchemeError) as caught:
        load(file)

    assert str(caught.value).startswith(f"{file}: {message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "x"', 'end_marker: missing; extends = "seed" takes over what is not named'),
        ('extends = "seed"\n[[phases]]\nuntil_epoch = 1', "phases[0].available: missing"),
        ("extends = 3", "extends: expected a string"),
        ('extends = "mine.toml"', "extends: a file cannot extend itself"),
    ],
)
def test_what_a_file_extends_is_checked(text: str, message: str, tmp_path: Path) -> None:
    """A file that extends nothing is complete, and none extends itself."""
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(SchemeError) as caught:
        load(file)

    assert str(caught.value).endswith(f"mine.toml: {message}")


def test_phases_come_in_order(tmp_path: Path) -> None:
    """A phase that ends before the one above it is refused."""
    phase = (
        "[[phases]]\nuntil_epoch = 1\n[phases.available]\n"
        "structural = 0\ntype = 0.5\ncompile = 0\ntests = 0.5\n"
    )
    file = tmp_path / "mine.toml"
    file.write_text(f'extends = "seed"\n{phase}{phase}')
    with pytest.raises(SchemeError, match=r"phases\[1\]\.until_epoch: must be later"):
        load(file)


@pytest.mark.parametrize("content", [None, b"\xff", "folder"])
def test_a_file_that_cannot_be_read_is_one_line(
    content: bytes | str | None, tmp_path: Path
) -> None:
    """A missing file, a folder and bytes that are no text are errors of the input."""
    file = tmp_path / "mine.toml"
    if isinstance(content, bytes):
        file.write_bytes(content)
    elif content:
        file.mkdir()
    with pytest.raises(SchemeError) as caught:
        load(str(file))

    assert str(caught.value).startswith(f"{file}: ")


class TestOverrides:
    """`--set KEY=VALUE` changes one number, under the laws of a file."""

    def test_single_numbers_change(self) -> None:
        """Keys are dotted, values as in TOML; text and `.5` are taken as people write them."""
        changed = with_overrides(
            load("seed"),
            ["runaway.factor=.2", "min_lines = 1", "end_marker=(* FIN *)"],
        )

        assert 0.2 == changed.penalties.runaway.factor
        assert 1 == changed.penalties.min_lines
        assert "(* FIN *)" == changed.end_marker
        assert load("seed").label != changed.label

    def test_several_are_checked_together(self) -> None:
        """Weights can be moved from one part to another."""
        moved = with_overrides(load("seed"), ["available.type=0.1", "available.tests=0.75"])

        assert 0.75 == moved.available.tests

    @pytest.mark.parametrize(
        ("override", "message"),
        [
            ("min_lines", "--set min_lines: expected KEY=VALUE"),
            ("a.b=1", "--set a.b=1: unknown key a.b"),
            ("runaway.b=1", "--set runaway.b=1: unknown key runaway.b"),
            (
                "runway.factor=1",
                "--set runway.factor=1: unknown key runway.factor; did you mean runaway.factor?",
            ),
            ("runaway=1", "--set: runaway: expected an object, found a whole number"),
            ("min_lines=x", "--set: min_lines: expected a whole number, found a str"),
        ],
    )
    def test_wrong_ones_are_named(self, override: str, message: str) -> None:
        """An override that cannot be applied is an error of the input."""
        with pytest.raises(SchemeError) as caught:
            with_overrides(load("seed"), [override])

        assert str(caught.value).startswith(message)
