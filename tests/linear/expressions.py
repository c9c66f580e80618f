r"""Which regular expressions can take more than linear time, and the text that makes them.

Python's `re` backtracks: it tries the ways in which an expression can read a text, one after the
other.  The expression is linear exactly if no text can be begun in ever more ways, which is a
property of its automaton: it holds unless there are a state p, a text v and another state q with

    p -v-> p,  p -v-> q,  q -v-> q     (the ways grow with each v)

or two different ways from p to p that read v (they double).  In a search the state before the
match reads everything, as the match may begin anywhere.  See A. Weber and H. Seidl, "On the
degree of ambiguity of finite automata", 1991.

The automaton knows one character on each side, so that `^`, `\b` and `(?<!\w)` count; it reads
more than the expression where a look-around is longer, and after a possessive repeat.  What it
finds is therefore tried (`matching.py`), and counts if the steps really grow.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

# What an expression may be put before, besides the characters that it names.
_USUAL = "\n\r\t \0aAzZ_059.'\"-+xé漢"
# Repeats are unrolled to so many: more of a bounded repeat is more of the same.
_COPIES = 2
Chars = Callable[[str], bool]
Node = tuple[Any, Any]


def parsed(pattern: re.Pattern[Any]) -> Any:
    """Parse a compiled expression again, bytes as the characters of their numbers."""
    source = pattern.pattern
    flags = pattern.flags & ~re.DEBUG
    if isinstance(source, bytes):
        source = source.decode("latin-1")
        flags = (flags & ~re.UNICODE) | re.ASCII
    return parser.parse(source, flags)


def one_char(node: Node) -> bool:
    """Tell whether a node reads exactly one character."""
    return node[0] in {sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN}


def chars_of(node: Node, flags: int) -> Chars:
    """Return which characters a node of one character reads."""
    op, value = node
    if op is sre.ANY:
        return (lambda _: True) if flags & re.DOTALL else (lambda c: c != "\n")
    kinds: list[Node] = list(value) if op is sre.IN else [(sre.LITERAL, value)]
    negated = op is sre.NOT_LITERAL or (bool(kinds) and kinds[0][0] is sre.NEGATE)

    def within(c: str) -> bool:
        cases = {c, c.lower(), c.upper()} if flags & re.IGNORECASE else {c}
        return any(_has(kind, each, flags) for kind in kinds for each in cases)

    return lambda c: within(c) != negated


def _has(kind: Node, c: str, flags: int) -> bool:
    op, value = kind
    if op is sre.LITERAL:
        return ord(c) == value if len(c) == 1 else False
    if op is sre.RANGE:
        return len(c) == 1 and value[0] <= ord(c) <= value[1]
    if op is sre.CATEGORY:
        name, _, what = str(value).rpartition("_")
        sign = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[what]
        found = re.match(sign, c, flags & re.ASCII) is not None
        return found != name.endswith("NOT")
    return False


# A condition on the character before and the one behind; "" is the text's edge.
Guard = Callable[[str, str], bool]


@dataclass(slots=True)
class _Automaton:
    """States joined by steps that read nothing, and by steps that read a character."""

    free: dict[int, list[tuple[int, Guard | None]]] = field(default_factory=dict)
    reading: dict[int, tuple[int, Chars]] = field(default_factory=dict)
    behind: list[Chars] = field(default_factory=list)
    ahead: list[Chars] = field(default_factory=list)
    size: int = 0

    def state(self) -> int:
        """Make a state."""
        self.size += 1
        self.free[self.size] = []
        return self.size

    def join(self, start: int, end: int, guard: Guard | None = None) -> None:
        """Lead from one state to another without reading."""
        self.free[start].append((end, guard))

    def read(self, start: int, chars: Chars) -> int:
        """Lead from a state to a new one by reading a character."""
        end = self.state()
        self.reading[start] = (end, chars)
        return end

    def sequence(self, nodes: Iterable[Node], start: int, flags: int) -> int:
        """Read nodes, one after the other."""
        for node in nodes:
            start = self.node(node, start, flags)
        return start

    def node(self, node: Node, start: int, flags: int) -> int:
        """Read a node; return the state behind it."""
        op, value = node
        if one_char(node):
            chars = chars_of(node, flags)
            # A state of its own, as a state reads in one way.
            own = self.state()
            self.join(start, own)
            return self.read(own, chars)
        if op is sre.AT:
            end = self.state()
            self.join(start, end, _at(value, flags))
            return end
        if op is sre.SUBPATTERN:
            _, added, removed, body = value
            return self.sequence(body, start, (flags | added) & ~removed)
        if op is sre.ATOMIC_GROUP:
            return self.sequence(value, start, flags)
        if op is sre.BRANCH:
            end = self.state()
            for branch in value[1]:
                self.join(self.sequence(branch, start, flags), end)
            return end
        if op in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
            least, most, body = value
            return self.repeat(least, most, body, start, flags)
        if op in {sre.ASSERT, sre.ASSERT_NOT}:
            direction, body = value
            return self.look(op is sre.ASSERT, direction, body, start, flags)
        if op is sre.GROUPREF:
            # Reads what was read before: anything, as far as is known here.
            again = self.state()
            self.join(start, again)
            self.join(self.read(again, lambda _: True), again)
            return again
        raise ValueError(f"no automaton for {op} in a regular expression")

    def repeat(self, least: int, most: Any, body: Any, start: int, flags: int) -> int:
        """Read a body again and again."""
        for _ in range(min(least, _COPIES)):
            start = self.sequence(body, start, flags)
        if most is sre.MAXREPEAT:
            loop, end = self.state(), self.state()
            self.join(start, loop)
            self.join(self.sequence(body, loop, flags), loop)
            self.join(loop, end)
            return end
        end = self.state()
        self.join(start, end)
        for _ in range(min(most - least, _COPIES)):
            start = self.sequence(body, start, flags)
            self.join(start, end)
        return end

    def look(self, wanted: bool, direction: int, body: Any, start: int, flags: int) -> int:
        """Look around.  What looks ahead reads as well, and goes on nowhere."""
        end = self.state()
        alone = len(body) == 1 and one_char(body[0])
        if direction < 0:
            edge = body[len(body) - 1] if len(body) else None
            if edge is None or not one_char(edge) or not (alone or wanted):
                self.join(start, end)
                return end
            chars = chars_of(edge, flags)
            self.behind.append(chars)
            self.join(start, end, lambda before, _: (before != "" and chars(before)) == wanted)
            return end
        if alone:
            chars = chars_of(body[0], flags)
            self.ahead.append(chars)
            self.join(start, end, lambda _, behind: (behind != "" and chars(behind)) == wanted)
            return end
        self.join(start, end)
        self.sequence(body, start, flags)
        return end


def _at(where: Any, flags: int) -> Guard:
    multiline = flags & re.MULTILINE
    word = re.compile(r"\w", flags & re.ASCII)

    def is_word(c: str) -> bool:
        return bool(c) and word.match(c) is not None

    if where is sre.AT_BEGINNING and multiline:
        return lambda before, _: before in {"", "\n"}
    if where in {sre.AT_BEGINNING, sre.AT_BEGINNING_STRING}:
        return lambda before, _: before == ""
    if where is sre.AT_END:
        return lambda _, behind: behind in {"", "\n"}
    if where is sre.AT_END_STRING:
        return lambda _, behind: behind == ""
    if where is sre.AT_BOUNDARY:
        return lambda before, behind: is_word(before) != is_word(behind)
    return lambda before, behind: is_word(before) == is_word(behind)


@dataclass(frozen=True, slots=True)
class Attack:
    """A text that an expression may be slow on: the beginning, and what is repeated behind it."""

    before: str
    pump: str


# A position, and what counts of the character read last: one of that kind, "" where none was.
State = tuple[int, str]


class _Graph:
    """The states that an automaton can be in."""

    def __init__(self, pattern: re.Pattern[Any], *, searching: bool) -> None:
        self.automaton = _Automaton()
        self.start = self.automaton.state()
        self.automaton.sequence(parsed(pattern), self.start, pattern.flags)
        self.searching = searching
        tests = [
            *(chars for _, chars in self.automaton.reading.values()),
            *self.automaton.ahead,
        ]
        self.alphabet = self._kinds(pattern.pattern, [*tests, *self._behind])
        self.kind = {c: self._kind(c) for c in self.alphabet}
        self.ways = self._ways()

    @property
    def _behind(self) -> list[Chars]:
        """Return what is asked of a character that was read."""
        word = re.compile(r"\w")
        return [
            *self.automaton.behind,
            lambda c: c == "\n",
            lambda c: word.match(c) is not None,
        ]

    def _kind(self, char: str) -> str:
        mine = [test(char) for test in self._behind]
        return next(c for c in self.alphabet if [test(c) for test in self._behind] == mine)

    @staticmethod
    def _kinds(source: str | bytes, tests: list[Chars]) -> list[str]:
        """Choose one character of each kind that the tests tell apart."""
        text = source.decode("latin-1") if isinstance(source, bytes) else source
        usual = [ord(c) for c in _USUAL]
        near = {ord(c) + n for c in text + _USUAL for n in (-1, 0, 1)}
        found: dict[tuple[bool, ...], str] = {}
        for point in (*usual, *sorted(near - set(usual))):
            if 0 <= point < 0x110000 and not 0xD800 <= point < 0xE000:
                found.setdefault(tuple(test(chr(point)) for test in tests), chr(point))
        return list(found.values())

    def _free_paths(self, begin: int) -> list[tuple[int, tuple[Guard, ...]]]:
        """Find the reading states that a state leads to without reading, once for each way."""
        paths: list[tuple[int, tuple[Guard, ...]]] = []
        stack: list[tuple[int, frozenset[int], tuple[Guard, ...]]] = [
            (begin, frozenset((begin,)), ())
        ]
        while stack:
            state, seen, guards = stack.pop()
            if state in self.automaton.reading:
                paths.append((state, guards))
            for target, guard in self.automaton.free[state]:
                if target not in seen:
                    more = guards if guard is None else (*guards, guard)
                    stack.append((target, seen | {target}, more))
        return paths

    def _ways(self) -> dict[State, dict[str, dict[State, int]]]:
        """Return the states that follow each state by a character, with the number of ways."""
        free: dict[int, list[tuple[int, tuple[Guard, ...]]]] = {}
        found: dict[State, dict[str, dict[State, int]]] = {}
        todo: list[State] = [(self.start, "")]
        while todo:
            state = todo.pop()
            if state in found:
                continue
            position, before = state
            mine: dict[str, dict[State, int]] = {}
            if position not in free:
                free[position] = self._free_paths(position)
            for c in self.alphabet:
                targets: dict[State, int] = {}
                for reader, guards in free[position]:
                    end, chars = self.automaton.reading[reader]
                    if chars(c) and all(guard(before, c) for guard in guards):
                        target = end, self.kind[c]
                        targets[target] = targets.get(target, 0) + 1
                if self.searching and position == self.start:
                    targets[position, self.kind[c]] = 1
                if targets:
                    mine[c] = targets
                    todo += targets
            found[state] = mine
        return found

    def cycles(self) -> dict[State, int]:
        """Find the states that can come back to themselves, each with the number of its cycle."""
        follows = {
            state: {target for targets in ways.values() for target in targets}
            for state, ways in self.ways.items()
        }
        found: dict[State, int] = {}
        for number, members in enumerate(_components(follows)):
            if len(members) > 1 or members[0] in follows[members[0]]:
                found |= dict.fromkeys(members, number)
        return found

    def doubled(self, cycles: dict[State, int]) -> Iterator[tuple[State, str]]:
        """Find states with two ways back to themselves, and the text that both read."""
        for state, ways in self.ways.items():
            for c, targets in ways.items():
                for target, count in targets.items():
                    if count > 1 and cycles.get(target, -1) == cycles.get(state, -2):
                        back = self.spell(target, state)
                        if back is not None:
                            yield state, c + back
        seen: set[int] = set()
        for state, cycle in cycles.items():
            if cycle in seen:
                continue
            pump = self._apart(state, cycles)
            if pump is not None:
                seen.add(cycle)
                yield state, pump

    def _apart(self, start: State, cycles: dict[State, int]) -> str | None:
        """Find two different ways from a state to itself over one text."""
        mine = cycles[start]

        def follow(here: Any) -> Iterator[tuple[Any, str]]:
            a, b, apart = here
            others = self.ways[b]
            for c, targets in self.ways[a].items():
                for x in targets:
                    for y in others.get(c, ()):
                        if cycles.get(x) == cycles.get(y) == mine:
                            yield (x, y, apart or x != y), c

        return _search(follow, (start, start, False), (start, start, True))

    def growing(self, cycles: dict[State, int]) -> Iterator[tuple[State, str]]:
        """Find states p and q with p -v-> p, p -v-> q and q -v-> q, and v."""
        done: set[tuple[int, int]] = set()
        for p, cycle in cycles.items():
            for q, other in cycles.items():
                if cycle == other or p[1] != q[1] or (cycle, other) in done:
                    continue
                pump = self._joined(p, q, cycles)
                if pump is not None:
                    done.add((cycle, other))
                    yield p, pump

    def _joined(self, p: State, q: State, cycles: dict[State, int]) -> str | None:
        def follow(here: Any) -> Iterator[tuple[Any, str]]:
            a, b, d = here
            firsts, lasts = self.ways[a], self.ways[d]
            for c, between in self.ways[b].items():
                for z in lasts.get(c, ()):
                    if cycles.get(z) != cycles[q]:
                        continue
                    for x in firsts.get(c, ()):
                        if cycles.get(x) == cycles[p]:
                            for y in between:
                                yield (x, y, z), c

        return _search(follow, (p, p, q), (p, q, q))

    def spell(self, start: State, goal: State) -> str | None:
        """Spell a text that leads from one state to another."""
        if start == goal:
            return ""

        def follow(here: State) -> Iterator[tuple[State, str]]:
            for c, targets in self.ways[here].items():
                for target in targets:
                    yield target, c

        return _search(follow, start, goal)


def _search(
    follow: Callable[[Any], Iterator[tuple[Any, str]]], start: Any, goal: Any
) -> str | None:
    """Spell the shortest text from a start to a goal, breadth first."""
    before: dict[Any, tuple[Any, str]] = {}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there, c in follow(here):
            if there in before:
                continue
            before[there] = (here, c)
            if there == goal:
                return _spelt(before, there, start)
            queue.append(there)
    return None


def _spelt(before: dict[Any, tuple[Any, str]], end: Any, start: Any) -> str:
    text = []
    here = end
    while True:
        here, c = before[here]
        text.append(c)
        if here == start:
            return "".join(reversed(text))


def _components(follows: dict[State, set[State]]) -> Iterator[list[State]]:
    """Give the strongly connected components of a graph, by Tarjan's algorithm."""
    index: dict[State, int] = {}
    low: dict[State, int] = {}
    stack: list[State] = []
    on: set[State] = set()
    for root, targets in follows.items():
        work = [] if root in index else [(root, iter(targets))]
        while work:
            state, rest = work[-1]
            if state not in index:
                index[state] = low[state] = len(index)
                stack.append(state)
                on.add(state)
            for target in rest:
                if target not in index:
                    work.append((target, iter(follows[target])))
                    break
                if target in on:
                    low[state] = min(low[state], low[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[state])
                if low[state] == index[state]:
                    start = stack.index(state)
                    members = stack[start:]
                    del stack[start:]
                    on.difference_update(members)
                    yield members


def attacks(pattern: re.Pattern[Any], *, searching: bool) -> list[Attack]:
    """Find the texts on which a regular expression may take more than linear time.

    Args:
        pattern: The expression.
        searching: Whether a match may begin anywhere, as in `search` and `sub`.
    """
    graph = _Graph(pattern, searching=searching)
    cycles = graph.cycles()
    begin = graph.start, ""
    return [
        Attack(graph.spell(begin, state) or "", pump)
        for state, pump in (*graph.doubled(cycles), *graph.growing(cycles))
    ]
