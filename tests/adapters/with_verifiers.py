"""`vf-eval` with our taskset, and a model server that answers as it is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward.engine.engines.printing import Printing
from ocaml_reward.formats import CompletionLine, read_completions
from problem_sets import Oracle, Order, Tally, make
from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.package.wheels import OFFLINE, Environment, built, own_wheel
from tests.serving.running import Process, spawned
from tests.speaking_openai import serving

BIN = Path(sys.executable).parent


@pytest.fixture
def server() -> Iterator[Process]:
    """Serve the real engine."""
    with spawned() as process:
        yield process


def evaluated(server: Process, folder: Path, model: str, **settings: object) -> list[Any]:
    """Run `vf-eval` on one problem, twice, and read its traces."""
    task = "--env.taskset.task"
    command = [
        str(BIN / "vf-eval"),
        "ocaml-reward-env",
        *(f"{task}.problems", str(PROBLEMS)),
        *(f"{task}.engine", server.url),
        *(f"{task}.deadline-s", "4"),
        *(word for name, each in settings.items() for word in (f"{task}.{name}", str(each))),
        *("--env.agent.runtime.type", "subprocess"),
        *("--select.include.keys", PROBLEM),
        *("--model", "tiny-coder"),
        *("--num-rollouts", "2"),
        *("--max-concurrent", "1"),
        *("--client.base-url", model),
        *("--client.api-key-var", "MODEL_KEY"),
        *("--output-dir", str(folder)),
        "--no-push",
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MODEL_KEY": "none"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    files = list(folder.rglob("traces.jsonl"))

    assert files, done.stdout[-3000:] + done.stderr[-3000:]
    lines = files[0].read_text("utf-8").splitlines()
    return [trace for line in lines for trace in json.loads(line)["traces"]]


def test_rewards_are_what_the_corpus_records(server: Process, tmp_path: Path) -> None:
    """A right and a wrong reply earn what they earn elsewhere, and no trace holds tests."""
    replies = iter([RIGHT.text, WRONG.text])
    with serving(lambda _: (next(replies), "stop")) as model:
        traces = evaluated(server, tmp_path, model.url)

    assert [WRONG.reward, RIGHT.reward] == sorted(
        each["rewards"]["ocaml"]["score"] for each in traces
    )
    assert [0.0, 1.0] == sorted(each["metrics"]["passed"] for each in traces)
    assert {(PROBLEM, RIGHT.text), (PROBLEM, WRONG.text)} == {
        (each.problem_id, each.completion.text)
        for each in read_completions(next(tmp_path.rglob("traces.jsonl")).parent)
        if isinstance(each, CompletionLine)
    }
    assert "assert" not in json.dumps([each["task"] for each in traces])


def test_a_second_try_after_feedback(server: Process, tmp_path: Path) -> None:
    """A model is told about its first reply, and rewarded for the second, the same each time."""
    heard: list[Any] = []

    def model_says(body: Any) -> tuple[str, str]:
        messages = body["messages"]
        heard.append(messages[-1]["content"])
        return (WRONG.text if len(messages) == 1 else RIGHT.text), "stop"

    with serving(model_says) as model:
        traces = evaluated(server, tmp_path, model.url, turns=2, feedback="located")

    assert [RIGHT.reward] * 2 == [each["rewards"]["ocaml"]["score"] for each in traces]
    assert [2.0, 2.0] == [each["metrics"]["tries"] for each in traces]
    assert 2 == sum("tests pass. The others:" in each for each in heard)


def test_a_dead_server_leaves_no_reward(server: Process, tmp_path: Path) -> None:
    """A fault is a SandboxError of the trace, which has no reward and is no 0."""
    server.kill()
    with serving(lambda _: (RIGHT.text, "stop")) as model:
        traces = evaluated(server, tmp_path, model.url)

    assert [None, None] == [each["rewards"].get("ocaml") for each in traces]
    assert {"SandboxError"} == {each["errors"][-1]["type"] for each in traces}


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Install the wheel and a copy of the hub's directory, and nothing of the checkout."""
    folder = tmp_path_factory.mktemp("hub")
    packages = ROOT / ".venv"
    copy = shutil.copytree(ROOT / "environments" / "ocaml_reward", folder / "copy")
    made = Environment.made(folder / "fresh", packages.glob("lib/python3*/site-packages"))
    made.pip("install", *OFFLINE, own_wheel(folder, python=str(packages / "bin" / "python")))
    made.pip("install", *OFFLINE, built(copy, folder / "hub")[0])
    return made


