"""OpenEnv's own server with our environment, and its own clients."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from openenv.core.generic_client import GenericEnvClient
from websockets.asyncio.client import connect

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG, reference
from tests.adapters.openenv_package import CHECKS, start, validated
from tests.serving.running import spawned

SESSIONS = 1000
PACKAGE = ROOT / "examples" / "openenv"
OPENENV = Path(sys.executable).parent / "openenv"

ABSENT = "grader not implemented in this build"
SKIPPED = {
    "runtime.network_policy": "missing provider capabilities: network_policy",
    "runtime.tool_declaration_accuracy": ABSENT,
    "runtime.trajectory_record": ABSENT,
    "runtime.host_containment": ABSENT,
    "runtime.resource_bounds": ABSENT,
    "semantic.verifier_portability": ABSENT,
    "semantic.resource_envelope": ABSENT,
    "semantic.replayability": ABSENT,
}
"""The checks that nobody has made of the package, with the validator's reason."""

OWN = {
    "static.manifest",
    "runtime.startup",
    "runtime.reward_well_formed",
    "runtime.observation_schema",
    "runtime.state_contract",
}
"""The checks that the validator makes without Docker."""


@contextmanager
def serving(**variables: str) -> Iterator[tuple[str, int]]:
    """Run OpenEnv's server, and give its URL and its process's number."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "--factory", "--log-level", "warning"]
    command += ["--port", str(port), "trainer_plugin.adapters.openenv:app"]
    given = {
        "PYTHONPATH": str(ROOT),
        "OCAML_REWARD_PROBLEMS": str(PROBLEMS),
        "OCAML_REWARD_SCHEME": "seed",
    }
    with subprocess.Popen(command, env={**os.environ, **given, **variables}) as child:
        url = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                try:
                    httpx.get(f"{url}/health").raise_for_status()
                    break
                except httpx.HTTPError:
                    time.sleep(0.1)
            yield url, child.pid
        finally:
            child.terminate()


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    """Serve with an engine of its own."""
    with serving() as found:
        yield found


async def episode(client: Any, *programs: str) -> list[Any]:
    """Try programs at the corpus' problem, and return what came of each."""
    await client.reset(problem=PROBLEM)
    return [await client.step({"program": each}) for each in programs]


def test_an_episode_of_two_turns(server: tuple[str, int]) -> None:
    """A wrong program is told about and earns nothing yet; the right one that follows earns what
    the corpus records, and the same on repeat.
    """

    async def played() -> list[list[Any]]:
        async with GenericEnvClient(base_url=server[0]) as client:
            return [await episode(client, WRONG.text, RIGHT.text) for _ in range(2)]

    first, again = asyncio.run(played())

    assert [(0.0, False), (RIGHT.reward, True)] == [(each.reward, each.done) for each in first]
    assert "tests pass. The others" in first[0].observation["text"]
    assert [(each.reward, each.observation) for each in first] == [
        (each.reward, each.observation) for each in again
    ]


def test_http_as_its_clients_expect(server: tuple[str, int]) -> None:
    """Without a session a problem can be asked for, tasks are listed, and schemas are told."""
    with httpx.Client(base_url=server[0]) as client:
        asked = client.post("/reset", json={"problem": PROBLEM}).json()
        schema = client.get("/schema").json()
        tasks = client.post("/ocaml/num_tasks", json={"split": "train"}).json()
        task = client.post("/ocaml/task", json={"split": "train", "index": 0}).json()
        refused = client.post("/reset", json={"problem": "none"})

    assert (PROBLEM, None) == (asked["observation"]["problem_id"], asked["reward"])
    assert "program" in schema["action"]["properties"]
    assert len(PROBLEMS.read_text("utf-8").splitlines()) == tasks["num_tasks"]
    assert 0 == task["task"]["index"]
    assert 500 <= refused.status_code


def test_two_wrong_tries_earn_the_last_ones_reward(server: tuple[str, int]) -> None:
    """The episode ends with its tries, and a further one is refused."""

    async def played() -> list[Any]:
        async with GenericEnvClient(base_url=server[0]) as client:
            found = await episode(client, "let", WRONG.text)
            with pytest.raises(RuntimeError, match="the episode is over"):
                await client.step({"program": RIGHT.text})
            return found

    _, last = asyncio.run(played())

    assert (WRONG.reward, True) == (last.reward, last.done)


def test_a_fault_is_an_error_and_no_reward() -> None:
    """With its engine gone a try is refused, does not count, and is graded when it is back."""

    async def played(url: str, kill: Any) -> None:
        async with GenericEnvClient(base_url=url) as client:
            await episode(client, WRONG.text)
            kill()
            with pytest.raises(RuntimeError, match="not graded"):
                await client.step({"program": RIGHT.text})
            assert 1 == (await client.state())["step_count"]

    with (
        spawned() as engine,
        serving(OCAML_REWARD_ENGINE=engine.url, OCAML_REWARD_DEADLINE_S="4") as found,
    ):
        asyncio.run(played(found[0], engine.kill))


