"""A reward on an engine without OCaml, and batches for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ocaml_reward import EngineFault
from ocaml_reward.engine import CheckRequest
from ocaml_reward.scheme import load, with_overrides
from ocaml_reward.testing import Answer, FakeEngine, report
from trainer_plugin import OCamlReward

SCHEME = with_overrides(load("seed"), ["min_lines=1"])
TESTS = "let () = assert (add 1 2 = 3)\nlet () = assert (add 0 0 = 0)"
GOOD = "let add x y = x + y\n(* END *)"
BAD = "let add x y = x - y\n(* END *)"
PASSES = report("passed", "passed")
ANSWERS: Mapping[str, Answer] = {
    "let add x y = x - y": report("failed", "passed"),
    "let add x y = x ^ y": report(stage="type_error", type_errors=1),
    "let add = machine": EngineFault("the engine died"),
    "let add = bug": RuntimeError("a bug of ours"),
}


def reward(answers: Mapping[str, Answer] = ANSWERS, **settings: Any) -> OCamlReward:
    """Make a reward on a fake engine, which knows answers by a code's first line."""

    def answer(request: CheckRequest) -> Answer:
        return answers.get(request.code.splitlines()[0], PASSES)

    settings.setdefault("scheme", SCHEME)
    settings.setdefault("jobs", 2)
    return OCamlReward(engine=lambda: FakeEngine(answer), **settings)


def columns(count: int, **more: Any) -> dict[str, Any]:
    """Build the columns of a batch whose completions are all for one problem."""
    return {"id": ["add"] * count, "tests": [TESTS] * count} | more


def batch(made: OCamlReward, *texts: str, **more: Any) -> list[float | None]:
    """Score texts as answers to one problem."""
    given = columns(len(texts)) | more
    return made(prompts=["Add."] * len(texts), completions=list(texts), **given)
