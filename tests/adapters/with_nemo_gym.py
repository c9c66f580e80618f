"""NeMo Gym's own routes, checks and commands, with a server behind the reward."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
import yaml
from fastapi.testclient import TestClient
from nemo_gym.base_resources_server import ResourcesSeedSessionRequest
from nemo_gym.server_utils import ServerClient
from nemo_gym.testing.session_conformance import check_resources_session_contract
from nemo_gym.verifier_fixture import VerifierFixture, exercise_verifier_fixture

from ocaml_reward import InputError
from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.serving.running import Process, spawned
from trainer_plugin.adapters.nemo_gym import Config, OCamlResourcesServer, VerifyRequest

EXAMPLES = (RIGHT, WRONG)
EXAMPLE = ROOT / "examples" / "nemo_gym"
PATIENCE_S = 300


@pytest.fixture
def server() -> Iterator[Process]:
    """Serve the real engine."""
    with spawned() as process:
        yield process


def made(server: Process) -> OCamlResourcesServer:
    """Make the resources server with the settings that NeMo Gym reads."""
    config = Config(
        host="127.0.0.1",
        port=1,
        entrypoint="app.py",
        name="ocaml",
        engine=server.url,
        problems=str(PROBLEMS),
        deadline_s=4.0,
    )
    return OCamlResourcesServer(config=config, server_client=MagicMock(spec=ServerClient))


def row(text: str, *, problem: Any = PROBLEM, **response: Any) -> dict[str, Any]:
    """Write a row of a data set with a response of the model's."""
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    return {
        "responses_create_params": {"input": "Solve."},
        "verifier_metadata": {"problem": problem},
        "response": {
            "id": "r",
            "object": "response",
            "created_at": 1,
            "model": "m",
            "status": "completed",
            "output": [message],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            **response,
        },
    }


def test_a_broken_machine_is_no_zero(server: Process) -> None:
    """Rewards are those of the corpus; with the server dead the sample is masked, says why, and
    counts in no metric.
    """
    client = TestClient(made(server).setup_webserver())
    found = [client.post("/verify", json=row(each.text)).json() for each in EXAMPLES]
    server.kill()
    lost = client.post("/verify", json=row(f"(* new *) {RIGHT.text}")).json()
    rows = [{"_ng_task_index": 0, "_ng_rollout_index": at} for at in range(3)]
    asked = [{**each, **at} for each, at in zip([*found, lost], rows, strict=True)]
    metrics = client.post("/aggregate_metrics", json={"verify_responses": asked}).json()

    assert [(each.reward, each.tests, False, None) for each in EXAMPLES] == [
        (each["reward"], each["tests"], each["mask_sample"], each["failure_reason"])
        for each in found
    ]
    assert ["passed", "failed_tests"] == [each["verdict"] for each in found]
    assert found[0]["verifier_metadata"] == {"problem": PROBLEM}
    assert (True, "judge_failed", "judge_failed") == (
        lost["mask_sample"],
        lost["failure_kind"],
        lost["_ng_failure_class"],
    )
    assert "not graded, Deadline" in lost["failure_reason"]
    mean = (RIGHT.reward + WRONG.reward) / 2
    keys = {"mean/reward": mean, "mean/passed": 0.5, "pass@2/passed": 100.0}
    assert keys == {key: metrics["key_metrics"][key] for key in keys}
    assert 1 == metrics["agent_metrics"]["coverage/masked_rollouts"]


def test_what_was_cut_off(server: Process) -> None:
    """A response that hit its limit is truncated, any other is not."""
    client = TestClient(made(server).setup_webserver())
    # Without its end marker, so that only the response tells.
    text = RIGHT.text.replace("(* END *)", "")
    limit = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    whole = client.post("/verify", json=row(text)).json()
    cut = client.post("/verify", json=row(text, **limit)).json()

    assert 1.0 == whole["passed"]
    assert cut["reward"] < whole["reward"]


def test_an_unknown_problem_is_an_error(server: Process) -> None:
    """It is a mistake in the data, which no retry mends."""
    client = TestClient(made(server).setup_webserver())
    with pytest.raises(InputError, match="nowhere"):
        client.post("/verify", json=row(RIGHT.text, problem="nowhere"))


