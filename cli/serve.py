"""`ocaml-reward serve`: grades over HTTP."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import click

from ocaml_reward import InputError, MachineError, Problem
from ocaml_reward.engine.engines.parallel import jobs_for
from ocaml_reward.engine.remote.urls import TOKEN_VARIABLE, is_address, token_in
from ocaml_reward.formats import load_problems
from ocaml_reward.scheme import load
from ocaml_reward.shared import processes_for
from ocaml_reward.shared_engine import SharedEngine

from .terminal.options import (
    CommandWithAdvancedOptions,
    engine_options,
    jobs_option,
    scheme_options,
    start_engine,
)


@click.command(
    cls=CommandWithAdvancedOptions,
    advanced=(
        *("--set", "--engine", "--sandbox", "--jobs", "--children", "--longest", "--queue"),
        *("--eos", "--drain-delay", "--log-completions"),
    ),
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at. Any but a loopback address needs a token.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8700,
    show_default=True,
    help="The port to listen at; 0 takes a free one.",
)
@click.option(
    "--problems",
    "problems_name",
    metavar="FILE",
    help="Problems that requests may name by their ids.",
)
@scheme_options
@engine_options
@jobs_option
@click.option(
    "--children",
    type=click.IntRange(min=0),
    metavar="N",
    help="Grade in so many processes with an engine each; one that dies is replaced, and its"
    " work done again. 0 grades in the server's own.  [default: one for every four CPUs,"
    " or 0 up to four]",
)
@click.option(
    "--longest",
    "longest_s",
    type=click.FloatRange(min=1),
    default=900.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one completion may take, by the clock, as its problem's budget has it;"
    " larger budgets are refused.",
)
@click.option(
    "--queue",
    type=click.IntRange(min=1),
    default=4096,
    show_default=True,
    help="How many completions may wait or run before requests are refused with 429.",
)
@click.option(
    "--token-file",
    metavar="FILE",
    help=f"A file with the token that clients have to show; else {TOKEN_VARIABLE} has it.",
)
@click.option(
    "--eos",
    "ends",
    metavar="TOKEN",
    multiple=True,
    help="A token that ends a response, for /get_reward; repeatable.",
)
@click.option(
    "--drain-delay",
    "drain_delay_s",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="SECONDS",
    help="How long to go on taking requests after SIGTERM, while /readyz says no.",
)
@click.option("--log-completions", is_flag=True, help="Write the bodies of requests to the log.")
@click.pass_context
def serve(
    ctx: click.Context,
    *,
    host: str,
    port: int,
    problems_name: str | None,
    scheme_name: str,
    overrides: tuple[str, ...],
    engine_name: str,
    sandbox: str,
    jobs: int | None,
    children: int | None,
    longest_s: float,
    queue: int,
    token_file: str | None,
    ends: tuple[str, ...],
    drain_delay_s: float,
    log_completions: bool,
) -> None:
    """Grade for other machines, over HTTP.

    Others score with --engine http://HOST:8700; /v1/score grades under the scheme given
    here, and /get_reward, /verify and /reward speak to OpenRLHF, NeMo Gym and slime.

    SIGTERM ends it when all that was begun is answered. It needs the extra serve:
    pip install 'ocaml-reward[serve]'.
    """
    try:
        from ocaml_reward.serving import Settings  # noqa: PLC0415
        from ocaml_reward.serving.app import App  # noqa: PLC0415
        from ocaml_reward.serving.running import listening, serve_on, url_of  # noqa: PLC0415
        from ocaml_reward.serving.service import Service  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MachineError(
            f"serving needs {error.name}, which is not installed: pip install 'ocaml-reward[serve]'"
        ) from None
    token = read_token(token_file)
    if token is None and not is_loopback(host):
        raise InputError(
            f"--host {host} is open to others: give clients a token by --token-file or"
            f" {TOKEN_VARIABLE}"
        )
    settings = Settings(
        token=token,
        problems=load_named_problems(problems_name),
        ends=ends,
        longest_s=longest_s,
        queue=queue,
        drain_delay_s=drain_delay_s,
        log_completions=log_completions,
    )
    scheme = load(scheme_name, overrides)
    # The engine of a test runs in this process.
    count = child_count(children, engine_name) if ctx.obj is None else 0
    try:
        listener = listening(host, port)
    except OSError as error:
        raise InputError(f"cannot listen at {host}:{port}: {error.strerror}") from None
    with listener:
        engine = (ctx.obj or start_engine)(engine_name, sandbox)
        if count:
            # As many slow completions run beside as quick ones.  (serving/turns.py)
            jobs = jobs or jobs_for(len(os.sched_getaffinity(0)))
            engine = SharedEngine(
                engine, name=engine_name, sandbox=sandbox, processes=count, jobs=2 * jobs
            )
        service = Service(engine, scheme, settings, jobs=jobs)
        click.echo(f"listening at {url_of(host, listener)}", err=True)
        try:
            serve_on(App(service), listener)
        finally:
            service.close()


def child_count(asked: int | None, engine: str) -> int:
    """Return the number of child processes; 0 if the server grades itself.

    Args:
        asked: The value of --children, if given.
        engine: The engine's name, or addresses of servers.

    Raises:
        InputError: Children were requested for engines of other machines.
    """
    if is_address(engine):
        if asked:
            raise InputError(
                "--children are for engines of this machine, and --engine names others"
            )
        return 0
    if asked is not None:
        return asked
    count = processes_for(len(os.sched_getaffinity(0)))
    return count if count > 1 else 0


def read_token(file: str | None) -> str | None:
    """Read the token that clients need; raises InputError for a file without one."""
    try:
        if file is None:
            return token_in(os.environ.get(TOKEN_VARIABLE))
        token = token_in(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"no token: {error}") from None
    if token is None:
        raise InputError(f"{file} holds no token")
    return token


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def load_named_problems(name: str | None) -> Mapping[str, Problem]:
    """Load the problems that requests may name; raises InputError if one is bad."""
    if name is None:
        return {}
    found = load_problems(Path(name))
    if found.bad:
        raise InputError(f"not started: {found.bad[0]}")
    return found.problems
