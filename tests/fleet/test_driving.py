"""A run with workers that the test moves: what is sent, what comes back, who is lost."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from ocaml_reward.fleet.driving import (
    Answered,
    Event,
    Joined,
    Left,
    driven,
)
from ocaml_reward.fleet.tally import News, Tally

Sent = tuple[str, int, Sequence[int]]


class Moved:
    """Workers that double numbers, in an order and with losses that a seed gives; `slow` never
    answers.
    """

    def __init__(self, seed: int, workers: int, *, deaths: float = 0.0) -> None:
        self.random = random.Random(seed)
        self.deaths = deaths
        self.names = workers
        self.workers = [f"w{n}" for n in range(workers)]
        self.coming: list[Event] = []
        self.sent: list[Sent] = []
        self.slow: str | None = None
        self.now = 0.0

    def send(self, worker: str, number: int, work: Sequence[int]) -> None:
        self.sent.append((worker, number, work))

    def events(self, timeout_s: float) -> list[Event]:
        found, self.coming = self.coming, []
        if found:
            return found
        able = [each for each in self.sent if each[0] != self.slow]
        if not able:
            self.now += timeout_s

            assert self.now < 1000, "it would wait for ever"
            return []
        worker, number, work = chosen = self.random.choice(able)
        if self.random.random() < self.deaths:
            self.sent = [each for each in self.sent if each[0] != worker]
            self.names += 1
            self.coming.append(Joined(worker=f"w{self.names}"))
            return [Left(worker=worker, why="died")]
        self.sent.remove(chosen)
        return [Answered(worker=worker, number=number, results=[2 * n for n in work])]


def doubled(crew: Moved, count: int, tally: Tally | None = None) -> list[int]:
    """Have a crew double the first numbers."""
    run: Iterator[int] = driven(
        crew,
        range(count),
        given_up=lambda _: -1,
        tally=tally or Tally(),
        clock=lambda: crew.now,
    )
    return list(run)


@pytest.mark.parametrize("seed", range(20))
def test_results_are_in_order_whatever_is_lost(seed: int) -> None:
    """Every number has its own double, in its place; one in ten answers is a death instead."""
    crew = Moved(seed, workers=1 + seed % 4, deaths=0.1)
    found = doubled(crew, 700)

    assert all(each in {2 * place, -1} for place, each in enumerate(found))
    assert 700 == len(found)
    assert found.count(-1) < 70


def test_nothing_is_given_up_without_a_death() -> None:
    """Where nobody is lost all results are there, and the tally adds up."""
    tally = Tally()
    found = doubled(Moved(7, workers=3), 700, tally)

    assert [2 * n for n in range(700)] == found
    assert 700 == tally.results.total()
    assert (0, 0) == (tally.moved, tally.copied)


def test_a_worker_that_never_answers_holds_nobody() -> None:
    """What is late goes to another worker too, and the run ends."""
    crew = Moved(3, workers=3)
    crew.slow = "w1"
    tally = Tally()

    assert [2 * n for n in range(300)] == doubled(crew, 300, tally)
    assert 4 == tally.copied
    assert "w1" not in tally.results


def test_reading_is_only_a_little_ahead() -> None:
    """No more work is read than 256 for each worker beyond the results taken."""
    crew = Moved(1, workers=2)
    read = 0

    def works() -> Iterator[int]:
        nonlocal read
        while read < 10_000:
            read += 1
            yield read

    run = driven(crew, works(), given_up=lambda _: -1, tally=Tally())
    for taken, _ in zip(range(2000), run, strict=False):
        assert read - taken <= 2 * 256


def test_once_a_minute_it_is_said_what_each_node_does() -> None:
    """The rate of each since the last time, of those that do nothing too."""
    tally = Tally()
    news = News(tally, 100.0)
    tally.results.update({"a/1": 90, "a/2": 30})
    early = news.due(159.0, ["a/1", "b/1"])
    first = news.due(160.0, ["a/1", "a/2", "b/1"])
    tally.results.update({"b/1": 6})
    tally.moved = 1
    second = news.due(220.0, ["a/1", "b/1"])

    assert early is None
    assert "120 graded: a 2.0/s, b 0.0/s; 0 chunks moved, 0 copied" == first
    assert "126 graded: a 0.0/s, b 0.1/s; 1 chunks moved, 0 copied" == second


def test_a_run_that_takes_minutes_tells_of_them() -> None:
    """What is said comes to who runs it."""
    crew = Moved(5, workers=2)
    crew.slow = "w0"
    said: list[str] = []
    run = driven(
        crew,
        range(40),
        given_up=lambda _: -1,
        tally=Tally(),
        say=said.append,
        clock=lambda: 60 * crew.now,
    )

    assert 40 == len(list(run))
    assert said
    assert all("graded: w0 0.0/s, w1 " in each for each in said)
