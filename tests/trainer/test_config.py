"""A run's configuration: five sources, one value for each setting, and where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer_plugin.config.reading import load_config, presets
from trainer_plugin.config.settings import SETTINGS
from trainer_plugin.config.table import values
from trainer_plugin.config.value import ConfigError


def written(folder: Path, text: str) -> Path:
    """Write a configuration file."""
    path = folder / "run.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path | None = None, **sources: object) -> str:
    """Return the message with which a configuration is refused."""
    with pytest.raises(ConfigError) as caught:
        load_config(path, environment={}, **sources)  # type: ignore[arg-type]
    return str(caught.value)


def test_the_defaults_are_the_first_runs_settings() -> None:
    """Without any source the values are those that the first training runs used."""
    config = load_config(environment={}).config

    assert "Qwen/Qwen2.5-Coder-1.5B-Instruct" == config.model.id
    assert (32, 64, 0.05) == (config.lora.r, config.lora.alpha, config.lora.dropout)
    assert ["q", "k", "v", "o", "gate", "up", "down"] == [
        name.removesuffix("_proj") for name in config.lora.target_modules
    ]
    grpo = config.grpo
    assert (4, 6, 704, 512) == (
        grpo.per_device_train_batch_size,
        grpo.num_generations,
        grpo.max_prompt_length,
        grpo.max_completion_length,
    )
    assert (5e-6, 0.9, 1.0) == (
        grpo.learning_rate,
        grpo.temperature,
        grpo.max_grad_norm,
    )
    assert "cosine_with_restarts" == grpo.lr_scheduler_type


def test_later_sources_win_and_are_named(tmp_path: Path) -> None:
    """Preset, file, environment and --set override each other in this order."""
    path = written(
        tmp_path,
        'preset = "stabilized"\n[grpo]\nbeta = 0.3\nwarmup_steps = 7\ntemperature = 2\n',
    )
    loaded = load_config(
        path,
        environment={"GRPO_WARMUP_STEPS": "8", "GRPO_TEMPERATURE": "3"},
        overrides=["grpo.temperature=4"],
    )
    grpo = loaded.config.grpo

    assert (5e-6, 0.5, 0.3, 8, 4.0) == (
        grpo.learning_rate,
        grpo.max_grad_norm,
        grpo.beta,
        grpo.warmup_steps,
        grpo.temperature,
    )
    assert {
        "grpo.num_train_epochs": "default",
        "grpo.max_grad_norm": "preset stabilized",
        "grpo.beta": f"file {path}",
        "grpo.warmup_steps": "environment GRPO_WARMUP_STEPS",
        "grpo.temperature": "--set",
    }.items() <= loaded.origins.items()


@pytest.mark.parametrize(
    ("variable", "key"),
    [
        ("TRAINING_DATASET", "dataset.source"),
        ("GRPO_BATCH_SIZE", "grpo.per_device_train_batch_size"),
        ("GRPO_GRAD_ACCUM_STEPS", "grpo.gradient_accumulation_steps"),
        ("GRPO_NUM_GENERATIONS", "grpo.num_generations"),
        ("GRPO_MAX_PROMPT", "grpo.max_prompt_length"),
        ("GRPO_MAX_COMPLETION", "grpo.max_completion_length"),
        ("GRPO_NUM_EPOCHS", "grpo.num_train_epochs"),
        ("GRPO_LEARNING_RATE", "grpo.learning_rate"),
        ("GRPO_TEMPERATURE", "grpo.temperature"),
        ("GRPO_MAX_GRAD_NORM", "grpo.max_grad_norm"),
        ("GRPO_LOGGING_STEPS", "grpo.logging_steps"),
        ("LORA_R", "lora.r"),
        ("LORA_ALPHA", "lora.alpha"),
        ("LORA_DROPOUT", "lora.dropout"),
        ("LORA_BIAS", "lora.bias"),
        ("LORA_TARGET_MODULES", "lora.target_modules"),
    ],
)
def test_the_known_variables_set_their_fields(variable: str, key: str) -> None:
    """The variables that existing launch scripts export mean what they meant."""
    assert variable == SETTINGS[key].env


def test_every_field_has_its_own_variable() -> None:
    variables = [one.env for one in SETTINGS.values()]

    assert len(variables) == len(set(variables))


@pytest.mark.parametrize("key", sorted(SETTINGS))
def test_a_variable_can_write_each_default(key: str) -> None:
    """The default of a setting, written as a variable, reads back as itself."""
    one = SETTINGS[key]
    text = ",".join(one.default) if isinstance(one.default, tuple) else str(one.default)
    text = "none" if one.default is None else text
    loaded = load_config(environment={one.env: text})

    assert one.default == values(loaded.config)[key]


def test_an_empty_variable_sets_nothing() -> None:
    """`GRPO_TEMPERATURE=` leaves the temperature alone."""
    loaded = load_config(environment={"GRPO_TEMPERATURE": ""})

    assert "default" == loaded.origins["grpo.temperature"]


@pytest.mark.parametrize("text", ["1", "true", "YES", "on"])
def test_flags_take_the_usual_words(text: str) -> None:
    assert load_config(environment={"GRPO_VLLM_ENABLED": text}).config.vllm.enabled


def test_none_unsets_what_a_preset_has_set() -> None:
    """The word "none" stands for nothing, where nothing is allowed."""
    config = load_config(preset="smoke", overrides=["grpo.max_steps=none"], environment={}).config

    assert config.grpo.max_steps is None


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "grpo.tempature=1",
            "--set grpo.tempature=1: unknown key grpo.tempature; did you mean grpo.temperature?",
        ),
        (
            "temperature=1",
            "--set temperature=1: unknown key temperature; did you mean grpo.temperature?",
        ),
        ("grpo.beta", "--set grpo.beta: expected KEY=VALUE"),
        ("lora.dropout=2", "--set: lora.dropout: must be at most 1, found 2"),
        (
            "grpo.per_device_train_batch_size=0",
            "--set: grpo.per_device_train_batch_size: must be at least 1, found 0",
        ),
        ("vllm.server_port=70000", "--set: vllm.server_port: must be at most 65535, found 70000"),
        (
            "grpo.per_device_train_batch_size=many",
            "--set: grpo.per_device_train_batch_size: expected a whole number, found a string",
        ),
        (
            "lora.bias=non",
            "--set: lora.bias: 'non' is not one of none, all, lora_only; did you mean none?",
        ),
    ],
)
def test_bad_overrides_are_refused_in_a_line(override: str, message: str) -> None:
    """The message names the key, what is wrong with it and what may have been meant."""
    assert message == refusal(overrides=[override])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[gropo]\nbeta = 1",
            "gropo: unknown key; did you mean grpo?",
        ),
        (
            "[grpo]\nlearning_rat = 1",
            "grpo.learning_rat: unknown key; did you mean grpo.learning_rate?",
        ),
        ("[grpo]\nbeta = true", "grpo.beta: expected a number, found true or false"),
        ("grpo = 3", "grpo: expected an object, found a whole number"),
        (
            "[grpo",
            "Expected ']' at the end of a table declaration (at end of document)",
        ),
    ],
)
def test_bad_files_are_refused_in_a_line(tmp_path: Path, text: str, message: str) -> None:
    """The message opens with the file."""
    path = written(tmp_path, text)

    assert f"{path}: {message}" == refusal(path)


def test_a_misspelt_variable_is_refused() -> None:
    """A variable with our prefix that sets nothing is a mistake, not a no-op."""
    with pytest.raises(ConfigError, match="did you mean GRPO_TEMPERATURE"):
        load_config(environment={"GRPO_TEMPRATURE": "1"})


def test_a_missing_file_and_an_unknown_preset_are_refused(tmp_path: Path) -> None:
    """Both are named."""
    assert f"{tmp_path / 'no.toml'}: No such file or directory" == refusal(tmp_path / "no.toml")
    assert "no preset 'smokey'; did you mean smoke?" in refusal(preset="smokey")


def test_the_presets() -> None:
    """Three ship, and each of them reads."""
    assert ("seed", "smoke", "stabilized") == presets()
    assert ["seed", "smoke", "stabilized"] == [
        load_config(preset=name, environment={}).config.preset for name in presets()
    ]
