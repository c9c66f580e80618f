"""What the adapters for other trainers share, with a server whose engine does as it is told."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from ocaml_reward import JailFault, ProblemError
from ocaml_reward.testing import report
from tests.serving.faked import GOOD, PROBLEM, engine
from tests.serving.running import served
from trainer_plugin.adapters.grading import (
    RewardUnavailable,
    Settings,
    close_all,
    figures,
    grading,
)
from trainer_plugin.adapters.swift import OCamlReward
from trainer_plugin.adapters.verl import compute_score, compute_scores

BAD = "let add x y = x - y"
BROKEN = "let add x y = x * y"
LABEL = json.dumps(PROBLEM)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve an engine that fails one program, and cannot run another."""
    answers = {BAD: report("failed"), BROKEN: JailFault("no jail today")}
    fake = engine()
    fake.answers = {**fake.answers, **answers}  # type: ignore[dict-item]
    with served(fake) as address:
        yield address
        close_all()


@pytest.mark.parametrize("label", [LABEL, PROBLEM, "add"], ids=["json", "object", "id"])
def test_a_label_is_an_id_or_a_problem(
    label: object, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trainers hand over what their data sets can hold; ids are looked up in a file."""
    file = tmp_path / "problems.jsonl"
    file.write_text(f"{LABEL}\n")
    monkeypatch.setenv("OCAML_REWARD_PROBLEMS", str(file))
    monkeypatch.setenv("OCAML_REWARD_ENGINE", url)
    found = grading().breakdown(label, GOOD, truncated=False)

    assert ("add", 1.0) == (found.problem_id, figures(found)["passed"])


def test_a_fault_is_an_exception_and_a_verdict_is_not(url: str) -> None:
    """What fails earns less; what could not be graded has no number at all."""
    graded = grading(engine=url, scheme="concise")
    asked = [(LABEL, text, None) for text in (GOOD, BROKEN, BAD)]
    right, none, wrong = graded.breakdowns(asked)

    assert figures(right)["score"] > figures(wrong)["score"]
    assert None is none.reward
    with pytest.raises(RewardUnavailable, match="'add': not graded, JailFault: no jail"):
        graded.breakdown(LABEL, BROKEN)
    with pytest.raises(RewardUnavailable):
        figures(none)


def test_a_bad_problem_is_not_the_machines_failure(url: str) -> None:
    """A label that stands for no problem, or tests without a check, name themselves."""
    graded = grading(engine=url)

    with pytest.raises(ProblemError, match="no problem 'sub' here; OCAML_REWARD_PROB"):
        graded.breakdown("sub", GOOD)
    with pytest.raises(ProblemError, match="hold no check"):
        graded.breakdown({"id": "add", "tests": "let () = ()"}, GOOD)


def test_a_process_has_one_grading_for_its_settings(url: str) -> None:
    first = grading(engine=url)

    assert first is grading(engine=url, scheme=None)
    assert first is not grading(engine=url, scheme="concise")


def test_settings_come_from_the_environment_first() -> None:
    """What is given in so many words wins over a variable, and a wrong name is said."""
    environment = {"OCAML_REWARD_JOBS": "3", "OCAML_REWARD_SCHEME": "concise"}
    read = Settings.of(environment, scheme="seed", engine=None)

    assert Settings(jobs=3, scheme="seed") == read
    with pytest.raises(ValueError, match="no engine 'wram'"):
        Settings.of({}, engine="wram")


def test_a_forked_worker_grades(url: str) -> None:
    """A child of a process that has graded begins anew: it has no thread of its parent's."""
    graded = grading(engine=url)
    graded.breakdown(LABEL, GOOD)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            found = grading(engine=url).breakdown(LABEL, BAD)
            os.write(writing, found.verdict.value.encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as stream:
        assert "failed_tests" == stream.read()


def test_verl_gets_the_same_figures_for_each_completion(url: str) -> None:
    """Verl makes arrays of them: the same keys each time and no None; what fails raises."""
    right = compute_score("ocaml", GOOD, {**PROBLEM, "budget": None}, {}, engine=url)
    both = compute_scores(["", ""], [GOOD, BAD], [LABEL, LABEL], engine=url)

    assert right == both[0]
    assert {"score", "passed", "tests", "type_errors"} == right.keys() & both[1].keys()
    assert (1.0, 0.0) == (right["passed"], both[1]["passed"])
    with pytest.raises(RewardUnavailable):
        compute_score("ocaml", BROKEN, LABEL, engine=url)
    with pytest.raises(RewardUnavailable):
        compute_scores(["", ""], [GOOD, BROKEN], [LABEL, LABEL], engine=url)


def test_verl_may_not_make_zeros_of_failures(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its manager `rate_limited` turns exceptions into 0, so it is left by another way."""
    name = "verl.experimental.reward_loop.reward_manager.limited"
    module = ModuleType(name)
    manager = SimpleNamespace(_class_initialized=False)
    module.RateLimitedRewardManager = manager  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, name, module)
    there = compute_score("ocaml", GOOD, LABEL, engine=url)
    manager._class_initialized = True

    assert 1.0 == there["passed"]
    with pytest.raises(SystemExit, match=r"set reward\.reward_manager\.name=naive"):
        compute_score("ocaml", GOOD, LABEL, engine=url)


def test_axolotl_takes_a_dotted_path() -> None:
    """It imports the path's module, takes its last name, and wants two parameters or more."""
    module, _, name = "trainer_plugin.ocaml_reward".rpartition(".")
    reward = getattr(importlib.import_module(module), name)

    assert len(inspect.signature(reward).parameters) >= 2


def test_swift_gets_a_number_or_an_end(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """ms-swift would make 0 of a None, so that one completion without a reward raises."""
    monkeypatch.setenv("OCAML_REWARD_ENGINE", url)
    monkeypatch.setenv("OCAML_REWARD_SCHEME", "concise")
    reward = OCamlReward(args=None)
    right, wrong = reward([GOOD, BAD], solution=[LABEL, LABEL], prompts=["", ""])

    assert right > wrong
    with pytest.raises(RewardUnavailable):
        reward([GOOD, BROKEN], solution=[LABEL, LABEL])
