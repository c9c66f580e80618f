"""The reward function by itself: what it takes, what it gives, what it survives."""

from __future__ import annotations

import logging
import pickle
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from ocaml_reward import (
    MachineError,
    ProblemError,
    SchemeError,
    ToolchainError,
)
from ocaml_reward.engine import CheckRequest, Engine
from ocaml_reward.testing import Answer, FakeEngine, report
from tests.trainer.faked import (
    ANSWERS,
    BAD,
    GOOD,
    SCHEME,
    TESTS,
    batch,
    columns,
    reward,
)
from trainer_plugin import OCamlReward


def test_texts_are_scored_in_order() -> None:
    """Each completion of a batch gets its own reward, under the scheme's weights."""
    assert [1.0, 0.675, 0.22] == batch(reward(), GOOD, BAD, "let add x y = x ^ y\n(* END *)")


def test_chat_messages_are_scored_as_their_text() -> None:
    """Conversational prompts and completions earn what the same text earns."""
    made = reward()
    prompts = [[{"role": "user", "content": "Add."}]] * 2
    answers = [[{"role": "assistant", "content": text}] for text in (GOOD, BAD)]

    assert batch(made, GOOD, BAD) == made(prompts, answers, **columns(2))


def test_a_trainer_that_passes_little_is_served() -> None:
    """AsyncGRPO passes neither state nor log functions."""
    made = reward()
    found = made(prompts=["Add."], completions=[GOOD], completion_ids=[[5, 6]], **columns(1))

    assert [1.0] == found


def test_the_name_is_the_one_in_the_logs() -> None:
    """TRL logs `rewards/<name>/mean` under the function's own name."""
    assert "syntax_aware_reward" == reward().__name__
    assert "mine" == reward(name="mine").__name__


def test_it_is_not_awaitable() -> None:
    """The call itself returns the rewards, which every trainer understands."""
    assert isinstance(batch(reward(), GOOD), list)


@pytest.mark.parametrize("text", ["let add = machine", "let add = bug"])
def test_a_broken_machine_gives_none(text: str, caplog: pytest.LogCaptureFixture) -> None:
    """What our side could not score has no reward, the rest has its own, in one line."""
    with caplog.at_level(logging.WARNING, "trainer_plugin"):
        found = batch(reward(), GOOD, text, BAD)

    assert [1.0, None, 0.675] == found
    (line,) = caplog.messages
    assert "1 of 3 completions could not be scored" in line
    assert "\n" not in line


def test_a_deadline_gives_none_and_another_engine() -> None:
    """A batch that hangs is left at its deadline; the next one is scored afresh."""
    engines: list[FakeEngine] = []
    over = Event()

    def answer(request: CheckRequest) -> Answer:
        if "slow" in request.code:
            over.wait()
        return report("passed", "passed")

    def make() -> Engine:
        engines.append(FakeEngine(answer))
        return engines[-1]

    made = OCamlReward(SCHEME, engine=make, jobs=2, deadline_s=3.0)
    try:
        # It comes back although nobody has ended what hangs.
        assert [1.0, None] == batch(made, GOOD, "let slow = add\n(* END *)")
        assert 1 == engines[0].closed
        assert [1.0] == batch(made, GOOD)
        assert 2 == len(engines)
    finally:
        over.set()


def test_a_machine_that_cannot_score_is_seen_at_once() -> None:
    """The first batch raises; an engine that cannot be made later on only gives None."""
    working = False

    def make() -> Engine:
        if not working:
            raise ToolchainError("no ocamlc")
        return FakeEngine(ANSWERS)

    made = OCamlReward(SCHEME, engine=make, jobs=1)
    with pytest.raises(ToolchainError, match="no ocamlc"):
        batch(made, GOOD)
    working = True
    assert [1.0] == batch(made, GOOD)
    made.close()
    working = False
    assert [None] == batch(made, GOOD)


