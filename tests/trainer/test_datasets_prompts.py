"""How a problem is put to the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocaml_reward import Problem
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import ConfigError
from trainer_plugin.data.prompts import Prompting, prompting

PROBLEM = Problem(
    id="twice",
    prompt="(* twice x is x + x; costs $2 *)\nlet twice (x : int) : int =\n",
    tests="assert (twice 2 = 4);;",
    reference="let twice (x : int) : int = x + x\n",
)


def made(*overrides: str, chat: bool = False, end: str = "(* END *)") -> Prompting:
    """Make the prompting of a configuration."""
    settings = [f"prompt.{each}" for each in overrides]
    config = load_config(overrides=settings, environment={}).config
    return prompting(config.prompt, end=end, chat=chat)


def test_text_ends_with_the_problem() -> None:
    """What a prompt leaves open is the last thing the model reads, after the examples."""
    text = made("few_shot=2").render(PROBLEM)

    assert isinstance(text, str)
    assert text.endswith("let twice (x : int) : int =\n")
    assert text.index("count_if") < text.index("initials") < text.index("twice")
    assert text.count("\n(* END *)\n") == 2


def test_without_a_marker_no_line_is_asked_for() -> None:
    """A scheme without an end marker has a prompt that does not mention one."""
    asked = "Write an OCaml solution. Give the complete definitions and nothing else"
    marked, text = (made("few_shot=1", end=end).render(PROBLEM) for end in ("(* END *)", ""))

    assert isinstance(marked, str)
    assert isinstance(text, str)
    assert 2 == marked.count(f"{asked}, and close with the line (* END *)\n")
    assert 2 == text.count(f"{asked}.\n\n")


def test_chat_examples_are_turns() -> None:
    """Examples come as earlier questions and answers, the problem as the last question."""
    messages = made("few_shot=1", chat=True).render(PROBLEM)

    assert isinstance(messages, list)
    assert ["system", "user", "assistant", "user"] == [m["role"] for m in messages]
    assert messages[2]["content"].endswith("\n(* END *)")
    assert messages[3]["content"].endswith("let twice (x : int) : int =")


def test_an_empty_system_message_is_none() -> None:
    messages = made("system=", "few_shot=0", chat=True).render(PROBLEM)

    assert isinstance(messages, list)
    assert ["user"] == [m["role"] for m in messages]


def test_the_style_can_be_forced() -> None:
    """Text for a model with a chat template, and a chat for one without."""
    assert isinstance(made("style=text", chat=True).render(PROBLEM), str)
    assert isinstance(made("style=chat", chat=False).render(PROBLEM), list)


def test_a_problem_is_never_its_own_example(tmp_path: Path) -> None:
    """An example with the problem's prompt would give the solution away."""
    path = tmp_path / "examples.jsonl"
    path.write_text(
        '{"id": "e", "prompt": "(* twice x is x + x; costs $2 *)\\nlet twice (x : int)'
        ' : int =\\n", "tests": "assert true;;", "reference": "SECRET"}\n'
    )

    assert "SECRET" not in str(made(f"examples={path}", "few_shot=1").render(PROBLEM))


def test_the_marker_can_be_absent() -> None:
    assert "let twice (x : int) : int = x + x" == made(end="").solution(PROBLEM)


def test_templates_of_ones_own(tmp_path: Path) -> None:
    """A template file replaces the shipped one; a problem's own dollars stay."""
    path = tmp_path / "template.txt"
    path.write_text("Cost: $$5. Go!\n$problem\n")
    text = made(f"template={path}", "few_shot=0").render(PROBLEM)

    assert isinstance(text, str)
    assert text.startswith("Cost: $5. Go!\n(* twice x is x + x; costs $2 *)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no place for it", "it has no $problem"),
        ("$problem and $other", "found 'other'"),
        ("$problem costs $ 5", "found Invalid placeholder"),
    ],
)
def test_bad_templates_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "template.txt"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        made(f"template={path}")

    assert message in str(caught.value)


def test_too_few_examples_are_refused() -> None:
    """Asking for more than the file has is an error, not fewer examples."""
    with pytest.raises(ConfigError, match="9 examples asked for"):
        made("few_shot=9")
