"""An examination as a certificate; pure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from ocaml_reward.auditing.complaints import Complaint
from ocaml_reward.comparing.certificate import Certificate, Paid, Rate, digest_of
from ocaml_reward.version import __version__

from .examining import Examination, Graded


def certificate(
    examined: Examination,
    *,
    seed: int = 0,
    complaints: Sequence[Complaint] = (),
    repeats: str = "",
) -> Certificate:
    """Return what an examination shows.

    Args:
        examined: The examination.
        seed: The seed of its draws.
        complaints: The defects of the problem; those that break it are kept.
        repeats: The id of an earlier problem that is the same.

    Returns:
        The certificate.
    """
    failing = [each.share for each in examined.wrong if not each.passes]
    paid = [each for each in examined.wrong if each.passes]
    ran = [each for each in examined.wrong if each.runs]
    total = max((each.total for each in ran), default=0)
    failed = frozenset[int]().union(*(each.failed for each in ran))
    return Certificate(
        id=examined.problem.id,
        digest=digest_of(examined.problem),
        tool=__version__,
        seed=seed,
        right=_rate(examined.right),
        near=_rate(examined.near),
        empty=_rate(examined.empty),
        given=_rate(examined.given),
        unknown=len(examined.unknown),
        partial_credit=round(fmean(failing), 4) if failing else None,
        paid=tuple(
            Paid(
                kind=each.program.kind,
                what=each.program.what,
                line=each.program.line,
                tells=each.tells,
                code=each.program.code,
            )
            for each in paid
        ),
        lost=tuple(
            f"{each.program.kind} {each.program.what}".strip()
            for each in examined.right
            if not each.passes
        ),
        unfailed=tuple(n for n in range(1, total + 1) if n not in failed) if ran else (),
        complaints=tuple(f"{each.kind}: {each.message}" for each in complaints if each.broken),
        repeats=repeats,
        skipped=examined.skipped or examined.unsearched,
    )


def _rate(answers: Sequence[Graded]) -> Rate:
    return Rate(passed=sum(each.passes for each in answers), tried=len(answers))
