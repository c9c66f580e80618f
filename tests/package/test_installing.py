"""What the start page and the GitHub action do first, done in a clone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from .installing import shell
from .wheels import ROOT, copied

APT = re.compile(r"sudo apt(?:-get)? install (?:-qy )?(.*)")


def action() -> dict[str, Any]:
    """Read the action."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def cloned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the lines of the start page in a clone, but for the one that needs root."""
    folder = copied(tmp_path_factory.mktemp("clone"))
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    block = page.partition("## Install")[2].partition("```console\n")[2].partition("```")[0]
    lines = [line.removeprefix("$ ") for line in block.splitlines()]
    done = shell("\n".join(line for line in lines if not APT.match(line)), folder)

    assert 0 == done.returncode, done.stdout + done.stderr
    return folder


def test_the_start_page_installs_the_command(cloned: Path) -> None:
    """From the clone, into the environment that the page makes."""
    done = shell("ocaml-reward --version; ocaml-reward doctor", cloned, **path_of(cloned))

    assert 0 == done.returncode, done.stdout + done.stderr
    assert done.stdout.startswith("ocaml-reward ")
    assert "Scoring works here" in done.stdout
    assert (cloned / ".venv" / "bin" / "ocaml-reward").is_file()


def path_of(cloned: Path) -> dict[str, str]:
    """Return the PATH of the environment that was made."""
    return {"PATH": f"{cloned / '.venv' / 'bin'}:/usr/local/bin:/usr/bin:/bin"}


def test_completion_by_tab_works(cloned: Path) -> None:
    """The line of the start page defines what bash calls, and that knows the commands."""
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^(eval .*?)  +#", page, re.MULTILINE)
    asked = 'COMP_WORDS="ocaml-reward resc" COMP_CWORD=1 _OCAML_REWARD_COMPLETE=bash_complete'
    done = shell(
        f"{line}\ncomplete -p ocaml-reward\n{asked} ocaml-reward", cloned, **path_of(cloned)
    )

    assert "ocaml-reward\nplain,rescore\n" in done.stdout, done.stderr


def test_the_same_packages_are_named_everywhere() -> None:
    """The start page and the action install what scripts/setup looks for."""
    page = APT.findall((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))
    (install, _) = action()["runs"]["steps"]
    setup = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")

    assert page == APT.findall(install["run"])
    assert [] == [each for each in page[0].split() if each not in setup]


def test_the_action_scores(cloned: Path, tmp_path: Path) -> None:
    """Its second step, with the environment of the first, as GitHub runs it."""
    (tmp_path / "ocaml-reward").symlink_to(cloned / ".venv")
    tests = "let () = assert (half 8 = 4)"
    row = {"problem_id": "half", "completion": "let half x = x / 2", "tests": tests}
    (tmp_path / "c o.jsonl").write_text(json.dumps(row))
    (install, score) = action()["runs"]["steps"]
    inputs = {name: str(each.get("default", "")) for name, each in action()["inputs"].items()}
    inputs["completions"] = "c o.jsonl"
    given = {
        name: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, value in score["env"].items()
    }
    github = {"GITHUB_OUTPUT": str(tmp_path / "out"), "GITHUB_STEP_SUMMARY": str(tmp_path / "md")}
    done = shell(score["run"], tmp_path, RUNNER_TEMP=str(tmp_path), **given, **github)

    assert 0 == done.returncode, done.stdout + done.stderr
    name, _, value = (tmp_path / "out").read_text().partition("=")
    assert ("summary", 1.0) == (name, json.loads(value)["mean_reward"])
    assert '"mean_reward": 1.0' in (tmp_path / "md").read_text()
    assert 1 == len((tmp_path / inputs["output"]).read_text().splitlines())
    assert '-m venv "$RUNNER_TEMP/ocaml-reward"' in install["run"]
