"""Recorded compiler output, beside the program that caused it, and what is read in it.

`<version>/<case>.ml` opens with `(* $ command *)` where it is not `ocamlc -c FILE`;
`.stderr` is what that compiler prints, `.json` what `parse` makes of it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from ocaml_reward.diagnostics import parse, render
from ocaml_reward.record import diagnostic_to_dict

GOLDEN = Path(__file__).parents[1] / "golden" / "diagnostics"
CASES = sorted(GOLDEN.glob("*/*.stderr"))

by_case = pytest.mark.parametrize(
    "path", CASES, ids=[f"{path.parent.name}-{path.stem}" for path in CASES]
)


@cache
def local_version() -> str:
    """Return the version of the compiler on this machine."""
    command = ["ocamlc", "-version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def command_of(program: Path) -> str:
    """Return the shell command that a program names in its first line."""
    first = program.read_bytes().decode().partition("\n")[0]
    found = re.fullmatch(r"\(\* \$ (.+) \*\)", first)
    command = "ocamlc -c FILE" if found is None else found[1]
    return command.replace("FILE", program.name)


def output_of(program: Path, folder: Path) -> str:
    """Compile a copy of a program in a folder and return everything that was printed."""
    for file in program.parent.glob(f"{program.stem}*"):
        if file.suffix in {".ml", ".mli"}:
            shutil.copy(file, folder)
    done = subprocess.run(
        ["sh", "-c", command_of(program)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode()


@by_case
def test_reading(path: Path, golden: Callable[[Path, str], None]) -> None:
    found = parse(path.read_bytes().decode())
    records = [diagnostic_to_dict(each) for each in found]
    text = json.dumps(records, indent=2, ensure_ascii=False)

    golden(path.with_suffix(".json"), f"{text}\n")


@by_case
def test_recordings_round_trip(path: Path) -> None:
    """What was read from a real compiler survives being written and read again."""
    found = parse(path.read_bytes().decode())

    assert found == parse(render(found))


@pytest.mark.parametrize(
    "path",
    [path for path in CASES if path.parent.name == local_version()],
    ids=lambda path: path.stem,
)
def test_recordings_are_real(
    path: Path, tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    """The compiler of this machine prints just what was recorded with its version."""
    golden(path, output_of(path.with_suffix(".ml"), tmp_path))


def test_every_program_is_recorded() -> None:
    """No program was forgotten: each has its output and its reading beside it."""
    programs = {path.with_suffix("") for path in GOLDEN.glob("*/*.ml")}

    assert programs == {path.with_suffix("") for path in CASES}
    assert programs == {path.with_suffix("") for path in GOLDEN.glob("*/*.json")}
