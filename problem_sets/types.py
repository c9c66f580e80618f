"""OCaml types as far as problems use them: printers in OCaml, and literals to call with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from .drawing import Draw

_TOKEN = re.compile(r"[()*,]|[\w'.]+")

PRINTERS: Final = r"""
module Show__ = struct
  let atom s =
    if String.contains "([{\"'" s.[0] then s
    else if s.[0] <> '-' && not (String.contains s ' ') then s
    else "(" ^ s ^ ")"
  let int = string_of_int
  let bool = string_of_bool
  let unit () = "()"
  let string s = Printf.sprintf "%S" s
  let bytes b = Printf.sprintf "Bytes.of_string %S" (Bytes.to_string b)
  let char c = Printf.sprintf "%C" c
  let float x =
    let short = Printf.sprintf "%.12g" x in
    let s = if float_of_string short = x then short else Printf.sprintf "%.17g" x in
    if String.contains s '.' || String.contains s 'e' then s else s ^ "."
  let list f xs = "[" ^ String.concat "; " (List.map f xs) ^ "]"
  let array f xs = "[|" ^ String.concat "; " (Array.to_list (Array.map f xs)) ^ "|]"
  let option f = function None -> "None" | Some x -> "Some " ^ atom (f x)
  let result f g = function
    | Ok x -> "Ok " ^ atom (f x)
    | Error x -> "Error " ^ atom (g x)
end
"""
"""What writes values as OCaml; linked into the programs that tell expected results."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Type:
    """A constructor of types and what it is applied to; a tuple's is `*`."""

    name: str
    arguments: tuple[Type, ...] = ()


def parse(text: str) -> Type:
    """Read a type expression without arrows: `(int * string) list option`."""
    tokens = _TOKEN.findall(text)
    parsed, rest = _product(tokens)
    if rest:
        raise ValueError(f"no type: {text}")
    return parsed


def _product(tokens: list[str]) -> tuple[Type, list[str]]:
    """Read a product type; return it and the tokens left."""
    first, rest = _applied(tokens)
    parts = [first]
    while rest[:1] == ["*"]:
        part, rest = _applied(rest[1:])
        parts.append(part)
    if len(parts) == 1:
        return first, rest
    return Type(name="*", arguments=tuple(parts)), rest


def _applied(tokens: list[str]) -> tuple[Type, list[str]]:
    """Read a type with its parameters; return it and the tokens left."""
    inner: tuple[Type, ...]
    if tokens[0] == "(":
        first, rest = _product(tokens[1:])
        inner = (first,)
        while rest[0] == ",":
            more, rest = _product(rest[1:])
            inner += (more,)
        rest = rest[1:]
    else:
        inner, rest = (Type(name=tokens[0]),), tokens[1:]
    while rest and rest[0] not in ("*", ")", ","):
        inner, rest = (Type(name=rest[0], arguments=inner),), rest[1:]
    return inner[0], rest


def printer(kind: Type) -> str:
    """Write the OCaml function that shows a value of a type."""
    inner = [printer(each) for each in kind.arguments]
    if kind.name == "*":
        names = [f"x{place}" for place in range(len(inner))]
        shown = ' ^ ", " ^ '.join(f"{show} {name}" for show, name in zip(inner, names, strict=True))
        return f'(fun ({", ".join(names)}) -> "(" ^ {shown} ^ ")")'
    if kind.name in _BUILT_IN:
        return f"({' '.join((f'Show__.{kind.name}', *inner))})"
    return f"({' '.join((f'show_{kind.name}', *inner))})"


