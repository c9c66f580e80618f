"""Extracts calls of the required functions with their results from prompts and tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..reading.lexing import Source

_SAYS = re.compile(r"\s=(?=\s)")
# A comment's beginning or a star that begins its lines.
_COMMENT_SIGN = re.compile(r"^\s*(?:\(\*+|\*(?!\)))")


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A prompt's claim that `call` returns `value`; `line` is its line, from 1."""

    line: int
    call: str
    value: str

    @property
    def assertion(self) -> str:
        """Return it as a check."""
        return f"let () = assert (({self.call}) = ({self.value}))"


def examples(prompt: str, names: Iterable[str]) -> list[Example]:
    """Return a prompt's claims about calls of these functions.

    These are `f 1 = 2` and the line below a `>>> f 1`, also behind a star. Text that only looks like
    one will not parse or type. (openai/human-eval issue 60, nuprl/MultiPL-E HumanEval_0,
    kirang89/ocamler-grpo eval/ocaml_tests_sample.csv medium_118)
    """
    known = [name for name in names if re.match(r"[a-z_]", name)]
    starts = re.compile(rf"(?:{'|'.join(map(re.escape, known))})(?=[\s(])")
    lines = prompt.split("\n")
    found: list[Example] = []
    for number, line in enumerate(lines, 1):
        if not known or "let " in line:
            continue
        prompted, sign, bare = _bare(line).rpartition(">>> ")
        if prompted or not starts.match(bare):
            continue
        call, _, value = _split(bare)
        if not value and sign and number < len(lines):
            value = _bare(lines[number])
        if value:
            found.append(Example(line=number, call=call.strip(), value=value.strip()))
    return found


def _bare(line: str) -> str:
    """Return a line without the signs of a comment."""
    return _COMMENT_SIGN.sub("", line).strip().removesuffix("*)").strip()


def _split(text: str) -> tuple[str, str, str]:
    """Return the text before, at and after the first equals sign outside brackets and literals."""
    blank = Source(text).without_literals
    for sign in _SAYS.finditer(blank):
        before = blank[: sign.start()]
        if all(before.count(a) == before.count(b) for a, b in ("()", "[]", "{}")):
            return text[: sign.start()], sign[0], text[sign.end() :]
    return text, "", ""


def checked_calls(sources: Sequence[str], name: str) -> Iterator[tuple[str, str]]:
    """Yield the arguments and the result of each check that is `name arguments = result`.

    (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv medium_118)
    """
    head = re.compile(rf"(?:assert\b)?[\s(]*{re.escape(name)}\s+")
    for source in sources:
        text = source.strip()
        while text.startswith(("assert", "(")) and text.endswith(")"):
            text = text.removeprefix("assert").strip()
            if not (text.startswith("(") and text.endswith(")")):
                break
            text = text[1:-1].strip()
        found = head.match(text)
        if not found:
            continue
        call, sign, value = _split(text)
        if sign.strip() == "=":
            yield call[found.end() :].strip(), value.strip()
