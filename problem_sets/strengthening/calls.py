"""Generates calls to try, of every function that a problem's tests use; pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import prod
from random import Random
from typing import Final, NamedTuple

from ocaml_reward.model.types import (
    Arrow,
    Constructed,
    Interface,
    NoValues,
    Tuple,
    Type,
    Unknown,
    arguments_of,
    names_in,
    substituted,
    variables_of,
)
from ocaml_reward.reading.lexing import Source

from .building import Taken
from .examples import (
    ArgumentExamples,
    ProblemExamples,
    is_compared,
    seen_of,
    shown_together,
)
from .values import Values
from .writing import Text, call

EMPTY: Final = frozenset({"[]", '""', "[||]", "None", "([], [])", '("", "")'})
"""Values without anything in them."""
_TAME: Final = 120
_STRANGE: Final = 40
_RELATED: Final = 6
_SEVERAL: Final = 2
_INT: Final = Constructed("int")
# A product of more values than this is sampled.
_WHOLE: Final = 4000
_PLAIN_WORDS: Final = frozenset(
    [
        "if",
        "then",
        "else",
        "mod",
        "not",
        "abs",
        "min",
        "max",
        "compare",
        "fst",
        "snd",
        "true",
        "false",
        "sqrt",
        "exp",
        "sin",
        "cos",
    ]
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """An expression to evaluate, with its type.

    `strange` if an argument is unlike all that prompt or tests show; `open` if its type is the
    code's own and no value of it is shown, so that several may be right; `empty` if all that is
    unlike them is that a sequence is empty, and the prompt does not exclude that.
    """

    name: str
    text: str
    type: Type
    strange: bool = False
    open: bool = False
    empty: bool = False


class _Known(NamedTuple):
    """What the tests show of a function's arguments: each by itself, functions `together`, and
    which numbers are never above which others.
    """

    seen: Mapping[int, ArgumentExamples]
    functions: Sequence[int]
    together: frozenset[tuple[str, ...]]
    ordered: frozenset[tuple[int, int]]

    def is_ordered(self, row: Sequence[Text]) -> bool:
        """Return whether numbers in a row are not above others where none is in any example."""
        return all(_number(row[one].text) <= _number(row[two].text) for one, two in self.ordered)

    def has_functions(self, row: Sequence[Text]) -> bool:
        """Return whether a row's functions may belong together: one may be another's derivative."""
        own = tuple(row[place].text for place in self.functions)
        return len(own) < 2 or own in self.together


def calls_of(
    interface: Interface,
    uses: Sequence[str],
    shown: ProblemExamples,
    random: Random,
    *,
    has_signature: bool,
) -> tuple[list[Call], dict[str, str]]:
    """Return calls of the functions that tests use.

    Args:
        interface: The reference's interface.
        uses: The names that the tests use.
        shown: The examples of prompt and tests.
        random: Draws a sample if there are too many.
        has_signature: Whether the problem has a signature, which fixes the types; otherwise a type
            variable is only instantiated as in the checks.

    Returns:
        The calls, those with ordinary arguments first; and the reasons why some names have none.
    """
    found: list[Call] = []
    left: dict[str, str] = {}
    for use in uses:
        if use in interface.functors:
            left[use] = "a functor"
            continue
        names = [name for name in interface.values if name == use or name.startswith(f"{use}.")]
        for name in names:
            labels = [label for label, _ in arguments_of(interface.values[name])[0]]
            seen = seen_of(name, shown, labels)
            try:
                ground = _ground(interface.values[name], seen, has_signature=has_signature)
                functions = _places_of_functions(interface.values[name])
                together = shown_together(name, shown, labels, functions)
                numbers = [n for n, each in enumerate(takes_of(interface, name)) if each == _INT]
                shown_rows = shown_together(name, shown, labels, numbers)
                known = _Known(seen, functions, together, _ordered(numbers, shown_rows))
                own = list(_calls(interface, name, known, random, ground))
                gives = arguments_of(interface.values[name])[1]
                declared = names_in(gives) & interface.types.keys()
                if declared and not is_compared(name, shown):
                    own = [replace(each, open=True) for each in own]
                found += own
            except NoValues as error:
                left[name] = str(error)
    return found, left


def _ground(
    found: Type, seen: Mapping[int, ArgumentExamples], *, has_signature: bool
) -> dict[str, Type]:
    """Choose instances of type variables: int, or string if only strings are shown."""
    shown = [each for place, each in seen.items() if place >= 0]
    whole = any(each.whole for each in shown)
    strings = any(each.strings for each in shown)
    names = variables_of(found)
    if names and not (has_signature or whole or strings):
        raise NoValues("polymorphic, and no check shows at which type")
    ground = Constructed("string" if strings and not whole else "int")
    return dict.fromkeys(names, ground)


def _calls(
    interface: Interface,
    name: str,
    known: _Known,
    random: Random,
    ground: Mapping[str, Type],
) -> Iterator[Call]:
    """Yield calls of a function with values of its arguments' types."""
    found = interface.values[name]
    fixed = [not variables_of(each) for _, each in arguments_of(found)[0]]
    takes, gives = arguments_of(substituted(found, ground))
    if not takes:
        if is_abstract(gives, interface):
            return
        yield Call(name=name, text=name, type=gives)
        return
    if is_abstract(gives, interface) or isinstance(gives, Unknown):
        # It is tested through other items of its module.
        return
    parts = _parts(interface, takes, fixed, known.seen)
    changed = [
        place
        for place, (label, each) in enumerate(takes)
        if is_mutable(each, interface) and not label.startswith("?")
    ]
    if gives == Constructed("unit"):
        if any(is_abstract(each, interface) for _, each in takes):
            # It only constructs values of that type.
            return
        if not changed:
            raise NoValues("its result is ()")
    domain = known.seen[-1].domain
    for row in _rows(parts, random):
        # A function without examples may have any precondition.
        strange = (
            len(known.seen) == 1
            or any(each.strange for each in row)
            or not known.has_functions(row)
            or not known.is_ordered(row)
        )
        if gives == Constructed("unit"):
            text, typed = _observed(name, takes, row, changed)
        else:
            text, typed = call(name, takes, row), gives
        empty = domain.telling and domain.short and len(known.seen) > 1
        empty = empty and all(each.text in EMPTY for each in row if each.strange)
        yield Call(name=name, text=text, type=typed, strange=strange, empty=empty)


