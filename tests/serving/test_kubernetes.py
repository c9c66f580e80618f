"""The examples for machines that schedule: what can be known of them without one."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from starlette.routing import Route

from cli.main import main
from ocaml_reward.scheme import load
from ocaml_reward.serving import Settings
from ocaml_reward.serving.app import App
from ocaml_reward.serving.service import Service
from tests.serving.faked import engine

EXAMPLES = Path(__file__).parents[2] / "examples"
SERVE, SCORE = (EXAMPLES / "kubernetes" / f"{name}.yaml" for name in ("serve", "score"))


def objects(path: Path) -> dict[str, Any]:
    """Read the objects of a file by their kinds."""
    return {each["kind"]: each for each in yaml.safe_load_all(path.read_text("utf-8"))}


def checked(words: list[str]) -> click.Context:
    """Have our own command line read its arguments, without running anything."""
    name, command, rest = main.resolve_command(click.Context(main), words)
    assert command is not None
    return command.make_context(name, rest)


def test_the_deployment_is_of_a_server_that_exists() -> None:
    """Its arguments are options, its probes are paths, and its service finds its pods."""
    found = objects(SERVE)
    pod = found["Deployment"]["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    context = checked(container["args"])
    service = Service(engine(), load("seed"), Settings(), jobs=1)
    paths = {each.path for each in App(service).asgi.routes if isinstance(each, Route)}
    service.close()
    (port,) = container["ports"]
    drains = context.params["drain_delay_s"] + Settings().drain_s

    assert {"/readyz", "/healthz"} <= paths
    assert "/readyz" == container["readinessProbe"]["httpGet"]["path"]
    assert "/healthz" == container["livenessProbe"]["httpGet"]["path"]
    assert context.params["port"] == port["containerPort"]
    assert drains < pod["spec"]["terminationGracePeriodSeconds"]
    assert ["OCAML_REWARD_TOKEN"] == [each["name"] for each in container["env"]]
    labels = pod["metadata"]["labels"]
    assert labels == found["Deployment"]["spec"]["selector"]["matchLabels"]
    assert labels == found["Service"]["spec"]["selector"]


def test_the_job_scores_all_shards() -> None:
    """As many pods as there are shards, each with its own, which is resumed."""
    spec = objects(SCORE)["Job"]["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    (script,) = container["args"]
    shards = set()
    for index in range(spec["completions"]):
        told = script.replace("$((JOB_COMPLETION_INDEX + 1))", str(index + 1))
        told = told.replace("$JOB_COMPLETION_INDEX", str(index))
        context = checked(shlex.split(told)[1:])
        shards.add((context.params["shard"].number, context.params["shard"].count))

        assert context.params["resume"]

    assert {(n + 1, 8) for n in range(8)} == shards
    assert "Indexed" == spec["completionMode"]


@pytest.mark.parametrize("name", ["score.sbatch", "score-ray.sbatch"])
def test_a_batch_script_calls_score_as_it_is(name: str) -> None:
    """Slurm's variables aside, what it runs is a command that our command line takes."""
    text = (EXAMPLES / name).read_text("utf-8").replace("\\\n", " ")
    text = text.replace("$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT", "3/8")
    (words,) = re.findall(r"^(?:exec|  ).*?ocaml-reward (score .*)$", text, re.MULTILINE)
    params = checked(shlex.split(words)).params

    assert params["resume"]
    assert params["shard"] is not None or "$address" == params["ray_address"]
