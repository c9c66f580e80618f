"""Real training runs on a machine that fails: they go on, or say in one line why not."""

from __future__ import annotations

import itertools
import os
import re
import select
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from transformers.trainer_callback import TrainerCallback

from ocaml_reward import EngineFault
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.engine.engines.server import Server
from tests.trainer.training import trained, trainer
from trainer_plugin import OCamlReward
from trainer_plugin.callbacks import BEST_METRIC
from trainer_plugin.reading import batches, completions
from trainer_plugin.run.trainer import StepPrinter

pytestmark = pytest.mark.filterwarnings("default")

Send = Callable[[], int]


def on_requests(
    monkeypatch: pytest.MonkeyPatch,
    act: Callable[[Server, Send], int],
    *,
    only: Callable[[int], bool],
) -> None:
    """Let `act` see to requests for completions instead of sending them: to those that
    `only` chooses by their number, from 0.
    """
    send, numbers = Server.send, itertools.count()

    def sending(server: Server, kind: bytes, *items: bytes) -> int:
        if kind != b"p" and only(next(numbers)):
            return act(server, lambda: send(server, kind, *items))
        return send(server, kind, *items)

    monkeypatch.setattr(Server, "send", sending)


def kill(server: Server, send: Send) -> int:
    """Kill the engine's jail before it can answer a request."""
    os.kill(server._session.pid, signal.SIGKILL)
    gone = select.poll()
    gone.register(server._session.socket, select.POLLRDHUP)
    assert gone.poll(60_000)
    return send()


def swallow(_: Server, __: Send) -> int:
    """Lose a request, so that its answer never comes."""
    return 0


def unscored(output: Path) -> list[int]:
    """Return how many completions of each step have no reward."""
    return [round(row["fault_rate"] * row["completions"]) for row in batches(output)]


def warnings(caplog: pytest.LogCaptureFixture, text: str) -> list[str]:
    """Return our own warnings with a text in them."""
    ours = [each for each in caplog.records if each.name == "trainer_plugin"]
    return [each.getMessage() for each in ours if text in each.getMessage()]


def test_an_engine_killed_in_mid_step(
    tiny_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One kill costs nothing, as a completion is tried twice: the run does not notice."""
    on_requests(monkeypatch, kill, only=lambda number: number == 0)
    kept = trained(tiny_model, tmp_path, OCamlReward(jobs=1))

    assert [0, 0] == unscored(tmp_path)
    assert 3 == len(kept.logs)
    assert [] == warnings(caplog, "could not be scored")


def test_an_engine_that_is_killed_again_and_again(
    tiny_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What cannot be scored has no reward, in one line; the next step is as always."""
    first_batch = tmp_path / "batch_metrics.jsonl"
    on_requests(monkeypatch, kill, only=lambda _: not first_batch.exists())
    kept = trained(tiny_model, tmp_path, OCamlReward(jobs=1))
    first, second = unscored(tmp_path)

    assert first > 0
    assert 0 == second
    assert kept.logs[1]["reward"] is not None
    (line,) = warnings(caplog, "could not be scored")
    assert line.startswith(f"{first} of 4 completions could not be scored and get no")
    assert "EngineFault" in line
    rewards = [row["reward"] for row in completions(tmp_path)]
    assert first == rewards.count(None) == rewards[:4].count(None)


def test_a_reward_that_hangs(
    tiny_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An engine that never answers costs the batch's deadline, and the run goes on."""
    on_requests(monkeypatch, swallow, only=lambda number: number == 0)
    reward = OCamlReward(jobs=1, deadline_s=2.0)

    class Patience(TrainerCallback):
        def on_step_end(self, *_: Any, **__: Any) -> None:
            # A busy machine may be late with what does not hang.
            reward._scorer._deadline_s = 300.0

    built, _ = trainer(tiny_model, tmp_path, reward)
    built.add_callback(Patience())
    built.train()
    first, second = unscored(tmp_path)

    assert first > 0
    assert 0 == second
    (line,) = warnings(caplog, "could not be scored")
    assert "not scored within the batch's 2 s" in line


def test_a_full_disk(tiny_model: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """No log can be written: one line says so, and training is what it is without logs."""
    (tmp_path / "reward_logs").mkdir()
    for name in (
        "learning.log",
        "health.jsonl",
        "batch_metrics.jsonl",
        "reward_logs/completions.jsonl",
        "reward_logs/syntax_aware_breakdown.jsonl",
    ):
        (tmp_path / name).symlink_to("/dev/full")
    kept = trained(tiny_model, tmp_path, OCamlReward())

    assert 3 == len(kept.logs)
    (line,) = warnings(caplog, "cannot write")
    assert "No space left on device" in line


def test_an_evaluation_that_cannot_be_scored(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The choice of the best checkpoint passes it over, the console says that nothing is
    known, and training goes on.
    """

    def made() -> Engine:
        if (tmp_path / "batch_metrics.jsonl").exists():
            raise EngineFault("no engine any more")
        return engine()

    reward = OCamlReward(engine=made)

    class End(TrainerCallback):
        def on_step_end(self, *_: Any, **__: Any) -> None:
            reward.close()

    built, kept = trainer(
        tiny_model,
        tmp_path,
        reward,
        evaluates=True,
        save_strategy="steps",
        save_steps=1,
        metric_for_best_model=BEST_METRIC,
        load_best_model_at_end=True,
    )
    built.add_callback(End())
    built.add_callback(StepPrinter(reward.__name__))
    built.train()

    assert [0, 4, 4, 4] == unscored(tmp_path)
    assert [] == [each for each in kept.logs if BEST_METRIC in each]
    assert ["[step 1]", "[step 2]"] == re.findall(
        r"^(\[step \d\])  validation: pass@1 unknown, reward unknown$",
        capsys.readouterr().out,
        re.MULTILINE,
    )
    assert built.state.best_model_checkpoint is None
