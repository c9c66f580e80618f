"""`ocaml-reward engine`: builds the helpers ahead of time, or shows which are in use."""

from __future__ import annotations

import time

import click


@click.group()
def engine() -> None:
    """Build the engine's helpers, or say which are in use.

    The helpers are built with your own OCaml compiler when they are first needed, which
    takes some seconds, and are kept in a cache.  With a version of OCaml that was not tried,
    known programs are then graded by both engines, and the fast one is used if it is right.
    """


@engine.command()
@click.option(
    "--libraries",
    default="",
    metavar="NAMES",
    help="findlib packages, comma-separated, to prepare a jail for as well.",
)
def build(libraries: str) -> None:
    """Build the helpers and the jail's read-only root now.

    \b
    Example, for an image that must start at once and has no write access later:
      OCAML_REWARD_CACHE=/opt/cache ocaml-reward engine build --libraries str
    """
    from ocaml_reward.engine.build.choice import choice  # noqa: PLC0415
    from ocaml_reward.engine.build.helpers import engine_path, rootfs  # noqa: PLC0415
    from ocaml_reward.sandbox.native import launcher, native  # noqa: PLC0415

    started = time.perf_counter()
    warm, why = choice()
    path = engine_path()
    there = path.exists()
    names = tuple(name.strip() for name in libraries.split(",") if name.strip())
    launcher()
    native("probe")
    rootfs()
    elapsed = time.perf_counter() - started
    how = "is built already" if there else f"built in {elapsed:.1f} s"
    click.echo(f"engine {how}: {path}")
    click.echo(f"warm engine: {'yes' if warm else 'no'}, {why}")
    if names:
        click.echo(f"root with {', '.join(names)}: {rootfs(names)}")


@engine.command()
def show() -> None:
    """Print the toolchain in use and where its helpers are; build nothing."""
    from ocaml_reward.engine.build.helpers import engine_path, is_built  # noqa: PLC0415
    from ocaml_reward.engine.build.toolchain import locate  # noqa: PLC0415
    from ocaml_reward.sandbox import cache_root  # noqa: PLC0415

    toolchain = locate()
    rows = {
        "ocaml": toolchain.version,
        "ocamlc": toolchain.ocamlc,
        "standard library": toolchain.stdlib,
        "cache": cache_root(),
        "engine": engine_path() if is_built() else "not built yet",
    }
    for name, value in rows.items():
        click.echo(f"{name + ':':18}{value}")