def test_a_dataset_without_tests_is_refused() -> None:
    """No row can be scored, so the run ends before it has cost anything."""
    with pytest.raises(ProblemError, match=r"no column `tests` .* prompt: answer, id"):
        reward()(["Add."], [GOOD], id=["add"], answer=["3"])


def test_one_row_without_tests_gives_none() -> None:
    """A single bad row costs only its own completions."""
    found = batch(reward(), GOOD, GOOD, tests=[TESTS, " "], id=["add", "other"])

    assert [1.0, None] == found


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"scheme": "sede"}, SchemeError, "sede: no such file"),
        ({"engine": "hot"}, ValueError, "no engine 'hot'"),
        ({"jobs": 0}, ValueError, "jobs: at least 1"),
        ({"deadline_s": 0}, ValueError, "deadline_s: above 0"),
        ({"name": ""}, ValueError, "needs a name"),
    ],
)
def test_bad_settings_are_refused_when_made(
    settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    """A mistyped setting is an error before a model is loaded."""
    with pytest.raises(error, match=message):
        OCamlReward(**settings)


def test_it_can_be_pickled_while_in_use() -> None:
    """A copy in another process has the settings, and starts an engine of its own."""
    made = OCamlReward(SCHEME, engine=FakeEngine, jobs=1, name="mine", ends=[7])
    batch(made, GOOD)
    copy = pickle.loads(pickle.dumps(made))

    assert ("mine", SCHEME) == (copy.__name__, copy.scheme)
    assert [1.0] == batch(copy, GOOD)


@pytest.mark.parametrize(
    ("ids", "expected"),
    [([1, 2, 9], 1.0), ([1, 2, 3], 0.285), ([], 1.0)],
    ids=["ended", "cut off", "empty"],
)
def test_no_end_token_is_a_runaway(ids: list[int], expected: float) -> None:
    """Without an end token and without the END marker a completion keeps a fraction."""
    text = "let add x y = x + y" + ("" if ids == [1, 2, 3] else "\n(* END *)")

    assert [expected] == batch(reward(ends=[9]), text, completion_ids=[ids])


def test_the_end_marker_is_an_end() -> None:
    """A completion that reached its marker did not run away, whatever its last token."""
    assert [1.0] == batch(reward(ends=[9]), GOOD, completion_ids=[[1, 2, 3]])


def test_the_length_limit_stands_in_for_end_tokens() -> None:
    """A trainer that does not tell its end tokens may be given the limit instead."""
    found = batch(
        reward(longest=3),
        "let add x y = x + y",
        "let add x y = x + y",
        completion_ids=[[1, 2], [1, 2, 3]],
    )

    assert [0.95, 0.285] == found


def test_the_trainer_is_asked_for_its_end_tokens() -> None:
    """The trainer behind `log_metric` knows them: the tokenizer's and the model's."""

    class Trainer:
        processing_class = SimpleNamespace(eos_token_id=9, pad_token_id=0)
        generation = SimpleNamespace(eos_token_id=[8])
        model = SimpleNamespace(training=True, generation_config=generation)

        def log(self, name: str, value: float) -> None:
            """Forget it."""

    found = batch(
        reward(),
        *["let add x y = x + y"] * 3,
        completion_ids=[[1, 9], [1, 8], [1, 7]],
        log_metric=Trainer().log,
    )

    assert [0.95, 0.95, 0.285] == found


def test_a_run_of_which_nothing_can_be_scored_ends() -> None:
    """Three batches of training in a row without any reward end it with the reason; one that is
    scored begins the count anew, and evaluations do not count.
    """
    made = reward()
    broken, nothing = "let add = machine", [None]

    assert nothing == batch(made, broken) == batch(made, broken)
    assert [1.0] == batch(made, GOOD)
    assert nothing == batch(made, broken) == batch(made, broken)
    assert nothing == batch(made, broken, split=["validation"])
    with pytest.raises(MachineError, match=r"last 3 batches .*EngineFault: the engine died"):
        batch(made, broken)
