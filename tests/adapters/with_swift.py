"""ms-swift's own code loads our plugin and has it grade, with a server behind it."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from swift.rewards import orms
from swift.rl_core.data import GRPOSample
from swift.rl_core.grpo_algorithm import compute_rewards_per_func
from swift.utils import import_external_file

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.serving.running import spawned
from trainer_plugin.adapters.grading import RewardUnavailable


def rewards(function: Any, *texts: str, cut: bool = False) -> list[float]:
    """Have the trainer's step grade samples, as a rollout leaves them."""
    samples = [
        GRPOSample(
            messages=[
                {"role": "user", "content": "Write plateaus."},
                {"role": "assistant", "content": text},
            ],
            extra={"solution": PROBLEM},
            finish_reason="length" if cut else "stop",
        )
        for text in texts
    ]
    found = compute_rewards_per_func(samples, [function], [None], device=torch.device("cpu"))
    return [round(float(each), 6) for each in found[:, 0]]


def test_the_plugin_earns_what_the_corpus_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`--external_plugins examples/swift_plugin.py --reward_funcs ocaml`: the step has our rewards,
    less for what was cut off, and a dead server raises instead of a 0.
    """
    monkeypatch.setenv("OCAML_REWARD_DEADLINE_S", "6")
    monkeypatch.setenv("OCAML_REWARD_PROBLEMS", str(PROBLEMS))
    import_external_file(str(ROOT / "examples" / "swift_plugin.py"))
    with spawned() as server:
        monkeypatch.setenv("OCAML_REWARD_ENGINE", server.url)
        function = orms["ocaml"](args=None)
        found = rewards(function, RIGHT.text, WRONG.text)
        open_end = RIGHT.text.replace("(* END *)", "")
        (cut,) = rewards(function, open_end, cut=True)
        (whole,) = rewards(function, open_end)
        server.kill()
        with pytest.raises(RewardUnavailable, match="not graded, "):
            rewards(function, f"(* new *) {RIGHT.text}")

    assert [RIGHT.reward, WRONG.reward] == found
    assert cut < whole
