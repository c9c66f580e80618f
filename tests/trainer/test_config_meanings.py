"""What a key was meant to be that is none."""

from __future__ import annotations

import pytest

from trainer_plugin.config.settings import SETTINGS
from trainer_plugin.config.suggestions import NAMES, suggest_setting, suggest_variable


@pytest.mark.parametrize(
    ("key", "setting"),
    [
        ("grpo.lr", "grpo.learning_rate"),
        ("lr", "grpo.learning_rate"),
        ("temprature", "grpo.temperature"),
        ("grpo.temprature", "grpo.temperature"),
        ("grpo.kl_coef", "grpo.beta"),
        ("reward.beta", "grpo.beta"),
        ("model.name", "model.id"),
        ("grpo.per_device_train_batch_size", "grpo.per_device_train_batch_size"),
        ("grpo.max_completion_length", "grpo.max_completion_length"),
        ("lora.rank", "lora.r"),
        ("dataset.size", "dataset.validation_size"),
    ],
)
def test_what_was_meant(key: str, setting: str) -> None:
    """Names that others use come before what is spelt alike."""
    assert f"; did you mean {setting}?" == suggest_setting(key)


def test_nothing_near_is_no_suggestion() -> None:
    """A wrong suggestion is worse than none."""
    assert suggest_setting("nonsense") == ""
    assert suggest_variable("GRPO_XYZZY_QWERTY") == ""


def test_variables_too() -> None:
    assert "; did you mean GRPO_LEARNING_RATE?" == suggest_variable("GRPO_LR")
    assert "; did you mean LORA_ALPHA?" == suggest_variable("LORA_ALFA")


def test_the_other_names_are_of_settings() -> None:
    """Each leads to a setting that is there, and is none itself in its table."""
    assert set(NAMES.values()) <= SETTINGS.keys()
    tables = {key: key.partition(".")[0] for key in NAMES.values()}
    assert [] == [n for n, key in NAMES.items() if f"{tables[key]}.{n}" in SETTINGS]
