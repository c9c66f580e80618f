"""Which worker grades which completions.  Pure: it knows no clock, and does nothing.

Work comes in an order, goes out in chunks, and its results come back in that order, each
exactly once.  A worker that is lost costs its chunks nothing but time: they go to others.
What has lost all but one of the workers that it may have goes alone, to one that does nothing
else: it may be what they died of.  Then it is given up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

Work = TypeVar("Work")
Result = TypeVar("Result")


class GivenUp:
    """What came of work that lost each worker that had it."""


GIVEN_UP: Final = GivenUp()
"""The only one there is."""


@dataclass(slots=True, eq=False)
class Chunk(Generic[Work]):
    """Work that travels together: where it stands, how often it was handed out, and who has it."""

    positions: tuple[int, ...]
    work: tuple[Work, ...]
    tries: int = 0
    holders: list[str] = field(default_factory=list)
    done: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Assignment(Generic[Work]):
    """A chunk for a worker."""

    worker: str
    chunk: Chunk[Work]


class Schedule(Generic[Work, Result]):
    """Hands work out, and gives results back in order.

    `chunk` is how much travels together, `in_hand` how many chunks a worker has, `ahead` how
    much may be taken in beyond the oldest that has no result, and `most` how often any work
    is handed out.
    """

    def __init__(
        self, *, chunk: int = 16, in_hand: int = 2, ahead: int = 4096, most: int = 3
    ) -> None:
        """Begin with no worker and no work."""
        self._chunk, self._in_hand, self._ahead, self._most = (
            chunk,
            in_hand,
            ahead,
            most,
        )
        self._workers: dict[str, list[Chunk[Work]]] = {}
        self._gathering: list[Work] = []
        self._waiting: deque[Chunk[Work]] = deque()
        self._copies: deque[Chunk[Work]] = deque()
        self._suspects: deque[Chunk[Work]] = deque()
        self._results: dict[int, Result | GivenUp] = {}
        self._added = self._taken = 0

    @property
    def room(self) -> bool:
        """Tell whether more work may be added."""
        return self._added - self._taken < self._ahead

    @property
    def empty(self) -> bool:
        """Tell whether every result was taken."""
        return self._added == self._taken

    @property
    def workers(self) -> tuple[str, ...]:
        """Who is there."""
        return tuple(self._workers)

    def widen(self, ahead: int) -> None:
        """Let more be taken in ahead of the results; it is never less than it was."""
        self._ahead = max(self._ahead, ahead)

    def add(self, work: Work) -> None:
        """Take in the next work; `end` sends what is not yet a chunk."""
        self._gathering.append(work)
        self._added += 1
        if len(self._gathering) >= self._chunk:
            self.end()

    def end(self) -> None:
        """Wait for no more work to make a chunk full."""
        if self._gathering:
            first = self._added - len(self._gathering)
            positions = tuple(range(first, self._added))
            self._waiting.append(Chunk(positions, tuple(self._gathering)))
            self._gathering = []

    def join(self, worker: str) -> None:
        """Count on a worker."""
        self._workers.setdefault(worker, [])

    def leave(self, worker: str) -> int:
        """Count on a worker no more, and return how many of its chunks go to others."""
        lost = 0
        for chunk in reversed(self._workers.pop(worker, [])):
            chunk.holders.remove(worker)
            if not chunk.done and not chunk.holders:
                lost += 1
                self._again(chunk)
        return lost

    def _again(self, chunk: Chunk[Work]) -> None:
        if chunk.tries < self._most - 1:
            # It is the oldest work there is, and its results are waited for.
            self._waiting.appendleft(chunk)
            return
        chunk.done = True
        for position, work in zip(chunk.positions, chunk.work, strict=True):
            if chunk.tries >= self._most:
                self._results[position] = GIVEN_UP
            else:
                self._suspects.append(Chunk((position,), (work,), chunk.tries))

    def copy(self, chunk: Chunk[Work]) -> None:
        """Have a chunk that takes long graded by another worker too; the first answer counts."""
        if not chunk.done and chunk.tries < self._most - 1:
            self._copies.append(chunk)

    def hand_out(self) -> list[Assignment[Work]]:
        """Assign what waits to the workers that have room for it."""
        made: list[Assignment[Work]] = []
        while self._suspects:
            idle = next(
                (name for name, held in self._workers.items() if not held), None
            )
            if idle is None:
                break
            made.append(self._assigned(idle, self._suspects.popleft()))
        # While a suspect waits, one worker gets nothing, so that it will be free.
        kept = next(iter(self._workers), None) if self._suspects else None
        for queue in (self._waiting, self._copies):
            while queue:
                if queue[0].done:
                    queue.popleft()
                    continue
                name = self._free(kept, queue[0])
                if name is None:
                    break
                chunk = queue.popleft()
                if queue is self._waiting or chunk.tries < self._most - 1:
                    made.append(self._assigned(name, chunk))
        return made

    def _free(self, kept: str | None, chunk: Chunk[Work]) -> str | None:
        """Find the worker with the least to do."""
        free = {
            name: len(held)
            for name, held in self._workers.items()
            if len(held) < self._in_hand
            and name != kept
            and name not in chunk.holders
            # Nothing else is with what may be its death.
            and not any(each.tries >= self._most for each in held)
        }
        return min(free, key=lambda name: free[name], default=None)

    def _assigned(self, worker: str, chunk: Chunk[Work]) -> Assignment[Work]:
        chunk.tries += 1
        chunk.holders.append(worker)
        self._workers[worker].append(chunk)
        return Assignment(worker=worker, chunk=chunk)

    def answered(
        self, worker: str, chunk: Chunk[Work], results: Sequence[Result]
    ) -> bool:
        """Take a worker's results of a chunk.

        Args:
            worker: Who sends them; it may have been counted out meanwhile.
            chunk: What it was assigned.
            results: One for each work of the chunk, in their order.

        Returns:
            Whether they are the first, and so those that count.

        Raises:
            ValueError: There are more results than work, or fewer.
        """
        if len(results) != len(chunk.work):
            raise ValueError(f"{len(results)} results of {len(chunk.work)}")
        held = self._workers.get(worker)
        if held is not None and chunk in held:
            held.remove(chunk)
            chunk.holders.remove(worker)
        if chunk.done:
            return False
        chunk.done = True
        self._results.update(zip(chunk.positions, results, strict=True))
        return True

    def take(self) -> Iterator[Result | GivenUp]:
        """Yield the results that are next in order."""
        while self._taken in self._results:
            found = self._results.pop(self._taken)
            self._taken += 1
            yield found
