"""Certificates: how well a problem's tests tell right answers from wrong ones.

J is the true positive rate minus the false positive rate (Youden, 1950). Whether a policy learns
from a noisy verifier depends on it (arXiv 2601.04411): at 0 a verdict says nothing. The value and
the files; pure but for reading.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any, Final

from ..codec.typed import Count, Share, read_json, read_plain, to_plain
from ..errors import FormatError
from ..formats.writing import problem_fields
from ..model import Problem
from .figures import CONFIDENCE, Figure, figure_of

SCHEMA: Final = 1
LEAST_J: Final = 0.9
"""Below it a training warns: one wrong answer of ten that passes, or right one that fails, is told."""
SUFFIX: Final = ".certificate.jsonl"
_Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """How many of the answers that were tried pass."""

    passed: Count
    tried: Count

    @property
    def share(self) -> float | None:
        """Return the share that passes; None if none was tried."""
        return self.passed / self.tried if self.tried else None

    @property
    def interval(self) -> tuple[float, float]:
        """Return the share's 95 % interval (Wilson, 1927)."""
        if not self.tried:
            return 0.0, 1.0
        n, share = self.tried, self.passed / self.tried
        middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z * (share * (1 - share) / n + _Z**2 / (4 * n**2)) ** 0.5 / (1 + _Z**2 / n)
        # Rounded, as 0 and 1 are ends of what may be.
        return round(max(0.0, middle - half), 12), round(min(1.0, middle + half), 12)


@dataclass(frozen=True, kw_only=True, slots=True)
class Paid:
    """A wrong answer that passes.

    Attributes:
        kind: What kind of answer it is.
        what: What is wrong in it.
        line: The line of the reference that it changes, 0 for none.
        tells: Calls or inputs on which it differs from the reference.
        code: The answer.
    """

    kind: str
    what: str
    line: Count
    tells: tuple[str, ...]
    code: str


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What a problem's tests say of answers that are known to be right or wrong.

    Attributes:
        schema: The version of this record.
        id: The problem's id.
        digest: The digest of the problem.
        tool: The version of this program.
        seed: The seed of the draws.
        right: Right answers: the reference, it in other words, those given.
        near: Wrong answers that are nearly right: the reference with one thing changed.
        empty: Wrong answers that solve nothing: constants, exceptions, cheats.
        given: Wrong answers that a person gave.
        unknown: Mutants that pass and were not seen to differ from the reference.
        partial_credit: The mean share of the checks that wrong answers pass which fail some.
        paid: The wrong answers that pass.
        lost: The right answers that fail.
        unfailed: The numbers of the checks that no wrong answer fails.
        complaints: Why the problem cannot be graded fairly.
        repeats: The id of an earlier problem that is the same; "" if there is none.
        skipped: Why nothing was tried, or only answers that solve nothing; "" otherwise.
    """

    schema: int = SCHEMA
    id: str
    digest: str
    tool: str
    seed: int
    right: Rate
    near: Rate
    empty: Rate
    given: Rate
    unknown: Count = 0
    partial_credit: Share | None = None
    paid: tuple[Paid, ...] = ()
    lost: tuple[str, ...] = ()
    unfailed: tuple[int, ...] = ()
    complaints: tuple[str, ...] = ()
    repeats: str = ""
    skipped: str = ""

    @cached_property
    def worst(self) -> Rate:
        """Return the rate of the kind of wrong answers of which most pass.

        Kinds are not mixed: many that are easily caught would hide the others.
        """
        known = [each for each in (self.near, self.given, self.empty) if each.tried]
        return max(known, key=lambda each: each.share or 0.0, default=Rate(passed=0, tried=0))

    @property
    def true_positive_rate(self) -> float | None:
        """Return the share of right answers that pass."""
        return self.right.share

    @property
    def false_positive_rate(self) -> float | None:
        """Return the share of wrong answers that pass, of the kind that passes most."""
        return self.worst.share

    @property
    def j(self) -> float | None:
        """Return J; None if no right or no wrong answer is known."""
        right, wrong = self.right.share, self.worst.share
        return None if right is None or wrong is None else right - wrong

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return J's 95 % interval (Newcombe, 1998, method 10)."""
        if self.j is None or self.right.share is None or self.worst.share is None:
            return None
        low, high = self.right.interval
        low_wrong, high_wrong = self.worst.interval
        right, wrong = self.right.share, self.worst.share
        below = ((right - low) ** 2 + (high_wrong - wrong) ** 2) ** 0.5
        above = ((high - right) ** 2 + (wrong - low_wrong) ** 2) ** 0.5
        return max(-1.0, self.j - below), min(1.0, self.j + above)

    def to_record(self) -> dict[str, object]:
        """Return the JSON object, with what is computed."""
        found: dict[str, object] = to_plain(self)
        interval = self.interval
        found["true_positive_rate"] = self.true_positive_rate
        found["false_positive_rate"] = self.false_positive_rate
        found["j"] = self.j
        found["j_interval"] = list(interval) if interval else None
        return found


def j_of(certificates: Iterable[Certificate]) -> Figure:
    """Return the mean J over problems with its 95 % bootstrap interval."""
    return figure_of(each.j for each in certificates)


def partial_credit(certificates: Iterable[Certificate]) -> float | None:
    """Return the mean over problems of what wrong answers earn that fail some check."""
    known = [e.partial_credit for e in certificates if e.partial_credit is not None]
    return fmean(known) if known else None


def digest_of(problem: Problem) -> str:
    """Return what a certificate knows its problem by: all that is in it but the id."""
    fields = {key: value for key, value in problem_fields(problem).items() if key != "id"}
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def beside(problems: Path) -> Path:
    """Return where the certificate of a file of problems lies."""
    return problems.with_name(problems.name.removesuffix(".jsonl") + SUFFIX)


def read_certificate(record: Mapping[str, Any]) -> Certificate:
    """Read a certificate's JSON object. Raises FormatError if it is none."""
    keys = Certificate.__dataclass_fields__
    return read_plain(Certificate, {key: record[key] for key in record if key in keys})


def read_certificates(path: Path) -> list[Certificate]:
    """Read certificates.

    An incomplete last line, which a stopped run leaves, is left out.

    Raises:
        FormatError: A line is no certificate.
        OSError: The file cannot be read.
    """
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(read_certificate(read_json(line.encode())))
        except (ValueError, AttributeError, FormatError) as error:
            if number == len(lines) and not text.endswith("\n"):
                break
            raise FormatError(f"{path}:{number}: no certificate: {error}") from None
    return found


def certified(path: Path, problems: Sequence[Problem]) -> list[Certificate]:
    """Return the certificates of these problems in the file beside theirs; none if it is missing.

    Raises FormatError if that file is no certificate.
    """
    file = beside(path)
    if not file.is_file():
        return []
    wanted = {digest_of(each) for each in problems}
    return [each for each in read_certificates(file) if each.digest in wanted]


def certificate_line(path: Path, problems: Sequence[Problem]) -> str | None:
    """Return a line with the J of problems by the certificate beside their file; None without one.

    Raises FormatError if that file is no certificate.
    """
    found = certified(path, problems)
    j = j_of(found)
    if j.value is None:
        return None
    between = "" if j.low is None else f" ({j.low:.3f} to {j.high:.3f})"
    return (
        f"certificate: J {j.value:.3f}{between} of {len(found)} of {len(problems)} problems,"
        f" by {beside(path).name}"
    )
