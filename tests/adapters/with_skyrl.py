"""SkyRL's own registry makes our environment, with a server behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import skyrl_gym

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, WRONG
from tests.serving.running import Process, spawned
from trainer_plugin.adapters.grading import RewardUnavailable


@pytest.fixture
def server() -> Iterator[Process]:
    """Serve the real engine."""
    with spawned() as process:
        yield process


def stepped(server: Process, text: str) -> Any:
    """Make the environment of a row, and take its one step."""
    settings = {"engine": server.url, "problems": str(PROBLEMS), "deadline_s": 4.0}
    extras = {"reward_spec": {"method": "rule", "ground_truth": PROBLEM}}
    made = skyrl_gym.make("ocaml", env_config=settings, extras=extras)
    made.init([{"role": "user", "content": "Write plateaus."}])
    return made.step(text)


def test_a_step_earns_what_the_corpus_records(server: Process) -> None:
    """One step ends the episode with the reward; with a dead server it raises."""
    skyrl_gym.register(id="ocaml", entry_point="trainer_plugin.adapters.skyrl:OCamlEnv")
    found = [stepped(server, each.text) for each in (RIGHT, WRONG)]
    server.kill()

    assert [(RIGHT.reward, True), (WRONG.reward, True)] == [
        (each["reward"], each["done"]) for each in found
    ]
    with pytest.raises(RewardUnavailable, match="not graded, "):
        stepped(server, f"(* new *) {RIGHT.text}")
