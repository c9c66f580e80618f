"""Replies in the traces of verifiers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from ocaml_reward.formats import BadLine, CompletionLine, read_completions

HALF = "let half x = x / 2"


def episode(
    reply: str | None, more: Mapping[str, object] = MappingProxyType({})
) -> dict[str, object]:
    """One trace as verifiers 0.4 writes it, but for times and tokens."""
    said: list[tuple[str, str | None]] = [
        ("user", "Write half."),
        ("assistant", "draft"),
    ]
    said += [("tool", "no"), *([("assistant", reply)] if reply is not None else [])]
    nodes = [
        {
            **({"parent": number - 1} if number else {}),
            "message": {"role": role, "content": text},
            "sampled": role == "assistant" and reply is not None,
        }
        for number, (role, text) in enumerate(said)
    ]
    data = {"idx": 0, "name": "Half", "prompt": "Write half.", "problem_id": "half"}
    return {
        "version": 1,
        "task": {"type": "OCamlTask", "data": data, "key": "half", "hash": "7b8c"},
        "agent": {"config": {"model": "m"}, "name": "agent", "trainable": True},
        "nodes": nodes,
        "calls": [{"node": 3, "finish_reason": "stop"}],
        "rewards": {"ocaml": {"score": 1.0, "weight": 1.0}},
        "errors": [],
        **more,
    }


def traces(path: Path) -> Path:
    path /= "traces.jsonl"
    failed: dict[str, object] = {"errors": [{"type": "ProviderError", "message": "down\nagain"}]}
    cut: dict[str, object] = {"calls": [{"finish_reason": "length"}, {"error": {"type": "x"}}]}
    judge = {"agent": {"name": "judge", "trainable": False}}
    lines = [
        {"id": "a", "traces": [episode(HALF), episode("good", judge)]},
        {"id": "b", "traces": [episode(HALF, cut)], "ok": True},
        {"id": "c", "traces": [episode(None, failed)], "ok": False},
        episode(HALF),
    ]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return path


def read(path: Path) -> tuple[list[CompletionLine], list[str]]:
    """Read what there is, and why the rest is not."""
    lines = list(read_completions(path))
    return (
        [each for each in lines if isinstance(each, CompletionLine)],
        [str(each) for each in lines if isinstance(each, BadLine)],
    )


def test_each_reply_is_read_and_each_failure_named(tmp_path: Path) -> None:
    """The last thing that the model said counts, a judge says nothing, and a rollout that came
    to no reply is a bad line; the folder of a run is read as its file.
    """
    path = traces(tmp_path)
    found, bad = read(path)

    assert [("half", HALF, "Write half.")] * 3 == [
        (each.problem_id, each.completion.text, each.prompt) for each in found
    ]
    assert [f"{path}:3: the trace has no reply: ProviderError: down again"] == bad
    assert (found, bad) == read(tmp_path)


def test_a_trace_says_what_cut_it_off_and_what_it_earned(tmp_path: Path) -> None:
    """The call that the reply came from tells whether a length limit ended it, and what
    verifiers made of it stays beside.
    """
    found, _ = read(traces(tmp_path))

    assert [False, True, False] == [each.completion.truncated for each in found]
    assert {"ocaml": {"score": 1.0, "weight": 1.0}} == found[0].extra["rewards"]
