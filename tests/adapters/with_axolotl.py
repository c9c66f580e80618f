"""axolotl's own loader of reward functions takes ours, with a server behind it."""

from __future__ import annotations

import json

import pytest
from axolotl.core.trainers.grpo import GRPOStrategy

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, WRONG
from tests.serving.running import spawned


def checks_of(problem_id: str) -> str:
    """Return the tests of a problem."""
    for line in PROBLEMS.read_text("utf-8").splitlines():
        problem = json.loads(line)
        if problem["id"] == problem_id:
            return str(problem["tests"])
    raise LookupError(problem_id)


def test_the_dotted_path_earns_what_the_corpus_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`trl.reward_funcs: [trainer_plugin.ocaml_reward]` is our reward; a fault is None."""
    monkeypatch.setenv("OCAML_REWARD_DEADLINE_S", "6")
    texts = [RIGHT.text, WRONG.text]
    columns = {"prompts": ["", ""], "tests": [checks_of(PROBLEM)] * 2}
    with spawned() as server:
        monkeypatch.setenv("OCAML_REWARD_ENGINE", server.url)
        reward = GRPOStrategy.get_reward_func("trainer_plugin.ocaml_reward")
        found = reward(completions=texts, **columns)
        server.kill()
        faults = reward(completions=[f"(* new *) {each}" for each in texts], **columns)

    assert [RIGHT.reward, WRONG.reward] == found
    assert [None, None] == faults
