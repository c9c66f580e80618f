"""
What is to be generated: a frozen value, with which `ocaml-reward evaluate` starts this
package in a process of its own, and the completions that come back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ocaml_reward import Completion, Problem

from ..config.value import PromptConfig
from ..data.prompts import Prompting, prompting

__all__ = ["Generated", "Job", "job_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Generated:
    """
    The text of one completion, the model that wrote it, and why it ended where it does:
    `stop` or `length`, "" where nobody says.
    """

    text: str
    finish_reason: str
    model: str = ""

    @property
    def completion(self) -> Completion:
        """
        The same as what is graded.
        """
        return Completion(text=self.text, truncated=self.finish_reason == "length")

    def to_dict(self, problem_id: str, sample: int) -> dict[str, Any]:
        """
        Make a line of a file of completions.
        """
        row: dict[str, Any] = {"problem_id": problem_id, "sample": sample}
        row |= {"model": self.model, "completion": self.text}
        return row | (
            {"finish_reason": self.finish_reason} if self.finish_reason else {}
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """
    Completions to generate: of each problem `samples`, of which the first `done`, in the
    order of the problems, are there already.

    Attributes:
        model: A folder, a hub id, or the name of a model on the server; "" takes the
            server's first.
        url: Where the server's paths begin, such as `http://localhost:8000/v1`; "" loads
            the model here.
        problems: The id and the prompt of each problem.
        end: The marker that closes a solution, "" for none.
        prompt: How a problem is put to the model.
        samples: Completions of each problem.
        done: How many completions there are from before.
        temperature: The sampling temperature; 0 takes the likeliest token.
        top_p: The share of probability that is sampled from.
        max_tokens: The longest completion, in tokens.
        seed: What the random numbers begin with.
        batch: Problems that a model loaded here works on at a time.
        concurrency: Requests that a server gets at a time.
        timeout_s: How long one request may take, in seconds.
    """

    model: str
    url: str
    problems: tuple[Problem, ...]
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
        """
        Read template and examples; `chat` tells whether the model takes messages.

        Raises ConfigError for files that cannot be used.
        """
        return prompting(self.prompt, end=self.end, chat=chat)

    def seed_of(self, *what: str | int) -> int:
        """
        Draw a seed of 31 bits for a part, the same one in whichever run it comes.
        """
        text = "\n".join(map(str, (self.seed, *what)))
        return int.from_bytes(sha256(text.encode()).digest()[:4]) >> 1

    def left(self) -> Iterator[tuple[Problem, int]]:
        """
        Yield what is to be generated, each problem with the number of its sample.
        """
        for place in range(self.done, len(self.problems) * self.samples):
            yield self.problems[place // self.samples], place % self.samples


def job_of(told: dict[str, Any]) -> Job:
    """
    Read a job as it comes from the process that starts this one.
    """
    problems = tuple(
        Problem(id=each["id"], prompt=each["prompt"], tests="")
        for each in told["problems"]
    )
    prompt = PromptConfig(**told["prompt"])
    return Job(**told | {"problems": problems, "prompt": prompt})
