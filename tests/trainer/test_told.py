"""What a run tells people beside its logs: completions on the console, the model card."""

from __future__ import annotations

import pytest

from trainer_plugin.config.reading import load_config
from trainer_plugin.data.selection_report import Problems
from trainer_plugin.run.model_card import card
from trainer_plugin.run.trainer import ShownCompletions, evenly_ranked

from .faked import BAD, GOOD, batch, reward


@pytest.mark.parametrize(
    ("count", "expected"), [(1, [1]), (2, [1, 2]), (3, [1, 3, 2]), (9, [1, 0, 3, 2])]
)
def test_completions_are_chosen_from_the_best_to_the_worst(count: int, expected: list[int]) -> None:
    assert expected == evenly_ranked([0.5, 0.9, None, 0.1], count)


def test_completions_are_shown_with_what_became_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing in them steers the terminal, and evaluations are not shown."""

    class State:
        is_world_process_zero = True

    made = reward()
    shown = ShownCompletions(made, 2)
    shown.on_log(None, State, None, {"reward": 0.5})
    batch(made, BAD, f"{GOOD}\n\x1b[2J", split=["train", "train"])
    shown.on_log(None, State, None, {"eval_reward": 0.5})
    assert not capsys.readouterr().out
    shown.on_log(None, State, None, {"reward": 0.5})
    told = capsys.readouterr().out

    assert told.index("add: passed, 2 of 2 checks") < told.index("add: failed_tests, 1 of 2 checks")
    assert "let add x y = x - y" in told
    assert "\x1b[2J" not in told
    batch(made, GOOD, split=["validation"])
    shown.on_log(None, State, None, {"reward": 0.5})
    assert not capsys.readouterr().out


def test_a_card_says_what_was_measured_and_no_more() -> None:
    """The first evaluation, the best and the last; or that there was none."""
    settings = ["dataset.source=someone/problems", "model.id=Qwen/Qwen2.5-Coder-7B"]
    config = load_config(overrides=settings, environment={}).config
    nothing = Problems(training=(), validation=(), dropped=(), unchecked=0)
    history = [
        {"step": step, "eval_ocaml/pass_at_1": value, "eval_ocaml/final_reward": 0.5}
        for step, value in [(10, 0.1), (20, 0.4), (30, float("nan")), (40, 0.3)]
    ]
    told = card(config, nothing, [*history, {"step": 45}], scheme="seed@12345678")

    assert told.startswith('---\nbase_model: "Qwen/Qwen2.5-Coder-7B"\nlibrary_name: peft\n')
    assert 'datasets: ["someone/problems"]' in told
    assert "`Qwen/Qwen2.5-Coder-7B` after 45 updates" in told
    assert [
        "| 10 | 0.100 | 0.500 | first |",
        "| 20 | 0.400 | 0.500 | best |",
        "| 40 | 0.300 | 0.500 | last |",
    ] == [line for line in told.splitlines() if " 0.500 " in line]
    assert "Nothing was." in card(config, nothing, [], scheme="seed@12345678")
