"""OpenEnv's own server with our environment, and its own clients."""

from __future__ import annotations

import asyncio
import os
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

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.serving.running import spawned

SESSIONS = 1000


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
