"""The reward scheme: every number that can change a reward, frozen, validated and with a digest."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import SchemeError
from ..model import Budget, Credits, most_of
from ..penalties import PenaltyValues
from ..penalties.values import broken_ranges, digested
from .ladders import CompileLadder, TypeInput, TypeLadder

__all__ = [
    "CompileLadder",
    "Phase",
    "RewardScheme",
    "Shaping",
    "TypeInput",
    "TypeLadder",
]

_PARTS = ("structural", "type", "compile", "tests", "solved")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Shaping:
    """Optional bonuses that a trainer may add, used only if `enabled`.

    `improvement` is for passing more checks than the problem's best so far, `clean_compile` for
    compiling without warnings.
    """

    enabled: bool
    improvement: float
    clean_compile: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Phase:
    """Available credits in training until an epoch; `available` holds after the last phase."""

    until_epoch: float
    available: Credits


@dataclass(frozen=True, kw_only=True, slots=True)
class RewardScheme:
    """Every number that can change a reward; docs/scoring.md explains them.

    The constructor raises SchemeError with the key of an invalid value.

    Attributes:
        name: 1 to 64 letters, digits, dots, dashes or underscores.
        end_marker: The line that ends a completion; without one there is no structural credit.
        available: The maximum of each credit; they sum to 1.
        type: Shares of the type credit by the number of type errors.
        compile: Shares of the compile credit by compiler stage.
        penalties: The numbers of all penalties.
        budget: Limits on CPU seconds, memory and more.
        shaping: Bonuses that a trainer may add.
        phases: Available credits during training, by epoch.
    """

    name: str
    end_marker: str | None
    available: Credits
    type: TypeLadder
    compile: CompileLadder
    penalties: PenaltyValues
    budget: Budget
    shaping: Shaping
    phases: tuple[Phase, ...] = ()

    def __post_init__(self) -> None:
        """Validate the numbers."""
        for key, message in _broken_laws(self):
            raise SchemeError(f"{key}: {message}")

    def digest(self) -> str:
        """Return the SHA-256 of all numbers, in hexadecimal.

        The name is left out, so equal digests mean equal rewards.
        """
        numbers = dataclasses.asdict(self)
        del numbers["name"]
        if self.type.input is TypeInput.ERRORS:
            # Keep the digests of schemes written before `type.input` existed.
            del numbers["type"]["input"]
        for offer in (numbers, *numbers["phases"]):
            # Keep the digests of schemes written before `available.solved` existed.
            if offer["available"]["solved"] == 0:
                del offer["available"]["solved"]
        # In a file penalties are top-level keys.
        del numbers["penalties"]
        numbers |= digested(self.penalties)
        text = json.dumps(_plain(numbers), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def label(self) -> str:
        """Return the name and the first 8 digits of the digest, as written in each record."""
        return f"{self.name}@{self.digest()[:8]}"

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the names of the credits; `solved` only if some phase pays for it."""
        offers = (self.available, *(phase.available for phase in self.phases))
        paid = any(offer.solved > 0 for offer in offers)
        return _PARTS if paid else tuple(part for part in _PARTS if part != "solved")

    def at_epoch(self, epoch: float, *, blend: bool = False) -> RewardScheme:
        """Return the scheme that holds at a training epoch, without phases.

        Args:
            epoch: Passes over the training set so far: 0.5 is half of the first.
            blend: Whether to interpolate linearly from the credits of a phase at its start to those
                of the next at its end.

        Returns:
            The scheme with the credits of that epoch as `available`.
        """
        start = 0.0
        available = self.available
        for place, phase in enumerate(self.phases):
            if epoch < phase.until_epoch:
                available = phase.available
                if blend:
                    following = [each.available for each in self.phases[place + 1 :]]
                    target = [*following, self.available][0]
                    done = max(0.0, epoch - start) / (phase.until_epoch - start)
                    available = _between(phase.available, target, done)
                break
            start = phase.until_epoch
        return dataclasses.replace(self, available=available, phases=())


