"""Renders problems as prompts: a template, worked examples, plain text or a chat.

The problem's own text comes last, so that a completion continues an open definition (`let f x =`),
and the reward finds it at the end of the prompt.
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
    """A template with its examples.

    `end` is the marker that closes a solution, "" for none; with `chat` a prompt is a list of
    messages.
    """

    template: string.Template
    system: str
    examples: tuple[Problem, ...]
    end: str
    chat: bool

    def render(self, problem: Problem) -> Prompt:
        """Render a problem; its own solution is never among the examples."""
        turns = [
            (self._question(example.prompt), self.solution(example))
            for example in self.examples
            if example.prompt != problem.prompt
        ]
        last = self._question(problem.prompt)
        if not self.chat:
            shown = [f"{question}\n{answer}\n\n" for question, answer in turns]
            return "".join([*shown, last]) + "\n"
        messages = [{"role": "system", "content": self.system}] if self.system else []
        for question, answer in turns:
            messages += [
                {"role": "user", "content": question},
                {"role": "assistant", "content": answer},
            ]
        return [*messages, {"role": "user", "content": last}]

    def solution(self, problem: Problem) -> str:
        """Render a problem's reference as a completion, with the marker."""
        text = (problem.reference or "").rstrip()
        return f"{text}\n{self.end}" if self.end else text

    def _question(self, text: str) -> str:
        return self.template.substitute(problem=text.rstrip(), end=self.end).rstrip()


def prompting(config: PromptConfig, *, end: str, chat: bool) -> Prompting:
    """Read template and examples; raises ConfigError for unusable files."""
    text = _shipped("prompt.txt" if end else "unmarked_prompt.txt")
    if config.template is not None:
        text = _text(Path(config.template), key="prompt.template")
    template = string.Template(text)
    try:
        template.substitute(problem="", end="")
    except (KeyError, ValueError) as error:
        raise ConfigError(
            f"prompt.template: write $problem and $end, and $$ for a dollar; found {error}"
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
    """Return a shipped file of problems.

    These are `examples`, the three worked examples of prompts, and `generated`, a dozen made by
    `problems generate --set smoke`.
    """
    return Path(str(resources.files("trainer_plugin") / "presets" / f"{name}.jsonl"))


def _examples(config: PromptConfig) -> tuple[Problem, ...]:
    """Return the solved examples for the prompt."""
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
    """Return the text of a file that a setting names."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ConfigError(f"{key}: {path}: {reason}") from error
