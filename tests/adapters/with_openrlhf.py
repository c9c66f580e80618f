"""OpenRLHF's own executors, loaded from its wheel: its GPU packages are not installed."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.adapters.tokens import END, tokenizer
from tests.serving.running import Process, spawned

PROMPT = "<user>Write plateaus.</user>\n"
SAMPLING = SimpleNamespace(max_tokens=4000, logprobs=None)


def _module(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def agent() -> Any:
    """Load `openrlhf/utils/agent.py` itself; what its packages import stays unimported."""
    spec = importlib.util.find_spec("openrlhf")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    folder = Path(spec.submodule_search_locations[0])
    for name in ("openrlhf", "openrlhf.utils"):
        package = ModuleType(name)
        package.__path__ = [str(folder.joinpath(*name.split(".")[1:]))]
        sys.modules[name] = package
    return _module("openrlhf.utils.agent", folder / "utils" / "agent.py")


@pytest.fixture
def server() -> Iterator[Process]:
    """Serve the real engine, as /get_reward wants it."""
    with spawned("--problems", str(PROBLEMS), "--eos", "<|im_end|>") as process:
        yield process


class Generator:
    """Stands for vLLM's engine: it generates one text."""

    def __init__(self, encode: Any, text: str, *, finish: str) -> None:
        tokens = encode(text) + ([END] if finish == "stop" else [])
        self.output = SimpleNamespace(
            token_ids=tokens, text=text, finish_reason=finish, logprobs=None
        )

    async def generate(self, *_: Any, **__: Any) -> Any:
        return SimpleNamespace(outputs=[self.output])


def executed(executor: Any, folder: Path, text: str, *, finish: str = "stop") -> Any:
    """Have an executor generate a text, and return what it makes of that."""
    made = tokenizer(folder)
    generator = Generator(made.encode, text, finish=finish)
    return asyncio.run(executor.execute(PROMPT, PROBLEM, SAMPLING, 8000, made, generator))


def test_a_url_is_all_it_takes(agent: Any, server: Process, tmp_path: Path) -> None:
    """OpenRLHF's own executor asks our /get_reward; where nobody answers it has no reward."""
    executor = agent.SingleTurnAgentExecutor([f"{server.url}/get_reward"])
    found = [executed(executor, tmp_path, each.text) for each in (RIGHT, WRONG)]
    server.kill()
    dead = executed(executor, tmp_path, f"(* new *) {RIGHT.text}")

    assert [(RIGHT.reward, RIGHT.reward), (WRONG.reward, WRONG.reward)] == [
        (each["reward"][0], each["scores"][0]) for each in found
    ]
    assert [[1], [0]] == [each["extra_logs"]["passed"] for each in found]
    assert (None, None) == (dead["reward"], dead["scores"])


def test_our_executor_knows_tokens_and_waits(
    agent: Any,
    server: Process,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It grades the completion's own tokens and what was cut off; a dead server ends the run."""
    monkeypatch.setenv("OCAML_REWARD_ENGINE", server.url)
    monkeypatch.setenv("OCAML_REWARD_PROBLEMS", str(PROBLEMS))
    monkeypatch.setenv("OCAML_REWARD_DEADLINE_S", "2")
    path = ROOT / "examples" / "openrlhf_agent.py"
    executor = _module("agent_module", path).AgentExecutor()
    found = [executed(executor, tmp_path, each.text) for each in (RIGHT, WRONG)]
    text = RIGHT.text.replace("(* END *)", "")
    cut = executed(executor, tmp_path, text, finish="length")
    server.kill()
    executor.patience_s = 12.0

    assert isinstance(executor, agent.AgentExecutorBase)
    assert [RIGHT.reward, WRONG.reward] == [each["reward"] for each in found]
    assert cut["reward"] < RIGHT.reward
    with (
        caplog.at_level(logging.WARNING),
        pytest.raises(Exception, match="not graded, "),
    ):
        executed(executor, tmp_path, f"(* new *) {RIGHT.text}")
    assert "trying again" in caplog.text
