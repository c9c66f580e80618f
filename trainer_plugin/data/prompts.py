"""How a problem is put to the model: a template, worked examples, plain text or a chat.

The problem's own text comes last, so that what it leaves open (`let f x =`) is what the
completion goes on from, and what the reward finds at the end of the prompt.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TypeAlias

from ocaml_reward import FormatError, Problem
from ocaml_reward.formats import load_problems

from ..config.value import ConfigError, PromptConfig

Prompt: TypeAlias = str | list[dict[str, str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompting:
    """A template with its examples.  `end` is the marker that closes a solution, "" for
    none; `chat` makes messages instead of text.
    """

    template: string.Template
    system: str
    examples: tuple[Problem, ...]
    end: str
    chat: bool

    def render(self, problem: Problem) -> Prompt:
        """Put a problem, which is never shown its own solution among the examples."""
        turns = [
            (self._asked(example.prompt), self.solution(example))
            for example in self.examples
            if example.prompt != problem.prompt
        ]
        asked = self._asked(problem.prompt)
        if not self.chat:
            shown = [f"{question}\n{answer}\n\n" for question, answer in turns]
            return "".join([*shown, asked]) + "\n"
        messages = [{"role": "system", "content": self.system}] if self.system else []
        for question, answer in turns:
            messages += [
                {"role": "user", "content": question},
                {"role": "assistant", "content": answer},
            ]
        return [*messages, {"role": "user", "content": asked}]

    def solution(self, problem: Problem) -> str:
        """Write a problem's reference as a model should, with the marker."""
        text = (problem.reference or "").rstrip()
        return f"{text}\n{self.end}" if self.end else text

    def _asked(self, text: str) -> str:
        return self.template.substitute(problem=text.rstrip(), end=self.end).rstrip()


def prompting(config: PromptConfig, *, end: str, chat: bool) -> Prompting:
    """Read template and examples; raises ConfigError for files that cannot be used."""
    text = _shipped("prompt.txt")
    if config.template is not None:
        text = _text(Path(config.template), key="prompt.template")
    template = string.Template(text)
    try:
        template.substitute(problem="", end="")
    except (KeyError, ValueError) as error:
        raise ConfigError(
            "prompt.template: write $problem and $end, and $$ for a dollar; found"
            f" {error}"
        ) from None
    if "problem" not in template.get_identifiers():
        raise ConfigError("prompt.template: it has no $problem")
    system = config.system
    return Prompting(
        template=template,
        system=_shipped("system.txt").strip() if system is None else system,
        examples=_examples(config),
        end=end,
        chat=config.style == "chat" or (config.style == "auto" and chat),
    )


def shipped_problems(name: str) -> Path:
    """Return a file of problems that ships: `examples`, the three that prompts show worked, or
    `generated`, a dozen that `problems generate --set smoke` makes.
    """
    return Path(str(resources.files("trainer_plugin") / "presets" / f"{name}.jsonl"))


def _examples(config: PromptConfig) -> tuple[Problem, ...]:
    if not config.few_shot:
        return ()
    path = Path(config.examples) if config.examples else shipped_problems("examples")
    try:
        problems = load_problems(path).problems.values()
    except FormatError as error:
        raise ConfigError(f"prompt.examples: {error}") from error
    usable = [one for one in problems if one.prompt and one.reference]
    if len(usable) < config.few_shot:
        raise ConfigError(
            f"prompt.few_shot: {config.few_shot} examples asked for, and"
            f" {path.name} has {len(usable)} with prompt and reference"
        )
    return tuple(usable[: config.few_shot])


def _shipped(name: str) -> str:
    return (resources.files("trainer_plugin") / "presets" / name).read_text("utf-8")


def _text(path: Path, *, key: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ConfigError(f"{key}: {path}: {reason}") from error
