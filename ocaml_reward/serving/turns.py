"""Whose work is next: requests take turns, and what takes long makes room for what is new.

There are two lanes.  A piece of work begins in the quick one and leaves it for the slow one when
it has run for a moment; if that is full, it is abandoned, and begins again there in its turn.  What
else belongs to its request begins in the slow lane, too.  There it may run for twice that moment,
the next time for twice as long, and so on, if a request waits that has taken less.  So a quick completion never waits for
a slow one, whoever sent that, and none waits for ever.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from threading import Condition, Thread
from typing import Any, Final

from ..abandoning import Abandonable
from ..errors import Abandoned

QUICK_S: Final = 0.4
"""Seconds for which a piece of work may be in the quick lane: 30 times what most completions take,
and what a cold start of the compiler takes on a busy machine."""

_LOOK_EVERY_S: Final = 0.05
# How far from the front a piece of a group that nobody works on may be chosen: two threads would
# both compile the tests that the pieces of a group share.
_LOOK: Final = 64


@dataclass(eq=False, slots=True)
class Piece:
    """Work of a request, and its result; `began` is None while it waits."""

    call: Callable[[], Any]
    group: Hashable = None
    future: Future[Any] = field(default_factory=Future)
    work: Abandonable = field(default_factory=Abandonable)
    began: float | None = None
    is_slow: bool = False
    again: bool = False
    may_s: float = QUICK_S


@dataclass(eq=False, slots=True)
class Request:
    """The waiting pieces of one request, whether one was slow, and the seconds that all have taken."""

    waiting: deque[Piece] = field(default_factory=deque)
    is_slow: bool = False
    spent_s: float = 0.0


class Turns:
    """Runs pieces of requests in threads: at most `quick` and `slow` at a time in the lanes."""

    def __init__(self, *, quick: int, slow: int) -> None:
        """Start no thread yet."""
        self._room = {False: quick, True: slow}
        self._pool = ThreadPoolExecutor(quick + slow, thread_name_prefix="desk")
        self._changed = Condition()
        # In the order in which they came.
        self._requests: dict[Request, None] = {}
        self._running: dict[Piece, Request] = {}
        self._groups: Counter[Hashable] = Counter()
        self._begun = Counter[bool]()
        self._closed = False
        self._watcher: Thread | None = None

    def submit(self, pieces: Iterable[Piece]) -> Request:
        """Queue the pieces of a request, which `drop` has to end."""
        request = Request(deque(pieces))
        with self._changed:
            if self._closed:
                raise RuntimeError("nothing more is taken")
            self._requests[request] = None
            if self._watcher is None:
                self._watcher = Thread(target=self._watch, name="turns", daemon=True)
                self._watcher.start()
            self._begin()
        return request

    def drop(self, request: Request) -> None:
        """Forget a request: nothing of it begins any more, and what runs is abandoned."""
        with self._changed:
            self._requests.pop(request, None)
            running = [piece for piece, of in self._running.items() if of is request]
        for piece in (*request.waiting, *running):
            piece.future.cancel()
        for piece in running:
            piece.again = False
            piece.work.abandon()

    def close(self) -> None:
        """Forget all requests."""
        with self._changed:
            self._closed = True
            requests = list(self._requests)
            self._changed.notify_all()
        for request in requests:
            self.drop(request)
        self._pool.shutdown(wait=False)

    def _begin(self) -> None:
        """Start what there is room for."""
        for is_slow in (False, True):
            while self._room_in(is_slow=is_slow) > 0:
                if (request := self._next(is_slow=is_slow)) is None:
                    break
                place = next(self._of_no_group(request.waiting), 0)
                piece = request.waiting[place]
                del request.waiting[place]
                piece.is_slow, piece.again, piece.began = is_slow, False, time.monotonic()
                if is_slow:
                    piece.may_s *= 2
                self._running[piece] = request
                self._begun[is_slow] += 1
                self._groups[piece.group] += 1
                self._pool.submit(self._run, piece)
                self._changed.notify_all()

    def _room_in(self, *, is_slow: bool) -> int:
        """Return how many more pieces may run in a lane."""
        return self._room[is_slow] - sum(each.is_slow == is_slow for each in self._running)

    def _next(self, *, is_slow: bool) -> Request | None:
        """Return the request of a lane whose turn it is: one that has taken the least, roughly; of
        these the oldest or, in turn, the newest.
        """
        asking = [each for each in self._requests if each.waiting and each.is_slow == is_slow]
        if not asking:
            return None
        taken = {each: self._taken_s(each) // QUICK_S for each in asking}
        least = min(taken.values())
        equal = [each for each in asking if taken[each] == least]
        return equal[-1 if self._begun[is_slow] % 2 else 0]

    def _taken_s(self, request: Request) -> float:
        """Return the seconds that a request has taken so far."""
        now = time.monotonic()
        running = (each.began for each, of in self._running.items() if of is request)
        return request.spent_s + sum(now - (began or now) for began in running)

    def _of_no_group(self, queue: deque[Piece]) -> Iterator[int]:
        """Yield the places of pieces of groups that nobody works on."""
        for place, piece in enumerate(islice(queue, _LOOK)):
            if piece.group is None or not self._groups[piece.group]:
                yield place

    def _run(self, piece: Piece) -> None:
        """Do a piece of work, and settle it."""
        if piece.future.cancelled():
            self._ended(piece)
            return
        found, error = None, None
        try:
            found = piece.work.run(piece.call)
        except BaseException as raised:  # noqa: BLE001 (the waiting request gets it)
            error = raised
        if self._ended(piece, abandoned=isinstance(error, Abandoned)):
            return
        # Who hangs up cancels it meanwhile.
        if piece.future.set_running_or_notify_cancel():
            if error is None:
                piece.future.set_result(found)
            else:
                piece.future.set_exception(error)

    def _ended(self, piece: Piece, *, abandoned: bool = False) -> bool:
        """Take a piece off, and start what its end makes room for; tell whether it begins again."""
        with self._changed:
            request = self._running.pop(piece)
            request.spent_s += time.monotonic() - (piece.began or 0.0)
            self._groups[piece.group] -= 1
            if not self._groups[piece.group]:
                del self._groups[piece.group]
            again = abandoned and piece.again and request in self._requests
            if again:
                piece.work = Abandonable()
                request.waiting.appendleft(piece)
            if not self._closed:
                self._begin()
        return again

    def _watch(self) -> None:
        """Take out of the lanes what is in them for too long, until this is closed."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._running)
                if self._closed:
                    return
            time.sleep(_LOOK_EVERY_S)
            with self._changed:
                late = self._late()
                self._begin()
            for piece in late:
                piece.work.abandon()

    def _late(self) -> list[Piece]:
        """Move what is slow to its lane while that has room; return what is to be abandoned."""
        now = time.monotonic()
        late = [
            piece
            for piece in self._running
            if not piece.again and now - (piece.began or now) > piece.may_s
        ]
        for piece in late:
            if not piece.is_slow:
                self._running[piece].is_slow = True
                piece.is_slow = self._room_in(is_slow=True) > 0
                piece.may_s *= 1 + piece.is_slow
        waiting = self._next(is_slow=True)
        least = self._taken_s(waiting) if waiting else inf
        late = [
            piece
            for piece in late
            if not piece.is_slow or self._taken_s(self._running[piece]) > least + piece.may_s
        ]
        for piece in late:
            piece.again = True
        return late
