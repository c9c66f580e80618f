"""
Changes that make a program worse, or no better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from .pieces import cases, items, replaced

__all__ = ["worse"]

END = "(* END *)\n"
_STUBS = {
    "fails": ' failwith ""',
    "asserts": " assert false",
    "raises": " raise Not_found",
    "gives 0": " 0",
    "gives []": " []",
    'gives ""': ' ""',
    "gives false": " false",
    "gives None": " None",
}


def worse(code: str, seed: int, most: int = 6) -> Iterator[tuple[str, str]]:
    """
    Yield completions that are no better, each with what was done; of a kind at most so many.
    """
    for kind, made in _kinds(code):
        rng = Random(f"{seed} {kind} {code}")  # noqa: S311
        for text in rng.sample(made, min(most, len(made))):
            yield kind, text if kind.startswith("cut") else f"{text}\n{END}"
    yield "no marker", code


def _kinds(code: str) -> Iterator[tuple[str, list[str]]]:
    found = items(code)
    lets = [item for item in found if item.kind == "let" and item.body is not None]
    for what, stub in _STUBS.items():
        yield (
            f"a body that {what}",
            [replaced(code, item.body or 0, item.end, stub) for item in lets],
        )
        every = code
        for item in reversed(lets):
            every = replaced(every, item.body or 0, item.end, stub)
        yield f"every body {what}", [every] if len(lets) > 1 else []
    yield "a case less", [replaced(code, *case, "") for case in cases(code)]
    yield "an item less", [replaced(code, item.start, item.end, "") for item in found]
    lines = code.split("\n")
    yield (
        "a line less",
        [
            "\n".join(lines[:n] + lines[n + 1 :])
            for n, line in enumerate(lines)
            if line.strip()
        ],
    )
    places = [len(code) * n // 10 for n in range(1, 10)]
    yield "cut short", [code[:place] for place in places]
    yield "the end missing", [code[:place] for place in places]
    yield (
        "lines missing at the end",
        ["\n".join(lines[:n]) for n in range(1, len(lines))],
    )
    yield (
        "a wrong definition behind",
        [
            f'{code}\n\nlet {name} _ = failwith ""\n'
            for item in lets
            for name in item.names
        ],
    )
    yield (
        "a constant behind",
        [f"{code}\n\nlet {name} = 0\n" for item in lets for name in item.names],
    )
    yield "twice", [f"{code}\n\n{code}"]
    yield "four times", ["\n\n".join([code] * 4)]
    yield (
        "an item in a comment",
        [
            replaced(code, item.start, item.end, f"(* {code[item.start : item.end]} *)")
            for item in found
        ],
    )
    yield "in a branch never taken", [
        replaced(
            code, item.body or 0, item.end,
            f' if false then ({code[item.body:item.end]}) else failwith ""',
        )
        for item in lets
    ]  # fmt: skip
    yield "fails first", [
        replaced(code, item.body or 0, item.end,
            f' ignore (failwith ""); ({code[item.body:item.end]})')
        for item in lets
    ]  # fmt: skip
    yield "an error of types behind", [f'{code}\n\nlet _ = 1 + "a"\n']
    yield "an error of types before", [f'let _ = 1 + "a"\n\n{code}']
    yield "an unknown name behind", [f"{code}\n\nlet _ = not_known\n"]
    yield "an error of syntax behind", [f"{code}\n\nlet x = (\n"]
    yield "an error of syntax before", [f"let x = (\n\n{code}"]
    yield (
        "a bracket less",
        [
            replaced(code, sign.start(), sign.end(), "")
            for sign in re.finditer(r"[()\[\]]", code)
        ],
    )
    yield (
        "a word less",
        [
            replaced(code, word.start(), word.end(), "")
            for word in re.finditer(r"[\w']+", code)
        ],
    )
    yield (
        "an item misnamed",
        [
            re.sub(rf"(?<![\w']){re.escape(name)}(?![\w'])", f"{name}_", code)
            for item in lets
            for name in item.names
            if name.isidentifier()
        ],
    )
    yield "prose behind", [f"{code}\nThis gives the right result for each case.\n"]
    yield "everything in a comment", [f"(* {code} *)"]
    yield "everything in a module", [f"module Answer = struct\n{code}\nend\n"]
    yield "an exit at the end", [f"{code}\n\nlet () = exit 0\n"]
    yield "an exception at the end", [f"{code}\n\nlet () = raise Not_found\n"]
