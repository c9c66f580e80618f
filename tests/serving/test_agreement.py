"""The real engine behind servers: the records are those of the local one, or faults."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ocaml_reward import Breakdown, Completion, Grader, MachineError, Problem
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.engine.remote.engine import RemoteEngine
from ocaml_reward.formats import Joining, load_problems
from ocaml_reward.record import breakdown_to_dict, dumps
from tests.serving.proxy import harmed
from tests.serving.running import ROOT, Process, ask, spawned, until

CORPUS = ROOT / "test_corpus"
# Their time is what is tested there; here it would only be waited for.
SLOW = {"timed_out", "out_of_memory", "output_limit"}

Pair = tuple[Problem, Completion]


def verdicts() -> list[str]:
    """Return the recorded verdicts of the corpus, in the order of its completions."""
    lines = (CORPUS / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(each)["verdict"] for each in lines]


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    """Take every sixth completion of the corpus that does not spend all that it may."""
    joining = Joining(
        source=CORPUS / "completions.jsonl",
        problems=load_problems(CORPUS / "problems.jsonl"),
        report=lambda _: None,
        note=lambda _: None,
        check=lambda _: None,
    )
    quick = [
        (item.problem, item.line.completion)
        for item, verdict in zip(joining, verdicts(), strict=True)
        if verdict not in SLOW
    ]
    return quick[::6]


def line(breakdown: Breakdown) -> str:
    """Write a record, timings aside."""
    return dumps({**breakdown_to_dict(breakdown), "timings_ms": {}})


@pytest.fixture(scope="module")
def local(pairs: list[Pair]) -> list[str]:
    """Grade them on this machine's own engine."""
    with Grader(engine=WarmEngine()) as grader:
        return list(map(line, grader.grade_many(pairs)))


@pytest.fixture(scope="module")
def server() -> Iterator[Process]:
    """Run one server for the tests that leave it as it was."""
    with spawned() as process:
        yield process


def test_one_server_gives_the_local_records(
    pairs: list[Pair], local: list[str], server: Process
) -> None:
    """Through a server each record is the local one, byte for byte but for its timings."""
    with Grader(engine=RemoteEngine(server.url)) as grader:
        remote = list(map(line, grader.grade_many(pairs)))

    assert local == remote


def test_a_server_that_dies_loses_nothing(
    pairs: list[Pair], local: list[str], server: Process
) -> None:
    """Of two servers one is killed once it has answered: the other does its work, and no record
    differs.
    """
    killed_at = None
    with spawned() as doomed:
        engine = RemoteEngine(f"{doomed.url},{server.url}")
        with Grader(engine=engine) as grader:
            remote = []
            for breakdown in grader.grade_many(pairs):
                remote.append(line(breakdown))
                if (
                    killed_at is None
                    and b'path="/v1/check",status="200"' in ask(doomed.url, "/metrics").text
                ):
                    doomed.kill()
                    killed_at = len(remote)

    assert killed_at is not None
    assert killed_at < len(pairs)
    assert local == remote


def test_a_restart_is_a_pause(pairs: list[Pair], local: list[str]) -> None:
    """The only server goes and another comes at its address: the run waits, and goes on."""
    with spawned() as first:
        grader = Grader(engine=RemoteEngine(first.url))
        stream = grader.grade_many(pairs[:24])
        remote = [line(next(stream)) for _ in range(5)]
        first.kill()
        with spawned("--port", str(first.port)):
            remote += map(line, stream)
        grader.close()

    assert local[:24] == remote


def test_no_harm_on_the_way_changes_a_record(
    pairs: list[Pair], local: list[str], server: Process
) -> None:
    """Resets, delays, answers cut short, forged ones and 500: a record is the local one, or
    it has a fault and no reward.
    """
    with (
        harmed(server.port) as (url, harms),
        Grader(engine=RemoteEngine(url), jobs=2) as grader,
    ):
        remote = list(grader.grade_many(pairs[:16]))
    unlike = [
        found
        for expected, found in zip(local, remote, strict=False)
        if expected != line(found) and (found.fault is None or found.reward is not None)
    ]

    assert [] == unlike
    assert all(harms.values()), harms


def test_without_a_server_there_is_a_fault_and_soon(pairs: list[Pair]) -> None:
    """Past the deadline each completion has a fault and no reward; only one waits for it."""
    with spawned() as only:
        engine = RemoteEngine(only.url, deadline_s=1.5)
        with Grader(engine=engine, jobs=1) as grader:
            grader.prepare(pairs[0][0])
            only.kill()
            graded = [grader.grade(*pair) for pair in pairs[:4]]

    assert {(None, "RemoteFault")} == {
        (each.reward, each.fault.kind if each.fault else "") for each in graded
    }


