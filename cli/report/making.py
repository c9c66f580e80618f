"""From sources to the data of a page."""

from __future__ import annotations

import heapq
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any, Final

from ocaml_reward import InputError, Verdict
from ocaml_reward.record import dumps
from trainer_plugin.health.thresholds import Thresholds

from .course import Course, course_of
from .details import details_of, row_of
from .scored import Scored, scored_of
from .sources import Kind, Source
from .tallies import Tallies

GOOD, WATCH, BAD = "good", "watch", "bad"


BLOCK: Final = 64
"""So many completions of a group are kept or left out together."""


class Report:
    """What is known of some sources, and the completions that can be looked at."""

    def __init__(self, *, most: int) -> None:
        """Keep at most so many completions."""
        self._kept = Kept(most)
        self._sources: list[dict[str, Any]] = []

    def add(
        self,
        source: Source,
        *,
        report: Callable[[str], None],
        step: Callable[[float | None], None],
    ) -> None:
        """Read a source.

        Args:
            source: What to read.
            report: Told of each line that cannot be used.
            step: Told of each completion, with its reward.

        Raises:
            InputError: There is nothing in it.
        """
        tallies = Tallies()
        course = course_of(source, report)
        if source.kind is not Kind.LOG:
            for scored in scored_of(source, report):
                tallies.add(scored)
                self._offer(scored)
                step(scored.breakdown.reward)
        if not tallies.completions and not course.series:
            raise InputError(f"nothing to report in {source.path}")
        self._sources.append(_about(source, tallies, course))

    def summary(self) -> dict[str, Any]:
        """Return all that is shown before a completion is looked at."""
        rows: dict[str, list[Any]] = defaultdict(list)
        for text in self._kept.texts():
            for name, value in json.loads(text.partition("\n")[0]).items():
                rows[name].append(value)
        return {
            "sources": self._sources,
            "verdicts": {each: each.sentence for each in Verdict},
            "bands": _bands(Thresholds()),
            "rows": rows,
            "kept": len(self._kept),
            "total": sum(each["completions"] for each in self._sources),
        }

    def details(self) -> Iterator[str]:
        """Yield what is shown of each completion that is kept, as JSON."""
        for text in self._kept.texts():
            yield text.partition("\n")[2]

    def _offer(self, scored: Scored) -> None:
        number = len(self._sources)
        breakdown = scored.breakdown
        self._kept.offer(
            (number, scored.split, scored.step, breakdown.problem_id),
            scored.index,
            lambda: f"{dumps(row_of(number, scored))}\n{dumps(details_of(scored))}",
        )


def _about(source: Source, tallies: Tallies, course: Course) -> dict[str, Any]:
    """Put together what is known of a source."""
    return {
        "label": source.label,
        "kind": source.kind.value,
        "places": course.places,
        # What the logs say goes before what the completions come to.
        "series": {**tallies.course(), **course.series},
        "findings": list(course.findings),
        "steps": tallies.stacks(),
        "problems": tallies.problems(),
        **tallies.summary(),
    }


def _bands(at: Thresholds) -> dict[str, list[list[Any]]]:
    """Return where figures should be and where to look closer, as the rules of health and
    docs/training.md have it: from, to, how good that is, and a few words.
    """
    usual, halt = at.zero_std_usual, at.stop_zero_std
    low, high = at.entropy_low, at.entropy_high
    warning, critical = at.zero_std_warning, at.zero_std_critical
    return {
        "frac_zero_std": [
            [0, usual, GOOD, f"Up to {usual:g} is as it should be."],
            [halt, warning, WATCH, f"Above {halt:g} look closer:"],
            [
                warning,
                critical,
                WATCH,
                f"above {warning:g} a model begins to collapse,",
            ],
            [critical, 1, BAD, f"above {critical:g} it has."],
        ],
        "entropy": [
            [low, high, GOOD, f"{low:g} to {high:g} is as it should be early on."],
        ],
        "grad_norm": [
            [at.grad_norm, None, BAD, f"Above {at.grad_norm:g} it is unstable."]
        ],
        "loss": [[at.loss, None, BAD, f"Above {at.loss:g} it is unstable."]],
    }


class Kept:
    """The completions whose groups come first by a hash of their names: whole groups, so that
    they can be held against each other, and the same ones however often a report is made.
    """

    def __init__(self, most: int) -> None:
        """Keep so many completions."""
        self._most = most
        self._offered = 0
        # The worst stands first; hashes and numbers are negated for that.
        self._heap: list[tuple[int, int, bytes]] = []

    def offer(
        self, group: tuple[object, ...], index: int, text: Callable[[], str]
    ) -> None:
        """Keep a completion if its group comes first so far.

        Args:
            group: What its group is known by.
            index: Which of the group it is, from 0.
            text: Gives what is kept of it, which takes time.
        """
        named = repr((*group, index // BLOCK)).encode()
        number = -self._offered
        self._offered += 1
        place = -int.from_bytes(blake2b(named, digest_size=8).digest())
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, (place, number, _packed(text)))
        elif self._most and (place, number) > self._heap[0][:2]:
            heapq.heapreplace(self._heap, (place, number, _packed(text)))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._heap)

    def texts(self) -> Iterator[str]:
        """Yield what is kept, in the order in which it came."""
        for _, _, packed in sorted(self._heap, key=lambda each: -each[1]):
            yield zlib.decompress(packed).decode()


def _packed(text: Callable[[], str]) -> bytes:
    return zlib.compress(text().encode(), 1)
