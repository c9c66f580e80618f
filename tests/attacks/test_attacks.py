"""The attacks that ship do no harm and earn no more than they may.

Those that run into a limit take seconds each: `python -m tests.attacks` runs all of them,
in every jail, with both engines, as root and as a user without rights.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from ocaml_reward import Verdict
from ocaml_reward.auditing import Attack, load_attacks
from ocaml_reward.auditing.attacking import JUDGED
from ocaml_reward.engine.engines import select

from .matrix import NOBODY, run, run_as

LIMITS = {Verdict.TIMED_OUT, Verdict.COMPILER_LIMIT, Verdict.OUT_OF_MEMORY}
QUICK = [each for each in load_attacks() if not LIMITS & set(each.verdicts)]
SLOW = [each for each in load_attacks() if LIMITS & set(each.verdicts)]
# The stock engine meets the compiler's limit twice, for two seconds each time: it is tried
# with one of those that do.
HEAVY = [each for each in SLOW if Verdict.COMPILER_LIMIT in each.verdicts]
RUNNING = [each for each in SLOW if each not in HEAVY]
# Where the lock is all there is, each that is after the host is tried.
ON_HOST = [each for each in QUICK if each.against == "host"]

# Where checks are judged outside the jail is the same; those that are after results differ.
AT_THE_JUDGE = [each for each in QUICK if each.against in ("engine", "scorer")]


def every(step: int, start: int = 0) -> list[Attack]:
    return [*QUICK[start::step], *SLOW[start :: 2 * step]]


def running(step: int, start: int = 0) -> list[Attack]:
    return [*QUICK[start::step], *RUNNING[start :: 2 * step]]


@pytest.mark.parametrize(
    ("engine", "jail", "judged", "chosen"),
    [
        ("warm", "nsjail", "beside", [*QUICK, *SLOW[::5]]),
        ("warm", "nsjail", "outside", [*dict.fromkeys([*AT_THE_JUDGE, *every(9, 2)])]),
        ("warm", "bubblewrap", "beside", every(9)),
        ("warm", "bubblewrap", "outside", every(18, 8)),
        ("warm", "rlimits", "beside", [*dict.fromkeys([*ON_HOST, *every(9, 1)])]),
        ("warm", "rlimits", "outside", every(18, 7)),
        ("stock", "nsjail", "beside", [*running(12, 2), HEAVY[-1]]),
        ("stock", "nsjail", "outside", running(18, 6)),
        ("stock", "bubblewrap", "beside", running(12, 3)),
        ("stock", "bubblewrap", "outside", running(24, 5)),
        ("stock", "rlimits", "beside", running(12, 4)),
        ("stock", "rlimits", "outside", running(24, 4)),
    ],
)
def test_attacks_are_held(engine: str, jail: str, judged: str, chosen: Sequence[Attack]) -> None:
    """Every canary is whole afterwards, nothing is left, the next completion is graded as
    before, and the verdict and the reward are what the file says.
    """
    rows = run(engine, jail, chosen, [judged])

    assert [] == [row for row in rows if row[3]]
    assert len(rows) == len(chosen)


@pytest.fixture(scope="module")
def open_folder() -> Iterator[Path]:
    """Make a folder that every user may enter, unlike pytest's own of a root run; what the
    ordinary user builds there is built once.
    """
    with tempfile.TemporaryDirectory(prefix="attacks-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize(("engine", "jail"), [("warm", "nsjail"), ("stock", "bubblewrap")])
def test_attacks_are_held_without_any_rights(engine: str, jail: str, open_folder: Path) -> None:
    """So it is where the grader itself is an ordinary user, with a cache of his own."""
    chosen = every(24, 5)
    rows = (
        run(engine, jail, chosen)
        if os.geteuid()
        else run_as(NOBODY, engine, jail, chosen, open_folder)
    )

    assert [] == [row for row in rows if row[3]]
    assert len(rows) == len(JUDGED) * len(chosen)


@pytest.mark.parametrize("engine", ["warm", "stock"])
def test_one_problem_is_judged_beside_and_one_outside(engine: str) -> None:
    with closing(select.engine(engine)) as running:
        prepared = {name: running.prepare(each) for name, each in JUDGED.items()}

    beside, outside = prepared["beside"], prepared["outside"]
    assert beside.outside is None
    assert not beside.allow_unsafe
    assert outside.allow_unsafe


def test_the_corpus_is_broad() -> None:
    """At least 110 programs, each another one, against everything there is."""
    attacks = load_attacks()
    against = Counter(each.against for each in attacks)

    assert len(attacks) >= 110
    assert {"host", "sandbox", "compiler", "engine", "scorer"} == set(against)
    assert min(against.values()) >= 15
    assert len({each.code for each in attacks}) == len(attacks)
    assert all(0 <= each.most <= 0.3 and each.tries for each in attacks)
    # One verdict; more where machines differ in speed, or compilers in what they know.
    assert len(attacks) > 10 * sum(len(each.verdicts) > 1 for each in attacks)
    assert all(1 <= len(each.verdicts) <= 3 for each in attacks)
