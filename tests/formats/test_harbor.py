"""Problems as tasks of Harbor: written, read again, and graded by their own test.sh."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from cli.main import main
from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine
from ocaml_reward.formats import load_problems
from ocaml_reward.formats.folders.harbor import rewards_of, write_tasks
from ocaml_reward.formats.importing import import_problems
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.formats.writing import problem_lines
from ocaml_reward.model import Comparison, StdioCase
from ocaml_reward.record import breakdown_to_dict
from ocaml_reward.scheme import load, to_toml

ROOT: Final = Path(__file__).parents[2]
CORPUS: Final = ROOT / "test_corpus" / "problems.jsonl"
HALF: Final = Problem(
    id="half",
    prompt="Write half : int -> int.",
    tests="let () = assert (half 8 = 4)\nlet () = assert (half 7 = 3)\n",
    reference="let half x = x / 2\r\n",
)
SUM: Final = Problem(
    id="sum/of two",
    prompt="Print the sum.\n",
    tests=(
        StdioCase(stdin="1 2\n", stdout="3\n", group="a", points=2.0),
        StdioCase(stdin="4 5\n", stdout="9.0\n", alternatives=("9",), group="b", needs=("a",)),
    ),
    reference='let () = Scanf.scanf " %d %d" (fun a b -> Printf.printf "%d\\n" (a + b))',
    comparison=Comparison(absolute=0.5),
    budget=(("check_steps", 5000),),
)
KINDS: Final = (
    HALF,
    SUM,
    replace(SUM, id="sum of two", comparison=None, judge="let judge ~input:_ ~output:_ = true"),
    replace(HALF, id="Half", signature="val half : int -> int", given="let two = 2", prompt=""),
    replace(HALF, id="../half", libraries=("str",), forbidden=("/",), required=("half",)),
    replace(HALF, id="é\n", reference=None, public_tests="assert (half 2 = 1)"),
)


def tasks_of(folder: Path, *problems: Problem) -> list[Path]:
    """Write problems as tasks, and return their folders."""
    write_tasks(folder, problems, to_toml(load("concise")))
    return sorted(folder.iterdir())


def graded(
    task: Path, folder: Path, answers: dict[str, str], **variables: str
) -> tuple[int, dict[str, float] | None]:
    """Run a task's test.sh on files of answers; return its exit status and the rewards."""
    bin_, there, logs = (folder / name for name in ("bin", "answers", "logs"))
    for each in (bin_, there, logs):
        each.mkdir(exist_ok=True)
    command = bin_ / "ocaml-reward"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cli "$@"\n')
    command.chmod(0o755)
    for name, text in answers.items():
        (there / name).write_text(text)
    environment = {
        **os.environ,
        "PATH": f"{bin_}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        **variables,
    }
    line = [str(task / "tests" / "test.sh"), str(there), str(logs)]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    file = logs / "reward.json"
    assert not (logs / "reward.txt").exists()
    return done.returncode, json.loads(file.read_text()) if file.exists() else None


def test_problems_of_all_kinds_come_back_as_they_were(tmp_path: Path) -> None:
    """Byte for byte, whatever their ids are."""
    problems = [*load_problems(CORPUS).problems.values(), *KINDS]
    folders = tasks_of(tmp_path, *problems)
    found = [each.found for each in import_problems(tmp_path)]
    lines = [problem_lines([each.problem]) for each in found if not isinstance(each, BadLine)]

    assert len(problems) == len({each.name.casefold() for each in folders})
    assert sorted(problem_lines([each]) for each in problems) == sorted(lines)
    assert {"Harbor"} == {each.kind for each in import_problems(tmp_path)}


def test_the_agent_has_neither_tests_nor_reference(tmp_path: Path) -> None:
    (task,) = tasks_of(tmp_path, HALF)
    seen = [task / "instruction.md", *(task / "environment").rglob("*")]
    text = "".join(each.read_text() for each in seen)

    assert [Path("instruction.md"), Path("environment/Dockerfile")] == [
        each.relative_to(task) for each in seen
    ]
    assert text.startswith(HALF.prompt)
    assert "/workdir/answer.ml" in text
    assert "half 8" not in text
    assert "x / 2" not in text


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ({"answer.ml": "let half x = x / 2"}, "let half x = x / 2"),
        ({"answer.ml": "let half x = x - 4"}, "let half x = x - 4"),
        (
            {"answer.txt": "It is:\n\n```ocaml\nlet half x = x lsr 1\n```\n"},
            "It is:\n\n```ocaml\nlet half x = x lsr 1\n```\n",
        ),
        (
            {"answer.ml": "let half x = x +. 2", "answer.txt": "let half x = x / 2"},
            "let half x = x +. 2",
        ),
        ({}, ""),
    ],
)
def test_its_script_pays_what_grading_pays(
    tmp_path: Path,
    engines: Callable[[str], Engine],
    answers: dict[str, str],
    code: str,
) -> None:
    """To the last bit: code, a whole completion, both, and no answer; planted rewards go."""
    (task,) = tasks_of(tmp_path / "tasks", HALF)
    (tmp_path / "logs").mkdir()
    for name in ("reward.json", "reward.txt"):
        (tmp_path / "logs" / name).write_text("1")
    found = Grader("concise", engine=engines("warm")).grade(HALF, Completion(text=code))

    assert (0, rewards_of(breakdown_to_dict(found))) == graded(task, tmp_path, answers)


