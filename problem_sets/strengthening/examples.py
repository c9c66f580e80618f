"""Collects what prompts and tests show of a function's arguments; pure.

A value is strange if no example is like it: the prompt may not specify the result for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ocaml_reward.auditing.trivial import split_arguments

from .prompt_domain import NOTHING, PromptDomain, prompt_domain
from .texts import text_laws

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_CHARACTER: Final = re.compile(r"'(?:[^'\\]|\\(?:\d{3}|x[0-9a-fA-F]{2}|.))'")
_FLOAT: Final = re.compile(r"(?<![\w.])-?\d[\d_]*\.\d*(?:e[+-]?\d+)?(?![\w.])")
_WHOLE: Final = re.compile(r"(?<![\w.])(-\s*)?(\d[\d_]*|min_int|max_int)(?![\w.])")
_LITERAL: Final = re.compile(f"{_STRING.pattern}|{_CHARACTER.pattern}", re.DOTALL)
# Tokens that end the arguments of a call, besides enclosing brackets.
_SIGN: Final = re.compile(
    r"[()\[\]{};,=<>&|@^+*/]|-(?!\d)|::|:=|\b(?:with|in|then|else|mod|and|do|done)\b"
)
_EMPTY: Final = {"list": "[]", "array": "[||]", "string": '""', "option": "None"}
_ALIAS: Final = re.compile(r"\blet\s+candidate\s*=\s*([\w.']+)\s+in\b")
_ROW: Final = re.compile(
    r"\[\|?\s*((?:\(?\s*-?\d[\d_]*\s*\)?\s*;\s*)*\(?\s*-?\d[\d_]*\s*\)?);?\s*\|?\]"
)
_STRINGS: Final = re.compile(
    rf"\[\|?\s*{_STRING.pattern}(?:\s*;\s*{_STRING.pattern})*\s*;?\s*\|?\]", re.DOTALL
)
# The first component of a pair in a list.
_KEY: Final = re.compile(rf"[\[;|]\s*\(\s*({_STRING.pattern}|-?\d+)\s*,", re.DOTALL)
# One literal, or a sequence or tuple of some; no word of prose.
_ONE: Final = rf"-?\d[\d_.]*|{_STRING.pattern}|{_CHARACTER.pattern}"
_PLAIN: Final = re.compile(
    rf"{_ONE}|\(-\d[\d_.]*\)|\[\|?\s*(?:(?:{_ONE})\s*(?:;\s*|(?=\|?\])))*\|?\]",
    re.DOTALL,
)
# Words before a call that do not change its value.
_COMPARING: Final = frozenset(
    {"assert", "assert_equal", "assert_bool", "candidate", "in", "then", "else", "not"}
)
_LITERALS: Final = 12
# Minimum number of sequences from which to infer a minimum length.
_SEQUENCES: Final = 3
_LABELLED: Final = re.compile(r"(?:[~?]([a-z_][\w']*):)?(.*)", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class ArgumentExamples:
    """The examples of one argument of a function.

    Attributes:
        arguments: Whole arguments, as OCaml; the other fields hold the literals in them.
        laws: Properties of every sequence: of integers "ordered" and "distinct", of strings "even"
            if all have the same length, of pairs "keyed" if all first components differ.
        texts: The strings.
        text_laws: Properties of every string.
        shortest: The minimum number of elements of a sequence.
        domain: What the prompt says.
    """

    arguments: tuple[str, ...] = ()
    whole: tuple[int, ...] = ()
    floats: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    characters: tuple[str, ...] = ()
    empty: frozenset[str] = frozenset()
    laws: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    shortest: int = 0
    domain: PromptDomain = NOTHING

    def has(self, number: int) -> bool:
        """Return whether a number lies between those shown, or between 1 and one of them."""
        return bool(self.whole) and min(1, *self.whole) <= number <= max(self.whole)


@dataclass(frozen=True, kw_only=True, slots=True)
class ProblemExamples:
    """The examples of a problem.

    Attributes:
        checks: The checks of the tests and the examples of the prompt, each as text.
        prompt: The prompt, which has calls among prose.
        tests: All tests, which may define an alias of a function.
    """

    checks: tuple[str, ...]
    prompt: str = ""
    tests: str = ""


def seen_of(
    name: str, shown: ProblemExamples, labels: Sequence[str] = ()
) -> dict[int, ArgumentExamples]:
    """Return the examples of each argument of a function, by position.

    Args:
        name: The function.
        shown: The examples of its problem.
        labels: The labels of its arguments, `~x:`, `?x:` or "", in order; without them arguments
            are in the order of the text.

    Returns:
        The examples by the argument's position from 0; position -1 has literals from anywhere in
            the tests.
    """
    places: dict[int, list[str]] = {}
    for row in _shown_arguments(name, shown, labels):
        for place, text in row.items():
            places.setdefault(place, []).append(text)
    for arguments in _calls(name, shown.prompt):
        for place, text in _placed(split_arguments(arguments), labels):
            if not _PLAIN.fullmatch(text):
                break
            places.setdefault(place, []).append(text)
    found = {place: _seen(texts, shown.prompt) for place, texts in places.items()}
    found[-1] = _seen([shown.tests], shown.prompt)
    return found


def shown_together(
    name: str, shown: ProblemExamples, labels: Sequence[str], places: Sequence[int]
) -> frozenset[tuple[str, ...]]:
    """Return the arguments at some positions that stand in one call of a function in the tests."""
    return frozenset(
        tuple(arguments[place] for place in places)
        for arguments in _shown_arguments(name, shown, labels)
        if arguments.keys() >= set(places)
    )


def _shown_arguments(
    name: str, shown: ProblemExamples, labels: Sequence[str]
) -> Iterator[dict[int, str]]:
    """Yield the arguments of each call in the tests, by position."""
    names = [name]
    alias = _ALIAS.search(shown.tests)
    if alias and alias[1] == name:
        names.append("candidate")
    for each in names:
        for source in (*shown.checks, shown.tests):
            for arguments in _calls(each, source):
                yield dict(_placed(split_arguments(arguments), labels))


def is_compared(name: str, shown: ProblemExamples) -> bool:
    """Return whether an example compares the function's result directly.

    Otherwise another function is applied to the result.
    """
    alias = _ALIAS.search(shown.tests)
    names = [name, *(["candidate"] if alias and alias[1] == name else [])]
    before = re.compile(
        rf"([a-z_][\w'.]*|[^\s(])?[\s(]*(?<![\w'.])(?:{'|'.join(map(re.escape, names))})(?![\w'])"
    )
    sources = (*shown.checks, shown.tests)
    return any(
        found[1] is None or found[1] in _COMPARING or not re.match(r"[a-z_]", found[1])
        for source in sources
        for found in before.finditer(_LITERAL.sub(lambda each: "0" * len(each[0]), source))
    )


def _calls(name: str, source: str) -> Iterator[str]:
    """Yield the possible arguments after each occurrence of a name."""
    bare = _LITERAL.sub(lambda found: "x" * len(found[0]), source)
    for found in re.finditer(rf"(?<![\w'.]){re.escape(name)}(?![\w'])", bare):
        depth, end = 0, len(bare)
        for sign in _SIGN.finditer(bare, found.end()):
            depth += {"(": 1, "[": 1, "{": 1}.get(sign[0], 0)
            depth -= sign[0] in ")]}"
            if depth < 0 or (depth == 0 and sign[0] not in "()[]{}"):
                end = sign.start()
                break
        yield source[found.end() : end]


def _placed(arguments: Sequence[str], labels: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield arguments without their labels, each with its position."""
    places = {label[1:-1]: place for place, label in enumerate(labels) if label}
    free = [place for place, label in enumerate(labels) if not label]
    for number, text in enumerate(arguments):
        label, bare = _LABELLED.fullmatch(text.strip()).groups()  # type: ignore[union-attr]
        if label in places:
            yield places[label], bare
        elif not places:
            yield number, bare
        elif label is None and free:
            yield free.pop(0), bare


