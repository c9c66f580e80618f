"""Requests as trainers' own clients send them, and the answers that those read.  Pure.

They know no null: where a completion cannot be graded, the caller refuses the request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import Breakdown, Completion, FormatError, Verdict
from ..codec.readers import anything, list_of, object_of, read, string

_TEXTS = list_of(string)
_OBJECT = object_of({}, others=anything)
_GET_REWARD = object_of({"query": _TEXTS, "prompts": _TEXTS}, others=anything)
_VERIFY = object_of({"verifier_metadata": _OBJECT, "response": _OBJECT}, others=anything)
_SLIME = object_of({"response": string}, others=anything)

Asked = tuple[object, Completion]
"""What names or is a problem, and a completion."""


def get_reward_pairs(data: Any, ends: Sequence[str]) -> list[Asked]:
    """Read what OpenRLHF posts: prompts with their responses, special tokens kept."""
    found = read(_GET_REWARD, data)
    queries, prompts, labels = found["query"], found["prompts"], found.get("labels")
    if not isinstance(labels, list) or not len(queries) == len(prompts) == len(labels):
        raise FormatError("query, prompts and labels: expected lists of one length")
    return [
        (label, ended(query.removeprefix(prompt), ends))
        for query, prompt, label in zip(queries, prompts, labels, strict=True)
    ]


def ended(text: str, ends: Sequence[str]) -> Completion:
    """Take the token that ends a response off it.  Where those tokens are known and none is
    there, the response hit its length limit.
    """
    if not ends:
        return Completion(text=text)
    for end in ends:
        if text.endswith(end):
            return Completion(text=text.removesuffix(end), truncated=False)
    return Completion(text=text, truncated=True)


def get_reward_answer(breakdowns: Sequence[Breakdown]) -> dict[str, Any]:
    """Write what OpenRLHF reads; it makes tensors of all of it."""
    rewards = [each.reward for each in breakdowns]
    return {
        "rewards": rewards,
        "scores": rewards,
        "extra_logs": {
            "tests": [each.credits.tests for each in breakdowns],
            "type_errors": [type_errors(each) for each in breakdowns],
            "passed": [passed(each) for each in breakdowns],
        },
    }


def verify_pair(data: Any) -> Asked:
    """Read what NeMo Gym posts: a row of a data set with the model's Response."""
    found = read(_VERIFY, data)
    meta, response = found["verifier_metadata"], found["response"]
    text = "".join(texts_in(response.get("output")))
    status = response.get("status")
    details = response.get("incomplete_details")
    cut = isinstance(details, Mapping) and details.get("reason") == "max_output_tokens"
    truncated = True if cut else False if status == "completed" else None
    return meta.get("problem"), Completion(text=text, truncated=truncated)


def texts_in(output: Any) -> list[str]:
    """Return the texts that a Response's messages consist of; raises FormatError."""
    if not isinstance(output, list):
        raise FormatError("response.output: expected a list")
    messages = [
        each for each in output if isinstance(each, Mapping) and each.get("type") == "message"
    ]
    texts = []
    for message in messages:
        content = message.get("content")
        parts = content if isinstance(content, list) else [content]
        for part in parts:
            text = part.get("text") if isinstance(part, Mapping) else part
            if isinstance(text, str):
                texts.append(text)
    return texts


def verify_answer(data: Mapping[str, Any], breakdown: Breakdown) -> dict[str, Any]:
    """Write the request's own fields with the reward beside them, as NeMo Gym reads it."""
    return {
        **data,
        "reward": breakdown.reward,
        "verdict": breakdown.verdict.value,
        "tests": breakdown.credits.tests,
        "type_errors": type_errors(breakdown),
    }


def slime_pair(data: Any) -> Asked:
    """Read what slime posts."""
    found = read(_SLIME, data)
    return found.get("label"), Completion(text=found["response"])


def slime_answer(breakdown: Breakdown) -> dict[str, Any]:
    """Write what slime reads with `--reward-key score`."""
    return {"score": breakdown.reward, "passed": passed(breakdown)}


def passed(breakdown: Breakdown) -> int:
    """Write a verdict as a number."""
    return int(breakdown.verdict is Verdict.PASSED)


def type_errors(breakdown: Breakdown) -> int:
    """Write the number of type errors, -1 where nothing was typed."""
    return -1 if breakdown.type_errors is None else breakdown.type_errors
