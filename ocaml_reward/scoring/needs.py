"""Finds which checks need which parts of the code, by name and through dependencies."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ..model import Check, CheckResult, Ground, Outcome, Part

UNKNOWN = (Outcome.NOT_RUN, Outcome.MET_HOLE)
"""Outcomes from which nothing follows about the code."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Needed:
    """Counts of passed and failed checks by the parts that they need.

    Attributes:
        passed: Number of passing checks that need a part, by its index.
        failed: Number of failing checks that need a part, by its index.
        alone: Parts that are the only possible cause of some failing check.
        by: The parts that each executed check needs, by the check's index.
    """

    passed: Counter[int]
    failed: Counter[int]
    alone: set[int]
    by: dict[int, frozenset[int]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        results: Sequence[CheckResult],
        index: PartIndex,
        checks: Sequence[Check],
        uses: Sequence[str],
        computing: set[int],
        *,
        halted: bool = False,
    ) -> Needed:
        """Count the checks that ran.

        If no check lists its needs, each check needs all names that the tests use, or the whole
        program if they use none. If only some checks list their needs, the others are left out. If
        the code `halted` at its top level, every check needs only what runs there. `computing` are
        the parts that may compute a wrong value.
        """
        taken: dict[int, Sequence[str] | None] = {check.index: check.needs for check in checks}
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
            needed = index.at_the_top(computing) if halted else index.leads_to(names)
            found.by.update(dict.fromkeys(numbers[names], frozenset(needed)))
            for place in needed:
                counted[place] += count
            if not passed:
                found.alone.update(index.only_suspect(needed, computing))
        return found

    def ground(self, part: int) -> Ground:
        """Return the ground that the checks give a part."""
        if part in self.alone:
            return Ground.FAILING
        if self.passed[part] and self.failed[part]:
            return Ground.BOTH
        if self.passed[part]:
            return Ground.PASSING
        return Ground.FAILING if self.failed[part] else Ground.UNTESTED


class PartIndex:
    """Index of the parts of some code by name."""

    def __init__(self, parts: Sequence[Part]) -> None:
        """Index the names; a later part replaces an earlier one."""
        self.parts = parts
        self._last = {name: place for place, part in enumerate(parts) for name in part.names}
        self._statements = {
            place for place, part in enumerate(parts) if part.acts and not part.names
        }
        self._users: dict[int, list[int]] = {}
        for place, part in enumerate(parts):
            for needed in part.needs:
                self._users.setdefault(needed, []).append(place)
        self.names = self._named()

    def local_name(self, name: str) -> str:
        """Return a name without modules that the code does not define: those are the
        file itself.
        """
        root, _, rest = name.partition(".")
        while rest and root[:1].isupper() and root not in self._last:
            name = rest
            root, _, rest = name.partition(".")
        return name

    def definition(self, name: str) -> int | None:
        """Return the part that contains the final definition of a name."""
        place = self._last.get(self.local_name(name))
        return None if place is None else self._written(place)

    def leads_to(self, names: Iterable[str] | None) -> set[int]:
        """Return all parts that some names need; None stands for the whole program.

        This includes statements that act on a needed part that holds mutable state.
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
        """Return the parts that run before any check, with their dependencies.

        These are the statements outside all bodies, or the values if there are no such statements.
        """
        acting = {place for place in computing if self.parts[place].acts}
        acting -= self._inside(acting, computing)
        found: set[int] = set()
        self._mark(found, (acting & self._statements) or acting)
        return found

    def only_suspect(self, needed: set[int], computing: set[int]) -> set[int]:
        """Return the only definition that can have made the checks fail, with the parts in its
        body.

        The result is empty if there are several. Only parts that compute can be at fault: neither
        types nor the words around a module.
        """
        suspects = needed & computing
        outer = suspects - self._inside(suspects, suspects)
        if len(outer) != 1:
            return set()
        return self._inside(suspects, outer) | outer

    def _inside(self, places: Iterable[int], others: Iterable[int]) -> set[int]:
        """Return the parts that lie strictly inside one of the other parts."""
        # Outer spans first; `reaching` is the maximum end of the spans up to each.
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
        """Return the part that defines a name, or else the one that defines its module."""
        name = self.local_name(name)
        while name not in self._last:
            if "." not in name or not name[:1].isupper():
                return None
            name = name.rpartition(".")[0]
        return self._last[name]

    def _mark(self, found: set[int], places: Iterable[int]) -> list[int]:
        """Add some parts and their dependencies to `found`; return the new ones."""
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
        """Return the part with the text of a definition: itself, or the last part it refers to."""
        known = [place, *sorted(self.parts[place].needs, reverse=True)]
        written = (at for at in known if _has_text(self.parts[at]))
        return next(written, None)

    def _named(self) -> list[tuple[str, ...]]:
        """Return the names that each part defines; parts inside a module have no names of their
        own.
        """
        found = [part.names if _has_text(part) else () for part in self.parts]
        inside: dict[int, list[str]] = {}
        for name, place in self._last.items():
            written = self._written(place)
            if written is not None and not self.parts[written].names:
                inside.setdefault(written, []).append(name)
        for place, names in inside.items():
            # One definition may have several names, such as those of an aliased module.
            found[place] = (min(names, key=lambda name: (len(name), name)),)
        return found


def _has_text(part: Part) -> bool:
    return part.span[0] < part.span[1]
