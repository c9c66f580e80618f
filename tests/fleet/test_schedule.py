"""The laws of the schedule: whatever happens to workers, each work has one result, in order."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward.fleet.schedule import GIVEN_UP, Assignment, Chunk, Schedule

Plan = Schedule[int, str]


class World:
    """Workers that answer, die, come back and are late, as a list of numbers says."""

    def __init__(self, count: int, *, chunk: int, ahead: int, most: int) -> None:
        self.plan = Plan(chunk=chunk, in_hand=2, ahead=ahead, most=most)
        self.count, self.ahead, self.most = count, ahead, most
        self.out: list[Assignment[int]] = []
        self.results: list[object] = []
        self.handed: Counter[int] = Counter()
        self.names = 0
        self.added = 0

    def join(self) -> None:
        self.names += 1
        self.plan.join(f"w{self.names}")

    def step(self) -> None:
        """Add what there is room for, and hand out."""
        while self.added < self.count and self.plan.room:
            self.plan.add(self.added)
            self.added += 1
        self.plan.end()
        for each in self.plan.hand_out():
            self.out.append(each)
            self.handed.update(each.chunk.positions)
            self.check(each)
        self.results += self.plan.take()

    def check(self, made: Assignment[int]) -> None:
        """Hold what is true of every assignment."""
        held = [each.chunk for each in self.out if each.worker == made.worker]

        assert made.worker in self.plan.workers
        assert (
            len([each for each in held if each in self.plan._workers[made.worker]]) < 3
        )
        assert self.added - len(self.results) <= self.ahead
        # What may kill its worker is one work, and alone with it.
        for each in self.plan._workers[made.worker]:
            if each.tries == self.most:
                assert [each] == self.plan._workers[made.worker]
                assert 1 == len(each.work)

    def answer(self, at: int) -> None:
        made = self.out.pop(at % len(self.out))
        self.plan.answered(
            made.worker, made.chunk, [f"{each}" for each in made.chunk.work]
        )

    def kill(self, at: int) -> None:
        """Lose a worker; half of its answers come all the same, later."""
        workers = self.plan.workers
        name = workers[at % len(workers)]
        self.plan.leave(name)
        if at % 2:
            self.out = [each for each in self.out if each.worker != name]
        self.join()


@given(
    count=st.integers(0, 40),
    workers=st.integers(1, 4),
    chunk=st.integers(1, 5),
    ahead=st.integers(1, 30),
    most=st.integers(2, 4),
    events=st.lists(st.tuples(st.sampled_from("aaakkc"), st.integers(0, 99))),
)
def test_each_work_has_one_result_in_order(
    *,
    count: int,
    workers: int,
    chunk: int,
    ahead: int,
    most: int,
    events: list[tuple[str, int]],
) -> None:
    """Whatever is lost, late, copied or answered twice: all results, in order, each its own;
    no work is handed out more often than it may be; and it comes to an end.
    """
    world = World(count, chunk=chunk, ahead=ahead, most=most)
    for _ in range(workers):
        world.join()
    world.step()
    for what, at in events:
        if what == "k":
            world.kill(at)
        elif world.out and what == "a":
            world.answer(at)
        elif world.out:
            world.plan.copy(world.out[at % len(world.out)].chunk)
        world.step()
    # From now on everybody answers.
    for _ in range(10 * count + 10):
        if world.plan.empty and world.added == count:
            break
        if world.out:
            world.answer(0)
        world.step()

    assert world.plan.empty
    assert count == len(world.results)
    assert all(
        found in {f"{place}", GIVEN_UP} for place, found in enumerate(world.results)
    )
    assert all(times <= most for times in world.handed.values())
    given_up = [at for at, found in enumerate(world.results) if found is GIVEN_UP]
    assert all(world.handed[at] == most for at in given_up)


def plan(count: int, *workers: str, **settings: int) -> Plan:
    """Build a schedule with its work."""
    made = Plan(**settings)
    for worker in workers:
        made.join(worker)
    for each in range(count):
        made.add(each)
    made.end()
    return made


def chunks(made: list[Assignment[int]]) -> list[tuple[str, tuple[int, ...]]]:
    """Show assignments as a test writes them."""
    return [(each.worker, each.chunk.work) for each in made]


def test_lost_work_goes_first_to_others() -> None:
    """What a lost worker had goes before what waits, in its order."""
    made = plan(10, "a", "b", chunk=2)
    first = made.hand_out()
    lost = made.leave("a")
    for each in first:
        if each.worker == "b":
            made.answered("b", each.chunk, ["", ""])

    assert [("a", (0, 1)), ("b", (2, 3)), ("a", (4, 5)), ("b", (6, 7))] == chunks(first)
    assert 2 == lost
    assert [("b", (0, 1)), ("b", (4, 5))] == chunks(made.hand_out())


def test_what_kills_its_workers_is_found_alone() -> None:
    """A chunk that lost two workers is taken apart; the one that kills again is given up, and
    costs three workers; its neighbours are graded.
    """
    made: Plan = plan(3, "a", chunk=3)
    died = 0
    results: list[object] = []
    for number in range(20):
        for each in made.hand_out():
            if 1 in each.chunk.work:
                died += 1
                made.leave(each.worker)
                made.join(f"w{number}")
                break
            made.answered(each.worker, each.chunk, [str(each.chunk.work[0])])
        results += made.take()

    assert ["0", GIVEN_UP, "2"] == results
    assert 3 == died


def test_a_copy_counts_if_it_comes_first() -> None:
    """A late chunk goes to another worker; the second answer changes nothing."""
    made = plan(1, "a", "b")
    (slow,) = made.hand_out()
    made.copy(slow.chunk)
    (copy,) = made.hand_out()

    assert ("a", "b") == (slow.worker, copy.worker)
    assert made.answered("b", copy.chunk, ["first"])
    assert not made.answered("a", slow.chunk, ["second"])
    assert ["first"] == list(made.take())


def test_a_lost_copy_costs_nothing() -> None:
    """While another worker still has a chunk, one that is lost with it changes nothing."""
    made = plan(1, "a", "b")
    (slow,) = made.hand_out()
    made.copy(slow.chunk)
    made.hand_out()

    assert 0 == made.leave("b")
    assert [] == made.hand_out()
    assert made.answered("a", slow.chunk, ["only"])


def test_an_answer_from_a_lost_worker_still_counts() -> None:
    """A worker taken for dead may answer: its work is not done again."""
    made = plan(1, "a", "b")
    (first,) = made.hand_out()
    made.leave("a")
    made.answered("a", first.chunk, ["late"])

    assert [] == made.hand_out()
    assert ["late"] == list(made.take())


def test_no_result_is_taken_for_another() -> None:
    """An answer of another length than its chunk is refused."""
    made = plan(2, "a", chunk=2)
    (each,) = made.hand_out()
    chunk: Chunk[int] = each.chunk

    with pytest.raises(ValueError, match="1 results of 2"):
        made.answered("a", chunk, ["one"])
