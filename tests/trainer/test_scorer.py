"""What a batch's completions get that our side could not score."""

from __future__ import annotations

import threading

from ocaml_reward import Completion, EngineFault, InputError
from ocaml_reward.engine import CheckReport, CheckRequest, Stage
from ocaml_reward.scheme import load
from ocaml_reward.testing import FakeEngine, problem, report
from trainer_plugin.samples import Sample
from trainer_plugin.scorer import Scorer


def test_every_fault_is_accounted_for_alike() -> None:
    """A row that is no problem, an engine that fails and one that hangs get accounts that
    differ in the fault alone: each names the scheme of the phase that it was scored in.
    """
    held = threading.Event()

    def answer(request: CheckRequest) -> CheckReport:
        if "hang" in request.code:
            held.wait(10)
        if "fail" in request.code:
            raise EngineFault("out of order")
        return report()

    final = load("curriculum")
    phase = final.at_epoch(0.0)
    scorer = Scorer(
        final,
        engine=lambda: FakeEngine(answer),
        sandbox="auto",
        jobs=4,
        deadline_s=0.5,
    )
    samples = [
        Sample(problem_id="p", prompt="", completion=Completion(text=text), problem=told)
        for text, told in (
            ("let fail = 1", problem(id="p")),
            ("let hang = 1", problem(id="p")),
            ("let fine = 1", InputError("no tests")),
        )
    ]
    found = [each.breakdown for each in scorer.score(samples, phase)]
    held.set()

    assert final.label != phase.label
    assert [phase.label] * 3 == [each.scheme for each in found]
    assert ["EngineFault", "Deadline", "InputError"] == [
        each.fault.kind for each in found if each.fault
    ]


def test_a_deadline_cuts_what_loops_and_not_the_rest() -> None:
    """Though loops come first in a batch, the others are scored before them."""
    held = threading.Event()

    def answer(request: CheckRequest) -> CheckReport:
        if "loop" in request.code and request.quick:
            return CheckReport(stage=Stage.EXECUTABLE, type_errors=0, cut=True)
        if "loop" in request.code:
            held.wait(10)
        return report()

    scheme = load("concise")
    scorer = Scorer(
        scheme,
        engine=lambda: FakeEngine(answer),
        sandbox="auto",
        jobs=2,
        deadline_s=1.0,
    )
    samples = [
        Sample(
            problem_id="p",
            prompt="",
            completion=Completion(text=f"let {name}{number} = 1"),
            problem=problem(id="p"),
        )
        for name in ("loop", "fine")
        for number in range(8)
    ]
    found = [each.breakdown for each in scorer.score(samples, scheme)]
    held.set()

    assert ["Deadline"] * 8 + [None] * 8 == [each.fault and each.fault.kind for each in found]
