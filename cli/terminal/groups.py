"""Click groups whose commands are imported when they are called, and groups of options."""

from __future__ import annotations

import difflib
import gc
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


class LazyGroup(click.Group):
    """A group that lists its commands without importing them."""

    def __init__(
        self,
        *args: Any,
        package: str,
        summaries: Mapping[str, str],
        modules: Mapping[str, str],
        sections: Mapping[str, Sequence[str]] | None = None,
        **extra: Any,
    ) -> None:
        """Set the commands.

        Args:
            *args: As for click.Group.
            package: The package of the commands' modules.
            summaries: The summary of each command by name, in the order of the help.
            modules: The module of each command, if it is not named like the command.
            sections: The commands under each heading of the help; by default all are under
                "Commands".
            **extra: As for click.Group.
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
        """Import a command from its module."""
        del ctx
        if cmd_name not in self._summaries:
            return None
        module_name = self._modules.get(cmd_name, cmd_name)
        # Imports create no garbage, and collecting it would take a tenth of their time.
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command; for one that does not exist, suggest the nearest."""
        name = args[0]
        near = difflib.get_close_matches(name, self._summaries, n=1)
        if name not in self._summaries and near and self.get_command(ctx, name) is None:
            ctx.fail(f"No such command {name!r}; did you mean {near[0]}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the summaries."""
        del ctx
        widest = max(map(len, self._summaries))
        for heading, names in self._sections.items():
            with formatter.section(heading):
                rows = [(f"{name:{widest}}", self._summaries[name]) for name in names]
                formatter.write_dl(rows)


def combined(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return a decorator that adds several options, in order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
