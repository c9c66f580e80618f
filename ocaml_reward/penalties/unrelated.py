"""Programs that have nothing to do with the names that a problem asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from ..model import CheckReport, Penalty, Stage
from ..reading.definitions import WORD
from ..reading.extraction import Extraction
from .rule import SHARE, Facts, Rule

# One in so many words of a program's names is asked for, where none of them is a name that is.
_SHARED_PART = 10
_DEFINED = re.compile(
    r"(?<![\w'])(?:let|and|type|module|class|method|exception|external)!?\s+"
    r"(?:(?:rec|nonrec|private|virtual|type)\s+|[+-]?'\w+\s+|\([^()]{0,80}\)\s*)*"
    r"([A-Za-z_][\w']*)"
)
_PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Unrelated:
    """A program that has nothing to do with its problem keeps `factor` of its reward."""

    factor: float = field(default=0.0, metadata=SHARE)


def _look(report: CheckReport | None, extraction: Extraction, _: Any) -> str:
    """Find that nothing in the code is named like anything the tests use."""
    broken = report is not None and report.stage is Stage.SYNTAX_ERROR
    own = extraction.own
    code = own.text if broken else own.without_literals
    if touches(code, extraction.wanted, broken=broken):
        return ""
    names = ", ".join(sorted(extraction.wanted))
    return f"nothing in the code is called anything like {names}"


def _take(facts: Facts, values: Any) -> Penalty | None:
    """Punish a program that has nothing to do with the problem, where it does not run.

    Whatever it is, it types and compiles: a constant reward for no attempt.
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


def touches(code: str, wanted: frozenset[str], *, broken: bool = False) -> bool:
    """Tell whether code has anything to do with `wanted`: it defines something, at any
    depth, with a word in common, which is one of ten in its names at least.  In `broken`
    code any word may be a definition.

    Short words tell nothing, nor does a module's name, whose contents may have been
    written without it; where there are no others, the answer is yes.
    """
    asked = [_parts(name) for name in wanted if not name[:1].isupper()]
    if not asked or len(asked) < len(wanted) or not all(asked):
        return True
    words = set((WORD if broken else _DEFINED).findall(code))
    if words & wanted:
        return True
    found = {part for word in words for part in _parts(word)}
    shared = set().union(*asked) & found
    # Who has a word for everybody means nobody.  Broken code has words of all kinds.
    return bool(shared) and (broken or len(shared) * _SHARED_PART >= len(found))


def _parts(name: str) -> set[str]:
    return {part.lower() for part in _PART.findall(name) if len(part) > 2}
