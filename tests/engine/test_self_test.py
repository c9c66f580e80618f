"""An engine that grades wrongly finds it out, and replaces what does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines import pool, self_test, warm
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.model import StdioCase
from ocaml_reward.sandbox import choose
from ocaml_reward.serving.readiness import Readiness

from .relay import RelayedJail

PROBLEM = Problem(id="next", tests="let () = assert (f 1 = 2)")
BOMB = "let a = " + "1+" * 200_000 + "1\nlet f x = x + 1"


@pytest.fixture
def relayed(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[WarmEngine, list[str]]]:
    """Make an engine whose servers are relayed, and what is to be done to their next answers."""
    actions: list[str] = []
    real = choose("auto")
    monkeypatch.setattr(warm, "choose", lambda _: RelayedJail(real, actions))
    engine = WarmEngine()
    yield engine, actions
    engine.close()


def rewards(grader: Grader, count: int) -> list[float | None]:
    texts = [f"let f x = x ^ 1\nlet n = {n}" for n in range(count)]
    return [grader.grade(PROBLEM, Completion(text=text)).reward for text in texts]


def test_a_server_that_grades_wrongly_is_replaced(
    relayed: tuple[WarmEngine, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known programs are graded on it now and then: what comes after these is right."""
    engine, actions = relayed
    monkeypatch.setattr(pool, "_PROVED_EVERY", 5)
    grader = Grader("concise", engine=engine, jobs=1)
    grader.prepare(PROBLEM)
    actions.extend(["lies"] * 6)
    found = rewards(grader, 12)

    assert [0.17] * 7 == found[5:]
    assert 0.17 not in found[:5]
    assert {"known program": 1} == engine.replaced


def test_a_death_is_reason_enough(relayed: tuple[WarmEngine, list[str]]) -> None:
    """Behind code that ended the checker known programs are graded first."""
    engine, actions = relayed
    grader = Grader("concise", engine=engine, jobs=1)
    grader.prepare(PROBLEM)
    rewards(grader, 3)
    assert 0.0 == grader.grade(PROBLEM, Completion(text=BOMB)).reward
    actions.append("lies")
    text = "let f x = 1 ^ x"

    assert 0.17 == grader.grade(PROBLEM, Completion(text=text)).reward
    assert {"known program": 1} == engine.replaced


def test_a_server_that_is_asked_starts_its_engine_anew(
    relayed: tuple[WarmEngine, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked whether it is ready, and grades known programs wrongly, is ready all the
    same: with other servers.
    """
    engine, actions = relayed
    engine.prepare(self_test.KNOWN)
    restarts: list[None] = []
    restart = engine.restart
    monkeypatch.setattr(engine, "restart", lambda: restarts.append(restart()))
    actions.append("lies")
    readiness = Readiness(engine, every_s=0.0)
    found = [asyncio.run(readiness.why_not()) for _ in range(1)]
    readiness.close()

    assert [None] == found
    assert 1 == len(restarts)


def test_output_is_compared_as_bytes() -> None:
    """A byte that is no UTF-8 is not the character that stands for such bytes."""
    problem = Problem(id="io", tests=(StdioCase(stdin="", stdout="\ufffd"),))
    with Grader("concise", jobs=1) as grader:
        found = [
            grader.grade(problem, Completion(text=f"let () = print_string {text}"))
            for text in (r'"\xff"', r'"\xef\xbf\xbd"')
        ]

    assert [0, 1] == [each.tests.passed for each in found]
