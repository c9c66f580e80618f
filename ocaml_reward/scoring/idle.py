"""
Programs that answer nothing: a constant, what they are given as it is, or no value at all.
"""

from __future__ import annotations

from collections.abc import Callable

from ..model import Answers, CheckReport, Outcome, Part, Stage
from ..reading.extraction import Extraction
from .idleness import (
    casts_types,
    declared_alone,
    ignoring,
    missing,
    misspelling,
    reads_nothing,
)

__all__ = ["evidence_of_idleness"]


def evidence_of_idleness(report: CheckReport, extraction: Extraction) -> str:
    """
    Say why code that parses answers nothing; "" where it does, or that cannot be told.

    Two witnesses have to agree, as an honest attempt can raise in every check, or loop, or
    be wrong in one way: what the engine saw, and what the parser makes of the code.  Code
    that does not type was never seen: there the text must not even look at what it is given.
    Of what gives back what it is given as it is, whatever that is, the parser alone tells,
    for it may answer with many values.

    Code that casts types for any problem: where it may, it has to be right somewhere.
    """
    seen, wanted = report.answers, extraction.wanted
    if any(result.outcome is Outcome.PASSED for result in report.results):
        return ""
    if casts_types(extraction.source) and not report.forbidden:
        return "no check passes, and it casts values to any type"
    if report.results and seen is None:
        return ""
    untouched = _named(report, lambda part: part.untouched)
    if seen and seen.distinct > 1:
        if not wanted or not wanted <= untouched:
            return ""
        return f"no check passes, and {_names(wanted)} give back what is given as it is"
    if wanted:
        if not wanted <= _idle(report, extraction, untouched):
            return ""
        ignored = f"no result of {_names(wanted)} is made of what it is given"
    elif seen and seen.printed and _prints_nothing_of_it(report, extraction):
        ignored = "it prints nothing of what it is given"
    else:
        return ""
    return f"no check passes, {_came(seen)}and {ignored}"


def _idle(
    report: CheckReport, extraction: Extraction, untouched: frozenset[str]
) -> frozenset[str]:
    """
    Name what gives nothing that is made of what it is given, where answers were seen that do
    not contradict it; where none was seen the text tells, and asking is an attempt.
    """
    source, wanted = extraction.source, extraction.wanted
    if not report.results:
        # A mistake may be why what is made of the argument does not get out.
        untouched = _named(report, lambda part: part.apart)
        untouched |= declared_alone(source)
        untouched |= missing(source, wanted, untouched)
        if wanted <= untouched:
            lacking = frozenset(
                name for part in report.parts or () for name in part.missing
            )
            untouched -= misspelling(source, wanted, lacking)
    if report.answers is None or report.answers.unseen > 0:
        # The parser tells more: of a name that is bound again it knows which is meant.
        return untouched if report.parts else untouched | ignoring(source, wanted)
    return untouched | _named(report, lambda part: part.idle)


def _came(seen: Answers | None) -> str:
    if seen is None:
        return ""
    return f"{'one value' if seen.values else 'no value'} comes back, "


def _names(wanted: frozenset[str]) -> str:
    return ", ".join(sorted(wanted))


def _prints_nothing_of_it(report: CheckReport, extraction: Extraction) -> bool:
    """
    Tell whether a whole program never reads, or prints nothing of what it reads.
    """
    whole = report.parts[:1] if report.parts else ()
    types = report.stage in (Stage.LINK_ERROR, Stage.EXECUTABLE)
    return reads_nothing(extraction.source, types=types) or any(
        part.idle for part in whole
    )


def _named(report: CheckReport, holds: Callable[[Part], bool]) -> frozenset[str]:
    """
    Name what stands at the top and of which that holds, as the parser tells; of equal names
    the last one counts.
    """
    found = {name: holds(part) for part in report.parts or () for name in part.names}
    return frozenset(name for name, is_so in found.items() if is_so)
