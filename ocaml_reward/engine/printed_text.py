"""Judges checks by the text that the tests print, if nothing else distinguishes them.  Pure.

Such checks come from test runners of the tests' own, which catch failures and only print them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..model import CheckResult, Outcome

_OTHERWISE = "the tests do not print what they do with the reference: "


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedText:
    """The text that the tests print in a check with the reference.

    `telling` has the numbers of the lines that are missing with at least one wrong answer.
    """

    text: str
    telling: tuple[int, ...]


def expected_text(text: str, wrong: Iterable[str]) -> ExpectedText | None:
    """Return the expected text, given the texts printed with `wrong` answers.

    Returns None if no wrong answer changes the text.
    """
    others = [Counter(_lines(each)) for each in wrong if each != text]
    if not others:
        return None
    telling = [
        number
        for number, line in enumerate(_lines(text))
        if any(line not in each for each in others)
    ]
    return ExpectedText(text=text, telling=tuple(telling))


def printed_share(expected: ExpectedText, printed: str) -> tuple[float, str]:
    """Return the share of the telling lines that were printed, and the first missing line.

    The share is 1 only if the whole text is the same as with the reference.
    """
    if expected.text == printed:
        return 1.0, ""
    wanted, lines = _lines(expected.text), Counter(_lines(printed))
    telling = Counter(wanted[number] for number in expected.telling)
    same = sum((telling & lines).values())
    first = next(
        (wanted[n] for n in expected.telling if wanted[n] not in lines), printed
    )
    # There may be additional lines: a text that differs at all is not worth 1.
    count = len(expected.telling)
    return min(same / count, 1 - 1 / count) if count else 0.0, _OTHERWISE + first


def _lines(text: str) -> list[str]:
    # The harness escapes line ends, as an event is one line.
    return text.split("\\n")


def pass_with_the_others(
    results: Sequence[CheckResult], printed: Mapping[int, ExpectedText]
) -> tuple[CheckResult, ...]:
    """Let the checks in `printed` pass if all other checks do.

    The program then ends as it should in plain OCaml, whatever it prints.
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
