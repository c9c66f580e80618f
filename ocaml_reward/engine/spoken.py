"""What tests print: how checks are told apart that fail in no other way, as those of a runner of
the tests' own that catches what fails and says so.  Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..model import CheckResult, Outcome

_OTHERWISE = "the tests do not print what they do with the reference: "


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What the tests print in a check with the reference, and the numbers of the lines in it that
    they do not print with each wrong answer.
    """

    text: str
    telling: tuple[int, ...]


def spoken(text: str, wrong: Iterable[str]) -> Spoken | None:
    """Return what tells right answers from `wrong` ones, by what the tests print with each; None
    where nothing does.
    """
    others = [Counter(_lines(each)) for each in wrong if each != text]
    if not others:
        return None
    telling = [
        number
        for number, line in enumerate(_lines(text))
        if any(line not in each for each in others)
    ]
    return Spoken(text=text, telling=tuple(telling))


def share_of(expected: Spoken, printed: str) -> tuple[float, str]:
    """Return the share of the telling lines that are among those that were printed, and the first
    that is not; 1 only where all that was printed is as it was with the reference.
    """
    if expected.text == printed:
        return 1.0, ""
    wanted, lines = _lines(expected.text), Counter(_lines(printed))
    told = Counter(wanted[number] for number in expected.telling)
    same = sum((told & lines).values())
    first = next(
        (wanted[n] for n in expected.telling if wanted[n] not in lines), printed
    )
    # There may be lines more: what is not all right is not worth all.
    count = len(expected.telling)
    return min(same / count, 1 - 1 / count) if count else 0.0, _OTHERWISE + first


def _lines(text: str) -> list[str]:
    # As the harness has it: one line of an event.
    return text.split("\\n")


def as_the_whole(
    results: Sequence[CheckResult], printed: Mapping[int, Spoken]
) -> tuple[CheckResult, ...]:
    """Let checks that only what is `printed` tells apart pass where all others do: the program
    ends as plain OCaml wants it then, whatever it prints.
    """
    others = [each for place, each in enumerate(results) if place not in printed]
    if not (printed and others) or any(
        each.outcome is not Outcome.PASSED for each in others
    ):
        return tuple(results)
    return tuple(
        replace(each, outcome=Outcome.PASSED, detail="", partial=0.0)
        if each.detail.startswith(_OTHERWISE)
        else each
        for each in results
    )
