"""Questions of several threads in one request, where all that may be on their way are.

A request costs both sides more than what is in it.  So the thread whose answer comes takes
along what others have been waiting to ask; nobody waits for others to come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def _held() -> Lock:
    lock = Lock()
    lock.acquire()
    return lock


@dataclass(slots=True, eq=False)
class _Asked(Generic[Item, Answer]):
    """A question; its thread waits for `turn`, and then has an answer, or is to ask for all
    in `batch`.
    """

    item: Item
    # Held until then: a third of what an Event takes.
    turn: Lock = field(default_factory=_held)
    batch: list[_Asked[Item, Answer]] = field(default_factory=list)
    answer: Answer | None = None


class Together(Generic[Item, Answer]):
    """Sends at most `most()` requests at a time, each of up to `size` questions.

    `send` gives the answers of several questions; None where one is to be asked by itself.
    """

    def __init__(
        self,
        send: Callable[[Sequence[Item]], Sequence[Answer | None]],
        *,
        most: Callable[[], int],
        size: int,
    ) -> None:
        """Begin with nothing on its way."""
        self._send, self._most, self._size = send, most, size
        self._lock = Lock()
        self._out = 0
        self._waiting: deque[_Asked[Item, Answer]] = deque()

    def ask(self, item: Item) -> Answer | None:
        """Return the answer to a question, None where it is to be asked by itself."""
        mine: _Asked[Item, Answer] = _Asked(item)
        with self._lock:
            if self._out < self._most():
                self._out += 1
                mine.batch = [mine]
            else:
                self._waiting.append(mine)
        if not mine.batch:
            mine.turn.acquire()
        if mine.batch:
            self._lead(mine.batch)
        return mine.answer

    def _lead(self, batch: list[_Asked[Item, Answer]]) -> None:
        """Ask for all, and hand on both the answers and the right to send."""
        try:
            answers = self._send([each.item for each in batch])
            for each, answer in zip(batch, answers, strict=True):
                each.answer = answer
        finally:
            with self._lock:
                count = min(self._size, len(self._waiting))
                then = [self._waiting.popleft() for _ in range(count)]
                if then:
                    then[0].batch = then
                else:
                    self._out -= 1
            for each in (*batch[1:], *then[:1]):
                each.turn.release()