def _seen(texts: list[str], prompt: str = "") -> ArgumentExamples:
    """Return what the arguments of examples have in common."""
    joined = "\n".join(texts)
    strings = _unique(_STRING.findall(joined))
    rest = _STRING.sub(" ", joined)
    characters = _unique(_CHARACTER.findall(rest))
    rest = _CHARACTER.sub(" ", rest)
    floats = _unique(_FLOAT.findall(rest))
    rest = _FLOAT.sub(" ", rest)
    whole = {
        int(digits) * (-1 if sign else 1)
        for sign, digits in _WHOLE.findall(rest)
        if digits[0].isdigit()
    }
    empty = {kind for kind, text in _EMPTY.items() if text in joined}
    domain = prompt_domain(prompt)
    return ArgumentExamples(
        arguments=tuple(_unique(texts)),
        whole=tuple(sorted(whole)),
        floats=tuple(floats),
        strings=tuple(strings),
        characters=tuple(characters),
        empty=frozenset(empty),
        laws=frozenset(law for law in laws_of(texts) if domain.holds(law, len(set(texts)))),
        texts=frozenset(
            law for law in text_laws(strings, prompt) if domain.holds(law, len(strings))
        ),
        shortest=domain.shortest or (0 if domain.telling and domain.short else _shortest(texts)),
        domain=domain,
    )


