"""What is built from this checkout: the packages, whole, and nothing else."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import ocaml_reward
from tests.package.wheels import OFFLINE, ROOT, SHIPPED, Environment, built, copied

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# A package of data alone.
DATA = "ocaml_reward.attacks"


GENERATE = ("problems", "generate", "--count", "1", "--unchecked")


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

    def text(self, name: str) -> str:
        """Return the text of a file in it, by the end of its name."""
        with zipfile.ZipFile(self.archive) as archive:
            (path,) = (each for each in archive.namelist() if each.endswith(name))
            return archive.read(path).decode()


def own_files(root: Path, folder: str) -> Iterator[Path]:
    """Yield what lies below a shipped folder, without what is shipped under another name."""
    others = [root / each for each in SHIPPED if each.startswith(f"{folder}/")]
    for path in (root / folder).rglob("*"):
        if not any(path.is_relative_to(each) for each in others):
            yield path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the wheel."""
    copy = copied(tmp_path_factory.mktemp("source"))
    expected = {
        (Path(name) / path.relative_to(copy / folder)).as_posix()
        for folder, name in SHIPPED.items()
        for path in own_files(copy, folder)
        if path.is_file()
    }
    archive, said = built(copy, tmp_path_factory.mktemp("dist"))
    return Built(archive=archive, expected=frozenset(expected), said=said)


