"""What the modules have to choose from, each with the word that asks for it.

No way to get at what a module holds forgets any of it, so that each wrong value shows, and no
two problems have the same tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from .list_choices import argument, literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Maker:
    """A value that gives what the module holds: the word for it, its code, what it comes to."""

    word: str
    code: str
    does: Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Getter:
    """A value that takes what the module holds: the type of its result, too, and the result
    as OCaml writes it.
    """

    word: str
    type: str
    code: str
    shows: Callable[[Any], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """What a module that holds one type may do: make a value of `given`, as the tests have
    it, change it, and get at it.
    """

    type: str
    parameter: str
    given: tuple[Any, Any]
    make: tuple[Maker, ...]
    next: tuple[Maker, ...]
    get: tuple[Getter, ...]


def _pair(value: Any) -> str:
    return f"({value[0]}, {value[1]})"


KINDS: Final = (
    Kind(
        type="int",
        parameter="int",
        given=(3, 8),
        make=(
            Maker(word="plain", code="x", does=lambda x: x),
            Maker(word="more", code="x + 1", does=lambda x: x + 1),
            Maker(word="double", code="2 * x", does=lambda x: 2 * x),
            Maker(word="square", code="x * x", does=lambda x: x * x),
        ),
        next=(
            Maker(word="up", code="t + 5", does=lambda t: t + 5),
            Maker(word="down", code="t - 1", does=lambda t: t - 1),
            Maker(word="times", code="t * 10", does=lambda t: t * 10),
            Maker(word="from", code="100 - t", does=lambda t: 100 - t),
        ),
        get=(
            Getter(word="read", type="int", code="t", shows=argument),
            Getter(word="less", type="int", code="t - 7", shows=lambda t: argument(t - 7)),
            Getter(
                word="show",
                type="string",
                code="string_of_int t",
                shows=lambda t: f'"{t}"',
            ),
            Getter(word="list", type="int list", code="[t]", shows=lambda t: f"[{t}]"),
        ),
    ),
    Kind(
        type="string",
        parameter="string",
        given=("a", "bc"),
        make=(
            Maker(word="plain", code="x", does=lambda x: x),
            Maker(word="mark", code='"<" ^ x', does=lambda x: f"<{x}"),
            Maker(word="twice", code="x ^ x", does=lambda x: x + x),
            Maker(word="close", code='x ^ ">"', does=lambda x: f"{x}>"),
        ),
        next=(
            Maker(word="star", code='t ^ "*"', does=lambda t: f"{t}*"),
            Maker(word="front", code='"+" ^ t', does=lambda t: f"+{t}"),
            Maker(word="repeat", code='t ^ "," ^ t', does=lambda t: f"{t},{t}"),
            Maker(word="dot", code='t ^ "."', does=lambda t: f"{t}."),
        ),
        get=(
            Getter(word="read", type="string", code="t", shows=literal),
            Getter(word="cry", type="string", code='t ^ "!"', shows=lambda t: f'"{t}!"'),
            Getter(
                word="some",
                type="string option",
                code="Some t",
                shows=lambda t: f'Some "{t}"',
            ),
            Getter(word="list", type="string list", code="[t]", shows=lambda t: f'["{t}"]'),
        ),
    ),
    Kind(
        type="int list",
        parameter="int",
        given=(3, 8),
        make=(
            Maker(word="one", code="[x]", does=lambda x: [x]),
            Maker(word="two", code="[x; x]", does=lambda x: [x, x]),
            Maker(word="zero", code="[x; 0]", does=lambda x: [x, 0]),
            Maker(word="after", code="[1; x]", does=lambda x: [1, x]),
        ),
        next=(
            Maker(word="push", code="6 :: t", does=lambda t: [6, *t]),
            Maker(word="end", code="t @ [7]", does=lambda t: [*t, 7]),
            Maker(word="twice", code="t @ t", does=lambda t: t + t),
            Maker(word="around", code="9 :: t @ [9]", does=lambda t: [9, *t, 9]),
        ),
        get=(
            Getter(word="read", type="int list", code="t", shows=literal),
            Getter(
                word="lead",
                type="int list",
                code="0 :: t",
                shows=lambda t: literal([0, *t]),
            ),
            Getter(
                word="some",
                type="int list option",
                code="Some t",
                shows=lambda t: f"Some {literal(t)}",
            ),
            Getter(
                word="both",
                type="int list * int",
                code="(t, 4)",
                shows=lambda t: f"({literal(t)}, 4)",
            ),
        ),
    ),
    Kind(
        type="int * int",
        parameter="int",
        given=(3, 8),
        make=(
            Maker(word="left", code="(x, 0)", does=lambda x: (x, 0)),
            Maker(word="right", code="(0, x)", does=lambda x: (0, x)),
            Maker(word="same", code="(x, x)", does=lambda x: (x, x)),
            Maker(word="next", code="(x, x + 1)", does=lambda x: (x, x + 1)),
        ),
        next=(
            Maker(word="up", code="(fst t + 5, snd t)", does=lambda t: (t[0] + 5, t[1])),
            Maker(word="down", code="(fst t, snd t - 2)", does=lambda t: (t[0], t[1] - 2)),
            Maker(word="ten", code="(10, fst t)", does=lambda t: (10, t[0])),
            Maker(
                word="both",
                code="(fst t + 1, snd t + 1)",
                does=lambda t: (t[0] + 1, t[1] + 1),
            ),
        ),
        get=(
            Getter(word="read", type="int * int", code="t", shows=_pair),
            Getter(
                word="far",
                type="int * int",
                code="(fst t, snd t + 50)",
                shows=lambda t: _pair((t[0], t[1] + 50)),
            ),
            Getter(
                word="some",
                type="(int * int) option",
                code="Some t",
                shows=lambda t: f"Some {_pair(t)}",
            ),
            Getter(
                word="list",
                type="int list",
                code="[fst t; snd t]",
                shows=lambda t: literal([*t]),
            ),
        ),
    ),
)
