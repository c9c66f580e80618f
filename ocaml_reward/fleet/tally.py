"""What a run on many machines has come to so far, and how each of them does.  Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

_EVERY_S: Final = 60.0


@dataclass(kw_only=True)
class Tally:
    """What a run came to: results of each worker, and chunks that moved or were copied."""

    results: Counter[str] = field(default_factory=Counter)
    moved: int = 0
    copied: int = 0

    @property
    def nodes(self) -> Counter[str]:
        """Results of each node: a worker's name has its node's before the last slash."""
        found: Counter[str] = Counter()
        for worker, count in self.results.items():
            found[_node_of(worker)] += count
        return found


class News:
    """Says once a minute what each node does."""

    def __init__(self, tally: Tally, now: float) -> None:
        """Begin to count the minutes."""
        self._tally = tally
        self._told, self._before = now, tally.nodes

    def due(self, now: float, workers: Iterable[str]) -> str | None:
        """Tell how each node has done since it was last told.

        Args:
            now: The time, in seconds that never go back.
            workers: Those that are there; a node that does nothing is seen by its 0.

        Returns:
            One line, or None before its time.
        """
        spent_s = now - self._told
        if spent_s < _EVERY_S:
            return None
        nodes, before = self._tally.nodes, self._before
        self._told, self._before = now, nodes
        rates = ", ".join(
            f"{node} {(nodes[node] - before[node]) / spent_s:.1f}/s"
            for node in sorted({*nodes, *map(_node_of, workers)})
        )
        return (
            f"{nodes.total()} graded: {rates}; {self._tally.moved} chunks moved,"
            f" {self._tally.copied} copied"
        )


def _node_of(worker: str) -> str:
    return worker.rpartition("/")[0] or worker
