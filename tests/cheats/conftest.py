"""Both engines in the best jail of this machine, each checking the same code once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from ocaml_reward.engine import Engine

from .corpus import Remembering


@pytest.fixture(scope="session")
def remembering(engines: Callable[[str], Engine]) -> Callable[[str], Engine]:
    """Return an engine by its name, with its memory."""
    return cache(lambda name: Remembering(engines(name), preparing=engines("warm")))


@pytest.fixture(scope="session", params=["warm", "stock"])
def engine(request: pytest.FixtureRequest, remembering: Callable[[str], Engine]) -> Engine:
    """Return each engine."""
    return remembering(request.param)
