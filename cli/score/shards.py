"""A part of a file's lines, for one of several machines."""

from __future__ import annotations

import re
from dataclasses import dataclass

import click


@dataclass(frozen=True, kw_only=True, slots=True)
class Shard:
    """The part `number`, from 1, of `count`: lines that lie `count` apart, so that problems
    whose completions take long are shared out too.
    """

    number: int
    count: int

    def has(self, line: int) -> bool:
        """Tell whether a line, counted from 1, is of this part."""
        return line % self.count == self.number % self.count


class ShardType(click.ParamType[Shard]):
    """Reads K/N."""

    name = "shard"

    def convert(
        self,
        value: str | Shard,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Shard:
        """Refuse what is no part of a whole."""
        if isinstance(value, Shard):
            return value
        found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            self.fail(f"{value!r} is not K/N with K from 1 to N", param, ctx)
        return Shard(number=int(found[1]), count=int(found[2]))