def _shortest(texts: list[str]) -> int:
    """Return the length of the shortest sequence; 0 if there are too few."""
    found = {
        text: 1 + _LITERAL.sub("", text).count(";")
        for text in map(str.strip, texts)
        if text[:1] == "[" and text[-1:] == "]"
    }
    if len(found) < _SEQUENCES or any(text.strip("[|] ") == "" for text in found):
        return 0
    return min(found.values())


def breaks(laws: frozenset[str], text: str) -> bool:
    """Return whether a sequence is unlike all those shown.

    Args:
        laws: The properties of all that are shown.
        text: The sequence, or any other text, which breaks no law.

    Returns:
        Whether it breaks a law.
    """
    return bool(laws) and any(
        not laws & _OF[read] <= _laws_holding(row) for read in _OF for row in read(text)
    )


def laws_of(texts: Sequence[str]) -> frozenset[str]:
    """Return the properties of all sequences in some texts, given enough of them."""
    found: set[str] = set()
    for read, laws in _OF.items():
        rows = {row for text in texts for row in read(text)}
        if sum(len(row) - 1 for row in rows) >= _EVIDENCE[read]:
            found |= laws & frozenset.intersection(*map(_laws_holding, rows))
    return frozenset(found)


def _whole_rows(text: str) -> list[tuple[int, ...]]:
    return [
        tuple(int(part.strip(" ()").replace("_", "")) for part in found[1].split(";"))
        for found in _ROW.finditer(text)
    ]


def _string_rows(text: str) -> list[tuple[str, ...]]:
    return [tuple(_STRING.findall(found[0])) for found in _STRINGS.finditer(text)]


def _key_rows(text: str) -> list[tuple[tuple[str], ...]]:
    keys = tuple((key,) for key in _KEY.findall(text))
    return [keys] if keys else []


def _laws_holding(row: Sequence[Any]) -> frozenset[str]:
    """Return the laws that the elements of a list follow."""
    found = set()
    if all(isinstance(each, tuple) for each in row):
        found |= {"keyed"} if len(set(row)) == len(row) else set()
    elif all(isinstance(each, int) for each in row):
        found |= {"ordered"} if sorted(row) == list(row) else set()
        found |= {"distinct"} if len(set(row)) == len(row) else set()
    elif len({len(str(each)) for each in row}) == 1:
        found.add("even")
    return frozenset(found)


# The minimum number of neighbours for each law. Three are in order by chance in at most one of
# eight cases; strings have equal lengths by chance less often, and the first components of pairs
# are usually keys.
_EVIDENCE: Final[Mapping[Callable[[str], list[Any]], int]] = {
    _whole_rows: 3,
    _string_rows: 2,
    _key_rows: 1,
}
_OF: Final[Mapping[Callable[[str], list[Any]], frozenset[str]]] = {
    _whole_rows: frozenset({"ordered", "distinct"}),
    _string_rows: frozenset({"even"}),
    _key_rows: frozenset({"keyed"}),
}


def _unique(texts: Sequence[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if len(text) <= 120][:_LITERALS]
