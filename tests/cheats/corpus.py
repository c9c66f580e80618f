"""The cheats that ship: each a completion with a trick, and its honest twin without."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ocaml_reward import Breakdown, Completion, Grader, Problem
from ocaml_reward.engine import (
    BUDGET,
    Budget,
    CheckReport,
    CheckRequest,
    Engine,
    PreparedTests,
)
from ocaml_reward.formats import load_problems
from ocaml_reward.scheme import RewardScheme, load, shipped
from ocaml_reward.scoring.rescoring import Rescoring

CORPUS = Path(__file__).parents[2] / "test_corpus"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cheat:
    """One cheat; `truncated` is that of both completions, and `before` what it got when every
    check was decided beside the code.
    """

    name: str
    family: str
    tries: str
    problem: str
    honest: str
    cheat: str
    truncated: bool | None = None
    before: float | None = None

    @property
    def trick(self) -> tuple[str, str] | None:
        """What it puts before and behind the honest code, where it changes nothing else."""
        code = self.honest.removesuffix("(* END *)\n")
        cheat = self.cheat.removesuffix("(* END *)\n")
        before, found, after = cheat.partition(code) if code else ("", "", "")
        return (before, after) if found else None


@cache
def cheats() -> tuple[Cheat, ...]:
    """Return every cheat of the corpus, by name."""
    paths = sorted((CORPUS / "cheats").glob("*.toml"))
    return tuple(
        Cheat(name=path.stem, **tomllib.loads(path.read_text(encoding="utf-8"))) for path in paths
    )


@cache
def problems() -> dict[str, Problem]:
    """Return the corpus' problems."""
    return dict(load_problems(CORPUS / "problems.jsonl").problems)


@cache
def schemes() -> dict[str, RewardScheme]:
    """Return every shipped scheme, and each phase of the staged one."""
    staged = load("curriculum")
    return {
        **{name: load(name) for name in shipped()},
        "curriculum, first phase": staged.at_epoch(0.0),
        "curriculum, second phase": staged.at_epoch(0.7),
        "curriculum, blended": staged.at_epoch(0.3, blend=True),
    }


class Remembering:
    """An engine that checks the same code once, so that every scheme can be asked.

    `preparing` prepares the tests: what both engines prepare is the same (tests/engine), and the
    stock engine takes four times as long for that as for a check.
    """

    def __init__(self, engine: Engine, preparing: Engine | None = None) -> None:
        self._engine = engine
        self._preparing = preparing or engine
        self.name = engine.name
        self.sandbox = engine.sandbox
        self.toolchain = engine.toolchain
        self._prepared: dict[tuple[Problem, Budget], PreparedTests] = {}
        self._reports: dict[tuple[str, int, Budget], CheckReport] = {}

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        key = (problem, budget)
        if key not in self._prepared:
            self._prepared[key] = self._preparing.prepare(problem, budget)
        return self._prepared[key]

    def check(self, request: CheckRequest) -> CheckReport:
        # What was prepared is kept, so that its identity tells it from others.
        key = (request.code, id(request.tests), request.budget)
        if key not in self._reports:
            self._reports[key] = self._engine.check(request)
        return self._reports[key]

    def close(self) -> None:
        self._engine.close()


@cache
def rescorings() -> dict[str, Rescoring]:
    """Return the ways from `seed` to every scheme, which tests/corpus/test_corpus.py holds to give
    what grading gives, in a fraction of its time.
    """
    return {name: Rescoring(load("seed"), each) for name, each in schemes().items()}


def graded(
    engine: Engine,
    scheme: RewardScheme,
    problem: str,
    text: str,
    truncated: bool | None,
) -> Breakdown:
    grader = Grader(scheme, engine=engine, jobs=1)
    completion = Completion(text=text, truncated=truncated)
    breakdown = grader.grade(problems()[problem], completion)
    assert breakdown.reward is not None, breakdown.fault
    return breakdown


def reward(
    engine: Engine,
    scheme: RewardScheme,
    problem: str,
    text: str,
    *,
    truncated: bool | None = None,
) -> float:
    """Return what a completion earns; a fault of the machine is no reward."""
    return graded(engine, scheme, problem, text, truncated).reward or 0.0


def rewards(engine: Engine, cheat: Cheat, text: str) -> dict[str, float]:
    """Return what one of a cheat's completions earns in every scheme."""
    seed = graded(engine, load("seed"), cheat.problem, text, cheat.truncated)
    return {name: each.of(seed).reward or 0.0 for name, each in rescorings().items()}
