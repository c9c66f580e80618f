"""Whole well-typed programs with tests: some checks right, some wrong, some that raise,
print or end the process.
"""

from __future__ import annotations

from random import Random

from .declarations import TEMPLATES, filled
from .expressions import Declared, Scope, Writer
from .library import LIBRARY
from .types import Known, Type, arguments, substituted


def program(rng: Random, size: int = 6) -> tuple[str, str]:
    """Return a program that types, and tests for it."""
    writer = Writer(rng)
    scope, items = _types(writer)
    for _ in range(rng.randrange(2, size + 1)):
        if rng.random() < 0.45:
            template = rng.choice(TEMPLATES)
            text, scope = filled(template, writer, scope, len(items) + 10)
        else:
            text, scope = _function(writer, scope)
        items.append(text)
    return "\n\n".join(items) + "\n", _tests(writer, scope)


def _types(writer: Writer) -> tuple[Scope, list[str]]:
    """Declare some records and variants; names of fields and constructors are unique."""
    scope, items = Scope(), []
    for number in range(writer.rng.randrange(3)):
        itself = Type(f"t{number}")
        if writer.rng.random() < 0.5:
            count = writer.rng.randrange(1, 4)
            fields = tuple((f"f{number}_{i}", writer.data_type(scope, 1)) for i in range(count))
            declared = Declared(itself, fields=fields)
            listed = "; ".join(f"{name} : {type_}" for name, type_ in fields)
            items.append(f"type {itself} = {{ {listed} }}")
        else:
            cases: list[tuple[str, tuple[Type, ...]]] = [(f"C{number}_0", ())]
            for i in range(1, writer.rng.randrange(2, 5)):
                own = [itself] if writer.rng.random() < 0.3 else []
                parts = [writer.data_type(scope, 1) for _ in range(writer.rng.choice((0, 1, 2)))]
                cases.append((f"C{number}_{i}", (*own, *parts)))
            declared = Declared(itself, constructors=tuple(cases))
            listed = " | ".join(
                f"{name} of {' * '.join(map(str, parts))}" if parts else name
                for name, parts in cases
            )
            items.append(f"type {itself} = {listed}")
        scope = Scope(LIBRARY, (*scope.declared, declared))
    return scope, items


def _function(writer: Writer, scope: Scope) -> tuple[str, Scope]:
    """Write a function of one to three arguments, with or without annotations."""
    rng = writer.rng
    types = [writer.data_type(scope) for _ in range(rng.randrange(1, 4))]
    result = writer.data_type(scope)
    named = [Known(writer.name("a"), each) for each in types]
    body = writer.expression(result, scope.plus(*named), 4)
    # What nothing in the body pins down would be general, which only adds a type.
    heads = " ".join(f"({each.text} : {each.type})" for each in named)
    note = f" : {result}" if rng.random() < 0.5 else ""
    name = writer.name("f")
    whole = result
    for each in reversed(types):
        whole = Type("->", (each, whole))
    return f"let {name} {heads}{note} =\n  {body}", scope.plus(Known(name, whole))


def _tests(writer: Writer, scope: Scope) -> str:
    """Write two to six checks of what the program defines."""
    rng, own = writer.rng, scope.known[len(LIBRARY) :]
    checks = []
    for _ in range(rng.randrange(2, 7)):
        known = rng.choice(own) if own else Known("abs", _ABS)
        inner, result = arguments(known.type)
        others = {f"'{n}": Type("int") for n in "abcd"}
        grounds = [substituted(each, others) for each in inner]
        call = " ".join([known.text, *(writer.value(g, scope, 2) for g in grounds)])
        value = writer.value(substituted(result, others), scope, 2)
        checks.append(
            rng.choice(
                (
                    f"assert ({call} = {call})",
                    f"assert ({call} = {call})",
                    f"assert ({call} = {value})",
                    f"assert ({call} <> {value})",
                    f"assert (ignore ({call}); true)",
                    f'assert (print_string "out"; {call} = {call})',
                    f"assert (try ignore ({call}); false with _ -> true)",
                )
            )
        )
        if rng.random() < 0.04:
            ends = (
                "exit 0",
                "exit 3",
                "raise Exit",
                'Sys.opaque_identity (failwith "no")',
            )
            checks.append(f"assert (ignore ({call}); {rng.choice(ends)})")
    return "let () =\n  " + ";\n  ".join(checks) + "\n"


_ABS = Type("->", (Type("int"), Type("int")))
