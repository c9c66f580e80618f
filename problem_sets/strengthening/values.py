"""Generates values of a type as OCaml, small and adversarial ones first; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

from ocaml_reward.model.types import (
    Arrow,
    Constructed,
    Constructor,
    Declaration,
    Interface,
    NoValues,
    Tuple,
    Type,
    Unknown,
    Variable,
    names_in,
    of_declaration,
    path_of,
    substituted,
)

from .building import after, functions, steps
from .examples import ArgumentExamples, breaks
from .functions import closures
from .literals import byte_strings, characters, floats, strings, whole
from .writing import MOST, Text, applied, call, joined, record, rows

_DEEPEST: Final = 3
_DRAWN: Final = 40
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Values:
    """Generates values of an interface's types; values like those `seen` are not strange."""

    interface: Interface
    seen: ArgumentExamples
    known: dict[tuple[Type, int], list[Text]] = field(default_factory=dict)

    def of(self, found: Type, depth: int = 0) -> list[Text]:
        """Return values of a type, ordinary ones first.

        Args:
            found: The type, without variables.
            depth: Nesting depth inside another value.

        Returns:
            At most 24 values.

        Raises:
            NoValues: No value of it can be made.
        """
        if depth > 2 * _DEEPEST:
            raise NoValues("a type that goes on and on")
        if (found, depth) in self.known:
            return self.known[found, depth]
        made = list(dict.fromkeys(self._of(found, depth)))
        if not made:
            raise NoValues("a type without small values")
        made.sort(key=lambda each: each.strange)
        made = list({each.text: each for each in reversed(made)}.values())[::-1]
        tame = [each for each in made if not each.strange]
        kept = [*tame[:MOST], *made[len(tame) :][: MOST // 2]]
        if depth == 0:
            kept += self._larger(found, {each.text for each in kept})
        self.known[found, depth] = kept
        return kept

    def _larger(self, found: Type, known: set[str]) -> Iterator[Text]:
        """Yield values that are larger than those made of few parts, in which parts recur."""
        random = Random(0)  # noqa: S311 (the same values each time)
        for _ in range(_DRAWN):
            try:
                one = self._drawn(found, random, 0)
            except NoValues:
                return
            if not one.strange and one.text not in known and len(one.text) <= _LONGEST:
                known.add(one.text)
                yield one

    def _drawn(self, found: Type, random: Random, depth: int) -> Text:
        """Return a value at random, of those that are like the examples if there are any."""
        match found:
            case Tuple(items):
                row = [self._drawn(item, random, depth) for item in items]
                return joined("(", ", ", row, ")")
            case Constructed(name, arguments) if name in self.interface.types:
                return self._drawn_of(self.interface.types[name], arguments, random, depth)
            case Constructed(name, arguments) if name in _BRACKETS:
                opening, closing, _ = _BRACKETS[name]
                size = random.randint(2, 6 - 2 * min(depth, 2))
                row = [self._drawn(arguments[0], random, depth + 1) for _ in range(size)]
                return self._sequence(row, depth, opening, closing)
        made = self.of(found, max(depth, 1) if found == Constructed("int") and depth else depth + 1)
        return random.choice([each for each in made if not each.strange] or made)

    def _drawn_of(
        self, made: Declaration, arguments: tuple[Type, ...], random: Random, depth: int
    ) -> Text:
        """Return a value of a declared type at random."""
        names = of_declaration(made, arguments)
        if made.alias is not None:
            return self._drawn(substituted(made.alias, names), random, depth)
        if made.fields:
            row = [self._drawn(substituted(f.type, names), random, depth + 1) for f in made.fields]
            return record([each.name for each in made.fields], row, path_of(made.name))
        own = Constructed(made.name, arguments)
        flat = [each for each in made.constructors if made.name not in names_in(*parts_of(each))]
        if not made.constructors or any(
            gives and len(takes) > 1 for _, takes, gives in steps(self.interface, own)
        ):
            # Others than the code's functions may not make values that the code allows.
            return self._chained(own, random, depth)
        some = flat if depth >= _DEEPEST + 1 and flat else made.constructors
        # What holds something is more often right than what does not.
        chosen = random.choices(some, [2 if parts_of(each) else 1 for each in some])[0]
        row = [self._drawn(substituted(p, names), random, depth + 1) for p in parts_of(chosen)]
        path = path_of(made.name) + chosen.name
        if not row:
            return Text(path)
        if chosen.record:
            return applied(path, [record([part.name for part in chosen.record], row, "")])
        return applied(path, row)

    def _chained(self, own: Constructed, random: Random, depth: int) -> Text:
        """Return a value that some of the code's functions build, with arguments that recur."""
        made = [each for each in self.of(own, depth + 1) if not each.strange] or self.of(own, 1)
        base = min(made, key=lambda each: len(each.text))
        own_steps = steps(self.interface, own)
        for _ in range(random.randint(2, 6) if own_steps else 0):
            value, takes, gives = random.choice(own_steps)
            others = [few(self._argument(each, 1))[:2] for _, each in takes if each != own]
            row = [random.choice(each) for each in others]
            text = after(base.text, value, takes, own, [row], gives=gives)
            base = Text(text, base.strange or any(each.strange for each in row))
        return base

    def _of(self, found: Type, depth: int) -> Iterator[Text]:
        """Yield values of a type, `depth` levels inside others."""
        match found:
            case Tuple(items):
                parts = [self.of(item, depth) for item in items]
                yield from (joined("(", ", ", row, ")") for row in rows(parts))
            case Arrow():
                yield from closures(found, partial(self.of, depth=depth + 1))
            case Constructed(name, arguments) if name in self.interface.types:
                # Code may declare a type under a name of the library.
                yield from self._declared(name, arguments, depth)
            case Constructed(name, arguments):
                yield from self._named(name, arguments, depth)
            case Variable() | Unknown():
                raise NoValues("a type that is not read")

    def _named(self, name: str, arguments: tuple[Type, ...], depth: int) -> Iterator[Text]:
        """Yield values of a type with a name."""
        if name in _LITERALS:
            yield from _LITERALS[name](self.seen, depth > 0)
        elif name in _WRAPPED and len(arguments) == 1:
            for each in self.of(arguments[0], depth):
                yield applied(_WRAPPED[name], [each])
        elif name in _RESULTS and len(arguments) == 2:
            for made, item in zip(("Ok", "Error"), arguments, strict=True):
                yield from (applied(made, [each]) for each in self.of(item, depth))
        elif name == "option":
            yield Text("None", "option" not in self.seen.empty)
            yield from (applied("Some", [each]) for each in self.of(arguments[0], depth))
        elif name in _BRACKETS:
            yield from self._sequences(arguments[0], depth, *_BRACKETS[name])
        elif name in _LAZY:
            for each in self._sequences(arguments[0], depth, *_BRACKETS["list"]):
                yield applied("List.to_seq", [each])
        else:
            yield from self._declared(name, arguments, depth)

    def _sequences(
        self, item: Type, depth: int, opening: str, closing: str, kind: str
    ) -> Iterator[Text]:
        """Yield lists or arrays."""
        empty = Text(opening + closing, kind not in self.seen.empty)
        yield empty
        if depth >= _DEEPEST:
            return
        parts = self.of(item, depth + 1)
        if is_sequence(item):
            # Ragged ones come last, because a prompt may exclude them.
            parts = [each for each in parts if each != empty] or parts
            sized: dict[int, list[Text]] = {}
            for each in parts:
                sized.setdefault(each.text.count(";"), []).append(each)
            groups: Iterable[list[Text]] = sized.values()
        else:
            groups = [parts]
        for group in groups:
            for places in _PATTERNS:
                if max(places) < max(len(group), 1):
                    row = [group[place] for place in places]
                    yield self._sequence(row, depth, opening, closing)
                    if "ordered" in self.seen.laws and item == Constructed("int"):
                        yield self._sequence(_sorted(row), depth, opening, closing)
        for numbers in _NUMBERS if item == Constructed("int") and self.seen.domain.negative else ():
            row = [Text(each) for each in numbers.split()]
            yield self._sequence(row, depth, opening, closing)
        if is_sequence(item) and len(parts) > 2:
            ragged = joined(opening, "; ", [parts[0], parts[-1]], closing)
            yield Text(ragged.text, strange=True)

    def _sequence(self, row: Sequence[Text], depth: int, opening: str, closing: str) -> Text:
        """Return a list or array of these values."""
        made = joined(opening, "; ", row, closing)
        short = depth == 0 and len(row) < self.seen.shortest
        strange = made.strange or short or breaks(self.seen.laws, made.text)
        return Text(made.text, strange)

    def _declared(self, name: str, arguments: tuple[Type, ...], depth: int) -> Iterator[Text]:
        """Yield values of a declared type."""
        made = self.interface.types.get(name)
        if made is None or not made.known:
            raise NoValues(f"no values of {name} are made")
        names = of_declaration(made, arguments)
        if made.alias is not None:
            yield from self.of(substituted(made.alias, names), depth)
        elif made.fields:
            parts = [self.of(substituted(each.type, names), depth + 1) for each in made.fields]
            labels = [each.name for each in made.fields]
            yield from (record(labels, row, path_of(name)) for row in rows(parts))
        elif made.constructors:
            yield from self._variants(made, names, depth)
        else:
            yield from self._abstract(name, arguments, depth)

    def _variants(self, made: Declaration, names: Mapping[str, Type], depth: int) -> Iterator[Text]:
        """Yield values of a variant type, of every constructor some."""
        path = path_of(made.name)
        rest = []
        for each in made.constructors:
            if each.arguments or each.record:
                rest.append(each)
            else:
                yield Text(path + each.name)
        own = {each.name: parts_of(each) for each in rest}
        flat = [each for each in rest if made.name not in names_in(*own[each.name])]
        deep = [each for each in rest if each not in flat]
        own_type = Constructed(made.name, tuple(names.values()))
        # If the code has functions that build values, others may violate an invariant.
        is_built = bool(deep) and any(
            gives and len(takes) > 1 for _, takes, gives in steps(self.interface, own_type)
        )
        if is_built and depth < _DEEPEST:
            bases = [
                Text(path + each.name)
                for each in made.constructors
                if not (each.arguments or each.record)
            ]
            yield from self._built(own_type, bases, depth)
        for each in [*flat, *(deep if depth < _DEEPEST else ())]:
            types = [substituted(part, names) for part in own[each.name]]
            try:
                parts = [self.of(part, depth + 1) for part in types]
            except NoValues:
                # Its other constructors are enough.
                continue
            # Some of each, so that every constructor occurs.
            for row in rows(parts, most=max(MOST // len(rest), 4)):
                if each.record:
                    labels = [part.name for part in each.record]
                    text = applied(path + each.name, [record(labels, row, "")])
                else:
                    text = applied(path + each.name, row)
                yield Text(text.text, text.strange or (is_built and each in deep))

    def _abstract(self, name: str, arguments: tuple[Type, ...], depth: int) -> Iterator[Text]:
        """Make values with the interface's functions.

        First those that return one, then those that also take one and return one or ().
        """
        if depth >= _DEEPEST:
            raise NoValues(f"no values of {name} are made")
        own = Constructed(name, arguments)
        bases = [
            Text(call(value, takes, row), any(part.strange for part in row))
            for value, takes, gives in functions(self.interface, own)
            if gives == own and own not in (each for _, each in takes)
            for row in rows([self._argument(each, depth + 1) for _, each in takes], most=6)
        ]
        if not bases:
            raise NoValues(f"nothing makes a {name}")
        yield from bases
        yield from self._built(own, bases[:3], depth)

    def _argument(self, found: Type, depth: int) -> list[Text]:
        """Return values of an argument of the code's functions, which may be a size or a place."""
        if found != Constructed("int"):
            return self.of(found, depth)
        none = not (self.seen.has(0) or self.seen.domain.zero)
        return [each for each in whole(self.seen) if not (none and each.text == "0")]

    def _built(self, own: Constructed, bases: Sequence[Text], depth: int) -> Iterator[Text]:
        """Yield values that the code's own functions build."""
        for base in bases:
            for value, takes, gives in steps(self.interface, own):
                others = [each for _, each in takes if each != own]
                parts = [few(self._argument(each, depth + 2)) for each in others]
                done = list(rows(parts, most=6))
                for count in (1, 2, 3, 5):
                    chain = [done[place % len(done)] for place in range(count)]
                    strange = base.strange or any(part.strange for row in chain for part in row)
                    text = after(base.text, value, takes, own, chain, gives=gives)
                    yield Text(text, strange)


_RESULTS: Final = frozenset({"result", "Stdlib.result"})
_LAZY: Final = frozenset({"Seq.t", "Stdlib.Seq.t"})
_WRAPPED: Final = {
    "ref": "ref",
    "lazy_t": "lazy",
    "Lazy.t": "lazy",
    "Stdlib.Lazy.t": "lazy",
}
_BRACKETS: Final = {"list": ("[", "]", "list"), "array": ("[|", "|]", "array")}
_LITERALS: Final[Mapping[str, Callable[[ArgumentExamples, bool], Iterable[Text]]]] = {
    "int": lambda seen, inside: whole(seen, inside=inside),
    "string": lambda seen, _: strings(seen),
    "char": lambda seen, _: characters(seen),
    "float": lambda seen, _: floats(seen),
    "bytes": lambda seen, _: byte_strings(seen),
    "bool": lambda *_: (Text("true"), Text("false")),
    "unit": lambda *_: (Text("()"),),
}
_PATTERNS: Final = (
    (0,), (0, 0), (0, 1), (1, 0), (0, 1, 0), (0, 1, 2), (2, 1, 0), (0, 0, 1), (1, 0, 0),
    (1, 1), (0, 2, 1, 0), (3, 1, 2), (0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 2, 2, 2),
    (1, 2, 2, 3, 1), (5, 0, 4, 1, 3, 2), (3,), (4, 5),
)  # fmt: skip


_NUMBERS: Final = ("-1", "-3 -1 -7", "-2 -2", "5 5 3", "4 1 4", "3 5 5 1")
"""Lists of numbers at edges: all negative, all equal, the greatest twice."""


def few(made: Sequence[Text]) -> list[Text]:
    """Return some values, ordinary ones if there are any."""
    return ([each for each in made if not each.strange] or list(made))[:4]


def _sorted(row: Sequence[Text]) -> list[Text]:
    """Return the numbers of a row in order, each once."""
    texts = {each.text: each for each in row if each.text.lstrip("-").isdigit()}
    return [texts[text] for text in sorted(texts, key=int)]


def is_sequence(found: Type) -> bool:
    """Return whether a type is a list or an array."""
    return isinstance(found, Constructed) and found.name in _BRACKETS and bool(found.arguments)


def parts_of(made: Constructor) -> tuple[Type, ...]:
    """Return the types of a constructor's arguments."""
    return made.arguments or tuple(part.type for part in made.record)