_BUILT_IN = frozenset(
    [
        "int",
        "bool",
        "unit",
        "string",
        "bytes",
        "char",
        "float",
        "list",
        "array",
        "option",
        "result",
    ]
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Variant:
    """A variant type that a problem declares: constructors with the types they take."""

    name: str
    constructors: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def text(self) -> str:
        """Return the declaration of the type in OCaml."""
        cases = [
            name + (f" of {' * '.join(taken)}" if taken else "")
            for name, taken in self.constructors
        ]
        if len(" | ".join(cases)) <= 60:
            return f"type {self.name} = {' | '.join(cases)}"
        return "\n".join((f"type {self.name} =", *(f"  | {each}" for each in cases)))

    @property
    def printer(self) -> str:
        """Return the definition of a function that shows its values."""
        cases = []
        for name, taken in self.constructors:
            variables = [f"x{place}" for place in range(len(taken))]
            if not taken:
                cases.append(f'{name} -> "{name}"')
                continue
            shown = [
                f"{printer(parse(kind))} {variable}"
                for kind, variable in zip(taken, variables, strict=True)
            ]
            said = (
                f"Show__.atom ({shown[0]})"
                if len(taken) == 1
                else '"(" ^ ' + ' ^ ", " ^ '.join(shown) + ' ^ ")"'
            )
            cases.append(f'{name} ({", ".join(variables)}) -> "{name} " ^ {said}')
        return f"let rec show_{self.name} = function {' | '.join(cases)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A record type that a problem declares: fields with their types."""

    name: str
    fields: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """Return the declaration of the type in OCaml."""
        fields = "; ".join(f"{name} : {kind}" for name, kind in self.fields)
        return f"type {self.name} = {{ {fields} }}"

    @property
    def printer(self) -> str:
        """Return the definition of a function that shows its values."""
        shown = ' ^ "; " ^ '.join(
            f'"{name} = " ^ {printer(parse(kind.removeprefix("mutable ")))} r.{name}'
            for name, kind in ((name.removeprefix("mutable "), kind) for name, kind in self.fields)
        )
        return f'let show_{self.name} r = "{{ " ^ {shown} ^ " }}"'


def literal(draw: Draw, kind: str, size: int) -> str:
    """Draw a value and write it as OCaml.

    Args:
        draw: Where it comes from.
        kind: A type as `parse` reads it, in which words of `SAMPLERS` narrow what is drawn.
        size: How long lists and texts are, about.

    Returns:
        An expression that needs no brackets as an argument.
    """
    return _literal(draw, parse(kind), size)


def _literal(draw: Draw, kind: Type, size: int) -> str:
    """Return a drawn value of a type as OCaml text."""
    inner = kind.arguments
    match kind.name:
        case "*":
            return f"({', '.join(_literal(draw, each, size) for each in inner)})"
        case "list" | "array":
            elements = "; ".join(
                # What lies in a list is a bit shorter than the list.
                _bare(_literal(draw, inner[0], draw.between(0, max(size - 1, 1))))
                for _ in range(size)
            )
            return f"[{elements}]" if kind.name == "list" else f"[|{elements}|]"
        case "option":
            if draw.below(4) == 0:
                return "None"
            return f"(Some {_literal(draw, inner[0], size)})"
    return SAMPLERS[kind.name](draw, size)


def _bare(text: str) -> str:
    """Return a negative number without its parentheses."""
    return text[1:-1] if re.fullmatch(r"\(-[\d.]+\)", text) else text


def _signed(number: int) -> str:
    """Return a number, in parentheses if it is negative."""
    return f"({number})" if number < 0 else str(number)


def _text(alphabet: str) -> Callable[[Draw, int], str]:
    """Return a sampler of strings of these characters."""

    def drawn(draw: Draw, size: int) -> str:
        return '"' + "".join(draw.choice(alphabet) for _ in range(size)) + '"'

    return drawn


def _words(draw: Draw, size: int) -> str:
    """Return a drawn string of words."""
    drawn = [draw.choice(_WORDS) for _ in range(size)]
    return '"' + " ".join(drawn) + '"'


_WORDS = (
    *("a", "an", "ant", "bee", "Cat", "civic", "Dog", "eel", "elk", "Emu", "fox"),
    *("gnu", "hen", "Ibis", "kayak", "level", "moth", "Newt", "noon", "owl", "ox"),
    *("r2", "Rat", "swan", "toad", "x1y", "Yak", "zebra"),
)


def _quarters(draw: Draw, size: int) -> str:
    """Return a drawn float whose sums and products are exact in binary."""
    del size
    # Sums and products of a few quarters are exact in binary.
    number = draw.between(-24, 32) / 4
    text = f"{number:g}"
    text = text if "." in text else f"{text}."
    return f"({text})" if number < 0 else text


SAMPLERS: Final[Mapping[str, Callable[[Draw, int], str]]] = {
    "int": lambda draw, _: _signed(
        draw.between(-9, 12) if draw.below(3) else draw.between(-40, 60)
    ),
    "small": lambda draw, _: _signed(draw.between(-4, 5)),
    "nat": lambda draw, _: str(draw.between(0, 12)),
    "few": lambda draw, _: str(draw.between(0, 4)),
    "count": lambda draw, _: str(draw.between(1, 9)),
    "large": lambda draw, _: str(
        draw.between(0, 99) if draw.below(2) else draw.between(100, 99_999)
    ),
    "float": _quarters,
    "bool": lambda draw, _: draw.choice(("true", "false")),
    "char": lambda draw, _: f"'{draw.choice('abcxyzABC019 -')}'",
    "string": _text("aabbcdeexyzAABEXZ0123579 -_"),
    "letters": _text("aabbccdexyzAB"),
    "lower": _text("aaabbcde"),
    "bits": _text("01"),
    "digits": _text("0123456789"),
    "words": _words,
    "word": lambda draw, _: f'"{draw.choice(_WORDS)}"',
    "name": lambda draw, _: f'"{draw.choice(("ann", "bob", "cy", "dot", "eve"))}"',
}
"""What is drawn for each basic type, and under narrower names for some of its values."""
