"""Parses the output of `ocamlc -i`; pure. Unsupported items are left out, or Unknown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from .types import (
    Arrow,
    Constructed,
    Constructor,
    Declaration,
    Field,
    Interface,
    Tuple,
    Type,
    Unknown,
    Variable,
    standard,
)

_TOKEN: Final = re.compile(r"'[a-z_]\w*|[?~]?[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)*|->|:=|[-+!]|\S")
_ITEMS: Final = frozenset(
    "val type and exception module external class open include".split()  # noqa: SIM905
)
_CLOSING: Final = {
    "(": ")", "[": "]", "{": "}", "<": ">", "sig": "end", "object": "end",
}  # fmt: skip


class _Unsupported(Exception):
    """The text at this place is not supported."""


def read_interface(text: str) -> Interface:
    """Parse an interface; names in a module have its path."""
    reader = _Reader(_TOKEN.findall(text))
    reader.items("", {})
    return Interface(
        values=reader.values,
        types=reader.types,
        exceptions=reader.exceptions,
        functors=frozenset(reader.functors),
    )


@dataclass(slots=True)
class _Reader:
    tokens: list[str]
    place: int = 0
    values: dict[str, Type] = field(default_factory=dict)
    types: dict[str, Declaration] = field(default_factory=dict)
    exceptions: dict[str, bool] = field(default_factory=dict)
    functors: set[str] = field(default_factory=set)
    # Types by their local names, with their paths.
    scope: dict[str, str] = field(default_factory=dict)

    @property
    def now(self) -> str:
        """Return the current token, "" at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def next(self) -> str:
        """Return the current token and go to the next."""
        token = self.now
        self.place += 1
        return token

    def takes(self, token: str) -> bool:
        """Go past a token if it is the current one; tell whether it was."""
        if self.now != token:
            return False
        self.place += 1
        return True

    def expect(self, token: str) -> None:
        """Go past a token; raise _Unsupported if it is not there."""
        if not self.takes(token):
            raise _Unsupported

    def items(self, path: str, outer: dict[str, str]) -> None:
        """Read the items of a signature; skip those that are not supported."""
        self.scope = dict(outer)
        while self.now and self.now != "end":
            start = self.place
            try:
                self.item(path)
                if self.now and self.now not in _ITEMS | {"end"}:
                    raise _Unsupported
            except _Unsupported:
                self.place = start + 1
                self.skip()

    def skip(self) -> None:
        """Skip to the next item, past brackets."""
        # Skip to the next item, past brackets.
        open_: list[str] = []
        while self.now:
            if not open_ and (self.now in _ITEMS or self.now == "end"):
                return
            token = self.next()
            if token in _CLOSING:
                open_.append(_CLOSING[token])
            elif open_ and token == open_[-1]:
                open_.pop()

    def item(self, path: str) -> None:
        """Read an item of an interface in the module `path`, and store what it declares."""
        match self.next():
            case "val" | "external":
                name = self.next()
                self.expect(":")
                found = self.type()
                if self.takes("="):
                    while self.now.startswith('"'):
                        self.skip()
                if re.match(r"[a-z_]", name):
                    self.values[path + name] = found
            case "type" | "and":
                self.declaration(path)
            case "exception":
                name = self.next()
                has = self.takes("of")
                if has:
                    self.constructor_arguments()
                self.exceptions[path + name] = has
            case "module":
                self.module(path)
            case _:
                raise _Unsupported

    def module(self, path: str) -> None:
        """Read a module's signature."""
        name = self.next()
        if name == "type":
            raise _Unsupported
        self.takes(":")
        if self.now != "sig":
            self.functors.add(path + name)
            raise _Unsupported
        self.next()
        kept = self.scope
        self.items(f"{path}{name}.", kept)
        self.scope = kept | {
            key.removeprefix(path): key for key in self.types if key.startswith(f"{path}{name}.")
        }
        self.expect("end")

    def declaration(self, path: str) -> None:
        """Read a type declaration."""
        parameters: list[str] = []
        self.takes("nonrec")
        grouped = self.takes("(")
        while self.now[:1] in {"'", "+", "-", "!", ","}:
            token = self.next()
            parameters += [token[1:]] if token.startswith("'") else []
        if grouped:
            self.expect(")")
        name = self.next()
        whole = path + name
        self.scope[name] = whole
        names = tuple(parameters)
        # The rest may be unsupported; the type exists in any case.
        self.types[whole] = Declaration(name=whole, parameters=names, known=False)
        if not self.takes("="):
            self.types[whole] = Declaration(name=whole, parameters=names)
            return
        if self.now == "private":
            raise _Unsupported
        if self.functors_own():
            self.types[whole] = Declaration(name=whole, parameters=names)
            return
        alias: Type | None = None
        if self.now not in {"|", "{"} and not self.is_constructor():
            alias = self.type()
            if not self.takes("="):
                self.types[whole] = Declaration(name=whole, parameters=names, alias=alias)
                return
        if self.now == "{":
            made = Declaration(name=whole, parameters=names, fields=self.record())
        else:
            self.takes("|")
            constructors = [self.constructor()]
            while self.takes("|"):
                constructors.append(self.constructor())
            made = Declaration(name=whole, parameters=names, constructors=tuple(constructors))
        self.types[whole] = made

    def functors_own(self) -> bool:
        """Parse `Make(Key).t`, an abstract type of a functor's result."""
        ahead = " ".join(self.tokens[self.place : self.place + 12])
        found = re.match(r"[A-Z][\w'.]* (?:\( [A-Z][\w'.]* \) )+\. \w+", ahead)
        self.place += len(found[0].split()) if found else 0
        return found is not None

    def is_constructor(self) -> bool:
        return re.fullmatch(r"[A-Z][\w']*|\(", self.now) is not None and (
            self.now != "(" or self.tokens[self.place + 1 : self.place + 2] == [")"]
        )

    def constructor(self) -> Constructor:
        """Read a constructor."""
        name = self.next()
        if not re.fullmatch(r"[A-Z][\w']*", name) or self.now == ":":
            raise _Unsupported
        if not self.takes("of"):
            return Constructor(name)
        arguments, record = self.constructor_arguments()
        return Constructor(name, arguments, record)

    def constructor_arguments(self) -> tuple[tuple[Type, ...], tuple[Field, ...]]:
        """Read the arguments of a constructor: types, or the fields of a record."""
        if self.now == "{":
            return (), self.record()
        arguments = [self.simple()]
        while self.takes("*"):
            arguments.append(self.simple())
        return tuple(arguments), ()

    def record(self) -> tuple[Field, ...]:
        """Read the fields of a record."""
        self.expect("{")
        fields: list[Field] = []
        while not self.takes("}"):
            mutable = self.takes("mutable")
            name = self.next()
            self.expect(":")
            fields.append(Field(name, self.type(), mutable))
            self.takes(";")
        return tuple(fields)

    def type(self) -> Type:
        """Read a type."""
        label = ""
        if re.fullmatch(r"\??[a-z_][\w']*", self.now) and (
            self.tokens[self.place + 1 : self.place + 2] == [":"]
        ):
            word = self.next()
            label = word + ":" if word.startswith("?") else f"~{word}:"
            self.next()
        elif self.now == "?":
            raise _Unsupported
        first = self.product()
        if self.takes("->"):
            return Arrow(label, first, self.type())
        if label:
            raise _Unsupported
        return first

    def product(self) -> Type:
        items = [self.simple()]
        while self.takes("*"):
            items.append(self.simple())
        return items[0] if len(items) == 1 else Tuple(tuple(items))

    def simple(self) -> Type:
        """Read a type without arrows and products."""
        word = self.next()
        found: list[Type]
        if word.startswith("'"):
            found = [Variable(word[1:])]
        elif word == "(":
            found = [self.type()]
            while self.takes(","):
                found.append(self.type())
            self.expect(")")
        elif word in {"[", "<"}:
            self.place -= 1
            found = [self.unknown()]
        elif re.fullmatch(r"[A-Za-z_][\w'.]*", word) and word not in _ITEMS:
            found = [Constructed(standard(self.scope.get(word, word)))]
        else:
            raise _Unsupported
        while re.fullmatch(r"[A-Za-z_][\w'.]*", self.now) and (
            self.now not in _ITEMS | {"end", "of", "as", "constraint", "mutable"}
        ):
            name = self.next()
            found = [Constructed(self.scope.get(name, name), tuple(found))]
        if len(found) != 1:
            raise _Unsupported
        return found[0]

    def unknown(self) -> Unknown:
        """Read past a type in brackets that is not supported."""
        closing: list[str] = []
        start = self.place
        while self.now:
            token = self.next()
            if token in _CLOSING:
                closing.append(_CLOSING[token])
            elif closing and token == closing[-1]:
                closing.pop()
            if not closing:
                return Unknown(" ".join(self.tokens[start : self.place]))
        raise _Unsupported
