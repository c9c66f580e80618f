"""The server's answers: the three worlds of failure, and what it says of itself."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from ocaml_reward import JailFault
from ocaml_reward.engine.prepare.prepared_by_request import Order, order_bytes
from ocaml_reward.model import Budget
from ocaml_reward.serving import Settings
from ocaml_reward.serving.running import listening
from ocaml_reward.testing import FakeEngine, problem
from tests.serving.faked import GOOD, PROBLEM, engine, items
from tests.serving.running import ask, served


def test_a_fault_is_null_where_null_can_be_said() -> None:
    """/v1/score has reward null and the fault, beside what could be graded."""
    with served(engine(broken=JailFault("no jail"))) as url:
        answer = ask(url, "/v1/score", items("broken", GOOD))
    first, second = answer.json["results"]

    assert 200 == answer.status
    assert (None, "JailFault") == (first["reward"], first["fault"]["kind"])
    assert (None, True) == (second["fault"], second["reward"] is not None)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (
            "/get_reward",
            {"query": ["broken"], "prompts": [""], "labels": [json.dumps(PROBLEM)]},
        ),
        ("/reward", {"prompt": "", "response": "broken", "label": PROBLEM}),
        (
            "/verify",
            {
                "verifier_metadata": {"problem": PROBLEM},
                "response": {
                    "output": [
                        {
                            "type": "message",
                            "content": [{"type": "output_text", "text": "broken"}],
                        }
                    ]
                },
            },
        ),
    ],
)
def test_a_fault_is_503_where_null_cannot_be_said(path: str, body: Any) -> None:
    """A dialect's client gets no number for a fault, and is told when to come again."""
    with served(engine(broken=JailFault("no jail"))) as url:
        answer = ask(url, path, body)

    assert (503, "JailFault") == (answer.status, answer.json["error"]["kind"])
    assert "2" == answer.headers["retry-after"]


def test_the_dialects_answer_what_their_clients_read() -> None:
    """Each dialect gives the reward of the same completion in its own words."""
    prompt = "<|user|>add<|assistant|>"
    spoken = {"output": [{"type": "message", "content": [{"text": GOOD}]}]}
    row = {"verifier_metadata": {"problem": "add"}, "response": spoken, "kept": 1}
    settings = Settings(problems={"add": problem()}, ends=("<|end|>",))
    with served(engine(), settings) as url:
        query = {
            "query": [f"{prompt}{GOOD}<|end|>"],
            "prompts": [prompt],
            "labels": ["add"],
        }
        got = ask(url, "/get_reward", query).json
        verified = ask(url, "/verify", row).json
        slime = ask(url, "/reward", {"response": GOOD, "label": "add"}).json
        seeded = ask(url, "/seed_session", {})
        record = ask(url, "/v1/score", items(GOOD)).json["results"][0]

    reward = record["reward"]
    assert ([reward], [reward], [1]) == (
        got["rewards"],
        got["scores"],
        got["extra_logs"]["passed"],
    )
    assert (reward, 1, "passed") == (
        verified["reward"],
        verified["kept"],
        verified["verdict"],
    )
    assert {"score": reward, "passed": 1} == slime
    assert (200, {}) == (seeded.status, seeded.json)


def test_a_bad_problem_is_422_and_never_a_reward() -> None:
    """What was asked amiss is said in place in /v1/score, and refused elsewhere."""
    untested = order_bytes(Order(problem=problem(tests="let x = 1"), budget=Budget(check_cpu_s=1)))
    with served(engine()) as url:
        scored = ask(url, "/v1/score", {"items": [{"problem": "x", "completion": ""}]})
        slime = ask(url, "/reward", {"response": "", "label": "x"})
        prepared = ask(url, "/v1/prepare", raw=untested)
        scheme = ask(url, "/v1/score", {"scheme": "/etc/passwd", "items": []})

    assert "ProblemError" == scored.json["results"][0]["error"]["kind"]
    assert (422, "ProblemError") == (slime.status, slime.json["error"]["kind"])
    assert (422, "ProblemError") == (prepared.status, prepared.json["error"]["kind"])
    assert (422, "FormatError") == (scheme.status, scheme.json["error"]["kind"])


def test_an_engine_that_grades_amiss_is_not_ready() -> None:
    """/readyz grades: an engine that passes everything, or fails, is not to be used."""
    with served(engine()) as url:
        good = ask(url, "/readyz").status
    with served(FakeEngine()) as url:
        lenient = ask(url, "/readyz").status
        alive = ask(url, "/healthz").status
    with served(FakeEngine(otherwise=JailFault("no jail"))) as url:
        broken = ask(url, "/readyz").status

    assert (200, 503, 503, 200) == (good, lenient, broken, alive)


def test_the_metrics_count() -> None:
    with served(engine(broken=JailFault("no jail"))) as url:
        ask(url, "/v1/score", items(GOOD, "broken"))
        ask(url, "/v1/score", raw=b"{")
        text = ask(url, "/metrics").text.decode()

    assert 'ocaml_reward_graded_total{verdict="passed"} 1.0' in text
    assert 'ocaml_reward_faults_total{kind="JailFault"} 1.0' in text
    assert 'ocaml_reward_refused_total{why="FormatError"} 1.0' in text
    assert 'engine="fake"' in text


def test_logs_hold_no_completion(capfd: pytest.CaptureFixture[str]) -> None:
    """A log line says what was asked and how it went, and holds no text of it unless asked."""
    with served(engine(), Settings(token="hush")) as url:
        body = {"response": "secret code", "label": PROBLEM}
        ask(url, "/reward?token=hush", body)
    quiet = capfd.readouterr().err
    with served(engine(), Settings(log_completions=True)) as url:
        ask(url, "/reward", body)
    told = capfd.readouterr().err
    lines = [json.loads(line) for line in quiet.splitlines()]

    assert "request" in {line["event"] for line in lines}
    assert "secret code" not in quiet
    assert "hush" not in quiet
    assert "secret code" in told


def test_no_part_of_an_answer_waits_for_a_word_from_the_client() -> None:
    """A connection sends at once what it has, where it would wait 40 ms for an acknowledgement."""
    with (
        listening("127.0.0.1", 0) as door,
        socket.create_connection(door.getsockname()),
        door.accept()[0] as peer,
    ):
        at_once = peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    assert at_once
