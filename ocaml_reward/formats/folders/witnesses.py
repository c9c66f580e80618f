"""Types as learn-ocaml's tests write them, `[%ty: int -> int] "f"`, with what they stand for in their
place: the values of that name in the code and in the solution.
"""

from __future__ import annotations

import re
from typing import Final

from ...engine.messages.types import TypeInTest
from ...engine.prepare.interfaces import read_test
from ...errors import ProblemError
from ...reading.lexing import Source
from .samplers import drawn, drawn_one_by_one

# What is told a type and a name behind it; how many arguments a function has that may be drawn.
_ASKING: Final = re.compile(
    r"test_function(?:_([1-4]))?(_against(?:_solution|_postcond)?)?"
    r"|test_variable(?:_property|_against_solution)?|test_module_property"
    r"|lookup_(?:student|solution)"
)
_NAME: Final = re.compile(r'"((?:[A-Z]\w*\.)*(?:[A-Za-z_][\w\']*|[^\w\s"]+))"')
_MODULE: Final = re.compile(r"\(\s*module\s+(.*)\)", re.DOTALL)


def rewritten(text: str, given: str) -> str:
    """Put values in place of all types of a learn-ocaml test.

    Args:
        text: The test.
        given: The code that stands before it.

    Raises:
        ProblemError: The test does not parse, a value's name is computed, or nothing draws the
            arguments of a function.
    """
    bare = Source(text).without_comments
    return _Test(bare, given).rewritten() if "[%" in bare else bare


class _Test:
    """A test without comments, as bytes, as the parser counts these."""

    def __init__(self, text: str, given: str) -> None:
        self.data = text.encode("utf-8", "replace")
        self.found = read_test(text)
        # What may define functions that draw.
        self.drawing = Source(given).without_literals + Source(text).without_literals

    def rewritten(self) -> str:
        """Return the test with values in place of types."""
        changed, place = "", 0
        for each in self.found.types:
            changed += self._text(place, each.start) + self._witness(each)
            place = each.stop
        return changed + self._text(place, len(self.data))

    def _text(self, start: int, stop: int) -> str:
        """Return the text at a place."""
        return self.data[start:stop].decode("utf-8", "replace")

    def _witness(self, each: TypeInTest) -> str:
        """Return what stands for a type: the values that are asked for, or the type alone."""
        closes = self.data.index(b"]", each.type_stop)
        written = self._text(each.name_stop, closes).partition(":")[2].strip()
        asked = _ASKING.fullmatch(each.function)
        variable, names = "", self._string(each.after) or self._string(each.before)
        if not names and (variable := self._variable(each.after)):
            names = self._told(variable, each.start)
        if not names and each.bound:
            # The type of a function that is tested below.
            variable, names = "", self._behind(each.bound, each.stop)
            names = names if len(names) == 1 else []
        if not names and asked:
            raise ProblemError(f"{asked[0]} is told a name that is computed")
        if not names:
            return f"(Ty.bare : ({written}) Ty.ty)"
        values = " ".join(
            f"(fun () -> {_chosen(module, names, variable, written)})"
            for module in ("Code", "Solution")
        )
        drawing = ""
        if asked and asked[2] and each.draws:
            drawing = self._drawing(each, asked[1], written)
        return f"{drawing}(Ty.of_both {values})"

    def _drawing(self, each: TypeInTest, count: str | None, written: str) -> str:
        """Return the argument with drawn inputs for a test."""
        try:
            if count:
                return f"~drawn:({drawn(each.type, int(count), self.drawing)}) "
            return f"~drawn:({drawn_one_by_one(each.type, self.drawing)}) "
        except LookupError:
            raise ProblemError(f"nothing draws arguments for {written}") from None

    def _string(self, naming: tuple[str, int, int]) -> list[str]:
        """Return the name that a string is, in a list; empty if there is none."""
        kind, start, stop = naming
        found = _NAME.fullmatch(self._text(start, stop).strip("() \n"))
        return [found[1]] if found and kind == "string" else []

    def _variable(self, naming: tuple[str, int, int]) -> str:
        """Return a variable's name, "" for any other expression."""
        kind, start, stop = naming
        return self._text(start, stop).strip("() \n") if kind == "variable" else ""

    def _told(self, variable: str, place: int) -> list[str]:
        """Return the names that a variable may hold at a place: the one that it is bound to, or
        those with which the helper is called that is defined there.
        """
        bound = [naming for name, naming in self.found.strings if name == variable]
        names = [name for each in bound if each[2] <= place for name in self._string(each)]
        if names:
            return names[-1:]
        helpers = [name for name, start in self.found.helpers if start < place]
        return self._behind(helpers[-1], 0) if helpers else []

    def _behind(self, variable: str, place: int) -> list[str]:
        """Return the names that stand behind a variable from a place on, each once."""
        pairs = ((a, b) for a, b in self.found.pairs if a[1] >= place)
        names = (
            name for a, b in pairs if self._variable(a) == variable for name in self._string(b)
        )
        return list(dict.fromkeys(names))


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
