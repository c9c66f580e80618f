"""What a prompt says of a problem's arguments, beyond what its examples show; pure.

A few tests show properties by chance: that no list has an element twice, that no number is negative.
A prompt that is there and does not mention such a property leaves it open, so it does not hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# A shorter prompt says nothing about arguments.
_TELLING: Final = 6
_MANY: Final = 10
"""From so many sequences on a common property is no chance."""
# (exercism/ocaml exercises/practice/collatz-conjecture)
_INTEGERS: Final = re.compile(r"\bint(?:eger)?s?\b|\bnumbers?\b", re.IGNORECASE)
# What is counted or measured is not negative; whoever gives a bound gives the domain.
# (exercism/ocaml exercises/practice/change, knapsack, space-age, hamming, perfect-numbers;
# ocaml/ocaml.org data/exercises/022_create_list.md)
_NOT_NEGATIVE: Final = re.compile(
    r"positive|natural|between|[≤≥]|(?<!-)[<>]"
    r"|(?:each|all|numbers?|integers?|elements?|values?)\b[^.]{0,30}(?:at least|greater than)"
    r"|\b(?:coin|age|count|amount|weight|size|length|digit|score|grade|year|distance"
    r"|position|day|hour|minute|balance|height|width|code|date|time|point|inde[xs]|indices|prime"
    r"|factor|divisor|bits?)",
    re.IGNORECASE,
)
# (ocaml-sf/learn-ocaml-corpus exercises/smelodesousa/F3/3-a-historic-algorithm, F1/1-errors)
_ZERO: Final = re.compile(
    r"non-?negative|[>≥]=? ?0\b|(?<![\w-])0 *(?:to|\.\.|<=|≤|-|and)",
    re.IGNORECASE,
)
# (exercism/ocaml exercises/practice/collatz-conjecture, ocaml/ocaml.org data/exercises/034_euler_totient.md)
_POSITIVE: Final = re.compile(r"positive|natural|\b1 *(?:<=|≤)|(?:>=|≥) *1\b", re.IGNORECASE)
# (ocaml/ocaml.org data/exercises/097_sudoku.md)
_MOST: Final = re.compile(r"(?:<=|≤) *(\d{1,9})\b")
# (ocaml-sf/learn-ocaml-corpus exercises/fpottier/enumerating_trees)
_DENIED: Final = re.compile(
    r"non-?negative|\b(?:not|neither|none|never|no|without)\b[^.]{0,60}negative", re.IGNORECASE
)
# (ocaml-sf/learn-ocaml-corpus exercises/smelodesousa/F5/5-pizzaria; kirang89/ocamler-grpo
# eval/ocaml_tests_sample.csv easy_140)
_SIGNED: Final = re.compile(
    r"(?:may|can) be negative|negative (?:numbers?|integers?|values?)\b(?! is| are)|non-?zero",
    re.IGNORECASE,
)
# Who says none of this has numbers without an upper bound.
# (exercism/ocaml exercises/practice/say, meetup, rectangles, hexadecimal; kirang89/ocamler-grpo
# eval/ocaml_tests_sample.csv medium_015, medium_179)
_BOUNDED: Final = re.compile(
    r"between|[<≤]|(?<!-)>|\bto \d|range|at most|up to|less than|valid|inde[xs]|position|base|digit|hour"
    r"|minute|month|\bday|angle|percent|probab|year|letter|shift|nth|-th\b|level|\bage|grade|score|\bcell"
    r"|square|board|capacity|depth|place|element",
    re.IGNORECASE,
)
# (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv medium_195, ocaml/ocaml.org data/exercises/041_goldbach_composition.md)
_LARGER: Final = re.compile(r"larger than|exceed|any (?:size|length|number)", re.IGNORECASE)
# (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv easy_135, ocaml/ocaml.org data/exercises/080_conversions.md,
# exercism/ocaml exercises/practice/custom-set)
_DISTINCT: Final = (
    r"(?:distinct|unique|different) (?:\w+ )?(?:in(?:tegers|ts)|numbers|elements|strings|values|items|words"
    r"|names|keys)|(?:no|without) (?:duplicat|repe)|permutation|\bsets?\b"
)
# (ocaml-sf/learn-ocaml-corpus exercises/hferee/8_sort, 11_lists_lists; exercism/ocaml
# exercises/practice/binary-search, minesweeper, matching-brackets, hexadecimal)
_MENTIONS: Final = {
    "ordered": r"sorted|\bordered|ascend|increas|descend|decreas|binary search|merge",
    "distinct": _DISTINCT,
    "even": r"same length|equal length|rectang|grid|matri|\brows?\b|board|image|picture",
    "balanced": r"bracket|parenthes|balanced|nested|expression",
    "numeral": r"digit|number|integer|decimal|numeral|binary",
    "once": _DISTINCT,
}
# (ocaml-sf/learn-ocaml-corpus exercises/hferee/8_fold, kirang89/ocamler-grpo eval/ocaml_tests_sample.csv medium_049)
_LEAST_LENGTH: Final = re.compile(
    r"at\s+(?:\*\s+)?least\s+(?:\*\s+)?(one|two|three|four|five|\d+)\s+(?:\*\s+)?(?:elements?|items?|numbers?|characters?"
    r"|letters?|words?|values?)|non-?empty|not empty",
    re.IGNORECASE,
)
_WORDS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_SHORT: Final = re.compile(r"at least|non-?empty|length|not empty", re.IGNORECASE)
# (exercism/ocaml exercises/practice/isbn-verifier, robot-name, roman-numerals)
_FORMAT: Final = re.compile(
    r"pars|format|valid|well-formed|expression|roman|binary|decimal|hexa|date|time|encod|numeral",
    re.IGNORECASE,
)
# (exercism/ocaml exercises/practice/pangram, bob, acronym, matching-brackets)
_ALPHABETS: Final = (
    (r"letter|upper|lower|\bcase\b|alphabet|\bwords?\b|string|text|sentence", "abcxyz"),
    (r"upper|\bcase\b|capital", "ABCXYZ"),
    (r"space|\bwords\b|sentence", " "),
    (r"punctuat|every character|other character|ignor", "!,.' "),
)
_BRACKETS: Final = re.compile(r"[()\[\]{}]{4,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptDomain:
    """What a prompt says of arguments.

    Attributes:
        telling: Whether it says something at all.
        negative: Whether elements may be negative, and larger than those shown.
        zero: Whether a number may be zero.
        larger: Whether it says that a number may be larger than those shown.
        signed: Whether it says that a number may be negative.
        unbounded: Whether nothing in it bounds numbers.
        least: The least number that it tells, 0 or 1.
        most: The greatest number that it tells; of several the least.
        short: Whether sequences may be shorter than those shown.
        shortest: The least number of elements that it tells.
        laws: The properties that it mentions.
        alphabet: Characters that strings may have, besides those shown.
    """

    telling: bool = False
    negative: bool = False
    zero: bool = False
    larger: bool = False
    signed: bool = False
    unbounded: bool = False
    least: int | None = None
    most: int | None = None
    short: bool = False
    shortest: int = 0
    laws: frozenset[str] = frozenset()
    alphabet: frozenset[str] = frozenset()

    def holds(self, law: str, rows: int = 0) -> bool:
        """Return whether a property of all `rows` sequences shown is required."""
        return not self.telling or law not in _MENTIONS or law in self.laws or rows >= _MANY


NOTHING: Final = PromptDomain()


def prompt_domain(prompt: str) -> PromptDomain:
    """Return what a prompt says of arguments."""
    if len(re.findall(r"[A-Za-z]{2,}", prompt)) < _TELLING:
        return NOTHING
    alphabet = set[str]()
    if not _FORMAT.search(prompt):
        for words, signs in _ALPHABETS:
            if re.search(words, prompt, re.IGNORECASE):
                alphabet |= set(signs)
    for signs in _BRACKETS.findall(prompt):
        alphabet |= set(signs)
    return PromptDomain(
        telling=True,
        negative=bool(_INTEGERS.search(prompt))
        and not (_NOT_NEGATIVE.search(prompt) or _DENIED.search(prompt)),
        zero=bool(_ZERO.search(prompt)),
        least=0 if _ZERO.search(prompt) else 1 if _POSITIVE.search(prompt) else None,
        most=min((int(each) for each in _MOST.findall(prompt)), default=None),
        signed=bool(_SIGNED.search(prompt)) and not _DENIED.search(prompt),
        unbounded=not _BOUNDED.search(prompt),
        larger=bool(_LARGER.search(prompt)),
        shortest=_least_length(prompt),
        short=not _SHORT.search(prompt),
        laws=frozenset(
            law for law, words in _MENTIONS.items() if re.search(words, prompt, re.IGNORECASE)
        ),
        alphabet=frozenset(alphabet),
    )


def _least_length(prompt: str) -> int:
    """Return how many elements a sequence has at least, as far as the prompt tells."""
    found = _LEAST_LENGTH.search(prompt)
    if found is None:
        return 0
    word = (found[1] or "one").lower()
    return _WORDS.get(word) or int(word)
