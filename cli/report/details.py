"""Formats one completion for a report: its row in the table, and its details."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

from ocaml_reward import Breakdown
from ocaml_reward.model import CheckResult, Diagnostic, StdioCase
from ocaml_reward.penalties import PENALTIES, reward_steps

from ..explain.reasons import reason_text
from ..explain.regions import LEAST, region_sentence
from ..explain.sections import effect_text, steps_text
from .figures import elapsed_ms, rounded
from .scored import ScoredCompletion

CODE_CHARS: Final = 20_000
MESSAGE_CHARS: Final = 2_000
ITEMS: Final = 300
"""Limits on lengths; the page marks what is cut, and the records are complete."""
_TEXTS: Final = {declared.code: declared.text for declared in PENALTIES}


def table_row(source: int, scored: ScoredCompletion) -> dict[str, Any]:
    """Return the table row of a completion; `source` is the number of its source."""
    breakdown = scored.breakdown
    return {
        "source": source,
        "problem": breakdown.problem_id,
        "index": scored.index,
        "step": scored.step,
        "split": scored.split,
        "reward": rounded(breakdown.reward),
        "verdict": breakdown.verdict.value,
        "errors": breakdown.type_errors,
        "passed": breakdown.tests.passed,
        "checks": breakdown.tests.total,
        "ms": round(elapsed_ms(breakdown), 1),
    }


def completion_details(scored: ScoredCompletion) -> dict[str, Any]:
    """Return the details of a completion; empty ones are left out."""
    breakdown = scored.breakdown
    raw = scored.raw.text if scored.raw else ""
    found = {
        "said": [[who, text[:CODE_CHARS]] for who, text in scored.conversation[:ITEMS]],
        "code": breakdown.code[:CODE_CHARS],
        "cut": max(len(breakdown.code) - CODE_CHARS, 0),
        "credits": _credits(breakdown),
        "sum": rounded(breakdown.credits.total),
        "penalties": _penalties(breakdown),
        "diagnostics": [_diagnostic(each) for each in breakdown.diagnostics[:ITEMS]],
        "forbidden": list(breakdown.forbidden[:ITEMS]),
        "checks": _checks(breakdown.tests.results),
        "through": _checks(breakdown.through_holes or ()),
        "regions": [
            [each.start, each.stop, each.mark.value, region_sentence(each)]
            for each in breakdown.regions or ()
            if each.start < CODE_CHARS
        ][:ITEMS],
        "blame": [
            [each.line, each.column, each.end_line, each.end_column, rounded(each.weight)]
            for each in breakdown.blame or ()
            if each.weight >= LEAST
        ][:ITEMS],
        "raw": raw[:CODE_CHARS],
        "rawCut": max(len(raw) - CODE_CHARS, 0),
        "fault": breakdown.fault and f"{breakdown.fault.kind}: {breakdown.fault.message}",
        "made": " · ".join(
            (
                breakdown.scheme,
                breakdown.toolchain,
                f"{breakdown.engine} engine",
                breakdown.sandbox,
            )
        ),
    }
    return {name: value for name, value in found.items() if value}


def _credits(breakdown: Breakdown) -> list[list[Any]]:
    """List for each part its credit, the available credit, and the reason."""
    rows = []
    for part in breakdown.credited:
        earned = rounded(getattr(breakdown.credits, part))
        reason = getattr(breakdown.reasons, part, None)
        if reason is None:
            rows.append([part, earned, None, ""])
        else:
            note = reason_text(part, breakdown, reason, None)
            rows.append([part, earned, rounded(reason.available), note])
    return rows


def _penalties(breakdown: Breakdown) -> list[list[Any]]:
    """List the penalties, each with the value that remains after it."""
    return [
        [
            penalty.code,
            effect_text(penalty),
            rounded(left),
            penalty.evidence[:MESSAGE_CHARS],
            _TEXTS.get(penalty.code, ""),
        ]
        for penalty, left in reward_steps(breakdown.credits, breakdown.penalties)
    ]


def _diagnostic(each: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic; only one of the code has a span."""
    span = each.span if each.is_of_code else None
    found = {
        "kind": each.kind.value,
        "source": each.source.value,
        "message": each.message[:MESSAGE_CHARS],
        "hint": each.hint and each.hint[:MESSAGE_CHARS],
        "tests": not each.is_of_code,
        "span": span and [span.line, span.column, span.end_line, span.end_column],
    }
    return {name: value for name, value in found.items() if value}


def _checks(results: Sequence[CheckResult]) -> list[list[Any]]:
    return [
        [
            each.index,
            each.line,
            each.outcome.value,
            "; ".join(filter(None, (each.detail[:MESSAGE_CHARS], steps_text(each)))),
        ]
        for each in results[:ITEMS]
    ]


def problem_details(prompt: str, tests: str | tuple[StdioCase, ...]) -> dict[str, Any]:
    """Return the texts of a problem; empty ones are left out.

    Tests are lines of OCaml, or cases with their input and output.
    """
    found: dict[str, Any] = {
        "prompt": prompt[:CODE_CHARS],
        "promptCut": max(len(prompt) - CODE_CHARS, 0),
    }
    if isinstance(tests, str):
        found |= {"lines": tests[:CODE_CHARS].split("\n") if tests else []}
        found |= {"testsCut": max(len(tests) - CODE_CHARS, 0)}
    else:
        texts = [(case.stdin, case.stdout) for case in tests]
        sizes = accumulate(sum(map(len, pair)) for pair in texts)
        shown = [pair for pair, size in zip(texts, sizes, strict=True) if size <= CODE_CHARS]
        found |= {"cases": shown, "testsCut": len(texts) - len(shown)}
    return {name: value for name, value in found.items() if value}
