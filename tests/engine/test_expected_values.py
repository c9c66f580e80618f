"""Predicates of the tests' own are applied once, to what each check handed out while it ran."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport, CheckRequest, Engine, Outside
from ocaml_reward.engine.judge.answer_leaks import ExpectedValues
from ocaml_reward.engine.messages.values import ReturnedValue
from ocaml_reward.engine.run.judging import ExpectedValueCache, GradeAgain, Judge
from ocaml_reward.model import CheckResult, Outcome, Problem

Check = Callable[..., CheckReport]

UP = "let rec up = function a :: (b :: _ as t) -> a <= b && up t | _ -> true\n"
# Code that leaves in each second check is run once more for each.
LEAVES = "let f n = if n mod 2 = 0 then exit 3 else [n; n + 1]"
SAYS = """external say : string -> 'a -> unit = "ocaml_reward_hand_out_whole"
external note : string -> string -> unit = "ocaml_reward_note"
"""
FAILED, PASSED = Outcome.FAILED, Outcome.PASSED


def checks(count: int) -> str:
    said = "; ".join(f"assert (up (f {n}))" for n in range(count))
    return f"{UP}let () = {said}"


def test_they_are_applied_after_the_last_run(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often the code has to be run, and once to each value."""
    seen: list[str] = []
    whole = ExpectedValueCache.get

    def get(
        self: ExpectedValueCache,
        outside: object,
        types: object,
        tell: object,
        handed: str,
    ) -> ExpectedValues:
        seen.append(handed)
        return whole(self, outside, types, tell, handed)  # type: ignore[arg-type]

    monkeypatch.setattr(ExpectedValueCache, "get", get)
    tests = engine.prepare(Problem(id="p", tests=checks(8)))
    report = engine.check(CheckRequest(code=LEAVES, tests=tests))

    assert [Outcome.EXITED, PASSED] * 4 == [each.outcome for each in report.results]
    assert 1 == len(seen)
    assert ["1", "3", "5", "7"] == [line.split()[0] for line in seen[0].splitlines()]


@pytest.mark.parametrize(
    "forged",
    [
        'say "value 0 0" [1; 2]',
        'note "begin 0" ""; say "value 0 0" [1; 2]; note "begin 1" ""',
        'note "begin 0" ""; say "value 0 0" [1; 2]; note "end 0 0 0 0" ""; note "begin 1" ""',
    ],
)
def test_a_later_check_rewrites_no_value(check: Check, forged: str) -> None:
    """What a check handed out before its end is what it is judged by."""
    code = f"{SAYS}let f n = if n = 0 then [2; 1] else ({forged}; [1; 2])"
    report = check(code, checks(2))

    assert [FAILED, PASSED] == [each.outcome for each in report.results]


def test_the_first_word_on_a_value_stands(check: Check) -> None:
    """Also where the process says two things of it."""
    code = f'{SAYS}let f n = say (Printf.sprintf "value %d 0" n) [2; 1]; [1; 2]'
    report = check(code, checks(2))

    assert [FAILED] * 2 == [each.outcome for each in report.results]


@pytest.mark.parametrize(("characters", "told"), [(1_000_000, 1), (4_000_000, 0)])
def test_what_they_are_applied_to_is_bounded(characters: int, told: int) -> None:
    """Code that hands out more in several runs than in one is judged beside its process."""
    calls: list[str] = []

    def tell(outside: Outside, handed: str) -> ExpectedValues:
        del outside
        calls.append(handed)
        return {}

    applied = ("is", ("applied", "0"))
    outside = Outside(
        query_program=b"", oracle_program=b"", formulas=dict.fromkeys(range(4), applied)
    )
    judge = Judge(outside, "", ExpectedValueCache(), tell)
    for place in range(4):
        judge(place, {0: ReturnedValue("i" + "1" * characters)}, PASSED, "")
    results = [CheckResult(index=n, line=1, outcome=FAILED) for n in range(4)]
    if told:
        judge.finish(results)
    else:
        with pytest.raises(GradeAgain):
            judge.finish(results)

    assert told == len(calls)
