"""Well-typed OCaml expressions of a wanted type, from a seeded source of choices."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from .library import LIBRARY
from .types import Known, Type, arguments, matched, read, substituted

INT, BOOL, STRING, UNIT = map(read, ("int", "bool", "string", "unit"))
BASE = (INT, INT, STRING, BOOL, read("char"), read("float"))
LITERALS = {
    "int": ("0", "1", "7", "(-3)", "0x1F", "1_000", "max_int"),
    "bool": ("true", "false"),
    "char": ("'a'", "' '", r"'\n'", r"'\065'", "'Z'"),
    "float": ("0.", "1.5", "(-2.)", "1e3", "nan"),
    "unit": ("()",),
    "string": ('""', '"abc"', '"a,b"', r'"\t\255"', '"é"', "{|x|}", '"42"'),
}
INFIX = {
    "int": ("+", "-", "*", "/", "mod", "land", "lxor"),
    "string": ("^",),
    "bool": ("&&", "||"),
    "float": ("+.", "*.", "-."),
    "list": ("@",),
}


@dataclass(frozen=True, slots=True)
class Declared:
    """A type of the program's own: constructors with arguments, or fields of a record.

    The first constructor is never recursive, so that values end.
    """

    type: Type
    constructors: tuple[tuple[str, tuple[Type, ...]], ...] = ()
    fields: tuple[tuple[str, Type], ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may use."""

    known: tuple[Known, ...] = LIBRARY
    declared: tuple[Declared, ...] = ()

    def plus(self, *known: Known) -> Scope:
        return Scope((*self.known, *known), self.declared)

    def declaration(self, type_: Type) -> Declared | None:
        return next((d for d in self.declared if d.type == type_), None)


