"""Additional reward functions: one of TRL's, one about length, and a user's own."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from trl.rewards import get_soft_overlong_punishment

from ..config.checks import parse_functions
from ..config.value import Config, ConfigError
from ..reward import OCamlReward

Function = Callable[..., Any]


class LengthReward:
    """Minus the share of the length limit that a completion uses, from 0 to -1."""

    __name__ = "length_reward"

    def __init__(self, longest: int) -> None:
        """Set the limit, in tokens."""
        self._longest = longest

    def __call__(self, completion_ids: Sequence[Sequence[int]], **_: Any) -> list[float]:
        """Return one value for each completion."""
        return [-min(1.0, len(each) / self._longest) for each in completion_ids]


def functions(config: Config) -> list[Function]:
    """Return the functions that the configuration names, in order.

    Raises ConfigError for a path without a function.
    """
    longest = config.grpo.max_completion_length
    cache = round(longest * (1 - config.reward.overlong_from))
    made: dict[str, Callable[[], Function]] = {
        "overlong": lambda: get_soft_overlong_punishment(longest, cache),
        "length": lambda: LengthReward(longest),
    }
    return [
        made[one.name]() if one.name in made else _imported(one.name)
        for one in parse_functions(config)
    ]


def weights(config: Config) -> list[float] | None:
    """Return the weights of our reward and of each other function; None if ours is alone."""
    others = [one.weight for one in parse_functions(config)]
    if not others and config.reward.weight == 1:
        return None
    return [config.reward.weight, *others]


def with_missing_rewards(score: OCamlReward, function: Function) -> Function:
    """Wrap a function so that it returns None wherever our reward does.

    Otherwise the trainer would compute a reward without ours for a completion that could not be
    scored.
    """

    def known(values: Sequence[float | None]) -> list[float | None]:
        given = list(values)
        ours = score.last.rewards if score.last is not None else ()
        if len(given) != len(ours):
            return given
        pairs = zip(ours, given, strict=True)
        return [None if reward is None else value for reward, value in pairs]

    name = getattr(function, "__name__", type(function).__name__)
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - whether it is async
    ):

        async def waited(*args: Any, **kwargs: Any) -> list[float | None]:
            return known(await function(*args, **kwargs))

        waited.__name__ = name
        return waited

    @functools.wraps(function, updated=())
    def called(*args: Any, **kwargs: Any) -> list[float | None]:
        return known(function(*args, **kwargs))

    called.__name__ = name
    return called


def _imported(path: str) -> Function:
    """Import a function as TRL's command does, with the current folder in the path."""
    module, _, name = path.rpartition(".")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"reward.functions: {path}: {error}") from error
    if not callable(found):
        raise ConfigError(f"reward.functions: {path} is no function")
    made: Function = found
    return made