def _between(start: Credits, end: Credits, done: float) -> Credits:
    """Return weights on the way from one to another."""
    return Credits(
        **{part: (1 - done) * getattr(start, part) + done * getattr(end, part) for part in _PARTS}
    )


def _plain(value: Any) -> Any:
    """Return a value with floats for integers, so that 1 and 1.0 have the same digest."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return value


def _broken_laws(scheme: RewardScheme) -> Iterator[tuple[str, str]]:
    """Yield each key that breaks a rule, with the rule."""
    if not _NAME.fullmatch(scheme.name):
        yield "name", "must be 1 to 64 letters, digits, dots, dashes or underscores"
    yield from _broken_marker(scheme)
    yield from _broken_ranges(scheme)
    for key, ladder in (
        ("type.ladder", scheme.type.ladder),
        ("compile", dataclasses.astuple(scheme.compile)),
    ):
        # Only a first rung of 1 lets a perfect completion earn exactly 1.
        if ladder[:1] != (1,):
            yield key, "must start at 1"
        if any(lower > upper for upper, lower in itertools.pairwise(ladder)):
            yield key, "must fall from one rung to the next"
    if scheme.type.syntax_error_share > scheme.type.ladder[-1]:
        yield "type.syntax_error_share", "must not exceed the last rung of type.ladder"
    yield from _broken_weights("available", scheme.available)
    before = 0.0
    for place, phase in enumerate(scheme.phases):
        key = f"phases[{place}]"
        if not before < phase.until_epoch < math.inf:
            yield f"{key}.until_epoch", f"must be later than {before:g}"
        yield from _broken_weights(f"{key}.available", phase.available)
        before = phase.until_epoch


def _broken_marker(scheme: RewardScheme) -> Iterator[tuple[str, str]]:
    """Yield the rules that the end marker breaks."""
    marker = scheme.end_marker
    if marker is not None and (marker != marker.strip() or "\n" in marker or not marker):
        yield "end_marker", "must be one line without spaces around it"
    elif marker and not (marker.startswith("(*") and marker.endswith("*)")):
        # OCaml would read it as code.
        yield "end_marker", "must be a comment of OCaml's, such as (* END *)"
    offers = [scheme.available, *(phase.available for phase in scheme.phases)]
    if marker is None and any(offer.structural for offer in offers):
        yield "available.structural", "must be 0 without an end_marker"


def _broken_weights(key: str, weights: Credits) -> Iterator[tuple[str, str]]:
    """Yield the rules that the weights of the parts break."""
    for part in _PARTS:
        if not 0 <= getattr(weights, part) <= 1:
            yield f"{key}.{part}", "must be between 0 and 1"
    if not math.isclose(weights.total, 1, abs_tol=1e-9):
        yield key, f"must sum to 1, the parts sum to {weights.total:g}"


def _broken_ranges(scheme: RewardScheme) -> Iterator[tuple[str, str]]:
    """Yield the keys whose numbers are out of range."""
    shares: dict[str, float] = {
        f"type.ladder[{place}]": rung for place, rung in enumerate(scheme.type.ladder)
    }
    shares["type.syntax_error_share"] = scheme.type.syntax_error_share
    for key, value in dataclasses.asdict(scheme.compile).items():
        shares[f"compile.{key}"] = value
    shares |= {
        "shaping.improvement": scheme.shaping.improvement,
        "shaping.clean_compile": scheme.shaping.clean_compile,
    }
    for key, share in shares.items():
        if not 0 <= share <= 1:
            yield key, f"must be between 0 and 1, found {share:g}"
    yield from broken_ranges(scheme.penalties)
    for key, amount in dataclasses.asdict(scheme.budget).items():
        if not 0 < amount <= most_of(key):
            yield f"budget.{key}", f"must be above 0, at most {most_of(key):,}"
