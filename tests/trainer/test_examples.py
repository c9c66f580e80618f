"""The examples can be read by what they are for."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from accelerate.commands.config.config_args import load_config_from_file
from accelerate.commands.launch import launch_command_parser

from trainer_plugin.__main__ import parser
from trainer_plugin.config.checks import batch_problem, check_config
from trainer_plugin.config.reading import load_config
from trainer_plugin.run.parts import arguments

FOLDER = Path(__file__).parents[2] / "examples"
PAGES = [FOLDER.parent / "docs" / f"{name}.md" for name in ("configuration", "serving", "trainers")]

by_toml = pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.name)
by_yaml = pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.name)
by_script = pytest.mark.parametrize(
    "path",
    sorted([*FOLDER.glob("*.sh"), *FOLDER.glob("*.sbatch")]),
    ids=lambda path: path.name,
)


@by_toml
@pytest.mark.filterwarnings("default")
def test_a_run_is_one_that_train_takes(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every key is a setting, batches divide for one process and for those of the launchers,
    and TRL takes what follows.
    """
    (tmp_path / "problems.jsonl").touch()
    monkeypatch.chdir(tmp_path)
    overrides = ("model.cpu=true", "model.dtype=float32")
    config = load_config(path, overrides=overrides, environment={}).config

    assert [None, None, None] == [batch_problem(config, world) for world in (1, 3, 4)]
    if not config.vllm.enabled:
        check_config(config, world=1, accelerator=lambda: True)
    assert arguments(config, world=4, evaluates=True).num_generations == 8


@by_yaml
def test_a_launch_is_one_that_accelerate_takes(path: Path) -> None:
    """Accelerate knows every key, and the command in the file is one of its own."""
    read = load_config_from_file(str(path))
    (words,) = re.findall(r"^# accelerate launch (.*)$", path.read_text(), re.MULTILINE)
    told = launch_command_parser().parse_args(shlex.split(words))

    assert 4 == read.num_processes
    assert f"examples/{path.name}" == told.config_file
    assert (True, "trainer_plugin") == (told.module, told.training_script)


@by_script
def test_a_script_is_one_that_its_shell_takes(path: Path) -> None:
    """It can be parsed, and what it launches takes the options that it is given."""
    text = path.read_text(encoding="utf-8")
    shell = text.splitlines()[0].removeprefix("#!/bin/")
    subprocess.run([shell, "-n", str(path)], check=True)

    for line in re.findall(r"accelerate launch (.*)", text.replace("\\\n", " ")):
        words = shlex.split(line.partition("&")[0])
        told = launch_command_parser().parse_args(words)
        assert "trainer_plugin" == told.training_script
        assert parser("train").parse_args(told.training_script_args).resume
    assert all(
        re.fullmatch(r"#SBATCH --[a-z-]+(=\S+)?", line)
        for line in text.splitlines()
        if line.startswith("#SBATCH")
    )


def test_the_pages_name_every_example() -> None:
    """The pages about training, serving and other trainers say what each is for; of a package they
    name the README, which names the other files.
    """
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    kept = (path for path in FOLDER.rglob("*") if "__pycache__" not in path.parts)
    for path in sorted(path for path in kept if path.is_file()):
        (package,) = [each for each in path.parents if (each / "README.md").is_file()][:1]
        if FOLDER in package.parents and path.name != "README.md":
            assert f"`{path.relative_to(package)}`" in (package / "README.md").read_text("utf-8")
        else:
            assert f"examples/{path.relative_to(FOLDER)}" in text
