"""Answers without a fence of their own: JSON, code among prose, other templates' thoughts."""

from __future__ import annotations

import json
from textwrap import indent

import pytest

from ocaml_reward.reading.extraction import extract, traced

CODE = 'let f x =\n  if x < 1 && x > -1 then "a\\tb" else "&"'
LINES = CODE.split("\n")
OTHER = "let f x = x"
THOUGHT = f"Maybe\n{OTHER}\nor not."
WRITTEN = json.dumps(CODE)


def code_of(text: str, prompt: str = "") -> str:
    """Return the code of a completion."""
    return extract(text, uses=("f",), prompt=prompt).code.strip()


JSON = [
    json.dumps({"code": CODE}),
    json.dumps({"reasoning": THOUGHT, "answer": CODE}, indent=2),
    json.dumps([{"role": "assistant", "content": CODE}]),
    json.dumps({"content": f"Here is `f`:\n\n```ocaml\n{CODE}\n```\nDone."}),
    json.dumps({"files": [{"path": "f.ml", "content": CODE}]}),
    json.dumps({"name": "submit", "arguments": json.dumps({"code": CODE})}),
    json.dumps({"code": LINES}),
    json.dumps({"code": f"(* \U0001f600 *)\n{CODE}"}),
    f"<|python_tag|>{json.dumps({'name': 'run', 'parameters': {'code': CODE}})}",
    f"[TOOL_CALLS] {json.dumps([{'name': 'run', 'arguments': {'code': CODE}}])}",
    f"Sure!\n```json\n{json.dumps({'code': CODE}, indent=2)}\n```\nDone.",
    f"Sure!\n\n{json.dumps({'code': CODE})}\n\nLet me know.",
    f"<tool_call>\n{json.dumps({'name': 'run', 'arguments': {'code': CODE}})}\n</tool_call>",
    f'{{"code": {WRITTEN[:-1]}',
    '{"code": ' + WRITTEN.replace("\\n", "\n") + "}",
    WRITTEN,
]
MARKDOWN = [
    f"Here is the function:\n\n{indent(CODE, '    ')}\n\nIt has two cases.",
    f"The answer: `{CODE}`.",
    f"Voil\u00e0 la fonction demand\u00e9e :\n\n{CODE}\n\nEssa fun\u00e7\u00e3o resolve.",
    f"Oto kod:\n\n{CODE}\n\nfunkcja ma dwa przypadki.",
]
TEMPLATES = [
    f"[THINK]{THOUGHT}[/THINK]{CODE}",
    f"\u25c1think\u25b7{THOUGHT}\u25c1/think\u25b7{CODE}",
    f"<seed:think>{THOUGHT}</seed:think>{CODE}",
    f"<|channel>thought\n{THOUGHT}<channel|>{CODE}",
    f"<unused94>thought\n{THOUGHT}<unused95>{CODE}",
    f"<scratchpad>\n{THOUGHT}\n</scratchpad>\n<response>{CODE}</response>",
    "<|begin_of_thought|>\n" + THOUGHT + "\n<|end_of_thought|>\n<|begin_of_solution|>\n"
    f"{CODE}\n<|end_of_solution|>",
    f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant"
    f"<|channel|>final<|message|>{CODE}<|return|>",
    f"<|channel|>commentary<|message|>\n{CODE}\n<|end|>",
    f"analysis{THOUGHT}assistantfinal{CODE}",
    f"{CODE}\n<|endoftext|>\nlet f = 0",
    f"```ocaml\n{CODE}\n```<|im_end|>\n<|im_start|>user\nThanks<|im_end|>",
]


@pytest.mark.parametrize("text", [*JSON, *MARKDOWN, *TEMPLATES])
def test_the_answer_is_read(text: str) -> None:
    """Code is taken out of JSON and of prose as it was meant, and thoughts are none."""
    code = code_of(text).removeprefix("(* \U0001f600 *)\n").rstrip('"')

    # What Markdown indents stays so.
    assert CODE.rstrip('"').split() == code.split()


@pytest.mark.parametrize(
    "text",
    [
        f"[THINK]{THOUGHT}",
        f"\u25c1think\u25b7{THOUGHT}",
        f"<|channel|>analysis<|message|>{THOUGHT}",
    ],
)
def test_thoughts_that_do_not_end_hold_no_answer(text: str) -> None:
    """Of a model that was cut off while it thought nothing is code."""
    assert code_of(text) == ""


@pytest.mark.parametrize(
    "code",
    [
        'let f = function \'<\' -> "&lt;" | _ -> "&amp;" (* &quot; *)',
        'let f () = {|\n{"code": "let g = 1"}\n1 | a\n2 | b\n|}',
        'let f x = x land 1\nlet s = "<|endoftext|> and </think>"',
        "let f x = x\nlet g = [THINK]\nlet h a b = a </ b",
        "let f =\n  1\n  |> succ\n(* 1. First\n2. then *)",
        "let f x =\n  (* see `let f x = 1` *)\n  x",
        "let f a lt = a & lt",
        'let f () = "\n    let g = 1\n"',
        "let f x = x\n(*\n  cat > f.ml << EOF\n*)",
    ],
)
def test_code_with_such_marks_in_it_is_left_alone(code: str) -> None:
    """In a fence or without one, what only looks so is code, string or comment."""
    assert code == code_of(f"```ocaml\n{code}\n```") == code_of(code)


@pytest.mark.parametrize("text", [*JSON, *MARKDOWN])
def test_what_is_read_stands_where_it_was_written(text: str) -> None:
    """Each character stands at its own, or where what it was written as begins; in order."""
    found = traced(text, uses=("f",))
    code = found.extraction.code
    start = code.index("let f x")
    origins = found.origins()
    places = [origins.places(at, at + 1) for at in range(len(code))]
    written = ["".join(text[slice(*one)] for one in each) for each in places]

    assert [one for each in places for one in each] == sorted(
        one for each in places for one in each
    )
    assert ["l", "e", "t", " "] == written[start : start + 4]
    assert all(written[start : start + len(CODE)])