def takes_of(interface: Interface, name: str) -> list[Type]:
    """Return the types of a function's arguments."""
    return [each for _, each in arguments_of(interface.values[name])[0]]


def _ordered(places: Sequence[int], rows: frozenset[tuple[str, ...]]) -> frozenset[tuple[int, int]]:
    """Return the pairs of numbers of which the first is not above the second in several rows."""
    whole = [row for row in rows if all(re.fullmatch(r"\(?-?\s*\d+\)?", each) for each in row)]
    if len(whole) < _SEVERAL:
        return frozenset()
    return frozenset(
        (places[one], places[two])
        for one, two in permutations(range(len(places)), 2)
        if all(_number(row[one]) <= _number(row[two]) for row in whole)
    )


def _number(text: str) -> float:
    """Return a number that is written as an argument; not a number for another expression."""
    try:
        return int(text.strip("() ").replace(" ", ""))
    except ValueError:
        return math.nan


def _places_of_functions(found: Type) -> list[int]:
    takes, _ = arguments_of(found)
    return [place for place, (_, each) in enumerate(takes) if isinstance(each, Arrow)]


def _parts(
    interface: Interface,
    takes: Taken,
    fixed: Sequence[bool],
    seen: Mapping[int, ArgumentExamples],
) -> list[list[Text]]:
    """Return values for each argument; a type in `fixed` may only have the values shown."""
    parts: list[list[Text]] = []
    if takes[-1][0].startswith("?"):
        raise NoValues("an optional argument behind all others")
    for place, (label, wanted) in enumerate(takes):
        shown = seen.get(place, seen[-1])
        made = Values(interface, shown).of(wanted)
        one = len(shown.arguments) == 1 and shown.arguments[0].isidentifier()
        if place in seen and isinstance(wanted, Arrow):
            known = {each.text for each in made}
            closed = filter(is_closed_function, shown.arguments)
            made = [Text(text) for text in closed if text not in known] + made
        if place in seen and isinstance(wanted, Arrow) and one:
            # Other arguments may depend on that function.
            same = shown.arguments[0]
            made = [Text(each.text, each.text != same) for each in made]
        elif place in seen and isinstance(wanted, Arrow) and _orders(shown):
            made = [Text(each.text, "compare" not in each.text) for each in made]
        elif place in seen and fixed[place]:
            known = {each.text for each in made}
            literals = filter(is_literal, shown.arguments)
            made = [Text(text) for text in literals if text not in known] + made
        if label.startswith("?"):
            # The prompt implies a value if one is shown; an optional argument may always be
            # omitted.
            made = [Text(each.text, each.strange or place not in seen) for each in made]
            made.insert(0, Text(""))
        parts.append(made)
    return parts


def _orders(shown: ArgumentExamples) -> bool:
    """Return whether the shown functions include an order, so that other functions may make no
    sense.
    """
    return any("compare" in each for each in shown.arguments)


