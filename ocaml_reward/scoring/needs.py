"""Which checks need which parts of the code: by name, and by what these parts need in turn."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ..model import Check, CheckResult, Ground, Outcome, Part

UNKNOWN = (Outcome.NOT_RUN, Outcome.MET_HOLE)
"""What says nothing of the code."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Needed:
    """By the place of a part, how many checks need it that passed, and that did not; `alone`
    are those that may be at fault for a failing check when no other part may.  `by` has, by the
    number of a check that ran, the parts that it needs.
    """

    passed: Counter[int]
    failed: Counter[int]
    alone: set[int]
    by: dict[int, frozenset[int]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        results: Sequence[CheckResult],
        book: Book,
        checks: Sequence[Check],
        uses: Sequence[str],
        computing: set[int],
        *,
        halted: bool = False,
    ) -> Needed:
        """Count the checks that ran.

        Where no check says what it takes, each takes all that the tests do, or the whole
        program if that is nothing by name.  A check that does not say it, beside others
        that do, is left out.  `computing` are the parts that may compute something
        wrong.  Of code that `halted` at its top each needs what it does there, and no more.
        """
        taken: dict[int, Sequence[str] | None] = {
            check.index: check.needs for check in checks
        }
        alone = halted or all(names is None for names in taken.values())
        ran: Counter[tuple[tuple[str, ...] | None, bool]] = Counter()
        numbers: dict[tuple[str, ...] | None, list[int]] = {}
        for result in results:
            names = uses or None if alone else taken.get(result.index)
            names = None if halted else names
            if result.outcome in UNKNOWN or (names is None and not alone):
                continue
            passed = result.outcome is Outcome.PASSED
            key = None if names is None else tuple(names)
            ran[key, passed] += 1
            numbers.setdefault(key, []).append(result.index)
        found = cls(passed=Counter(), failed=Counter(), alone=set())
        for (names, passed), count in ran.items():
            counted = found.passed if passed else found.failed
            needed = book.at_the_top(computing) if halted else book.leads_to(names)
            found.by.update(dict.fromkeys(numbers[names], frozenset(needed)))
            for place in needed:
                counted[place] += count
            if not passed:
                found.alone.update(book.only_suspect(needed, computing))
        return found

    def ground(self, part: int) -> Ground:
        """Say what the checks mark a part by."""
        if part in self.alone:
            return Ground.FAILING
        if self.passed[part] and self.failed[part]:
            return Ground.BOTH
        if self.passed[part]:
            return Ground.PASSING
        return Ground.FAILING if self.failed[part] else Ground.UNTESTED


class Book:
    """The parts of some code, looked up by name."""

    def __init__(self, parts: Sequence[Part]) -> None:
        """Read the names; a later part replaces an earlier one."""
        self.parts = parts
        self._last = {
            name: place for place, part in enumerate(parts) for name in part.names
        }
        self._statements = {
            place for place, part in enumerate(parts) if part.acts and not part.names
        }
        self._users: dict[int, list[int]] = {}
        for place, part in enumerate(parts):
            for needed in part.needs:
                self._users.setdefault(needed, []).append(place)
        self.names = self._named()

    def own(self, name: str) -> str:
        """Return a name as the code has it: a module that is not there is the file itself."""
        root, _, rest = name.partition(".")
        while rest and root[:1].isupper() and root not in self._last:
            name = rest
            root, _, rest = name.partition(".")
        return name

    def definition(self, name: str) -> int | None:
        """Find the part with the text of what has a name at the end."""
        place = self._last.get(self.own(name))
        return None if place is None else self._written(place)

    def leads_to(self, names: Iterable[str] | None) -> set[int]:
        """Find all parts that some names need, with the statements that do something to what
        is needed and may change; None is all that the program does.
        """
        found: set[int] = set()
        if names is None:
            self._mark(found, self._statements)
            return found
        roots = (self._root(name) for name in names)
        self._mark(found, [place for place in roots if place is not None])
        waiting = [place for place in found if self.parts[place].keeps]
        seen = set(waiting)
        while waiting:
            for user in self._users.get(waiting.pop(), ()):
                if user in seen:
                    continue
                seen.add(user)
                waiting.append(user)
                if user in self._statements:
                    fresh = self._mark(found, [user])
                    kept = [at for at in fresh if self.parts[at].keeps]
                    waiting += [at for at in kept if at not in seen]
                    seen.update(kept)
        return found

    def at_the_top(self, computing: set[int]) -> set[int]:
        """Find what is done before any check, with all that it leads to: the statements that
        are in no body, or the values where there are none of these.
        """
        acting = {place for place in computing if self.parts[place].acts}
        acting -= self._inside(acting, computing)
        found: set[int] = set()
        self._mark(found, (acting & self._statements) or acting)
        return found

    def only_suspect(self, needed: set[int], computing: set[int]) -> set[int]:
        """Find the one definition, with what stands in its body, that may be at fault where all
        that is needed does not do what it should; nothing if that may be one of several.

        Only what computes may be: neither a type nor the words around a module.
        """
        suspects = needed & computing
        outer = suspects - self._inside(suspects, suspects)
        if len(outer) != 1:
            return set()
        return self._inside(suspects, outer) | outer

    def _inside(self, places: Iterable[int], others: Iterable[int]) -> set[int]:
        """Find the parts whose text lies in that of one of the others, and is not all of it."""
        # The outer ones first, and how far any of those up to each reaches.
        spans = sorted({(start, -stop) for start, stop in map(self._span, others)})
        reaching = list(accumulate((-stop for _, stop in spans), max))
        found = set()
        for place in places:
            start, stop = self._span(place)
            around = bisect_left(spans, (start, -stop))
            if around and reaching[around - 1] >= stop:
                found.add(place)
        return found

    def _span(self, place: int) -> tuple[int, int]:
        return self.parts[place].span

    def _root(self, name: str) -> int | None:
        """Find the part that stands for a name, or else for the module that it is in."""
        name = self.own(name)
        while name not in self._last:
            if "." not in name or not name[:1].isupper():
                return None
            name = name.rpartition(".")[0]
        return self._last[name]

    def _mark(self, found: set[int], places: Iterable[int]) -> list[int]:
        """Add what some parts need to what was found, and tell what is new."""
        waiting = [place for place in places if place not in found]
        found.update(waiting)
        fresh = []
        while waiting:
            place = waiting.pop()
            fresh.append(place)
            more = [at for at in self.parts[place].needs if at not in found]
            found.update(more)
            waiting += more
        return fresh

    def _written(self, place: int) -> int | None:
        """Find the text of a part: its own, or that of the last one that it stands for."""
        known = [place, *sorted(self.parts[place].needs, reverse=True)]
        written = (at for at in known if _has_text(self.parts[at]))
        return next(written, None)

    def _named(self) -> list[tuple[str, ...]]:
        """Give each part the names of what it defines: what is in a module has none of its own."""
        found = [part.names if _has_text(part) else () for part in self.parts]
        inside: dict[int, list[str]] = {}
        for name, place in self._last.items():
            written = self._written(place)
            if written is not None and not self.parts[written].names:
                inside.setdefault(written, []).append(name)
        for place, names in inside.items():
            # One definition may have many names, as a module has that is named again.
            found[place] = (min(names, key=lambda name: (len(name), name)),)
        return found


def _has_text(part: Part) -> bool:
    return part.span[0] < part.span[1]