def copied(folder: Path) -> Path:
    """Copy the package under the name that it is installed by."""
    kept = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(PACKAGE, folder / "ocaml_env", ignore=kept))


def asked(*words: str) -> tuple[int, Any]:
    """Run `openenv validate --json`, and return its exit status and its report."""
    done = subprocess.run(
        [OPENENV, "validate", "--json", *words], capture_output=True, text=True, check=False
    )
    return done.returncode, json.loads(done.stdout)


def test_the_validator_takes_the_package() -> None:
    """The command finds no failure; without a build it skips what needs one, and says so."""
    status, report = asked(str(PACKAGE), "--skip-build")
    found = {each["check_id"]: each["status"] for each in report["results"]}
    reasons = {each["check_id"]: each["evidence"] for each in report["results"]}

    assert (0, "warn") == (status, report["verdict"])
    assert {"static.manifest"} == {name for name, each in found.items() if each == "pass"}
    assert {"pass", "skip"} == {*found.values()}
    assert ["--skip-build: build-dependent runtime checks skipped"] == reasons["runtime.startup"]
    assert all(reasons[name] for name, each in found.items() if each == "skip")


def test_the_validator_takes_a_running_server() -> None:
    """Each of its six criteria is met."""
    running = start(PACKAGE)
    try:
        status, report = asked("--url", running.base_url, "--timeout", "60")
    finally:
        running.stop()

    assert (0, True) == (status, report["passed"])
    assert (6, 6) == (report["summary"]["passed_count"], report["summary"]["total_count"])


def test_the_package_keeps_every_promise() -> None:
    """Every check passes, the validator's and ours, but for those that are named here."""
    found = validated(PACKAGE)

    assert SKIPPED == {
        name: evidence[0] for name, (status, evidence) in found.items() if status == "skip"
    }
    assert {} == {name: each for name, each in found.items() if each[0] not in {"pass", "skip"}}
    assert found.keys() == {*OWN, *SKIPPED, *CHECKS}


def test_the_packages_problems_are_the_corpus() -> None:
    """They are lines of its file, so that nothing is written twice that could differ."""
    found = (PACKAGE / "data" / "problems.jsonl").read_text("utf-8").splitlines()

    assert {*found} <= {*PROBLEMS.read_text("utf-8").splitlines()}


def test_the_packages_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its observations and states have types."""
    copied(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    package = importlib.import_module("ocaml_env")
    running = start(PACKAGE)
    try:
        with package.OCamlEnv(base_url=running.base_url).sync() as client:
            first = client.reset(problem=PROBLEM).observation
            last = client.step(package.Program(program=reference(PROBLEM)))
            steps = client.state().step_count
    finally:
        running.stop()

    assert (PROBLEM, None) == (first.problem_id, first.verdict)
    assert (1.0, True, "passed", 1) == (last.reward, last.done, last.observation.verdict, steps)


def test_a_manifest_without_a_key_fails(tmp_path: Path) -> None:
    """The validator names the key."""
    manifest = copied(tmp_path) / "openenv.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("    floor_margin: 0.8\n", ""), "utf-8")

    status, report = asked(str(manifest.parent), "--skip-build")

    (found,) = (each for each in report["results"] if each["check_id"] == "static.manifest")
    assert (1, "fail", "fail") == (status, report["verdict"], found["status"])
    assert "floor_margin" in " ".join(found["evidence"])


Broken = tuple[str, str, str]
"""A file of the package, a text in it, and what takes its place."""

SERVED = "app = openenv.app()\n"


def patched(program: str) -> Broken:
    """Break the server by a program that runs before it serves."""
    return "server/app.py", SERVED, SERVED + program


WRONG_DATA: dict[str, list[Broken]] = {
    "semantic.oracle_max": [
        ("data/problems.jsonl", '"let rotate_left', '"let rec rotate_left _ _ = []\\nlet rotate')
    ],
    # As the problems are others than were pinned.
    "static.task_distribution_pinning": [],
    "runtime.task_declaration_accuracy": [("openenv.yaml", "train: 6", "train: 7")],
    "semantic.canary_floor": [
        (
            "validation/canaries.jsonl",
            '{"program": "The answer',
            f'{{"program": {json.dumps(reference(PROBLEM))}}}, {{"program": "The answer',
        )
    ],
}
WRONG_ANSWERS: dict[str, list[Broken]] = {
    "semantic.no_solution_leakage": [
        patched("""
begin = openenv.OCamlEnvironment.reset_async
async def leaks(self, *args, **named):
    found = await begin(self, *args, **named)
    hidden = self._episode.problem.tests
    found.text += hidden if isinstance(hidden, str) else ""
    return found
openenv.OCamlEnvironment.reset_async = leaks
""")
    ],
    "runtime.seed_control": [
        patched("""
choose = openenv.OCamlEnvironment._chosen
openenv.OCamlEnvironment._chosen = lambda self, problem, index, seed: choose(self, problem, index, 0)
""")
    ],
    "semantic.verifier_determinism": [
        patched("""
import random
graded = openenv.OCamlEnvironment.step_async
async def wavers(self, *args, **named):
    found = await graded(self, *args, **named)
    if found.done and found.reward < 1:
        found.reward = random.random() / 10
    return found
