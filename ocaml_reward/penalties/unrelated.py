"""Programs that are unrelated to the names that a problem requires."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from ..model import CheckReport, Penalty, Stage
from ..reading.definitions import WORD
from ..reading.extraction import Extraction
from .rule import SHARE, Facts, Rule

# If no name is equal, at least one in this many words of the program's names has to be shared.
_SHARED_PART = 10
_DEFINED = re.compile(
    r"(?<![\w'])(?:let|and|type|module|class|method|exception|external)!?\s+"
    r"(?:(?:rec|nonrec|private|virtual|type)\s+|[+-]?'\w+\s+|\([^()]{0,80}\)\s*)*"
    r"([A-Za-z_][\w']*)"
)
_PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Unrelated:
    """Factor for a program that is unrelated to its problem."""

    factor: float = field(default=0.0, metadata=SHARE)


def _look(report: CheckReport | None, extraction: Extraction, _: Any) -> str:
    """Return evidence if no name in the code resembles a name that the tests use."""
    broken = report is not None and report.stage is Stage.SYNTAX_ERROR
    own = extraction.own
    code = own.text if broken else own.without_literals
    if is_related(code, extraction.wanted, broken=broken):
        return ""
    names = ", ".join(sorted(extraction.wanted))
    return f"nothing in the code is called anything like {names}"


def _take(facts: Facts, values: Any) -> Penalty | None:
    """Return the penalty for an unrelated program that does not run.

    Any such program types and compiles: a constant reward for no attempt.
    """
    if facts.stage is None or facts.stage is Stage.EXECUTABLE:
        return None
    evidence = facts.evidence(UNRELATED)
    if not evidence:
        return None
    factor = values.unrelated.factor
    return Penalty(code=UNRELATED.code, factor=factor, evidence=evidence)


UNRELATED: Final = Rule(
    code="unrelated",
    key="unrelated.factor",
    text="has nothing to do with what the tests use",
    effect="times 0",
    when=(
        "the code does not run with the tests, and nothing in it is named like anything the"
        " tests use"
    ),
    take=_take,
    look=_look,
)


def is_related(code: str, wanted: frozenset[str], *, broken: bool = False) -> bool:
    """Return whether code is related to the `wanted` names.

    It is if a definition at any depth shares a word with one of them, and at least one in ten of
    the words in its names is shared. In `broken` code any word may be a definition. Short words do
    not count, nor does a module's name, as its contents may have been written without it; without
    other words the result is True.

    (kirang89/ocamler-grpo doc/2025-12-11-epoch-0.21-training-failure-analysis.md:269)
    """
    wanted_words = [_parts(name) for name in wanted if not name[:1].isupper()]
    if not wanted_words or len(wanted_words) < len(wanted) or not all(wanted_words):
        return True
    words = set((WORD if broken else _DEFINED).findall(code))
    if words & wanted:
        return True
    found = {part for word in words for part in _parts(word)}
    shared = set().union(*wanted_words) & found
    # Code with a word for every problem addresses none. Broken code has words of all kinds.
    return bool(shared) and (broken or len(shared) * _SHARED_PART >= len(found))


def _parts(name: str) -> set[str]:
    """Return the words in a name."""
    return {part.lower() for part in _PART.findall(name) if len(part) > 2}