@dataclass(slots=True)
class Writer:
    """Writes expressions; every name it makes is new."""

    rng: Random
    made: int = field(default=0)

    def name(self, stem: str = "v") -> str:
        self.made += 1
        return f"{stem}{self.made}"

    def data_type(self, scope: Scope, depth: int = 2) -> Type:
        """Choose a type without functions in it, whose values can be compared."""
        kind = self.rng.randrange(10) if depth > 0 else 0
        if kind == 5 and scope.declared:
            return self.rng.choice(scope.declared).type
        if kind in (6, 7):
            return Type("list", (self.data_type(scope, depth - 1),))
        if kind == 8:
            return Type("option", (self.data_type(scope, depth - 1),))
        if kind == 9:
            count = self.rng.choice((2, 2, 3))
            parts = (self.data_type(scope, depth - 1) for _ in range(count))
            return Type("*", tuple(parts))
        return self.rng.choice(BASE)

    def expression(self, type_: Type, scope: Scope, depth: int) -> str:
        """Write an expression of the type, in brackets where it needs them."""
        if depth <= 0 or self.rng.random() < 0.1:
            return self.leaf(type_, scope)
        forms = (
            [self.applied] * 5
            + [self.infix] * 3
            + [self.built] * 3
            + [self.conditional, self.bound, self.bound, self.matching, self.matching]
            + [self.effect, self.guarded, self.lazily, self.by_reference, self.operator]
        )
        return self.rng.choice(forms)(type_, scope, depth - 1)

    def leaf(self, type_: Type, scope: Scope) -> str:
        same = [k.text for k in scope.known if k.type == type_]
        if same and self.rng.random() < 0.6:
            text = self.rng.choice(same)
            return f"({text})" if " " in text else text
        return self.value(type_, scope, 2)

    def value(self, type_: Type, scope: Scope, depth: int) -> str:
        """Write a literal of the type."""
        if type_.name in LITERALS:
            return self.rng.choice(LITERALS[type_.name])
        return self.built(type_, scope, depth - 1, literal=True)

    def built(self, type_: Type, scope: Scope, depth: int, *, literal: bool = False) -> str:
        """Write a value by the constructors of its type."""

        def part(inner: Type) -> str:
            if literal or depth <= 0:
                return self.value(inner, scope, depth)
            return self.expression(inner, scope, depth)

        declared = scope.declaration(type_)
        if declared is not None and declared.fields:
            texts = (f"{name} = {part(inner)}" for name, inner in declared.fields)
            return f"{{ {'; '.join(texts)} }}"
        if declared is not None:
            few = declared.constructors[:1] if depth <= 0 else declared.constructors
            name, inner = self.rng.choice(few)
            parts = ", ".join(map(part, inner))
            return f"({name} ({parts}))" if inner else name
        match type_.name:
            case "list":
                count = self.rng.randrange(4) if depth >= 0 else 0
                return f"[{'; '.join(part(type_.args[0]) for _ in range(count))}]"
            case "option":
                some = depth >= 0 and self.rng.random() < 0.7
                return f"(Some {part(type_.args[0])})" if some else "None"
            case "*":
                return f"({', '.join(map(part, type_.args))})"
            case "->":
                name = self.name("x")
                inside = scope.plus(Known(name, type_.args[0]))
                body = self.expression(type_.args[1], inside, max(depth, 0))
                return f"(fun {name} -> {body})"
        return self.value(type_, scope, depth)

    def applied(self, type_: Type, scope: Scope, depth: int) -> str:
        """Call something whose result is of the type."""
        found: list[tuple[Known, tuple[Type, ...], dict[str, Type]]] = []
        for known in scope.known:
            inner, result = arguments(known.type)
            # Something that returns anything only raises: keep that rare.
            if result.name.startswith("'") and self.rng.random() < 0.7:
                continue
            bound = matched(result, type_, {}) if inner else None
            if bound is not None:
                found.append((known, inner, bound))
        if not found:
            return self.leaf(type_, scope)
        known, inner, bound = self.rng.choice(found)
        others = {f"'{n}": self.data_type(scope, 1) for n in "abcd"}
        grounds = [substituted(each, others | bound) for each in inner]
        texts = (self.expression(each, scope, depth) for each in grounds)
        return f"({known.text} {' '.join(texts)})"

    def infix(self, type_: Type, scope: Scope, depth: int) -> str:
        if type_ == BOOL and self.rng.random() < 0.6:
            sort = self.data_type(scope, 1)
            sign = self.rng.choice(("=", "<>", "<", ">="))
        elif type_.name in INFIX:
            sort, sign = type_, self.rng.choice(INFIX[type_.name])
        else:
            return self.built(type_, scope, depth)
        left = self.expression(sort, scope, depth)
        return f"({left} {sign} {self.expression(sort, scope, depth)})"

    def conditional(self, type_: Type, scope: Scope, depth: int) -> str:
        test = self.expression(BOOL, scope, depth)
        yes, no = (self.expression(type_, scope, depth) for _ in range(2))
        return f"(if {test} then {yes} else {no})"

    def bound(self, type_: Type, scope: Scope, depth: int) -> str:
        sort, name = self.data_type(scope), self.name()
        head = self.expression(sort, scope, depth)
        note = f" : {sort}" if self.rng.random() < 0.3 else ""
        rest = self.expression(type_, scope.plus(Known(name, sort)), depth)
        return f"(let {name}{note} = {head} in {rest})"

    def matching(self, type_: Type, scope: Scope, depth: int) -> str:
        """Match on a value, at times without a case or with one too many."""
        sort = self.data_type(scope)
        cases = [
            f"{pattern} -> {self.expression(type_, scope.plus(*names), depth - 1)}"
            for pattern, names in self.patterns(sort, scope)
        ]
        if len(cases) > 1 and self.rng.random() < 0.15:
            cases.remove(self.rng.choice(cases))
        if self.rng.random() < 0.1:
            cases.append(f"_ -> {self.leaf(type_, scope)}")
        value = self.expression(sort, scope, depth - 1)
        return f"(match {value} with {' | '.join(cases)})"

    def patterns(self, sort: Type, scope: Scope) -> list[tuple[str, tuple[Known, ...]]]:
        """Return patterns that are all of a type, with the names that each binds."""

        def names(types: tuple[Type, ...]) -> tuple[Known, ...]:
            return tuple(Known(self.name("p"), each) for each in types)

        def listed(known: tuple[Known, ...]) -> str:
            return ", ".join(each.text for each in known)

        declared = scope.declaration(sort)
        if declared is not None and declared.constructors:
            found = []
            for constructor, inner in declared.constructors:
                known = names(inner)
                text = f"{constructor} ({listed(known)})" if known else constructor
                found.append((text, known))
            return found
        if declared is not None:
            (first, inner_type), *_ = declared.fields
            known = names((inner_type,))
            return [(f"{{ {first} = {known[0].text}; _ }}", known)]
        match sort.name:
            case "list":
                head, tail = names((sort.args[0], sort))
                return [("[]", ()), (f"{head.text} :: {tail.text}", (head, tail))]
            case "option":
                known = names(sort.args)
                return [(f"Some {known[0].text}", known), ("None", ())]
            case "*":
                known = names(sort.args)
                return [(f"({listed(known)})", known)]
            case "bool":
                return [("true", ()), ("false", ())]
        known = names((sort,))
        name = known[0].text
        # A constant first, and then anything.
        constants = {"int": "7", "string": '"abc"', "char": "'a'"}
        constant = [(constants[sort.name], ())] if sort.name in constants else []
        return [*constant, (name, known)]

    def effect(self, type_: Type, scope: Scope, depth: int) -> str:
        first = self.applied(UNIT, scope, depth - 1)
        return f"({first}; {self.expression(type_, scope, depth)})"

    def guarded(self, type_: Type, scope: Scope, depth: int) -> str:
        handler = self.rng.choice(("Not_found", "Failure _", "Invalid_argument _", "_"))
        body = self.expression(type_, scope, depth)
        return f"(try {body} with {handler} -> {self.leaf(type_, scope)})"

    def lazily(self, type_: Type, scope: Scope, depth: int) -> str:
        return f"(Lazy.force (lazy {self.expression(type_, scope, depth)}))"

    def by_reference(self, type_: Type, scope: Scope, depth: int) -> str:
        name = self.name("r")
        first, second = (self.expression(type_, scope, depth) for _ in range(2))
        loop = self.rng.choice(
            (
                f"{name} := {second}",
                f"for _ = 1 to 3 do {name} := {second} done",
                f"while (incr n{name}; !n{name} < 3) do {name} := {second} done",
            )
        )
        return f"(let {name} = ref {first} and n{name} = ref 0 in {loop}; ignore n{name}; !{name})"

    def operator(self, type_: Type, scope: Scope, depth: int) -> str:
        name, sort = self.name("o"), self.data_type(scope, 1)
        head = self.expression(Type("option", (sort,)), scope, depth)
        rest = self.expression(type_, scope.plus(Known(name, sort)), depth)
        other = self.leaf(type_, scope)
        return (
            f"(let ( let* ) o f = Option.fold ~none:{other} ~some:f o in"
            f" let* {name} = {head} in {rest})"
        )