def _observed(
    name: str, takes: Taken, row: Sequence[Text], changed: Sequence[int]
) -> tuple[str, Type]:
    """Write a call that returns (), followed by the values that it may have changed."""
    named = {place: f"v{place + 1}" for place in changed}
    texts = [named.get(place, each.text) for place, each in enumerate(row)]
    lets = " and ".join(f"{own} = {row[place].text}" for place, own in named.items())
    types = tuple(takes[place][1] for place in changed)
    given = ", ".join(named.values())
    given = given if len(types) == 1 else f"({given})"
    text = f"(let {lets} in {call(name, takes, texts)}; {given})"
    return text, types[0] if len(types) == 1 else Tuple(types)


def _rows(parts: list[list[Text]], random: Random) -> Iterator[Sequence[Text]]:
    """Yield rows of arguments: first usual ones, then some with strange arguments."""
    tame = [[each for each in part if not each.strange] for part in parts]
    yield from _some(tame, _TAME, random)
    yield from _related(tame, random)
    strange = [
        row
        for row in _some(parts, _TAME + 4 * _STRANGE, random)
        if any(each.strange for each in row)
    ]
    # Prefer calls with a single strange argument.
    strange.sort(key=lambda row: sum(each.strange for each in row))
    yield from strange[:_STRANGE]


def _related(parts: list[list[Text]], random: Random) -> Iterator[Sequence[Text]]:
    """Yield rows in which two neighbours are made of the same parts: words, anagrams, sublists."""
    for place in range(1, len(parts)):
        same = [each for each in parts[place - 1] if each in parts[place]]
        for one in random.sample(same, min(len(same), _RELATED)):
            for first, second in _remade(one.text, random):
                row = [random.choice(part) for part in parts if part]
                if len(row) == len(parts):
                    row[place - 1 : place + 1] = [Text(first), Text(second)]
                    yield row


def _remade(text: str, random: Random) -> Iterator[tuple[str, str]]:
    """Yield two strings or lists of the parts of one: in another order, one more often, one less."""
    found = re.fullmatch(r'(")([a-zA-Z ]{2,})(")|(\[\|?)([^\[\]|"(]+;[^\[\]|"(]+)(\|?\])', text)
    if found is None:
        return
    opening, inner, closing = (part for part in found.groups() if part is not None)
    between = "; " if ";" in inner else ""
    parts = [part.strip() for part in inner.split(";")] if between else list(inner)

    def joined(made: Sequence[str]) -> str:
        return f"{opening}{between.join(made)}{closing}"

    shuffled = random.sample(parts, len(parts))
    for made in (shuffled, [*parts[:-1], parts[0]], parts[:-1], [*parts, parts[-1]]):
        yield text, joined(made)
    one, two = parts[0], parts[-1]
    yield joined([one, one, two]), joined([one, two, two])


def _some(parts: list[list[Text]], most: int, random: Random) -> Iterator[Sequence[Text]]:
    """Yield at most so many rows, one text of each part."""
    if prod(map(len, parts)) <= _WHOLE:
        every = list(product(*parts))
        if len(every) > most:
            # The small values come first in each part.
            every = every[: most // 8] + random.sample(every[most // 8 :], most - most // 8)
        yield from every
        return
    rows = {tuple(random.choice(part) for part in parts): None for _ in range(most)}
    yield from rows


def is_literal(text: str) -> bool:
    """Return whether an argument of a check is a literal without names of values."""
    bare = Source(text).without_literals
    names = re.findall(r"(?<![\w'.])[a-z_][\w']*(?!\s*=[^=])", bare)
    return set(names) <= {"true", "false", "max_int", "min_int"} and "." not in bare


def is_closed_function(text: str) -> bool:
    """Return whether an argument of a check is `fun`, and only names its parameters."""
    found = re.fullmatch(r"\(\s*fun((?:\s+[a-z_][\w']*)+)\s*->(.*)\)", text, re.DOTALL)
    if found is None:
        return False
    names = re.findall(r"(?<![\w'.])[a-z_][\w']*", Source(found[2]).without_literals)
    return set(names) <= {*found[1].split(), *_PLAIN_WORDS}


def is_abstract(found: Type, interface: Interface) -> bool:
    """Return whether a type is abstract."""
    if isinstance(found, Tuple):
        return any(is_abstract(each, interface) for each in found.items)
    if not isinstance(found, Constructed):
        return isinstance(found, Arrow)
    made = interface.types.get(found.name)
    own = made is not None and made.is_abstract
    return own or any(is_abstract(each, interface) for each in found.arguments)


def is_mutable(found: Type, interface: Interface) -> bool:
    """Return whether a function may mutate an argument of that type."""
    match found:
        case Constructed("array" | "bytes" | "ref", _):
            return True
        case Constructed(name, _):
            made = interface.types.get(name)
            return made is not None and any(each.mutable for each in made.fields)
    return False