VF_EVAL = ("python", "-c", "from verifiers.v1.cli.eval.main import main; main()", "ocaml-problems")
MADE = ("--env.taskset.task.seed", "7", "--env.taskset.task.families", "ranges")
EASY = ("--env.taskset.task.difficulty", "easy")


def test_the_hubs_directory_makes_problems_without_end(hub: Environment) -> None:
    """The first of a seed and a difficulty, of which the model knows one; no trace holds tests."""
    order = Order(count=2, seed=7, families=("ranges",), levels=("easy",))
    oracle = Oracle(Printing())
    known, other = (each.problem for each in make(order, oracle, None, Tally()))

    def model_says(body: Any) -> tuple[str, str]:
        asked = body["messages"][0]["content"]
        right = f"{known.reference}(* END *)"
        return (right if asked == known.prompt else "let x = "), "stop"

    with serving(model_says) as model:
        done = hub.run(
            *VF_EVAL, *MADE, *EASY, "-n", "2", "--num-rollouts", "1", "--no-push",
            *("--env.agent.runtime.type", "subprocess", "--output-dir", "out"),
            *("--model", "tiny-coder", "--client.base-url", model.url),
        )  # fmt: skip
    files = list((hub.folder / "home" / "out").rglob("traces.jsonl"))

    assert files, done.stdout[-3000:] + done.stderr[-3000:]
    lines = files[0].read_text("utf-8").splitlines()
    traces = [trace for line in lines for trace in json.loads(line)["traces"]]
    rewards = {each["task"]["key"]: each["rewards"]["ocaml"]["score"] for each in traces}

    assert {known.id, other.id} == set(rewards)
    assert rewards[other.id] < rewards[known.id] == 1.0
    assert "assert" not in json.dumps([each["task"] for each in traces])


def test_without_end_a_run_has_to_say_how_many(hub: Environment) -> None:
    done = hub.run(*VF_EVAL, *MADE, "--no-push", "--model", "tiny-coder")

    assert "GeneratedTaskset is infinite - bound the run with -n" in done.stderr


def test_the_hubs_module_loads_an_environment(hub: Environment) -> None:
    """As `load_environment` of earlier versions did; what it cannot use is said."""
    script = """
import ocaml_problems
made = ocaml_problems.load_environment(seed=7, families=["ranges"])
print(made.taskset.INFINITE, made.config.taskset.task.seed)
ocaml_problems.load_environment(difficulty=["impossible"], families=["no-such"])
"""
    done = hub.run("python", "-c", script)

    assert "True 7\n" == done.stdout, done.stderr
    assert "taskset.task.difficulty.0" in done.stderr
    assert "no family 'no-such': ocaml-reward problems generate --list" in done.stderr


def test_problems_that_cannot_be_made_now_leave_no_reward(hub: Environment) -> None:
    """Without the compiler a task is a SandboxError each time, and with it again a problem."""
    script = """
import os, ocaml_problems
from ocaml_reward_env.taskset import Data
config = ocaml_problems.Settings(families=["ranges"])
task = ocaml_problems.GeneratedTask(Data(problem_id="ranges-0", prompt="", idx=0), config)
path = os.environ.pop("PATH")
for there in ("", "", path):
    os.environ["PATH"] = there
    try:
        task.problem()
    except Exception as error:
        print(type(error).__name__, error)
"""
    done = hub.run("python", "-c", script)
    first, second, third = done.stdout.splitlines()

    assert first.startswith("SandboxError")
    assert first == second
    assert third.startswith("InputError problem 0 is ranges-"), third
    assert "and was ranges-0: install one version of ocaml-reward" in third
