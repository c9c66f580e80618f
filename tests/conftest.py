"""Fixtures for every test."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines import select
from ocaml_reward.errors import SandboxUnavailable
from ocaml_reward.sandbox import choose
from tests.rooms import TESTS, is_left_out, level_of

# A shell lets what it runs in the background ignore Ctrl-C, and programs inherit that.
# Here they are to meet it as they would in the foreground.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# What these files share is made once, as one process is given all of them: the libraries of
# training for all that is forked, the memory of what both engines said of the cheats.  They
# come first, as there is much of them.
SHARING: dict[str, str | None] = {
    "trainer": "contract_located contract_processes learn train_again train_otherwise"
    " train_refusals",
    "cheats": "binding cheats composed page shadowing soundness",
}


# Which levels of tests/rooms.py run with which choice.
LEVELS = {
    "quick": ("quick",),
    "test": ("quick", "slow"),
    "rest": ("rest",),
    "all": ("quick", "slow", "rest"),
}
LEVEL = pytest.StashKey[str]()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    level = config.getoption("--level")
    if level in ("quick", "test") and is_left_out(collection_path, level):
        return True
    return None


def is_of(path: Path, files: dict[str, str | None]) -> bool:
    """Tell whether a file is among those named by folder, of which None names all."""
    folder = path.parent.relative_to(Path(__file__).parent).as_posix()
    names = files.get("" if folder == "." else folder, "")
    return names is None or path.stem.removeprefix("test_") in names.split()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each process whole files, and those that share something together."""
    from xdist.scheduler.loadfile import LoadFileScheduling  # noqa: PLC0415

    class Sharing(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            name: str = super()._split_scope(nodeid)
            path = config.rootpath / name
            if path.name == "test_cases.py":
                # A file of cases is as much as one of tests.
                return nodeid.partition(".ml:")[0]
            return path.parent.name if is_of(path, SHARING) else name

    return Sharing(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    wanted = LEVELS[config.getoption("--level")]
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        name = f"{item.path.relative_to(TESTS).as_posix()}::{item.nodeid.partition('::')[2]}"
        level = level_of(name)
        if item.get_closest_marker("slow") and level == "quick":
            level = "slow"
        item.stash[LEVEL] = level
        (kept if level in wanted else left).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)
    yield
    if hasattr(config, "workerinput"):
        # No process is to wait long for the others: what one of them has to do
        # alone comes first, what is quick comes last.
        items.sort(key=_place)


def _place(item: pytest.Item) -> tuple[int, bool]:
    shared = [*SHARING].index(item.path.parent.name) if is_of(item.path, SHARING) else 9
    return shared, item.stash[LEVEL] == "quick"


def pytest_collection_finish() -> None:
    # What has been imported stays: torch alone makes each full collection a third of a
    # second long.
    gc.collect()
    gc.freeze()


@cache
def unjailed() -> str:
    """Say why this machine has no jail; "" where it has one."""
    try:
        choose()
    except SandboxUnavailable as why:
        return str(why)
    return ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    raised = call.excinfo and call.excinfo.value
    if isinstance(raised, SandboxUnavailable) and (why := unjailed()):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: {why}")
    if report.skipped and item.config.getoption("--no-skips"):
        report.outcome = "failed"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    # Such as run the command find that it exits with 3, and know no more.
    if exitstatus and (why := unjailed()):
        terminalreporter.write_line(f"most tests need a jail: {why}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--level",
        choices=("quick", "test", "rest", "all"),
        default="all",
        help="which tests: of `make quick`, of `make test`, the rest, all (tests/rooms.py)",
    )
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="a test that is skipped has failed: for a machine that has all there is",
    )
    parser.addoption(
        "--promote",
        action="store_true",
        help="accept what was produced as the new golden files",
    )


@pytest.fixture(scope="session")
def engines() -> Iterator[Callable[[str], Engine]]:
    """Start an engine by its name in the best jail of this machine, each once; a problem that
    it has prepared is not prepared again.
    """
    with ExitStack() as started:

        @cache
        def start(name: str) -> Engine:
            engine = select.engine(name)
            started.callback(engine.close)
            # With the stock engine that takes longer than a check.
            vars(engine)["prepare"] = cache(engine.prepare)
            return engine

        yield start


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Check that a file holds exactly this text; `--promote` writes it instead."""

    def check(path: Path, actual: str) -> None:
        if request.config.getoption("--promote"):
            path.write_bytes(actual.encode())
            return
        expected = path.read_bytes().decode() if path.exists() else ""

        assert expected == actual, f"{path.name} differs; if right: pytest --promote"

    return check
