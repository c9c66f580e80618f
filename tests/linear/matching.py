"""Python's way of matching, written down with its steps counted: a machine may be busy, a count of
steps is the same each time.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any

from tests.linear.expressions import Chars, Node, chars_of, one_char, parsed

# A bounded repeat costs at most its bound: here it has few, or a bound would look like growth.
_BOUND = 3
Then = Callable[[int], int]
Matcher = Callable[[int, Then], int]
_NOWHERE = -1


class _TooMany(Exception):
    pass


class _Counting:
    """An expression on a text; a matcher takes a place and what follows, and returns the match's end."""

    def __init__(self, text: str, most: int) -> None:
        self.text = text
        self.most = most
        self.steps = 0
        self.groups: dict[int, tuple[int, int]] = {}

    def count(self, number: int = 1) -> None:
        self.steps += number
        if self.steps > self.most:
            raise _TooMany

    def sequence(self, nodes: Any, flags: int) -> Matcher:
        matchers = [self.node(node, flags) for node in nodes]

        def match(at: int, then: Then, index: int = 0) -> int:
            if index == len(matchers):
                return then(at)
            return matchers[index](at, lambda end: match(end, then, index + 1))

        return match

    def node(self, node: Node, flags: int) -> Matcher:
        op, value = node
        if one_char(node):
            return self.char(chars_of(node, flags))
        if op is sre.AT:
            return self.anchor(value, flags)
        if op is sre.SUBPATTERN:
            group, added, removed, body = value
            return self.group(group, self.sequence(body, (flags | added) & ~removed))
        if op is sre.ATOMIC_GROUP:
            return self.atomic(self.sequence(value, flags))
        if op is sre.BRANCH:
            return self.branch([self.sequence(each, flags) for each in value[1]])
        if op is sre.GROUPREF:
            return self.again(value)
        if op in {sre.ASSERT, sre.ASSERT_NOT}:
            direction, body = value
            return self.look(op is sre.ASSERT, direction, body, flags)
        least, most, body = value
        most = None if most is sre.MAXREPEAT else min(most, max(least, _BOUND))
        if len(body) == 1 and one_char(body[0]):
            matcher = self.run(chars_of(body[0], flags), least, most, lazy=op is sre.MIN_REPEAT)
        else:
            matcher = self.repeat(
                self.sequence(body, flags), least, most, lazy=op is sre.MIN_REPEAT
            )
        return self.atomic(matcher) if op is sre.POSSESSIVE_REPEAT else matcher

    def char(self, chars: Chars) -> Matcher:
        def match(at: int, then: Then) -> int:
            self.count()
            if at < len(self.text) and chars(self.text[at]):
                return then(at + 1)
            return _NOWHERE

        return match

    def anchor(self, where: Any, flags: int) -> Matcher:
        sign = {
            sre.AT_BEGINNING: "^", sre.AT_BEGINNING_STRING: r"\A", sre.AT_END: "$",
            sre.AT_END_STRING: r"\Z", sre.AT_BOUNDARY: r"\b", sre.AT_NON_BOUNDARY: r"\B",
        }[where]  # fmt: skip
        expression = re.compile(sign, flags & (re.MULTILINE | re.ASCII))

        def match(at: int, then: Then) -> int:
            self.count()
            return then(at) if expression.match(self.text, at) else _NOWHERE

        return match

    def group(self, group: int | None, body: Matcher) -> Matcher:
        if group is None:
            return body

        def match(at: int, then: Then) -> int:
            def closed(end: int) -> int:
                kept = self.groups.get(group)
                self.groups[group] = (at, end)
                found = then(end)
                if found == _NOWHERE and kept is not None:
                    self.groups[group] = kept
                return found

            return body(at, closed)

        return match

    def again(self, group: int) -> Matcher:
        def match(at: int, then: Then) -> int:
            start, end = self.groups.get(group, (0, 0))
            self.count(1 + end - start)
            if self.text.startswith(self.text[start:end], at):
                return then(at + end - start)
            return _NOWHERE

        return match

    def atomic(self, body: Matcher) -> Matcher:
        def match(at: int, then: Then) -> int:
            end = body(at, lambda end: end)
            return _NOWHERE if end == _NOWHERE else then(end)

        return match

    def branch(self, branches: list[Matcher]) -> Matcher:
        def match(at: int, then: Then) -> int:
            for each in branches:
                self.count()
                found = each(at, then)
                if found != _NOWHERE:
                    return found
            return _NOWHERE

        return match

    def look(self, wanted: bool, direction: int, body: Any, flags: int) -> Matcher:
        matcher = self.sequence(body, flags)
        width = body.getwidth()[0]

        def match(at: int, then: Then) -> int:
            self.count()
            place = at if direction > 0 else at - width
            met = place >= 0 and matcher(place, lambda end: end) != _NOWHERE
            return then(at) if met == wanted else _NOWHERE

        return match

    def run(self, chars: Chars, least: int, most: int | None, *, lazy: bool) -> Matcher:
        def match(at: int, then: Then) -> int:
            end = at
            if not lazy:
                while (
                    end < len(self.text)
                    and (most is None or end - at < most)
                    and chars(self.text[end])
                ):
                    end += 1
                    self.count()
                while end - at >= least:
                    self.count()
                    found = then(end)
                    if found != _NOWHERE:
                        return found
                    end -= 1
                return _NOWHERE
            while True:
                if end - at >= least:
                    found = then(end)
                    if found != _NOWHERE:
                        return found
                self.count()
                if (
                    end >= len(self.text)
                    or (most is not None and end - at >= most)
                    or not chars(self.text[end])
                ):
                    return _NOWHERE
                end += 1

        return match

    def repeat(self, body: Matcher, least: int, most: int | None, *, lazy: bool) -> Matcher:
        def match(at: int, then: Then, count: int = 0) -> int:
            self.count()

            def more() -> int:
                if most is not None and count >= most:
                    return _NOWHERE

                def next_one(end: int) -> int:
                    # As `re` does: what reads nothing is not repeated.
                    if end == at and count >= least:
                        return _NOWHERE
                    return match(end, then, count + 1)

                return body(at, next_one)

            if count < least:
                return more()
            if lazy:
                found = then(at)
                return more() if found == _NOWHERE else found
            found = more()
            return then(at) if found == _NOWHERE else found

        return match


def steps(pattern: re.Pattern[Any], text: str, *, searching: bool, most: int) -> int:
    """Count the steps of finding all matches of an expression in a text, up to `most`.

    Args:
        pattern: The expression.
        text: The text.
        searching: Whether a match may begin anywhere; else only at the text's beginning, and
            all of it has to match.
        most: Where to stop.
    """
    counting = _Counting(text, most)
    matcher = counting.sequence(parsed(pattern), pattern.flags)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 200_000))
    with suppress(_TooMany):
        if not searching:
            matcher(0, lambda end: end if end == len(text) else _NOWHERE)
        at = 0
        while searching and at <= len(text):
            counting.count()
            end = matcher(at, lambda end: end)
            at = at + 1 if end in {_NOWHERE, at} else end
    return counting.steps
