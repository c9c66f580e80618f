"""What is built from this checkout: the packages, whole, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import ocaml_reward

from .installing import ROOT, clone

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# Folder in the checkout, and the name it is installed under.
SHIPPED = {
    "ocaml_reward": "ocaml_reward",
    "cli": "ocaml_reward_cli",
    "problem_sets": "problem_sets",
    "trainer_plugin": "trainer_plugin",
    "trainer_plugin/adapters/verifiers": "ocaml_reward_env",
    "test_corpus/attacks": "ocaml_reward/attacks",
}
# A package of data alone.
DATA = "ocaml_reward.attacks"


@dataclass(frozen=True, kw_only=True, slots=True)
class Built:
    """A wheel, the files of the shipped folders as they should be named in it, and what its build
    printed.
    """

    archive: Path
    expected: frozenset[str]
    said: str

    @property
    def names(self) -> set[str]:
        """What the wheel holds, its metadata aside."""
        names = zipfile.ZipFile(self.archive).namelist()
        return {name for name in names if ".dist-info/" not in name}


def own_files(root: Path, folder: str) -> Iterator[Path]:
    """Yield what lies below a shipped folder, without what is shipped under another name."""
    others = [root / each for each in SHIPPED if each.startswith(f"{folder}/")]
    for path in (root / folder).rglob("*"):
        if not any(path.is_relative_to(each) for each in others):
            yield path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the wheel of a clone."""
    copy = clone(tmp_path_factory.mktemp("source"))
    expected = {
        (Path(name) / path.relative_to(copy / folder)).as_posix()
        for folder, name in SHIPPED.items()
        for path in own_files(copy, folder)
        if path.is_file()
    }
    target = tmp_path_factory.mktemp("dist")
    pip = [sys.executable, "-m", "pip", "--no-input", "wheel", "--no-deps"]
    command = [*pip, "--no-build-isolation", "--wheel-dir", str(target), str(copy)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (built,) = target.glob("*.whl")
    return Built(archive=built, expected=frozenset(expected), said=done.stdout + done.stderr)


def test_every_package_folder_is_listed() -> None:
    """A new sub-package cannot be forgotten in pyproject.toml."""
    found = {
        ".".join((name, *init.parent.relative_to(ROOT / folder).parts))
        for folder, name in SHIPPED.items()
        for init in own_files(ROOT, folder)
        if init.name == "__init__.py"
    }
    listed = PYPROJECT["tool"]["setuptools"]["packages"]

    assert sorted(found | {DATA}) == listed


def test_one_version() -> None:
    """The package, pyproject.toml and the change log agree about the version."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = PYPROJECT["project"]["version"]

    assert version == ocaml_reward.__version__
    assert re.search(rf"^## \[{re.escape(version)}\]", changelog, re.MULTILINE)


def test_the_wheel_holds_every_source_file(wheel: Built) -> None:
    """Schemes, OCaml and C sources, policies and py.typed travel with the modules."""
    assert set() == wheel.expected - wheel.names


def test_the_wheel_holds_nothing_else(wheel: Built) -> None:
    """No tests, corpus, documentation or build left-overs reach site-packages."""
    assert set() == wheel.names - wheel.expected


def test_the_build_warns_of_nothing(wheel: Built) -> None:
    """An installation from a checkout shows no warnings about folders of data."""
    assert "Warning" not in wheel.said


def test_the_wheel_installs_one_command(wheel: Built) -> None:
    """The only script is `ocaml-reward`, and it points into the renamed package."""
    with zipfile.ZipFile(wheel.archive) as archive:
        (path,) = (n for n in archive.namelist() if n.endswith("entry_points.txt"))
        text = archive.read(path).decode()

    assert "[console_scripts]\nocaml-reward = ocaml_reward_cli.main:main" == text.strip()
