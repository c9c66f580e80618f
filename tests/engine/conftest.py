"""The real engines, in a real jail, for all tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ocaml_reward import Breakdown, Completion, Grader
from ocaml_reward.engine import BUDGET, Budget, CheckReport, CheckRequest, Engine
from ocaml_reward.engine.judge import checker, output_judge
from ocaml_reward.model import Problem, StdioCase

from .located import F_AND_G, Locate

Tests = str | tuple[StdioCase, ...]


# The files whose tests run in both engines: what an engine does by itself.  What both do by
# the same OCaml modules is tested in the warm one; test_differential.py and its kin hold
# that both report the same.
BOTH = {
    "answer_leaks", "checks", "limits", "crashes", "endings", "expected_values", "failures", "frameworks", "given",
    "hostile", "integrity", "large_values", "merged", "ocaml_5",
    "output", "outputs", "overflow", "parts",
    "prompt_definitions", "regions", "same", "sizes", "stages", "steps",
    "stub_libraries", "talkative", "time_budget", "untested",
}  # fmt: skip


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    has_its_own = hasattr(metafunc.module, "engine")
    if "engine" in metafunc.fixturenames and not has_its_own:
        is_both = metafunc.module.__name__.rpartition("test_")[2] in BOTH
        names = ["warm", "stock"] if is_both else ["warm"]
        metafunc.parametrize("engine", names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest, engines: Callable[[str], Engine]) -> Engine:
    """Return an engine in the best jail of this machine."""
    return engines(request.param)


@pytest.fixture(scope="session")
def check(engine: Engine) -> Callable[..., CheckReport]:
    """Prepare tests and check code against them."""

    def check(
        code: str,
        tests: Tests,
        *,
        reference: str | None = None,
        signature: str | None = None,
        libraries: tuple[str, ...] = (),
        budget: Budget = BUDGET,
        holes: bool = False,
        branches: bool = False,
    ) -> CheckReport:
        problem = Problem(
            id="p",
            tests=tests,
            reference=reference,
            signature=signature,
            libraries=libraries,
        )
        prepared = engine.prepare(problem)
        request = CheckRequest(
            code=code,
            tests=prepared,
            libraries=libraries,
            budget=budget,
            holes=holes,
            branches=branches,
        )
        return engine.check(request)

    return check


@pytest.fixture
def brief_judging(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let judges and checkers have two seconds, not five: those that loop use them up."""
    brief = Budget(check_cpu_s=2.0, tests_cpu_s=2.0, tests_wall_s=30.0)
    monkeypatch.setattr(output_judge, "JUDGE_BUDGET", brief)
    monkeypatch.setattr(checker, "_CHECKING", replace(checker._CHECKING, cpu_s=2))


@pytest.fixture(scope="session")
def locate(engine: Engine) -> Locate:
    """Grade with regions, on each engine."""
    grader = Grader("concise", engine=engine, jobs=1, regions=True)

    def locate(code: str, tests: Tests = F_AND_G, *, prompt: str = "") -> Breakdown:
        problem = Problem(id="p", tests=tests, prompt=prompt)
        return grader.grade(problem, Completion(text=code))

    return locate
