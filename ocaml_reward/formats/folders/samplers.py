"""Functions that draw the arguments of a function, from its type, as learn-ocaml does it: a value of
type `int list` is drawn by `sample_list sample_int`, and one of a type `t` by the tests' `sample_t`.
"""

from __future__ import annotations

import re
from typing import Final

from ...errors import ProblemError

_TOKEN: Final = re.compile(r"->|[()*,]|'\w+|[?~]?\w+\s*:|[A-Za-z_][\w.']*|\S")
_SIGN: Final = re.compile(r"->|[()\[\]]")
_LABELLED: Final = re.compile(r"[?~]?\w+\s*:")
_WORD: Final = re.compile(r"[a-z_][\w']*")
_PREDEFINED: Final = frozenset(
    ("int", "float", "string", "char", "bool", "unit", "list", "array", "option")
)


def drawn(written: str, count: int, code: str) -> str:
    """Write a function that draws arguments, a tuple where there are several.

    Args:
        written: The type of the function that they are for.
        count: How many arguments it has.
        code: What may define functions that draw.

    Raises:
        ProblemError: Nothing draws values of such a type.
    """
    parts = _arguments(written)
    if len(parts) <= count:
        raise ProblemError(f"nothing draws arguments for {written}")
    try:
        made = [_whole(part, code) for part in parts[:count]]
    except LookupError:
        raise ProblemError(f"nothing draws arguments for {written}") from None
    return made[0] if count == 1 else _tuple(made)


def drawn_one_by_one(written: str, code: str) -> str:
    """Write a function that draws all arguments of a function, as `arg a @@ last b` holds them.

    Raises ProblemError as `drawn` does.
    """
    names = [f"drawn{number}" for number in range(len(_arguments(written)) - 1)]
    if not names:
        raise ProblemError(f"nothing draws arguments for {written}")
    held = "".join(f"Test_lib.arg {name} @@ " for name in names[:-1]) + f"Test_lib.last {names[-1]}"
    return f"fun () -> let {', '.join(names)} = {drawn(written, len(names), code)} () in {held}"


def _arguments(written: str) -> list[str]:
    """Return the arguments of a function's type, and its result."""
    parts, depth, start = [], 0, 0
    for found in _SIGN.finditer(written):
        if found[0] == "->" and depth == 0:
            parts.append(written[start : found.start()].strip())
            start = found.end()
        depth += (found[0] in "([") - (found[0] in ")]")
    parts.append(written[start:].strip())
    return [] if any(_LABELLED.match(part) for part in parts) else parts


def _tuple(made: list[str]) -> str:
    """Return the sampler of a tuple of these samplers, drawn from left to right."""
    # From left to right, which the parts of a tuple are not.
    names = [f"drawn{number}" for number in range(len(made))]
    lets = " ".join(f"let {name} = {each} () in" for name, each in zip(names, made, strict=True))
    return f"(fun () -> {lets} ({', '.join(names)}))"


def _whole(written: str, code: str) -> str:
    """Return the sampler of a type; raise LookupError if there is none."""
    made, left = _product(_TOKEN.findall(written), code)
    if left:
        raise LookupError
    return made


def _product(tokens: list[str], code: str) -> tuple[str, list[str]]:
    """Return the sampler of a product type, and the tokens left."""
    made, left = _applied(tokens, code)
    parts = [made]
    while left[:1] == ["*"]:
        made, left = _applied(left[1:], code)
        parts.append(made)
    return (parts[0] if len(parts) == 1 else _tuple(parts)), left


def _applied(tokens: list[str], code: str) -> tuple[str, list[str]]:
    """Return the sampler of a type with its parameters, and the tokens left."""
    head, *left = tokens or [""]
    if head != "(":
        made = [_sampler(head, [], code)]
    else:
        made = []
        while not made or left[:1] == [","]:
            one, left = _product(left[1:] if made else left, code)
            made.append(one)
        if left[:1] != [")"]:
            raise LookupError
        left = left[1:]
    while left and _WORD.match(left[0]):
        made, left = [_sampler(left[0], made, code)], left[1:]
    if len(made) != 1:
        raise LookupError
    return made[0], left


def _sampler(name: str, parameters: list[str], code: str) -> str:
    """Return a call of the sampler of this name; raise LookupError if there is none."""
    called = f"sample_{name}"
    is_there = name in _PREDEFINED or re.search(rf"\b{re.escape(called)}\b", code)
    if not _WORD.fullmatch(name) or not is_there:
        raise LookupError
    return f"(fun () -> {' '.join([called, *parameters])} ())"
