"""
`ocaml-reward problems`: make problems, strengthen them, bring and take them elsewhere.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Final

import click

__all__ = ["problems"]

COMMANDS: Final = {
    "generate": "generate",
    "strengthen": "strengthen",
    "import": "import_",
    "export": "export",
}
"""
Sub-commands, and the modules beside this one that hold them.
"""


class Commands(click.Group):
    """
    A group whose commands are imported when they are called.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """
        List the commands whose modules are there.
        """
        del ctx
        return [name for name in COMMANDS if self._is_there(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """
        Import the module of a command and take the command out of it.
        """
        del ctx
        if cmd_name not in COMMANDS or not self._is_there(cmd_name):
            return None
        home = COMMANDS[cmd_name]
        module = import_module(f".{home}", __package__)
        command: click.Command = getattr(module, home)
        return command

    def _is_there(self, name: str) -> bool:
        return find_spec(f".{COMMANDS[name]}", __package__) is not None


@click.group(cls=Commands)
def problems() -> None:
    """
    Make problems, or strengthen and convert your own.
    """
