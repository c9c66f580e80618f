"""What follows from how large a run is, and what is said about it."""

from __future__ import annotations

import pytest

from trainer_plugin.config.reading import load_config
from trainer_plugin.config.scale import FittedConfig, fit_to_size
from trainer_plugin.config.value import ConfigError


def fitted(
    *overrides: str,
    world: int = 1,
    training: int = 4996,
    validation: int = 64,
    preset: str = "seed",
) -> FittedConfig:
    """Fit a configuration to a run, of some 5000 problems unless told otherwise."""
    loaded = load_config(preset=preset, overrides=overrides, environment={})
    return fit_to_size(loaded.config, world=world, training=training, validation=validation)


@pytest.mark.parametrize("preset", ["seed", "stabilized"])
@pytest.mark.parametrize("world", [1, 4])
def test_evaluations_take_a_tenth_of_what_is_generated(preset: str, world: int) -> None:
    """With the defaults no more than every tenth completion is for an evaluation."""
    grpo = fitted(preset=preset, world=world).config.grpo
    assert grpo.eval_steps is not None
    one = 64 * grpo.num_generations
    between = (
        grpo.eval_steps
        * grpo.per_device_train_batch_size
        * grpo.gradient_accumulation_steps
        * world
    )

    assert 0.09 < one / (one + between) <= 0.10
    assert 0 == grpo.save_steps % grpo.eval_steps
    assert grpo.save_steps >= 100


def test_the_defaults_are_said() -> None:
    """Before the first step stands what the run will do."""
    assert (
        "run: 7494 updates",
        "evaluations: 8, one every 864 updates, of 384 completions (10% of what is"
        " generated); a checkpoint every 864",
    ) == fitted().lines


@pytest.mark.parametrize(
    ("overrides", "rhythm"),
    [
        (["grpo.eval_steps=30"], (30, 120)),
        (["grpo.eval_steps=none"], (None, 100)),
        (["grpo.eval_steps=none", "grpo.save_steps=7"], (None, 7)),
        (["grpo.save_steps=100"], (100, 100)),
        (["grpo.save_steps=2000"], (1000, 2000)),
        (["grpo.max_steps=40"], (40, 120)),
    ],
)
def test_what_is_set_stays(overrides: list[str], rhythm: tuple[int | None, int]) -> None:
    """Checkpoints come with evaluations, each as often as it was asked for."""
    grpo = fitted(*overrides).config.grpo

    assert rhythm == (grpo.eval_steps, grpo.save_steps)


@pytest.mark.parametrize(
    ("overrides", "line"),
    [
        (
            ["grpo.eval_steps=100"],
            "evaluations: 74, one every 100 updates, of 384 completions (49% of what is"
            " generated); a checkpoint every 100; grpo.eval_steps or"
            " dataset.validation_size make it less",
        ),
        (
            ["grpo.max_steps=50", "grpo.eval_steps=100"],
            "evaluations: 0, one every 100 updates, of 384 completions (49% of what is"
            " generated); a checkpoint every 100; the run ends before the first,"
            " grpo.eval_steps=50 has one",
        ),
        (
            ["grpo.max_steps=50"],
            "warm-up: 5 updates instead of 100, a tenth of the run",
        ),
    ],
)
def test_what_does_not_fit_is_said(overrides: list[str], line: str) -> None:
    """A run that is too short for its evaluation or its warm-up starts with a line about it."""
    assert line in fitted(*overrides).lines


def test_few_problems_are_generated_for_at_a_time() -> None:
    """A data set of fewer problems than a generation takes is trained on all the same."""
    found = fitted(training=3, validation=1)

    assert "generation: for 2 problems at a time" in found.lines
    assert 12 == found.config.grpo.generation_batch_size
    with pytest.raises(ConfigError, match=r"3 to train on; grpo\.per_device_train_batch_size=6"):
        fitted("grpo.generation_batch_size=24", training=3)


@pytest.mark.parametrize("override", ["reward.selection=best_of_group", "reward.min_reward=0.3"])
def test_an_update_is_a_whole_generation_where_few_rows_are_kept(override: str) -> None:
    """One completion of each group is left, so that no update is without any."""
    found = fitted(override)

    assert 6 == found.config.grpo.gradient_accumulation_steps
    assert "run: 1249 updates" == found.lines[0]
    assert (
        "updates: each takes a whole generation, grpo.gradient_accumulation_steps=6, as few"
        " completions are learnt from" in found.lines
    )
    assert (
        12
        == fitted(
            override, "grpo.gradient_accumulation_steps=12"
        ).config.grpo.gradient_accumulation_steps
    )