def test_gyms_own_checks(server: Process, tmp_path: Path) -> None:
    """Its contract of sessions; and its fixture: full reward, none, malformed, the same again."""
    seed = ResourcesSeedSessionRequest(
        resources_session_id="s",
        episode_id={"rollout_id": "e"},
        task_id={"taskset": "t", "task_id": "1"},
        task_data={},
    )
    check_resources_session_contract(made(server).setup_webserver(), seed, keeps_state=False)

    cases: list[dict[str, Any]] = [
        {"kind": "full_reward", "request": row(RIGHT.text), "expected_reward": 1.0},
        {"kind": "zero_reward", "request": row("No."), "expected_reward": 0.0},
        {"kind": "determinism", "request": row(WRONG.text), "expected_reward": WRONG.reward},
        {"kind": "malformed", "request": row("", problem="x"), "expected_error": "'x'"},
    ]
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps({"name": each["kind"], **each}) + "\n" for each in cases))
    fixture = VerifierFixture(
        server_factory=lambda: made(server),
        request_model=VerifyRequest,
        cases_path=path,
        reseed=lambda *_: None,
    )
    found = asyncio.run(
        exercise_verifier_fixture(fixture, reward_range=(0, 1), determinism="seeded")
    )
    assert len(cases) == len(found)


def gym(folder: Path, *arguments: str) -> None:
    """Run a command of NeMo Gym's, and end what it has started and left."""
    log = folder / "log.txt"
    with log.open("w") as output:
        child = subprocess.Popen(
            [str(Path(sys.executable).parent / "gym"), *arguments],
            cwd=folder,
            env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": str(ROOT)},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        assert 0 == child.wait(PATIENCE_S), log.read_text("utf-8")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def test_what_failed_is_graded_again(server: Process, tmp_path: Path) -> None:
    """`gym eval reverify` starts the example's server: with a dead engine all samples go to the file
    of failures, and from there to the results once it is back.
    """
    config = yaml.safe_load(
        (EXAMPLE / "resources_servers" / "ocaml" / "configs" / "ocaml.yaml").read_text("utf-8")
    )
    settings = config["ocaml"]["resources_servers"]["ocaml"]
    settings |= {"problems": str(PROBLEMS), "deadline_s": 4.0}
    # Its commands make an environment for each server with uv, unless it is there.
    place = tmp_path / "environments" / "resources_servers" / "ocaml"
    place.mkdir(parents=True)
    (place / ".venv").symlink_to(sys.prefix)
    index = [{"_ng_task_index": 0, "_ng_rollout_index": at} for at in range(2)]
    agent = {"agent_ref": {"name": "ocaml_simple_agent"}}
    rollouts = [
        {**row(each.text), **agent, **at, "reward": 0.5}
        for each, at in zip(EXAMPLES, index, strict=True)
    ]
    for name in ("inputs", "rollouts"):
        text = "".join(json.dumps(each) + "\n" for each in rollouts)
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")

    def reverify(engine: str, source: str, output: str, *more: str) -> None:
        settings["engine"] = engine
        (tmp_path / "config.yaml").write_text(yaml.safe_dump({"ocaml": config["ocaml"]}), "utf-8")
        gym(
            tmp_path,
            *("eval", "reverify", "--search-dir", str(EXAMPLE), "--config", "config.yaml"),
            *("--inputs", "inputs.jsonl", "--rollouts", source, "--output", output, *more),
            *("+skip_venv_if_present=true", f"+uv_venv_dir={tmp_path / 'environments'}"),
        )

    reverify("http://127.0.0.1:9", "rollouts.jsonl", "first.jsonl")
    assert "" == (tmp_path / "first.jsonl").read_text("utf-8")
    failures = (tmp_path / "first_failures.jsonl").read_text("utf-8").splitlines()
    assert [True, True] == [json.loads(each)["mask_sample"] for each in failures]

    reverify(server.url, "first.jsonl", "second.jsonl", "--judge-failed-only")
    lines = (tmp_path / "second.jsonl").read_text("utf-8").splitlines()
    found = {each["_ng_rollout_index"]: each["reward"] for each in map(json.loads, lines)}
    assert {0: RIGHT.reward, 1: WRONG.reward} == found
    (metrics,) = json.loads((tmp_path / "second_aggregate_metrics.json").read_text("utf-8"))
    assert 100.0 == metrics["key_metrics"]["pass@2/passed"]
