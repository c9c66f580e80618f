"""Functions that draw the arguments of a function, from its type, as learn-ocaml does it: a value of
type `int list` is drawn by `sample_list sample_int`, and one of a type `t` by the tests' `sample_t`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ...model.types import Constructed, Tuple, Type, arguments_of

_PREDEFINED: Final = frozenset(
    ("int", "float", "string", "char", "bool", "unit", "list", "array", "option")
)


def drawn(found: Type, count: int, code: str) -> str:
    """Write a function that draws arguments, a tuple where there are several.

    Args:
        found: The type of the function that they are for.
        count: How many arguments it has.
        code: What may define functions that draw.

    Raises:
        LookupError: Nothing draws values of such a type.
    """
    takes, _ = arguments_of(found)
    if not 0 < count <= len(takes) or any(label for label, _ in takes):
        raise LookupError
    return _all([each for _, each in takes[:count]], code)


def drawn_one_by_one(found: Type, code: str) -> str:
    """Write a function that draws all arguments of a function, as `arg a @@ last b` holds them.

    Raises LookupError as `drawn` does.
    """
    names = [f"drawn{number}" for number in range(len(arguments_of(found)[0]))]
    made = drawn(found, len(names), code)
    held = "".join(f"Test_lib.arg {name} @@ " for name in names[:-1]) + f"Test_lib.last {names[-1]}"
    return f"fun () -> let {', '.join(names)} = {made} () in {held}"


def _all(types: Sequence[Type], code: str) -> str:
    """Return what draws a value, or a tuple of values from left to right."""
    made = [_one(each, code) for each in types]
    if len(made) == 1:
        return made[0]
    # From left to right, which the parts of a tuple are not.
    names = [f"drawn{number}" for number in range(len(made))]
    lets = " ".join(f"let {name} = {each} () in" for name, each in zip(names, made, strict=True))
    return f"(fun () -> {lets} ({', '.join(names)}))"


def _one(found: Type, code: str) -> str:
    """Return what draws a value of a type; raise LookupError if nothing does."""
    match found:
        case Tuple(items):
            return _all(items, code)
        case Constructed(name, arguments) if name in _PREDEFINED or re.search(
            rf"\bsample_{re.escape(name)}\b", code
        ):
            return f"(fun () -> {' '.join([f'sample_{name}', *(_one(a, code) for a in arguments)])} ())"
    raise LookupError
