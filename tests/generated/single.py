"""Single mistakes put into well-typed programs, each of a kind that people and models make."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .mistakes import KEYWORDS, tokens

Tokens = list[str]
Mutations = Callable[[Tokens], Iterator[Tokens]]

_WORD = re.compile(r"[a-z_]\w*\Z")
_OPERATORS = {
    "+": ("+.", "^"), "-": ("-.",), "*": ("*.", "^"), "/": ("/.",), "+.": ("+",),
    "*.": ("*",), "-.": ("-",), "/.": ("/",), "^": ("+", "@"), "@": ("::", "^"),
    "::": ("@",), "&&": ("+",), "||": ("+",), "=": ("+",), "<": ("-",),
    "<=": ("+",), ">": ("-",), "mod": ("*.",),
}  # fmt: skip
_TYPES = {
    "int": ("string", "float"), "string": ("int", "char"), "float": ("int",),
    "bool": ("int",), "char": ("string",), "list": ("array",), "option": ("list",),
    "array": ("list",), "unit": ("int",),
}  # fmt: skip


def _put(found: Tokens, place: int, *texts: str, upto: int | None = None) -> Tokens:
    return [*found[:place], *texts, *found[upto or place + 1 :]]


def _is_name(token: str) -> bool:
    return bool(_WORD.match(token) and not KEYWORDS.match(token))


def _is_atom(token: str) -> bool:
    return _is_name(token) or (token[0] in "0123456789\"'" and token != "'")


def _is_space(token: str) -> bool:
    return token.isspace() and "\n" not in token


def _operator(found: Tokens) -> Iterator[Tokens]:
    binding = False
    for i, token in enumerate(found):
        if token in ("let", "type", "and", "val", "module", "for"):
            binding = True
        # The sign that belongs to a definition is no operator.
        elif token == "=" and binding:
            binding = False
        else:
            for other in _OPERATORS.get(token, ()):
                yield _put(found, i, other)


def _dropped_rec(found: Tokens) -> Iterator[Tokens]:
    for i, token in enumerate(found):
        if token == "rec":
            yield _put(found, i, upto=i + 2)


def _calls(found: Tokens) -> Iterator[tuple[int, int]]:
    # Two atoms beside each other behind a name: arguments of a call.
    for i in range(len(found) - 4):
        name, space, first, between, second = found[i : i + 5]
        head = found[max(0, i - 2) : i]
        if (
            _is_name(name)
            and _is_space(space)
            and _is_space(between)
            and _is_atom(first)
            and _is_atom(second)
            and not (set(head) & {"let", "rec", "and", "fun", "~", "?"})
        ):
            yield i + 2, i + 4


def _swapped_arguments(found: Tokens) -> Iterator[Tokens]:
    for a, b in _calls(found):
        if found[a] != found[b]:
            yield _put(_put(found, a, found[b]), b, found[a])


def _missing_argument(found: Tokens) -> Iterator[Tokens]:
    for a, b in _calls(found):
        yield _put(found, b - 1, upto=b + 1)
        yield _put(found, a - 1, upto=a + 1)


def _extra_argument(found: Tokens) -> Iterator[Tokens]:
    for _, b in _calls(found):
        yield _put(found, b, f"{found[b]} {found[b]}")


def _constant(found: Tokens) -> Iterator[Tokens]:
    for i, token in enumerate(found):
        if token[0].isdigit():
            yield from (_put(found, i, other) for other in ('"1"', "1.5", "[]"))
        elif token[0] == '"':
            yield from (_put(found, i, other) for other in ("1", "'c'"))
        elif token in ("true", "false"):
            yield _put(found, i, "1")


def _declared(found: Tokens, wanted: Callable[[str], object]) -> Iterator[int]:
    """Find words of the types that are declared."""
    inside = False
    for i, token in enumerate(found):
        if token == "type":
            inside = True
        elif token in ("let", "module", "exception", "end", "val", "open"):
            inside = False
        elif inside and wanted(token):
            yield i


def _dropped_type(found: Tokens) -> Iterator[Tokens]:
    for i in _declared(found, {"option", "list", "array", "ref"}.__contains__):
        yield _put(found, i - 1, upto=i + 1)


def _declared_type(found: Tokens) -> Iterator[Tokens]:
    for i in _declared(found, _TYPES.__contains__):
        yield from (_put(found, i, other) for other in _TYPES[found[i]])


def _annotated_type(found: Tokens) -> Iterator[Tokens]:
    declared = set(_declared(found, _TYPES.__contains__))
    for i, token in enumerate(found):
        # A module's function stands before its point.
        if token in _TYPES and i not in declared and found[i - 1] == " ":
            yield from (_put(found, i, other) for other in _TYPES[token])


def _comma(found: Tokens) -> Iterator[Tokens]:
    depth: list[str] = []
    for i, token in enumerate(found):
        if token in "([{":
            depth.append(token)
        elif token in ")]}" and depth:
            depth.pop()
        elif token == ";" and depth and depth[-1] in "[{":
            yield _put(found, i, ",")


def _constructors(found: Tokens) -> Iterator[int]:
    declared = set(_declared(found, str))
    for i, token in enumerate(found):
        after = found[i + 1] if i + 1 < len(found) else ""
        before = "".join(found[max(0, i - 2) : i]).split()[-1:]
        is_used = before not in (["module"], ["exception"], ["open"], ["functor"])
        if token[0].isupper() and after != "." and i not in declared and is_used:
            yield i


def _wrong_constructor(found: Tokens) -> Iterator[Tokens]:
    own = {found[i] for i in _constructors(found)}
    for i in _constructors(found):
        for other in sorted(own | {"Some", "None"} - {found[i]}):
            if other != found[i]:
                yield _put(found, i, other)


def _constructor_argument(found: Tokens) -> Iterator[Tokens]:
    for i in _constructors(found):
        if len(found) > i + 2 and _is_space(found[i + 1]) and _is_atom(found[i + 2]):
            yield _put(found, i + 1, upto=i + 3)
        elif len(found) > i + 2:
            yield _put(found, i, f"({found[i]} 1)")


def _misspelt(found: Tokens) -> Iterator[Tokens]:
    for i, token in enumerate(found):
        if _is_name(token) and len(token) > 2:
            yield _put(found, i, token + "s")


def _other_function(found: Tokens) -> Iterator[Tokens]:
    others = {
        "length": "rev", "map": "iter", "rev": "length", "concat": "length",
        "string_of_int": "int_of_string", "int_of_string": "string_of_int",
        "fold_left": "fold_right", "fold_right": "fold_left", "filter": "map",
        "fst": "not", "snd": "not", "not": "fst", "iter": "map", "hd": "tl",
        "tl": "hd", "find_opt": "find", "add": "find", "mem": "find",
    }  # fmt: skip
    for i, token in enumerate(found):
        if token in others and found[i - 1] in (".", " ", "("):
            yield _put(found, i, others[token])


def _dropped_word(found: Tokens) -> Iterator[Tokens]:
    for i, token in enumerate(found):
        if token == "!":
            yield _put(found, i)
        elif token == "Some" and found[i + 1] == " ":
            yield _put(found, i, upto=i + 2)


def _dropped_else(found: Tokens) -> Iterator[Tokens]:
    for i in range(len(found) - 2):
        if found[i] == "else" and _is_atom(found[i + 2]) and "\n" in found[i + 3]:
            yield _put(found, i, upto=i + 3)


SINGLE: dict[str, Mutations] = {
    "an operator of another type": _operator,
    "rec is missing": _dropped_rec,
    "arguments swapped": _swapped_arguments,
    "an argument missing": _missing_argument,
    "an argument too many": _extra_argument,
    "a constant of another type": _constant,
    "option or list dropped from a declaration": _dropped_type,
    "another type in a declaration": _declared_type,
    "another type in an annotation": _annotated_type,
    "a comma for a semicolon": _comma,
    "another constructor": _wrong_constructor,
    "a constructor's argument": _constructor_argument,
    "a name misspelt": _misspelt,
    "another function": _other_function,
    "! or Some dropped": _dropped_word,
    "else dropped": _dropped_else,
}
"""By kind, all the ways to put one such mistake into a program."""


def mutants(code: str, kind: str) -> list[str]:
    """Return all programs with one mistake of a kind in place of what stands in `code`."""
    found = tokens(code)
    return ["".join(each) for each in SINGLE[kind](found)]
