"""A generation job and its completions.

`ocaml-reward evaluate` passes the job to a process that runs this package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ocaml_reward import Completion, InputError, Problem

from ..config.value import PromptConfig
from ..data.prompts import Prompt, Prompting, prompting


@dataclass(frozen=True, kw_only=True, slots=True)
class Generated:
    """A completion, its model, and why it ended: `stop` or `length`, "" if unknown."""

    text: str
    finish_reason: str
    model: str = ""

    @property
    def completion(self) -> Completion:
        """Return it as a completion to grade."""
        return Completion(text=self.text, truncated=self.finish_reason == "length")

    def to_dict(self, problem_id: str, sample: int) -> dict[str, Any]:
        """Return a row of a file of completions."""
        row: dict[str, Any] = {"problem_id": problem_id, "sample": sample}
        row |= {"model": self.model, "completion": self.text}
        return row | ({"finish_reason": self.finish_reason} if self.finish_reason else {})


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """A problem with the conversation so far: a reply, its feedback, and so on.

    `sample` is the number of its first completion.
    """

    problem: Problem
    messages: tuple[dict[str, str], ...] = ()
    sample: int = 0

    def render(self, prompts: Prompting) -> Prompt:
        """Render the conversation as a prompt.

        Raises InputError for a conversation with a model that takes plain text only.
        """
        prompt = prompts.render(self.problem)
        if not self.messages:
            return prompt
        if isinstance(prompt, str):
            raise InputError("several turns need a model with a chat template")
        return [*prompt, *self.messages]


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """Completions to generate: `samples` for each problem, in order, of which the first `done`
    exist.

    Attributes:
        model: A folder, a hub id, or the name of a model on the server; "" takes the server's
            first.
        url: The base of the server's paths, such as `http://localhost:8000/v1`; "" loads the model
            here.
        problems: The id and the prompt of each problem, with the conversation so far.
        end: The marker that closes a solution, "" for none.
        prompt: The prompt settings.
        samples: Number of completions per problem.
        done: Number of existing completions.
        temperature: The sampling temperature; 0 takes the likeliest token.
        top_p: The share of probability that is sampled from.
        max_tokens: Maximum length of a completion, in tokens.
        seed: The seed of the random numbers.
        batch: Number of problems per batch of a model loaded here.
        concurrency: Number of concurrent requests to a server.
        timeout_s: Time limit of a request, in seconds.
    """

    model: str
    url: str
    problems: tuple[Conversation, ...]
    end: str
    prompt: PromptConfig
    samples: int
    done: int
    temperature: float
    top_p: float
    max_tokens: int
    seed: int
    batch: int
    concurrency: int
    timeout_s: float

    def prompting(self, *, chat: bool) -> Prompting:
        """Read template and examples; `chat` tells whether the model takes messages.

        Raises ConfigError for unusable files.
        """
        return prompting(self.prompt, end=self.end, chat=chat)

    def seed_of(self, *what: str | int) -> int:
        """Return a 31-bit seed for a part, the same in every run."""
        text = "\n".join(map(str, (self.seed, *what)))
        return int.from_bytes(sha256(text.encode()).digest()[:4]) >> 1

    def missing(self) -> Iterator[tuple[Conversation, int]]:
        """Yield the missing completions: each problem with the number of its sample."""
        for place in range(self.done, len(self.problems) * self.samples):
            conversation = self.problems[place // self.samples]
            yield conversation, conversation.sample + place % self.samples


def parse_job(data: dict[str, Any]) -> Job:
    """Parse a job from the process that starts this one."""
    problems = tuple(
        Conversation(
            problem=Problem(id=each["id"], prompt=each["prompt"], tests=""),
            messages=tuple(each.get("messages", ())),
            sample=each.get("sample", 0),
        )
        for each in data["problems"]
    )
    prompt = PromptConfig(**data["prompt"])
    return Job(**data | {"problems": problems, "prompt": prompt})
