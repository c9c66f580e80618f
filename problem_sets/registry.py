"""Families of problems, by name and topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from .drafts import Draft
from .drawing import Draw

Make = Callable[[Draw], Draft]
"""Draws one problem."""

_MODULES = (
    *("integers", "divisions", "floats", "texts", "ciphers", "lists", "list_tables"),
    *("arrays", "options", "records", "variants", "trees", "tree_shapes"),
    *("expressions", "expression_forms", "tables", "folding", "dynamic", "payments"),
    *("graphs", "parsing", "printing", "machines", "queues", "modular", "functors"),
    *("exceptions", "sequences", "generic", "combinators", "stdio", "stdio_texts"),
    "many_answers",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """Problems that are made alike: its name, its topic, what it is about, and what draws one."""

    name: str
    topic: str
    about: str
    make: Make


def gather(topic: str, *makes: Make) -> tuple[Family, ...]:
    """Make families of functions, named after them; the first line of what each says of itself
    is what the family is about.

    Args:
        topic: What they have in common.
        makes: A function for each family.

    Returns:
        The families.
    """
    return tuple(
        Family(
            name=make.__name__.replace("_", "-"),
            topic=topic,
            about=" ".join((make.__doc__ or "").split()),
            make=make,
        )
        for make in makes
    )


@cache
def all_families() -> Mapping[str, Family]:
    """Return all families by name, in the order of their topics."""
    found: dict[str, Family] = {}
    for name in _MODULES:
        module = import_module(f".families.{name}", __package__)
        for family in module.FAMILIES:
            found[family.name] = family
    return found
