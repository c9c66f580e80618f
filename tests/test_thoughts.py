"""What of a completion is said: without its thoughts and the marks around its answer."""

from __future__ import annotations

import pytest

from ocaml_reward.reading.extraction import extract

MARKER = "(* END *)"
CODE = "let f x = x"


def code_of(text: str) -> str:
    """Return the code of a completion."""
    return extract(text, uses=("f",), end_marker=MARKER).code.strip()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"<think>```ocaml\nlet f = 0\n```</think>\n{CODE}", CODE),
        (f"<think>\none\n</think>\n<THINKING>two</THINKING>{CODE}", CODE),
        (f"hm, ```let f = 0```</think>\n{CODE}", CODE),
        (f"<think>\n{CODE}\n{MARKER}", ""),
        ('let f x = "<think>"', 'let f x = "<think>"'),
        ('let f x = "</think>" ^ x', 'let f x = "</think>" ^ x'),
        (f"```ocaml\n{CODE} (* </think> *)\n```", f"{CODE} (* </think> *)"),
        (f'<think>say "</think>" then\n</think>\n{CODE}', CODE),
        (f'Write "x" </think> {CODE}', CODE),
        (f'Do not say "x </think>\n{CODE}', CODE),
    ],
)
def test_thoughts_are_dropped(text: str, code: str) -> None:
    """Thoughts are no answer; never closed, there is no answer; a closing tag alone ends
    what the prompt's template opened.
    """
    assert code == code_of(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"<think>hm</think>\n<answer>\n{CODE}\n</answer>", CODE),
        (f"<think>hm</think><answer>{CODE}</answer>", CODE),
        (f"<reasoning>\nlet f = 0\n</reasoning>\n<answer>\n{CODE}\n</answer>", CODE),
        (f"<answer>\n```ocaml\n{CODE}\n```\n</answer>", CODE),
        (f"{CODE}\n<|im_end|>\n<|endoftext|>", CODE),
        (f"<code>{CODE}</code></s>", CODE),
        ('let f x = "</answer>" ^ x', 'let f x = "</answer>" ^ x'),
        ("let f x = x <|> x", "let f x = x <|> x"),
        ("let f x = 1 <|b|> x", "let f x = 1 <|b|> x"),
    ],
)
def test_marks_around_an_answer_are_dropped(text: str, code: str) -> None:
    """Tags that say where the answer is, and tokens that end a text, are no code."""
    assert code == code_of(text)
