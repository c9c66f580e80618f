"""`ocaml-reward baseline`: hands over to the trainer plugin, in a process of its own."""

from __future__ import annotations

import click

from .plugin import become_plugin, run_options


@click.command()
@run_options
def baseline(
    *,
    config: str | None,
    preset: str | None,
    overrides: tuple[str, ...],
    verbose: bool,
) -> None:
    """Measure a model before it is trained.

    CONFIG.toml is a training run's: completions of its model for some of its problems
    are scored, and pass@1, pass@k and the verdicts reported, with advice where too few
    pass for a training to start from.
    """
    become_plugin("baseline", config, preset, overrides, ["--verbose"] * verbose)
