"""Defaults, digest and ranges of the penalties' numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any


def defaults_for_missing_keys(kind: type[Any]) -> dict[str, Any]:
    """Return the default values of keys that older scheme files do not have."""
    found: dict[str, Any] = {}
    for each in dataclasses.fields(kind):
        if each.default is not dataclasses.MISSING:
            found[each.name] = each.default
        elif each.default_factory is not dataclasses.MISSING:
            found[each.name] = dataclasses.asdict(each.default_factory())
    return found


def digested(values: Any) -> dict[str, Any]:
    """Return the numbers that enter a digest.

    Optional numbers are left out while they have their defaults, so that older schemes keep their
    digests.
    """
    before = defaults_for_missing_keys(type(values))
    numbers = dataclasses.asdict(values)
    return {
        key: value for key, value in numbers.items() if key not in before or value != before[key]
    }


def broken_ranges(part: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the keys of numbers outside their range, each with a message."""
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
