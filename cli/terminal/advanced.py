"""Commands whose help shows the options that few need apart from the others."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import click


class WithAdvanced(click.Command):
    """A command of which some options are advanced."""

    def __init__(
        self, *args: Any, advanced: Collection[str] = (), **extra: Any
    ) -> None:
        """Know the options by their words, such as "--shard".

        Args:
            *args: What a click.Command takes.
            advanced: The options that few need.
            **extra: What a click.Command takes.
        """
        super().__init__(*args, **extra)
        self._advanced = frozenset(advanced)

    def format_options(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the options in two sections."""
        rows: dict[str, list[tuple[str, str]]] = {"Options": [], "Advanced options": []}
        options = [
            each for each in self.get_params(ctx) if isinstance(each, click.Option)
        ]
        for option in options:
            record = option.get_help_record(ctx)
            is_advanced = not self._advanced.isdisjoint(option.opts)
            if record is not None:
                rows["Advanced options" if is_advanced else "Options"].append(record)
        for heading, records in rows.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