def test_a_server_that_forgot_prepares_again(server: Process) -> None:
    """A request whose tests the server never saw is answered: its problem is sent along."""
    problem = Problem(id="half", tests="let () = assert (half 8 = 4)")
    with spawned() as other:
        first = Grader(engine=RemoteEngine(server.url))
        prepared = first.prepare(problem)
        second = Grader(engine=RemoteEngine(other.url))
        # What the second engine has of the tests is their order, and no server's memory.
        second._prepared = first._prepared
        graded = second.grade(problem, Completion(text="let half x = x / 2"))
        for grader in (first, second):
            grader.close()

    assert prepared.payload
    assert 1.0 == graded.credits.tests / second.scheme.available.tests


def test_unlike_servers_are_refused(server: Process) -> None:
    """Records of two kinds of engine do not mix: it is said which server is which."""
    with (
        spawned("--engine", "stock") as other,
        pytest.raises(MachineError, match=r"stock engine, .*another is .*warm engine"),
    ):
        RemoteEngine(f"{server.url},{other.url}")


def test_sigterm_ends_what_was_begun_and_every_process() -> None:
    """On SIGTERM new work finds no door, what was begun is answered, and nothing is left."""
    slow = {
        "problem": {"id": "f", "tests": "let () = assert (f () = 1)"},
        "completion": "let f () = while Sys.time () < 0.7 do () done; 1",
    }
    with spawned() as server, ThreadPoolExecutor(1) as pool:
        ask(server.url, "/readyz")
        begun = pool.submit(ask, server.url, "/v1/score", {"items": [slow]})
        until(lambda: b"waiting 0.0" in ask(server.url, "/metrics").text)
        threading.Event().wait(0.3)
        os.kill(server.process.pid, signal.SIGTERM)
        reply = begun.result(60)
        code = server.process.wait(60)
        left = subprocess.run(
            ["ps", "-o", "pid=", "-s", str(server.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        with pytest.raises(ConnectionRefusedError):
            ask(server.url, "/healthz")

    assert (200, "passed") == (reply.status, reply.json["results"][0]["verdict"])
    assert 0 == code
    assert "" == left.stdout.strip()


def test_score_takes_an_address(server: Process, tmp_path: Path) -> None:
    """`ocaml-reward score --engine URL` writes the same file as without, timings aside."""
    some = (CORPUS / "completions.jsonl").read_text(encoding="utf-8").splitlines()[:12]
    source = tmp_path / "completions.jsonl"
    source.write_text("\n".join(some) + "\n", encoding="utf-8")
    lines = []
    for name in ("auto", server.url):
        command = ["score", str(source), "--problems", str(CORPUS / "problems.jsonl")]
        done = subprocess.run(
            [sys.executable, "-m", "cli", *command, "--engine", name],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        lines.append([timeless(each) for each in done.stdout.splitlines()])

    assert 12 == len(lines[0])
    assert lines[0] == lines[1]


def timeless(text: str) -> str:
    """Rewrite a record without its timings."""
    return dumps({**json.loads(text), "timings_ms": {}})


def test_a_server_whose_children_die_loses_nothing(pairs: list[Pair], local: list[str]) -> None:
    """Children are killed in mid-run: no record differs, it is counted, the server stays ready,
    and at SIGTERM all of them end.
    """
    with (
        spawned("--children", "2") as server,
        Grader(engine=RemoteEngine(server.url)) as grader,
        ThreadPoolExecutor(4) as pool,
    ):

        def graded(place: int) -> str:
            if place in {len(pairs) // 3, 2 * len(pairs) // 3}:
                os.kill(server.children[0], signal.SIGKILL)
            return line(grader.grade(*pairs[place]))

        remote = list(pool.map(graded, range(len(pairs))))
        seen = ask(server.url, "/metrics").text.decode()
        ready = ask(server.url, "/readyz").status
        left = server.children
        os.kill(server.process.pid, signal.SIGTERM)
        code = server.process.wait(60)

    assert local == remote
    assert "ocaml_reward_children_lost_total 2.0" in seen
    assert (200, 0) == (ready, code)
    assert left
    assert [] == [pid for pid in left if Path(f"/proc/{pid}").exists()]
