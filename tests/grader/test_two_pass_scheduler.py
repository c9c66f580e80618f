"""A batch is never held by what is slow: all that is quick is done before it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from functools import partial

import pytest

from ocaml_reward import Completion, Grader
from ocaml_reward.engine import CheckReport, CheckRequest, Stage
from ocaml_reward.errors import MachineError
from ocaml_reward.testing import FakeEngine, problem, report
from ocaml_reward.two_pass_scheduler import Task, Threads, TwoPassScheduler, in_order


def test_what_is_slow_is_done_after_what_is_quick() -> None:
    """Full work begins after the last quick attempt; an exception is raised where the result is awaited."""
    done: list[int] = []
    submitted = threading.Event()

    def quick_attempt(number: int) -> int | None:
        submitted.wait(10)
        if number % 3 == 0:
            return None
        done.append(number)
        return number

    def work(number: int) -> int:
        done.append(number)
        if number == 9:
            raise ValueError("nine")
        return number

    scheduler = TwoPassScheduler[int](Threads(1, "test"))
    futures = [
        scheduler.submit(Task(partial(quick_attempt, n), partial(work, n))) for n in range(12)
    ]
    submitted.set()
    errors = [future.exception() for future in futures]
    scheduler.shutdown()

    assert {0, 3, 6, 9} == {*done[-4:]}
    assert [9] == [n for n, error in enumerate(errors) if error]
    del futures[9]
    assert [n for n in range(12) if n != 9] == [each.result() for each in futures]


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_threads_that_the_machine_refuses(monkeypatch: pytest.MonkeyPatch, allowed: int) -> None:
    """Those that could be started do it all; where none could, it is the machine's fault."""
    start = threading.Thread.start
    left = iter(range(allowed))

    def bounded(thread: threading.Thread) -> None:
        if next(left, None) is None:
            raise RuntimeError("can't start new thread")
        start(thread)

    def slowly(number: int) -> int:
        time.sleep(0.001)
        return number

    threads = Threads(4, "test")
    monkeypatch.setattr(threading.Thread, "start", bounded)
    tasks = [Task(partial(slowly, n), partial(slowly, n)) for n in range(40)]
    results = in_order(tasks, threads=threads, stop=lambda: None)

    if allowed:
        assert [*range(40)] == [*results]
    else:
        with pytest.raises(MachineError, match="can't start new thread"):
            list(results)
    threads.close()


def test_results_keep_their_order_and_reading_goes_on_beside_what_is_slow() -> None:
    """The items behind a slow one are read and done before it, up to a bound."""
    read: list[int] = []
    when: list[int] = []

    def items() -> Iterator[int]:
        for number in range(400):
            read.append(number)
            yield number

    def quick_attempt(number: int) -> int | None:
        # As a check does, it takes longer than reading items, also on a busy machine.
        for _ in range(20):
            time.sleep(0.001)
            if len(read) >= min(number + 8, 400):
                break
        return None if number < 3 else number

    def work(number: int) -> int:
        when.append(len(read))
        return number

    found = list(
        in_order(
            (Task(partial(quick_attempt, item), partial(work, item)) for item in items()),
            threads=Threads(2, "test"),
            stop=lambda: None,
        )
    )

    assert [*range(400)] == found
    assert 3 == len(when)
    # Far beyond the sixteen that two threads have at work, and no more than 64 for each.
    assert 64 <= min(when)
    assert max(when) <= 2 * 64 + 3


def answer(asked: CheckRequest) -> CheckReport:
    """Play an engine on which some code takes for ever in a quick look."""
    # As a check does, it takes longer than reading a completion.
    time.sleep(0.005)
    if asked.quick and "loop" in asked.code:
        return CheckReport(stage=Stage.EXECUTABLE, type_errors=0, cut=True)
    return report("passed")


def test_a_grader_grades_loops_last() -> None:
    """Each is looked at hastily once, and only what loops is graded again, after the others."""
    engine = FakeEngine(answer)
    texts = [f"let {'loop' if n % 4 == 0 else 'quick'}{n} = {n}\n" for n in range(12)]
    grader = Grader("concise", engine=engine, jobs=1)
    results = list(grader.grade_many((problem(), Completion(text=text)) for text in texts))

    assert texts == [f"{each.code.strip()}\n" for each in results]
    assert [True] * 12 + [False] * 3 == [each.quick for each in engine.requests]
    assert {f"let loop{n} = {n}" for n in (0, 4, 8)} == {
        each.code.strip() for each in engine.requests if not each.quick
    }


def test_work_that_comes_to_nothing_fails() -> None:
    """It is not set aside again, to go round for ever."""
    scheduler = TwoPassScheduler[int](Threads(1, "test"))
    future = scheduler.submit(Task(lambda: None, lambda: None))

    assert isinstance(future.exception(timeout=10), TypeError)
    scheduler.shutdown()


def test_who_has_found_nothing_to_do_is_called_again() -> None:
    """Work that comes one at a time, and much at once behind it, is all done."""
    scheduler = TwoPassScheduler[int](Threads(2, "test"))
    for number in range(200):
        future = scheduler.submit(Task(partial(int, number), lambda: None))

        assert number == future.result(timeout=10)
    many = scheduler.submit_all(Task(lambda: None, lambda: 1) for _ in range(50))
    scheduler.submit(Task(lambda: 2, lambda: None))

    assert [1] * 50 == [future.result(timeout=10) for future in many]
    scheduler.shutdown()


def test_nothing_is_set_aside_once_nothing_more_is_taken() -> None:
    """After shutdown, a submitted task gets its quick attempt, and fails if that returns None."""
    scheduler = TwoPassScheduler[int](Threads(1, "test"))
    ended = threading.Event()

    def quick_attempt(number: int) -> int | None:
        return number if ended.wait(10) and number else None

    futures = [scheduler.submit(Task(partial(quick_attempt, n), lambda: 3)) for n in (0, 1)]
    scheduler.shutdown(wait=False)
    ended.set()

    assert isinstance(futures[0].exception(timeout=10), CancelledError)
    assert 1 == futures[1].result(timeout=10)
    with pytest.raises(RuntimeError):
        scheduler.submit(Task(lambda: 1, lambda: None))


def test_each_thread_goes_on_with_a_group_of_its_own() -> None:
    """No two threads are at one group while there is another, and what is skipped is not left."""
    at: list[int] = []
    met: list[tuple[int, bool]] = []
    lock, ready = threading.Lock(), threading.Event()

    def quick_attempt(group: int) -> int:
        ready.wait(10)
        with lock:
            met.append((group, group in at))
            at.append(group)
        time.sleep(0.002)
        with lock:
            at.remove(group)
        return group

    # Enough of each that no thread is out of its own before all have had sixteen.
    groups = [number // 16 for number in range(64)] + [9] * 20
    scheduler = TwoPassScheduler[int](Threads(4, "test"))
    futures = scheduler.submit_all(Task(partial(quick_attempt, n), lambda: -1, n) for n in groups)
    ready.set()

    assert groups == [future.result(timeout=10) for future in futures]
    assert not any(shared for _, shared in met[:16])
    assert any(shared for _, shared in met)
    scheduler.shutdown()