openenv.OCamlEnvironment.step_async = wavers
""")
    ],
    # Which sees the rewards waver, too.
    "runtime.episode_determinism": [],
    "runtime.episode_isolation": [],
    "runtime.oracle_containment": [
        patched("""
from fastapi.responses import FileResponse
app.add_api_route("/problems", lambda: FileResponse(DATA / "problems.jsonl"))
""")
    ],
}
WRONG_PROTOCOL: dict[str, list[Broken]] = {
    "runtime.reward_well_formed": [
        patched("""
graded = openenv.OCamlEnvironment.step_async
async def odd(self, action, **named):
    found = await graded(self, action, **named)
    found.reward = -0.5 if found.done and found.reward < 1 else found.reward
    found.reward = 1.0 if found.done and not action.program else found.reward
    return found
openenv.OCamlEnvironment.step_async = odd
""")
    ],
    "semantic.floor_gap": [],
    "runtime.state_contract": [
        patched("""
begin = openenv.OCamlEnvironment.reset_async
async def anonymous(self, *args, **named):
    found = await begin(self, *args, **named)
    self._state.episode_id = "an episode"
    return found
openenv.OCamlEnvironment.reset_async = anonymous
""")
    ],
    "runtime.episode_isolation": [
        patched("""
steps = 0
counted = openenv.OCamlEnvironment.step_async
async def counts_all(self, *args, **named):
    global steps
    found = await counted(self, *args, **named)
    steps += 1
    self._state.step_count = steps
    return found
openenv.OCamlEnvironment.step_async = counts_all
""")
    ],
    "runtime.episode_determinism": [],
    "runtime.observation_schema": [
        patched("""
class Wordy(openenv.Reply):
    model: str = "one more field"
openenv.Reply = Wordy
""")
    ],
}


@pytest.mark.parametrize(
    "broken",
    [
        WRONG_DATA,
        WRONG_ANSWERS,
        WRONG_PROTOCOL,
        {"runtime.startup": [patched("raise SystemExit(3)")]},
    ],
    ids=["data", "answers", "protocol", "startup"],
)
def test_a_broken_promise_is_found(broken: dict[str, list[Broken]], tmp_path: Path) -> None:
    """The checks that fail are those whose promises are broken, and no others."""
    root = copied(tmp_path)
    for file, old, new in (each for changes in broken.values() for each in changes):
        text = (root / file).read_text("utf-8")
        assert old in text
        (root / file).write_text(text.replace(old, new, 1), "utf-8")

    found = validated(root)

    assert {*broken} == {name for name, each in found.items() if each[0] == "fail"}, found


def used(pid: int) -> tuple[int, int, int]:
    """Return a process' resident megabytes, its threads, and the files it has open."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    told = dict(line.split(":", 1) for line in status.splitlines())
    files = len([*Path(f"/proc/{pid}/fd").iterdir()])
    return int(told["VmRSS"].split()[0]) // 1024, int(told["Threads"]), files


def children(pid: int) -> int:
    """Count the processes below one."""
    listed = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    )
    below, pairs = {pid}, [line.split() for line in listed.stdout.splitlines()]
    for _ in range(9):
        below |= {int(child) for child, parent in pairs if int(parent) in below}
    return len(below)


def test_a_thousand_sessions_at_once(server: tuple[str, int]) -> None:
    """All get their rewards, those whose clients vanish leave nothing, and afterwards the server
    is as it was.
    """
    url, pid = server

    async def one(number: int, ready: asyncio.Barrier) -> float | None:
        if number % 10 == 0:
            # Gone in the middle of a try, without a word.
            there = await connect(f"{url.replace('http', 'ws')}/ws", open_timeout=120)
            await ready.wait()
            await there.send(f'{{"type": "reset", "data": {{"problem": "{PROBLEM}"}}}}')
            await there.send('{"type": "step", "data": {"program": "let x = 1"}}')
            there.transport.abort()
            return None
        client = GenericEnvClient(base_url=url, connect_timeout_s=120, message_timeout_s=300)
        async with client:
            await ready.wait()
            # Programs that differ, so that each is graded.
            right = f"(* {number} {time.monotonic()} *)\n{RIGHT.text}"
            _, last = await episode(client, f"let x{number} = 1 + true", right)
            return float(last.reward)

    async def all_of(count: int) -> list[float | None]:
        ready = asyncio.Barrier(count)
        return await asyncio.gather(*(one(number, ready) for number in range(count)))

    asyncio.run(all_of(SESSIONS))
    before = used(pid), children(pid)
    found = asyncio.run(all_of(SESSIONS))
    for _ in range(100):
        after = used(pid), children(pid)
        if after[0][2] <= before[0][2] + 5:
            break
        time.sleep(0.1)

    assert SESSIONS // 10 == found.count(None)
    assert {RIGHT.reward} == {each for each in found if each is not None}
    (memory, threads, files), processes = after
    assert memory <= before[0][0] + 60
    assert threads <= before[0][1] + 5
    assert files <= before[0][2] + 5
    assert processes <= before[1] + 1
