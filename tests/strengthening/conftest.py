"""What the tests of strengthening share: an engine that runs OCaml, and weak problems."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.select import engine as start


@pytest.fixture(scope="package")
def engine() -> Iterator[Engine]:
    """Run OCaml in this machine's jail."""
    running = start()
    yield running
    running.close()
