"""Types as learn-ocaml's tests write them, `[%ty: int -> int] "f"`, with what they stand for in their
place: the values of that name in the code and in the solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ...engine.prepare.interfaces import read_types
from ...errors import ProblemError
from ...model.types import Type
from ...reading.lexing import Source
from .samplers import drawn, drawn_one_by_one

_TYPE: Final = re.compile(r"\[%(?:fun)?ty\s*:")
# What is told a type and a name behind it; how many arguments a function has that may be drawn.
_ASKING: Final = re.compile(
    r"\b(?:test_function(?:_([1-4]))?(_against(?:_solution|_postcond)?)?"
    r"|test_variable(?:_property|_against_solution)?|test_module_property"
    r"|lookup_(?:student|solution))\b"
)
_NAME: Final = re.compile(r'"((?:[A-Z]\w*\.)*(?:[A-Za-z_][\w\']*|[^\w\s"]+))"')
_NAME_BEFORE: Final = re.compile(rf"{_NAME.pattern}\s*\Z")
_VARIABLE: Final = re.compile(r"[a-z_][\w']*")
_BOUND: Final = re.compile(r"\blet\s+([a-z_][\w']*)\s*=\s*\Z")
_HELPER: Final = re.compile(r"^let\s+(?:rec\s+)?([a-z_][\w']*)\s+[^=\s]", re.MULTILINE)
_LABEL: Final = re.compile(r"\s*~\w+\s*(:\s*)?")
_OPENING: Final = re.compile(r"[\s(]*")
_CLOSING: Final = re.compile(r"\s*\)")
_PIECE: Final = re.compile(r"\[%(?:fun)?ty|[(\[{]|[)\]}]|[^\s()\[\]{}]+")
_MODULE: Final = re.compile(r"\(\s*module\s+(.*)\)", re.DOTALL)
_NO_DRAW: Final = re.compile(r"~\s*(?:sampler\b|gen\s*:\s*0\b)")
# How far before a type its name may stand.
_NEAR: Final = 200


def rewritten(text: str, given: str) -> str:
    """Put values in place of all types of a learn-ocaml test.

    Args:
        text: The test.
        given: The code that stands before it.

    Raises:
        ProblemError: A value's name is computed, or nothing draws the arguments of a function.
    """
    tests = _Tests(text, given)
    types = list(tests.types())
    asked = [written for start, stop, written in types if tests.draws(start, stop)]
    known = dict(zip(asked, read_types(asked), strict=True))
    changed, place = "", 0
    for start, stop, written in types:
        changed += tests.text[place:start] + tests.witness(start, stop, written, known)
        place = stop
    return changed + tests.text[place:]


class _Tests:
    """Tests as text without comments, and as code without literals of the same length."""

    def __init__(self, text: str, given: str) -> None:
        self.text = Source(text).without_comments
        self.code = Source(text).without_literals
        # What may define functions that draw.
        self.drawing = Source(given).without_literals + self.code
        self.asking = list(_ASKING.finditer(self.code))

    def types(self) -> Iterator[tuple[int, int, str]]:
        """Yield where each type is, with parentheses that hold nothing else, and the type."""
        for found in _TYPE.finditer(self.code):
            start, stop = found.start(), _closed(self.code, found.start())
            written = self.text[found.end() : stop - 1].strip()
            while (before := self.code[:start].rstrip()).endswith("(") and (
                after := _CLOSING.match(self.code, stop)
            ):
                start, stop = len(before) - 1, after.end()
            yield start, stop, written

    def witness(self, start: int, stop: int, written: str, types: Mapping[str, Type]) -> str:
        """Return what stands for a type: the values that are asked for, or the type alone.

        `types` has those of functions whose arguments are drawn.
        """
        asked = self._asked(start)
        bound = _BOUND.search(self.code, max(start - _NEAR, 0), start)
        place = self._behind_labels(stop)
        variable, names = "", self._literal(place) or self._literal_before(start)
        if not names and (found := _VARIABLE.match(self.text, place)):
            variable = found[0]
            names = self._told(variable, start)
        if not names and bound:
            # The type of a function that is tested below.
            told = re.compile(rf"\b{re.escape(bound[1])}\s+{_NAME.pattern}")
            found_names = {each[1] for each in told.finditer(self.text, stop)}
            variable, names = "", [*found_names] if len(found_names) == 1 else []
        if not names and asked:
            raise ProblemError(f"{asked[0]} is told a name that is computed")
        if not names:
            return f"(Ty.bare : ({written}) Ty.ty)"
        values = " ".join(
            f"(fun () -> {_chosen(module, names, variable, written)})"
            for module in ("Code", "Solution")
        )
        drawing = ""
        if asked and self.draws(start, stop):
            drawing = self._drawing(asked, written, types[written])
        return f"{drawing}(Ty.of_both {values})"

    def _asked(self, start: int) -> re.Match[str] | None:
        """Return the function that a type is told to, if it is one that asks for values."""
        before = [each for each in self.asking if each.end() <= start]
        is_told = before and _is_beside(self.code, before[-1].end(), start)
        return before[-1] if is_told else None

    def draws(self, start: int, stop: int) -> bool:
        """Tell whether inputs are drawn for the test that a type is told to."""
        asked = self._asked(start)
        later = (each.start() for each in self.asking if each.start() > stop)
        until = next(later, len(self.code))
        if asked is None or not asked[2]:
            return False
        return not _NO_DRAW.search(self.code, asked.start(), until)

    def _drawing(self, asked: re.Match[str], written: str, found: Type) -> str:
        """Return the argument with drawn inputs for a test."""
        try:
            if asked[1]:
                return f"~drawn:({drawn(found, int(asked[1]), self.drawing)}) "
            return f"~drawn:({drawn_one_by_one(found, self.drawing)}) "
        except LookupError:
            raise ProblemError(f"nothing draws arguments for {written}") from None

    def _literal(self, place: int) -> list[str]:
        """Return the name at a position, in a list; empty if there is none."""
        found = _NAME.match(self.text, place)
        return [found[1]] if found else []

    def _literal_before(self, start: int) -> list[str]:
        """Return the name before a position, in a list; empty if there is none."""
        found = _NAME_BEFORE.search(self.text[max(start - _NEAR, 0) : start])
        return [found[1]] if found else []

    def _told(self, variable: str, place: int) -> list[str]:
        """Return the names that a variable may hold at a place: the one that it is bound to, or
        those with which the helper is called that is defined there.
        """
        bound = re.compile(rf"\blet\s+{re.escape(variable)}\s*=\s*{_NAME.pattern}\s*in\b")
        names = [each[1] for each in bound.finditer(self.text, 0, place)]
        if names:
            return names[-1:]
        helpers = [each for each in _HELPER.finditer(self.code) if each.end() <= place]
        if not helpers:
            return []
        called = re.compile(rf"\b{re.escape(helpers[-1][1])}\s+{_NAME.pattern}")
        return list(dict.fromkeys(each[1] for each in called.finditer(self.text)))

    def _behind_labels(self, place: int) -> int:
        """Return where the first argument from a place on begins that has no label."""
        while found := _LABEL.match(self.text, place):
            place = _argument_end(self.code, found.end()) if found[1] else found.end()
        blank = _OPENING.match(self.text, place)
        return blank.end() if blank else place


def _chosen(module: str, names: list[str], variable: str, written: str) -> str:
    """Write the value of a module that a variable names, or the one there is."""
    if not variable:
        return _value(module, names[0], written)
    cases = " | ".join(f'"{name}" -> {_value(module, name, written)}' for name in names)
    return f"(match {variable} with {cases} | _ -> raise Not_found)"


def _value(module: str, name: str, written: str) -> str:
    """Write the value of that name in a module, with its type."""
    *path, last = name.split(".") if re.match(r"\w", name) else [name]
    where = ".".join([module, *path])
    if last[0].isupper() and (inner := _MODULE.fullmatch(written)):
        return f"(module {where}.{last} : {inner[1]})"
    word = last if re.match(r"\w", last) else f"( {last} )"
    return f"({where}.{word} : {written})"


def _closed(code: str, start: int) -> int:
    """Return where the bracket closes that opens at a place."""
    depth = 0
    for found in _PIECE.finditer(code, start):
        depth += _opened(found[0])
        if depth == 0:
            return found.end()
    raise ProblemError("test.ml: a type that does not end")


def _is_beside(code: str, place: int, start: int) -> bool:
    """Tell whether what starts there is an argument of what ends at a place, and its first type:
    what its arguments hold is not.
    """
    depth = 0
    for found in _PIECE.finditer(code, place, start):
        depth += _opened(found[0])
        if depth < 0 or found[0].startswith("[%"):
            return False
    return depth == 0


def _argument_end(code: str, place: int) -> int:
    """Return where the argument ends that starts at a position."""
    found = _PIECE.search(code, place)
    if found is None or _opened(found[0]) != 1:
        return found.end() if found else len(code)
    return _closed(code, found.start())


def _opened(piece: str) -> int:
    """Return 1 for an opening bracket, -1 for a closing one."""
    return (piece[0] in "([{") - (piece[0] in ")]}")