def test_its_script_grades_the_reference_that_solve_wrote(tmp_path: Path) -> None:
    """A program judged by what it prints, as any other problem."""
    (task,) = tasks_of(tmp_path / "tasks", SUM)
    (tmp_path / "answers").mkdir()
    subprocess.run([task / "solution" / "solve.sh", tmp_path / "answers"], check=True)
    code, rewards = graded(task, tmp_path, {})

    assert 0 == code
    assert rewards is not None
    assert 1.0 == rewards["reward"]


@pytest.mark.parametrize(
    "variables", [{"OCAML_REWARD_CACHE": "/dev/null/x"}, {"OCAML_REWARD_ENGINE": "http://[::1]:9"}]
)
def test_a_failed_machine_leaves_no_reward(tmp_path: Path, variables: dict[str, str]) -> None:
    """Neither of its own, nor the one that an agent put there."""
    (task,) = tasks_of(tmp_path / "tasks", HALF)
    (tmp_path / "logs").mkdir()
    for name in ("reward.json", "reward.txt"):
        (tmp_path / "logs" / name).write_text('{"reward": 1.0}')

    assert (3, None) == graded(task, tmp_path, {"answer.ml": "let half x = x"}, **variables)


def test_an_answer_that_was_lost_is_no_zero(tmp_path: Path) -> None:
    (task,) = tasks_of(tmp_path / "tasks", HALF)
    line = [task / "tests" / "test.sh", tmp_path / "nowhere", tmp_path]
    done = subprocess.run(line, capture_output=True, text=True, check=False)

    assert 3 == done.returncode
    assert "the answer was not collected" in done.stderr
    assert not (tmp_path / "reward.json").exists()


def test_a_link_is_no_answer(tmp_path: Path) -> None:
    """It could name the problem, with its reference, beside the script."""
    (task,) = tasks_of(tmp_path / "tasks", HALF)
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "answer.ml").symlink_to(task / "solution" / "answer.ml")
    code, rewards = graded(task, tmp_path, {})

    assert 0 == code
    assert rewards is not None
    assert 0.0 == rewards["reward"]


def test_tasks_of_others_are_left_out_with_a_reason(tmp_path: Path) -> None:
    """As environments_harbor/coq_extraction_ocaml_incompatible_hard of
    zjysteven/terminal-bench-env, whose tests are a program in Python.
    """
    for name in ("instruction.md", "task.toml", "tests/test_outputs.py", "tests/test.sh"):
        path = tmp_path / "proof" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (found,) = import_problems(tmp_path)

    assert isinstance(found.found, BadLine)
    assert "programs of its own" in found.found.message


def test_export_asks_before_it_replaces(tmp_path: Path) -> None:
    """Folders that are there stay, and problems have no scheme."""
    rows, tasks = tmp_path / "p.jsonl", tmp_path / "tasks"
    rows.write_text(problem_lines([HALF, replace(SUM, reference=None)]))

    def said(*options: str) -> tuple[int, str]:
        ran = CliRunner().invoke(main, ["problems", "export", str(rows), *options])
        return ran.exit_code, ran.output

    line = ("--harbor", "-o", str(tasks))
    first = said(*line, "--scheme", "seed")

    assert 0 == first[0]
    assert "1 problem without a reference" in first[1]
    assert 'name = "seed"' in (tasks / "half" / "tests" / "scheme.toml").read_text()
    assert 2 == said(*line)[0]
    assert 0 == said(*line, "--overwrite")[0]
    assert 'name = "concise"' in (tasks / "half" / "tests" / "scheme.toml").read_text()
    assert ["half", "sum-of-two"] == sorted(each.name for each in tasks.iterdir())
    (tasks / "half" / "task.toml").unlink()
    refused = said(*line, "--overwrite")
    assert 2 == refused[0]
    assert "half is no task, and is not replaced" in refused[1]
    assert (tasks / "half" / "instruction.md").exists()
    assert 2 == said("--harbor", "-o", str(rows), "--overwrite")[0]
    assert 2 == said("--scheme", "seed", "-o", str(tmp_path / "q.jsonl"))[0]
