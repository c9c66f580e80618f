"""`ocaml-reward problems`: generates, strengthens, filters, imports and exports problems."""

from __future__ import annotations

from typing import Final

import click

from ..terminal.groups import LazyGroup

__all__ = ["problems"]

COMMANDS: Final = {
    "export": "Write problems in a form that other tools read.",
    "filter": "Keep the problems that a model passes sometimes.",
    "generate": "Make problems of families, with references and tests.",
    "impossible": "Make twins that only a cheat passes, to watch for cheating.",
    "import": "Read problems of other tools, and say what is lost.",
    "strengthen": "Add checks that catch what the tests let through.",
}


@click.group(
    cls=LazyGroup,
    package=__package__,
    summaries=COMMANDS,
    modules={"import": "import_"},
)
def problems() -> None:
    """Make problems, or strengthen, filter and convert your own."""
