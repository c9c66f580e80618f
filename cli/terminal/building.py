"""Says that the engine's helpers are built, before the one start of an engine that takes long."""

from __future__ import annotations

from contextlib import suppress

import click

from ocaml_reward import MachineError


def say_if_building() -> None:
    """Say on standard error that helpers have to be built first, where they have to."""
    from ocaml_reward.engine.build.helpers import is_built  # noqa: PLC0415

    # Without a compiler nothing is built: whoever starts the engine says so.
    with suppress(MachineError):
        if not is_built():
            click.echo("ocaml-reward: building helpers, once: up to a minute", err=True)
