"""What other people bring is graded as they mean it, and `validate` finds by itself where it is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine
from ocaml_reward.formats import load_problems

from .world import WORLD


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of them."""
    path = tmp_path_factory.mktemp("world") / "problems.jsonl"
    rows = ({"id": name, "prompt": name, **row} for name, (row, _) in WORLD.items())
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def loaded(problems: Path) -> dict[str, Problem]:
    """Return them by their ids."""
    return dict(load_problems(problems).problems)


def test_validate_has_nothing_to_say(problems: Path) -> None:
    """No problem is broken: each reference passes, as plain OCaml has it, and wrong versions of it
    do not.
    """
    found = CliRunner().invoke(main, ["validate", str(problems), "--json"])
    broken = [each for each in json.loads(found.stdout)["findings"] if each["broken"]]

    assert [] == broken


@pytest.mark.parametrize("name", WORLD)
def test_right_answers_pass_and_wrong_ones_do_not(
    engines: Callable[[str], Engine], loaded: dict[str, Problem], name: str
) -> None:
    """Also where a module of the reference's is not the answer's."""
    problem = loaded[name]
    grader = Grader(engine=engines("warm"))
    answers = {problem.reference or "": True, WORLD[name][1]: False}
    found = {code: grader.grade(problem, Completion(text=code)).tests for code in answers}

    assert answers == {code: each.passed == each.total for code, each in found.items()}
