"""The numbers of the penalties as a scheme has them: defaults, digest, ranges."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any


def lacking(kind: type[Any]) -> dict[str, Any]:
    """Return what a scheme means by the keys that it may lack."""
    found: dict[str, Any] = {}
    for each in dataclasses.fields(kind):
        if each.default is not dataclasses.MISSING:
            found[each.name] = each.default
        elif each.default_factory is not dataclasses.MISSING:
            found[each.name] = dataclasses.asdict(each.default_factory())
    return found


def digested(values: Any) -> dict[str, Any]:
    """Return the numbers that a digest is made of.

    What a scheme may lack is left out where it is as if lacking, so that schemes from before
    there was the key keep their digests.
    """
    before = lacking(type(values))
    numbers = dataclasses.asdict(values)
    return {
        key: value
        for key, value in numbers.items()
        if key not in before or value != before[key]
    }


def broken_ranges(part: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the keys of numbers outside their range, each with what is wrong."""
    for each in dataclasses.fields(part):
        key = f"{prefix}{each.name}"
        value = getattr(part, each.name)
        if dataclasses.is_dataclass(value):
            yield from broken_ranges(value, f"{key}.")
            continue
        low, high = each.metadata["low"], each.metadata.get("high")
        if high is None and value < low:
            yield key, f"must be at least {low}, found {value}"
        if high is not None and not low <= value <= high:
            yield key, f"must be between {low} and {high}, found {value:g}"
