"""
Both engines in the best jail of this machine, each checking the same code once.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ocaml_reward.engine import Engine, select

from .corpus import Remembering


@pytest.fixture(scope="session", params=["warm", "stock"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    engine = Remembering(select.engine(request.param))
    yield engine
    engine.close()
