"""
Files stay short enough to be read at one sitting.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = (
    "ocaml_reward",
    "ocaml_reward_server",
    "cli",
    "problem_sets",
    "trainer_plugin",
    "tests",
    "docs",
    "benchmarks",
)
SUFFIXES = {".py", ".ml", ".mli", ".c", ".h"}
LIMIT = 800

# A longer file gives its reason here.
LONGER: dict[str, str] = {}


def line_counts() -> dict[str, int]:
    """
    Return the number of lines of each source file, by its path in the checkout.
    """
    return {
        path.relative_to(ROOT).as_posix(): len(path.read_bytes().splitlines())
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in SUFFIXES
    }


def test_files_are_short() -> None:
    """
    A source file has at most 800 lines, unless it is listed with a reason.
    """
    over = {path: lines for path, lines in line_counts().items() if lines > LIMIT}

    assert {} == {path: lines for path, lines in over.items() if path not in LONGER}


def test_reasons_are_still_needed() -> None:
    """
    A file that has become short again leaves the list.
    """
    counts = line_counts()

    assert [] == [path for path in LONGER if counts.get(path, 0) <= LIMIT]
