"""Foreign folders whose import would hang, die, or read what is outside: each is left out, with the
reason.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward.formats.importing import import_problems
from ocaml_reward.formats.lines import BadLine
from tests.formats.test_folders import HALF, PACKAGE, SUM, SUM_ZIP, Files, problem_of, written

DMOJ: Files = {**SUM, "sum.zip": SUM_ZIP}
MATCHED: Files = {"init.yml": "test_cases: {input_format: '%s'}\n", "1.in": "1\n", "1.out": "1\n"}
SECRET = "in none of the problems"


def fifo(path: Path) -> None:
    os.mkfifo(path)


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def secret(path: Path) -> None:
    (path.parents[3] / "secret").write_text(SECRET)
    path.symlink_to(os.path.relpath(path.parents[3] / "secret", path.parent))


def matched(form: str) -> Files:
    return {**MATCHED, "init.yml": f"test_cases: {{input_format: '{form}'}}\n", "a" * 60 + "!": ""}


OUTSIDE, TOO_LARGE = "is a link to what is outside", "more than 16,000,000 bytes"
HOSTILE = {
    "fifo": (PACKAGE, "data/secret/a.in", fifo, "no a.in"),
    "fifo of an answer": (PACKAGE, "data/secret/a.ans", fifo, "no a.ans beside a.in"),
    "device": (PACKAGE, "data/secret/a.in", link("/dev/zero"), OUTSIDE),
    "device as mark": (HALF, "test.ml", link("/dev/zero"), OUTSIDE),
    "link": (PACKAGE, "data/secret/a.in", link("/etc/passwd"), OUTSIDE),
    "link to a folder": (HALF, "hidden", link("/etc"), OUTSIDE),
    "link by a way": (HALF, ".docs/instructions.md", secret, OUTSIDE),
    "link to a solution": (HALF, ".meta/example.ml", secret, OUTSIDE),
    "sparse input": (PACKAGE, "data/secret/a.in", sparse, TOO_LARGE),
    "sparse tests": (HALF, "test.ml", sparse, ""),
    "sparse settings": (DMOJ, "init.yml", sparse, TOO_LARGE),
    "sparse statement": (DMOJ, "statement.md", sparse, TOO_LARGE),
    "loop": (HALF, "test.ml", link("test.ml"), ""),
    "exponential pattern": (matched("(a+)+$"), "", None, "input_format: a pattern that takes"),
    "pattern that is none": (matched("("), "", None, "input_format: missing )"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_it_is_left_out(case: str, tmp_path: Path) -> None:
    files, place, made, why = HOSTILE[case]
    folder = written(tmp_path / "given" / "problem", files)
    beside = written(tmp_path / "given" / "beside", PACKAGE)
    if made:
        path = folder / place
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        made(path)
    found = {str(Path(each.found.file).parent): each for each in import_problems(folder.parent)}
    left_out = (found.get(str(folder)) or found[str(folder.parent)]).found

    assert "Print the sum." in problem_of(found[str(beside)]).prompt
    assert isinstance(left_out, BadLine)
    assert why in left_out.message
    assert SECRET not in left_out.message


def test_links_within_the_imported_folder_are_followed(tmp_path: Path) -> None:
    """Exercises of a track share files."""
    written(tmp_path / "shared", {"half.mli": HALF["half.mli"]})
    folder = written(tmp_path / "half", HALF)
    (folder / "half.mli").unlink()
    (folder / "half.mli").symlink_to("../shared/half.mli")
    (found,) = import_problems(tmp_path)

    problem = problem_of(found)

    assert "val half" in f"{problem.signature}{problem.prompt}"