@pytest.fixture(scope="module")
def installed(wheel: Built, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Install the wheel in an environment of its own."""
    made = Environment.made(tmp_path_factory.mktemp("installed"))
    made.pip("install", *OFFLINE, wheel.archive)
    return made


def test_every_package_folder_is_listed() -> None:
    """A new sub-package cannot be forgotten in pyproject.toml."""
    found = {
        ".".join((*name.split("/"), *init.parent.relative_to(ROOT / folder).parts))
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


def test_each_package_says_that_it_is_typed(wheel: Built) -> None:
    """Type checkers read the annotations of packages with a `py.typed` only."""
    packages = set(wheel.text("top_level.txt").split())

    assert {f"{name}/py.typed" for name in packages} <= wheel.names


def test_entry_points_name_what_the_wheel_holds(wheel: Built) -> None:
    """The only script is `ocaml-reward`; Inspect finds its tasks under the package's name."""
    expected = """
[console_scripts]
ocaml-reward = ocaml_reward_cli.main:main

[inspect_ai]
ocaml_reward = ocaml_reward.inspect_ai
"""

    assert expected.strip() == wheel.text("entry_points.txt").strip()
    assert {"ocaml_reward_cli/main.py", "ocaml_reward/inspect_ai/__init__.py"} <= wheel.names


def test_the_wheel_imports_no_name_that_only_the_tree_has(wheel: Built) -> None:
    """`cli` and `problem_sets` have other names in it, also where they are imported."""
    with zipfile.ZipFile(wheel.archive) as archive:
        tokens = {
            (name, token.string)
            for name in wheel.names
            if name.endswith(".py")
            for token in tokenize.tokenize(io.BytesIO(archive.read(name)).readline)
            if token.type == tokenize.NAME
        }

    assert ("ocaml_reward_cli/certify.py", "ocaml_reward_problems") in tokens
    assert set() == {each for each in tokens if each[1] in {"cli", "problem_sets"}}


def test_what_an_index_shows_is_well_formed(wheel: Built) -> None:
    command = [sys.executable, "-m", "twine", "check", "--strict", str(wheel.archive)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert 0 == done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("words", [("ocaml-reward",), ("python", "-m", "ocaml_reward")])
def test_the_installed_command_makes_problems(
    installed: Environment, words: tuple[str, ...]
) -> None:
    """What the shell imports from the other packages is there under the names that it uses."""
    done = installed.run(*words, *GENERATE)

    assert 0 == done.returncode, done.stderr
    assert 1 == done.stdout.count('"prompt":')


def test_without_the_command_one_line_says_what_to_install(wheel: Built, tmp_path: Path) -> None:
    """The library alone is whole; `python -m ocaml_reward` needs what the shell needs."""
    bare = Environment.made(tmp_path)
    (bare.packages / "behind.pth").unlink()
    bare.pip("install", *OFFLINE, wheel.archive)
    done = bare.run("python", "-m", "ocaml_reward", "--version")

    assert 0 == bare.run("python", "-c", "import ocaml_reward, ocaml_reward_problems").returncode
    assert 3 == done.returncode
    assert "ocaml-reward: the command needs click: pip install ocaml-reward\n" == done.stderr


def test_uninstalling_leaves_nothing(wheel: Built, tmp_path: Path) -> None:
    """Also where modules have been imported since."""
    made = Environment.made(tmp_path)
    before = made.files()
    made.pip("install", *OFFLINE, wheel.archive)
    between = made.files()
    made.run("ocaml-reward", "--help")
    made.pip("uninstall", "--yes", "ocaml-reward")

    assert len(wheel.names) < len(between - before)
    assert before == made.files()


def test_an_editable_installation_has_both_names(tmp_path: Path) -> None:
    """In a checkout the installed name and the tree's give the same modules."""
    for name in ("source", "environment"):
        (tmp_path / name).mkdir()
    made = Environment.made(tmp_path / "environment")
    source = copied(tmp_path / "source")
    made.pip("install", *OFFLINE, "--editable", source)
    done = made.run("python", "-c", """
import ocaml_reward_problems, ocaml_reward_problems.certifying
import problem_sets
from problem_sets.certifying.examining import Examiner
print(problem_sets.__file__)
print(ocaml_reward_problems is problem_sets, ocaml_reward_problems.certifying.Examiner is Examiner)
""")  # fmt: skip
    command = made.run("ocaml-reward", *GENERATE)

    assert f"{source}/problem_sets/__init__.py\nTrue True\n" == done.stdout, done.stderr
    assert 0 == command.returncode, command.stderr


LIBRARY = """
from pathlib import Path

from ocaml_reward import Breakdown, Completion, Grader, Problem, load_problems
from ocaml_reward_problems import Order, all_families


def graded(problem: Problem, text: str) -> float | None:
    with Grader("concise", jobs=2) as grader:
        found: Breakdown = grader.grade(problem, Completion(text=text))
    return found.reward


order = Order(count=2, families=tuple(all_families()))
problems = load_problems(Path("problems.jsonl")).problems
"""
# datasets has no annotations, and trl's packages do not export what they import.
TRAINING = """
from datasets import Dataset  # type: ignore[import-untyped]
from trainer_plugin import OCamlReward
from trainer_plugin.callbacks import watchers
from trainer_plugin.located.trainer import LocatedGRPOTrainer
from trl.trainer.grpo_config import GRPOConfig
from trl.trainer.grpo_trainer import GRPOTrainer

reward = OCamlReward("seed", regions=True)
for kind in (GRPOTrainer, LocatedGRPOTrainer):
    trainer = kind(
        model="Qwen/Qwen2.5-Coder-0.5B-Instruct",
        reward_funcs=reward,
        args=GRPOConfig(output_dir="run"),
        train_dataset=Dataset.from_list([{"prompt": "half", "tests": "let () = assert (half 8 = 4)"}]),
        callbacks=watchers(reward),
    )
    trainer.train()
"""


@pytest.mark.parametrize(
    ("script", "mistake", "found"),
    [
        pytest.param(LIBRARY, "graded('half', 'let half x = x / 2')", "Problem", id="library"),
        pytest.param(TRAINING, "OCamlReward(jobs='2')", "int | None", id="training"),
    ],
)
def test_types_of_a_users_script_are_checked(
    installed: Environment, tmp_path: Path, script: str, mistake: str, found: str
) -> None:
    """It passes `mypy --strict` by the annotations of the wheel, which also find a mistake."""
    path = tmp_path / "script.py"
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", installed.python]
    said = []
    for text in (script, script + mistake):
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [*command, "script.py"],
            cwd=tmp_path, env=installed.variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        said.append(done.stdout)

    assert said[0].startswith("Success"), said[0]
    assert f'expected "{found}"' in said[1]
