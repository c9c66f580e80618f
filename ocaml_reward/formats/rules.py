"""What a problem forbids in code and what it requires of it, as a row has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from ..errors import ProblemError
from .rows import json_list, object_of

_OPERATOR: Final = r"(?:(?:let|and)?[!$%&*+\-./:<=>?@^|~#]+)"
_PATH: Final = r"(?:[A-Z][\w']*\.)*"
FORBIDDEN: Final = re.compile(rf"{_PATH}(?:[A-Za-z_][\w']*|{_OPERATOR})")
REQUIRED: Final = re.compile(rf"{_PATH}(?:[A-Za-z_][\w']*)")
_IN_PARENTHESES: Final = re.compile(rf"({_PATH})\(\s*(\S+?)\s*\)")
_MODULE: Final = re.compile(rf"{_PATH}[A-Z][\w']*")
_LONGEST: Final = 200
_MOST: Final = 200
_KEYS: Final = ("module", "modules", "name", "names")


def forbidden_of(value: object) -> tuple[str, ...]:
    """Read what code may not use: values, operators in parentheses or without, modules, words of
    the language.  Raises ProblemError for anything else.
    """
    return _named("forbidden", value, FORBIDDEN, "a value, module, operator or keyword")


def required_of(value: object) -> tuple[str, ...]:
    """Read what code must define: a list of modules, values and types, or an object of `modules` and
    `names`.  Raises ProblemError for anything else.
    """
    if isinstance(value, dict) or (isinstance(value, str) and value.lstrip().startswith("{")):
        return tuple(dict.fromkeys(_of_object(object_of(value, "required"))))
    return _named("required", value, REQUIRED, "a module, value or type")


def _of_object(fields: dict[str, Any]) -> Iterator[str]:
    """Yield the names in an object of lists, or of single names."""
    for key, value in fields.items():
        if key not in _KEYS:
            raise ProblemError(f"required: no {key!r}, it has modules and names")
        of_modules = key.startswith("module")
        what = "a module" if of_modules else "a value or type"
        yield from _named(f"required: {key}", value, _MODULE if of_modules else REQUIRED, what)


def _named(key: str, value: object, shape: re.Pattern[str], what: str) -> tuple[str, ...]:
    """Read a list of names, or a text of some."""
    if isinstance(value, str):
        value = json_list(value, key)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ProblemError(f"{key}: expected a list of names")
    if len(value) > _MOST:
        raise ProblemError(f"{key}: {len(value):,} names, and there may be {_MOST}")
    names = [_plain(name) if isinstance(name, str) else name for name in value]
    for name in names:
        if not isinstance(name, str) or len(name) > _LONGEST or not shape.fullmatch(name):
            raise ProblemError(f"{key}: {str(name)[:80]!r} is not {what}")
    return tuple(dict.fromkeys(names))


def _plain(name: str) -> str:
    """Return a name without the parentheses of an operator."""
    found = _IN_PARENTHESES.fullmatch(name.strip())
    return "".join(found.groups()) if found else name.strip()
