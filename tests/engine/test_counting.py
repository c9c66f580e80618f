"""Every type error counts, what follows from one counts with it, and ocamlc's comes first."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ocaml_reward.engine.build import engine_folder
from ocaml_reward.engine.protocol import netstrings
from ocaml_reward.engine.reports import readable
from ocaml_reward.engine.toolchain import locate
from ocaml_reward.model import Diagnostic
from tests.ill_typed import PROGRAMS


def counted(code: str, folder: Path) -> tuple[int, float, tuple[Diagnostic, ...]]:
    """Count with the engine's own helper: errors, typed fraction, reports."""
    (folder / "solution.ml").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [engine_folder() / "tool", "count", "", "type_error", ""],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    assert b"" == done.stderr
    _, count, fraction, _, _, *reports = netstrings(done.stdout)
    return int(count), float(fraction), readable(b"".join(reports))


def first_error(code: str, folder: Path) -> tuple[Diagnostic, ...]:
    """Return what ocamlc says of the same code: one error."""
    (folder / "solution.ml").write_text(code, encoding="utf-8")
    command = [str(locate().ocamlc), "-error-style", "short", "-color", "never"]
    command += ["-w", "-a", "-c", "solution.ml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return readable(done.stderr)


@pytest.mark.parametrize("name", PROGRAMS)
def test_mistakes_are_counted(name: str, tmp_path: Path) -> None:
    """The count is the number of mistakes, and each has a report."""
    errors, code = PROGRAMS[name]
    count, fraction, reports = counted(code, tmp_path)

    assert (errors, errors) == (count, len(reports))
    assert 0.0 <= fraction < 1.0


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_first_is_ocamlcs_own(name: str, tmp_path: Path) -> None:
    """The first report is the compiler's only one: message, place, hint."""
    code = PROGRAMS[name][1]
    _, _, reports = counted(code, tmp_path)

    assert first_error(code, tmp_path) == reports[:1]


def test_a_type_left_open_is_one_mistake(tmp_path: Path) -> None:
    """Typing finds no fault with it; ocamlc's own report is the one there is."""
    count, fraction, reports = counted("let a = 1\nlet seen = ref []", tmp_path)

    assert (1, ()) == (count, reports)
    assert 0.0 < fraction < 1.0
