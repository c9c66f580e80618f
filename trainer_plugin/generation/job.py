"""What is to be generated: a frozen value, with which `ocaml-reward evaluate` starts this
package in a process of its own, and the completions that come back.
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
    """The text of one completion, the model that wrote it, and why it ended where it does:
    `stop` or `length`, "" where nobody says.
    """

    text: str
    finish_reason: str
    model: str = ""

    @property
    def completion(self) -> Completion:
        """The same as what is graded."""
        return Completion(text=self.text, truncated=self.finish_reason == "length")

    def to_dict(self, problem_id: str, sample: int) -> dict[str, Any]:
        """Make a line of a file of completions."""
        row: dict[str, Any] = {"problem_id": problem_id, "sample": sample}
        row |= {"model": self.model, "completion": self.text}
        return row | (
            {"finish_reason": self.finish_reason} if self.finish_reason else {}
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A problem that is put to the model, and what was said of it before: a reply, what it was
    told, and so on.  `sample` is the number of its first completion.
    """

    problem: Problem
    said: tuple[dict[str, str], ...] = ()
    sample: int = 0

    def put(self, prompts: Prompting) -> Prompt:
        """Write all of it as the model is asked.

        Raises InputError for a conversation with a model that knows plain text alone.
        """
        prompt = prompts.render(self.problem)
        if not self.said:
            return prompt
        if isinstance(prompt, str):
            raise InputError("several turns need a model with a chat template")
        return [*prompt, *self.said]


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """Completions to generate: of each problem `samples`, of which the first `done`, in the
    order of the problems, are there already.

    Attributes:
        model: A folder, a hub id, or the name of a model on the server; "" takes the
            server's first.
        url: Where the server's paths begin, such as `http://localhost:8000/v1`; "" loads
            the model here.
        problems: The id and the prompt of each problem, with what was said before.
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
    problems: tuple[Asked, ...]
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

        Raises ConfigError for files that cannot be used.
        """
        return prompting(self.prompt, end=self.end, chat=chat)

    def seed_of(self, *what: str | int) -> int:
        """Draw a seed of 31 bits for a part, the same one in whichever run it comes."""
        text = "\n".join(map(str, (self.seed, *what)))
        return int.from_bytes(sha256(text.encode()).digest()[:4]) >> 1

    def left(self) -> Iterator[tuple[Asked, int]]:
        """Yield what is to be generated, each problem with the number of its sample."""
        for place in range(self.done, len(self.problems) * self.samples):
            asked = self.problems[place // self.samples]
            yield asked, asked.sample + place % self.samples


def job_of(told: dict[str, Any]) -> Job:
    """Read a job as it comes from the process that starts this one."""
    problems = tuple(
        Asked(
            problem=Problem(id=each["id"], prompt=each["prompt"], tests=""),
            said=tuple(each.get("said", ())),
            sample=each.get("sample", 0),
        )
        for each in told["problems"]
    )
    prompt = PromptConfig(**told["prompt"])
    return Job(**told | {"problems": problems, "prompt": prompt})
