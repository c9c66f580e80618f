"""The child's side: it grades what comes, until nothing more does."""

from __future__ import annotations

import os
import socket
from collections import Counter
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any

from ..errors import MachineError
from ..model import Breakdown, Problem
from ..two_pass_scheduler import Task, Threads, TwoPassScheduler
from .messages import receive, send

# Results in a message, at the most.
_TOGETHER = 64

Results = SimpleQueue[tuple[int, Breakdown | BaseException]]


def main(descriptor: int) -> None:
    """Grade what comes over a socket until that ends, and end with it."""
    with socket.socket(fileno=descriptor) as parent:
        stream = parent.makefile("rb")
        setup = receive(stream)
        try:
            grader = setup.grader()
        except MachineError as error:
            send(parent, error)
            return
        results: Results = SimpleQueue()
        Thread(target=_answer, args=(parent, results, grader), daemon=True).start()
        try:
            _work(stream, grader, setup.threads, results)
        except (EOFError, OSError):
            # The parent has all that it wants, or is no more.
            pass
        finally:
            grader.close()
    # No thread is waited for: what they do is for nobody.
    os._exit(0)


def _work(stream: Any, grader: Any, threads: int, results: Results) -> None:
    scheduler = TwoPassScheduler[Breakdown](Threads(threads, "ocaml-reward"))
    known: dict[int, Problem] = {}
    while True:
        problems, completions = receive(stream)
        known.update(problems)
        futures = scheduler.submit_all(
            Task(
                quick_attempt=partial(grader.quick_attempt, known[key], completion),
                work=partial(grader.grade, known[key], completion),
                group=key,
            )
            for _, key, completion in completions
        )
        for (number, _, _), future in zip(completions, futures, strict=True):
            future.add_done_callback(partial(_note, results, number))


def _note(results: Results, number: int, done: Future[Breakdown]) -> None:
    results.put((number, done.exception() or done.result()))


def _answer(parent: socket.socket, results: Results, grader: Any) -> None:
    """Send what is done; what is done meanwhile goes together.  Before it stands what was
    replaced in the engine since the last time.
    """
    before: Counter[str] = Counter()
    while True:
        found = [results.get()]
        while len(found) < _TOGETHER and not results.empty():
            found.append(results.get())
        replaced = Counter(grader.replaced)
        try:
            send(parent, (dict(replaced - before), found))
        except OSError:
            return
        before = replaced
