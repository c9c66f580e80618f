"""Completions of a model that is loaded here, for `ocaml-reward evaluate`."""

from __future__ import annotations

import io
import json
import socket
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer, set_seed

from ocaml_reward import InputError, MachineError
from tests.speaking_openai import serving
from trainer_plugin.config.value import PromptConfig
from trainer_plugin.generation import endpoint
from trainer_plugin.generation.__main__ import _work
from trainer_plugin.generation.job import parse_job
from trainer_plugin.generation.local import generate

from .training import PROMPT

pytestmark = pytest.mark.filterwarnings("default")


def answers(model: Path, **changed: Any) -> list[list[dict[str, Any]]]:
    """Do a job as the process does that `evaluate` starts: three problems, two at a time."""
    told: dict[str, Any] = {
        "model": str(model),
        "url": "",
        "problems": [{"id": f"p{n}", "prompt": f"{PROMPT} {n}"} for n in range(3)],
        "end": "",
        "prompt": asdict(PromptConfig(few_shot=0)),
        "samples": 2,
        "done": 0,
        "temperature": 1.0,
        "top_p": 1.0,
        "max_tokens": 6,
        "seed": 0,
        "batch": 2,
        "concurrency": 1,
        "timeout_s": 1.0,
    }
    stream = io.StringIO()
    _work(parse_job(told | changed), stream)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_run_that_goes_on_says_what_an_unbroken_one_says(tiny_model: Path) -> None:
    """Each batch has random numbers of its own, which only the seed changes."""
    whole = answers(tiny_model)

    assert [["p0", "p0", "p1", "p1"], ["p2", "p2"]] == [
        [row["problem_id"] for row in batch] for batch in whole
    ]
    assert [0, 1, 0, 1] == [row["sample"] for row in whole[0]]
    assert {str(tiny_model)} == {row["model"] for batch in whole for row in batch}
    assert 5 < len({row["completion"] for batch in whole for row in batch})
    assert whole[1:] == answers(tiny_model, done=4)
    assert whole != answers(tiny_model, seed=1)


def test_a_completion_says_whether_it_was_cut_off(tiny_model: Path) -> None:
    """After one token a completion is cut off, unless that token is its end."""
    told = [
        row
        for batch in answers(tiny_model, samples=16, max_tokens=1)
        + answers(tiny_model, samples=1, max_tokens=1, temperature=0)
        for row in batch
    ]

    assert {True, False} == {bool(row["completion"]) for row in told}
    assert ["length" if row["completion"] else "stop" for row in told] == [
        row["finish_reason"] for row in told
    ]


def test_a_server_is_asked_for_each_completion(tiny_model: Path) -> None:
    """A real model behind the protocol: four requests at a time, answers in the order of the
    problems, and a run that goes on says what an unbroken one says.
    """
    tokenizer = AutoTokenizer.from_pretrained(tiny_model, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(tiny_model)
    alone = threading.Lock()

    def answer(body: dict[str, Any]) -> tuple[str, str]:
        with alone:
            set_seed(body["seed"])
            (made,) = generate(
                model,
                tokenizer,
                [body["prompt"]],
                samples=1,
                temperature=body["temperature"],
                top_p=body["top_p"],
                max_tokens=body["max_tokens"],
            )
        return made.text, made.finish_reason

    with serving(answer) as served:
        asked = {"url": served.url, "concurrency": 4}
        prompt = asdict(PromptConfig(few_shot=0, style="text"))
        whole = answers(tiny_model, prompt=prompt, **asked)
        rest = answers(tiny_model, prompt=prompt, done=3, **asked)

    rows = [row for batch in whole for row in batch]
    assert [f"p{n // 2}" for n in range(6)] == [row["problem_id"] for row in rows]
    assert 4 < len({row["completion"] for row in rows})
    assert {"/v1/completions"} == {each["path"] for each in served.asked}
    assert whole[3:] == rest


def test_a_server_that_is_not_there_is_the_machines_fault(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked several times, each after a longer wait, and says nothing about a model."""
    monkeypatch.setattr(endpoint, "FIRST_WAIT_S", 0.001)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"

        with pytest.raises(MachineError, match=r"no answer after 6 attempts: .* refused"):
            answers(tiny_model, url=url)


def test_a_model_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    """A folder without a model is a wrong option, not a broken machine."""
    with pytest.raises(InputError, match=r"^--model: .*nothing: no such folder; ") as raised:
        answers(tmp_path / "nothing")

    assert "\n" not in str(raised.value)
