"""Groups whose commands are imported when they are called."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group that knows its commands by name, and what each does in a line."""

    def __init__(
        self,
        *args: Any,
        package: str,
        summaries: Mapping[str, str],
        modules: Mapping[str, str],
        sections: Mapping[str, Sequence[str]] | None = None,
        **extra: Any,
    ) -> None:
        """Know the commands of a `package`.

        Args:
            *args: What a click.Group takes.
            package: The package in which the commands' modules are.
            summaries: What each command does, by its name, in the order of the help.
            modules: The module of each command that is in none of its own name.
            sections: The commands under each heading of the help; without it all are under
                "Commands".
            **extra: What a click.Group takes.
        """
        super().__init__(*args, **extra)
        self._package = package
        self._summaries = summaries
        self._modules = modules
        self._sections = sections or {"Commands": list(summaries)}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands without importing them."""
        del ctx
        return list(self._summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and take the command of that name out of it."""
        del ctx
        if cmd_name not in self._summaries:
            return None
        module_name = self._modules.get(cmd_name, cmd_name)
        # Nothing that an import makes is garbage, and to look for it takes as long as a
        # tenth of the import.
        gc.disable()
        try:
            module = import_module(f".{module_name}", self._package)
        finally:
            gc.enable()
        found = [
            each
            for each in vars(module).values()
            if isinstance(each, click.Command) and each.name == cmd_name
        ]
        return found[0]

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the list of commands from the table, which needs none of their modules."""
        del ctx
        widest = max(map(len, self._summaries))
        for heading, names in self._sections.items():
            with formatter.section(heading):
                rows = [(f"{name:{widest}}", self._summaries[name]) for name in names]
                formatter.write_dl(rows)
