"""
What a batch's completions get that our side could not score.
"""

from __future__ import annotations

import threading

from ocaml_reward import Completion, EngineFault, InputError
from ocaml_reward.engine import CheckReport, CheckRequest
from ocaml_reward.scheme import load
from ocaml_reward.testing import FakeEngine, problem, report
from trainer_plugin.samples import Sample
from trainer_plugin.scorer import Scorer


def test_every_fault_is_accounted_for_alike() -> None:
    """
    A row that is no problem, an engine that fails and one that hangs get accounts that
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
        Sample(
            problem_id="p", prompt="", completion=Completion(text=text), problem=told
        )
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
