"""Wheels built from this checkout, and fresh environments that they are installed in.

Nothing is fetched: what a wheel needs comes from environments that have it, behind what is
installed, and as plain folders, so that a `.pth` file there brings no checkout along.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Folder in the checkout, and the name it is installed under.
SHIPPED = {
    "ocaml_reward": "ocaml_reward",
    "cli": "ocaml_reward_cli",
    "problem_sets": "ocaml_reward_problems",
    "trainer_plugin": "trainer_plugin",
    "trainer_plugin/adapters/inspect_ai": "ocaml_reward/inspect_ai",
    "trainer_plugin/adapters/verifiers": "ocaml_reward_env",
    "test_corpus/attacks": "ocaml_reward/attacks",
}
BESIDE = (
    "pyproject.toml", "setup.py", "ocaml_reward_problems.py", "README.md", "LICENSE", "MANIFEST.in",
)  # fmt: skip
"""What a build needs besides these folders."""

OFFLINE = ("--no-index", "--no-deps", "--no-build-isolation")


def copied(folder: Path) -> Path:
    """Copy what is built into a folder, as setuptools leaves its work in the source tree."""
    for name in SHIPPED:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignore, dirs_exist_ok=True)
    for name in BESIDE:
        shutil.copy(ROOT / name, folder)
    return folder


def built(source: Path, folder: Path, *, python: str = sys.executable) -> tuple[Path, str]:
    """Build the wheel of a source tree.

    Args:
        source: The tree, which a build writes into.
        folder: An empty folder for the wheel.
        python: The interpreter, which has the tree's build backend.

    Returns:
        The wheel, and what was printed.
    """
    command = [
        python,
        "-m",
        "pip",
        "-v",
        "wheel",
        *OFFLINE,
        "--wheel-dir",
        str(folder),
        str(source),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (wheel,) = folder.glob("*.whl")
    return wheel, done.stdout + done.stderr


def own_wheel(folder: Path, *, python: str = sys.executable) -> Path:
    """Build our wheel, with its source and itself in a folder that is empty."""
    for name in ("source", "dist"):
        (folder / name).mkdir()
    return built(copied(folder / "source"), folder / "dist", python=python)[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class Environment:
    """A virtual environment in a folder."""

    folder: Path

    @classmethod
    def made(cls, folder: Path, behind: Iterable[Path] = ()) -> Environment:
        """Make one.

        Args:
            folder: Where.
            behind: Folders of packages that it has behind its own and this interpreter's.

        Returns:
            The environment, without pip.
        """
        venv.create(folder, symlinks=True)
        made = cls(folder=folder)
        paths = [sysconfig.get_path("purelib"), *map(str, behind)]
        (made.packages / "behind.pth").write_text("\n".join(paths), encoding="utf-8")
        return made

    @property
    def packages(self) -> Path:
        """Its folder of packages."""
        (found,) = self.folder.glob("lib/python3*/site-packages")
        return found

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.folder / "bin" / "python")

    @property
    def variables(self) -> dict[str, str]:
        """The variables of a process that has nothing of the checkout on its path."""
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}

    def files(self) -> set[str]:
        """Return the files in it."""
        return {str(each) for each in self.folder.rglob("*") if not each.is_dir()}

    def pip(self, *words: str | Path) -> None:
        """Run pip on it."""
        command = [sys.executable, "-m", "pip", "--no-input", "--python", self.python, *words]
        subprocess.run(command, check=True, capture_output=True, env=self.variables)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in an empty folder of its own, by its name in `bin`."""
        (home := self.folder / "home").mkdir(exist_ok=True)
        command = [str(self.folder / "bin" / words[0]), *words[1:]]
        return subprocess.run(
            command, cwd=home, env=self.variables, capture_output=True, text=True, check=False
        )
