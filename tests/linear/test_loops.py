"""
No loop of ours over a completion, its output or what the compiler says of it takes more than
linear time: in operations that are counted, over texts that are made to take long.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.linear.counting import Counter, loops_of
from tests.linear.loops import FLOOR, GROWTH

ROOT: Final = Path(__file__).parent.parent.parent
# What reads such texts, as files or folders.
READERS: Final = (
    "ocaml_reward/reading", "ocaml_reward/diagnostics", "ocaml_reward/scoring",
    "ocaml_reward/model/feedback.py", "ocaml_reward/wire", "cli/report/details.py",
    "cli/explain/listing.py", "trainer_plugin/located/credit.py",
    *(f"ocaml_reward/engine/{name}.py" for name in
      ("forms", "judge", "outputs", "protocol", "reports", "run_outcome", "tally", "values")),
)  # fmt: skip
# Loops that these texts do not reach, and why they cannot be long: by file and function.
BOUNDED: Final[dict[str, str]] = {}


@pytest.fixture(scope="module")
def driven() -> dict[str, Any]:
    """
    Run all texts through what reads them.
    """
    run = subprocess.run(
        [sys.executable, "-m", "tests.linear.loops"],
        cwd=ROOT, check=True, capture_output=True, timeout=900,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_no_text_takes_more_than_linear_time(driven: dict[str, Any]) -> None:
    """
    Four times the text takes about four times the operations, from some size on.
    """
    slow = {
        name: counts
        for name, counts in driven["counts"].items()
        if counts[-1] > GROWTH * counts[-2] + FLOOR
    }

    assert {} == slow
    assert len(driven["counts"]) > 300


def test_every_loop_was_run(driven: dict[str, Any]) -> None:
    """
    A loop that no text reaches is one that nothing is known of.
    """
    ran = {(module, line) for module, line in driven["ran"]}
    missed = {}
    for reader in READERS:
        path = ROOT / reader
        for file in [path] if path.is_file() else sorted(path.glob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            module = ".".join(parts).removesuffix(".__init__")
            for function, line in loops_of(file):
                name = f"{module}.{function}"
                if (module, line) not in ran and name not in BOUNDED:
                    missed[f"{name}:{line}"] = file.read_text().split("\n")[line - 1]

    assert {} == missed


def test_what_is_quadratic_is_counted() -> None:
    """
    A loop that looks at all of a text in each turn takes sixteen times as much for four times
    the text.
    """
    counter = Counter()

    def lines_before_each(text: str) -> int:
        begin = counter.total
        for place in range(len(text)):
            counter.call(text.count, "\n", 0, place)
        return counter.total - begin

    assert lines_before_each("x" * 400) > 14 * lines_before_each("x" * 100)
