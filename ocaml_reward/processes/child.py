"""The child's side: grades the completions it receives until the parent hangs up."""

from __future__ import annotations

import os
import socket
from collections import Counter
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any

from ..abandoning import Abandonable
from ..errors import MachineError
from ..model import Breakdown, Problem
from ..two_pass_scheduler import Task, Threads, TwoPassScheduler
from .messages import receive, send

# At most this many results in a message.
_MAX_RESULTS = 64

Results = SimpleQueue[tuple[int, Breakdown | BaseException]]


def main(descriptor: int) -> None:
    """Grade the completions that come over a socket until it closes, then exit."""
    with socket.socket(fileno=descriptor) as parent:
        stream = parent.makefile("rb")
        setup = receive(stream)
        try:
            grader = setup.grader()
        except MachineError as error:
            send(parent, error)
            return
        results: Results = SimpleQueue()
        Thread(target=_send_results, args=(parent, results, grader), daemon=True).start()
        try:
            _work(stream, grader, setup.threads, results)
        except (EOFError, OSError):
            # The parent needs no more results, or is dead.
            pass
        finally:
            grader.close()
    # Do not wait for the threads: nobody needs their results.
    os._exit(0)


def _work(stream: Any, grader: Any, threads: int, results: Results) -> None:
    """Receive completions and grade them, until the stream ends."""
    scheduler = TwoPassScheduler[Breakdown](Threads(threads, "ocaml-reward"))
    known: dict[int, Problem] = {}
    pending: dict[int, Abandonable] = {}
    while True:
        problems, completions, abandoned = receive(stream)
        known.update(problems)
        works = {number: Abandonable() for number, _, _ in completions}
        pending.update(works)
        futures = scheduler.submit_all(
            Task(
                partial(works[number].run, partial(grader.quick_attempt, known[key], completion)),
                partial(works[number].run, partial(grader.grade, known[key], completion)),
                group=key,
            )
            for number, key, completion in completions
        )
        for number, future in zip(works, futures, strict=True):
            future.add_done_callback(partial(_put_result, results, pending, number))
        for number in abandoned:
            if work := pending.get(number):
                work.abandon()


def _put_result(
    results: Results, pending: dict[int, Abandonable], number: int, done: Future[Breakdown]
) -> None:
    pending.pop(number, None)
    results.put((number, done.exception() or done.result()))


def _send_results(parent: socket.socket, results: Results, grader: Any) -> None:
    """Send results as they come, several in one message if more than one is ready.

    Each message begins with the counts of processes that the engine has replaced since the last.
    """
    before: Counter[str] = Counter()
    while True:
        found = [results.get()]
        while len(found) < _MAX_RESULTS and not results.empty():
            found.append(results.get())
        replaced = Counter(grader.replaced)
        try:
            send(parent, (dict(replaced - before), found))
        except OSError:
            return
        before = replaced
