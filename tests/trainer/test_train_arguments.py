"""What a run's settings become in TRL's own terms."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Final

import pytest
from trl import GRPOConfig

from trainer_plugin.config.reading import load_config
from trainer_plugin.config.settings import SETTINGS
from trainer_plugin.config.table import table
from trainer_plugin.config.trl import COMPUTED, DIRECT, GRPO_ONLY, SDPO_ONLY
from trainer_plugin.config.value import ConfigError
from trainer_plugin.run import parts as train_parts
from trainer_plugin.run.parts import arguments, reward


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("world", [1, 4])
def test_vllm_is_settings_of_the_trainer(tmp_path: Path, world: int) -> None:
    """TRL takes each setting of vLLM by its own name, on one process and on several."""
    overrides = (
        f"grpo.output_dir={tmp_path}",
        "grpo.max_prompt_length=700",
        "grpo.max_completion_length=300",
        "vllm.enabled=true",
        "vllm.mode=server",
        "vllm.server_host=trainer",
        "vllm.server_port=8001",
        "vllm.gpu_memory_utilization=0.4",
        "vllm.tensor_parallel_size=2",
    )
    config = load_config(preset="smoke", overrides=overrides).config
    made = arguments(config, world=world, evaluates=False)

    assert (True, "server") == (made.use_vllm, made.vllm_mode)
    assert ("trainer", 8001) == (made.vllm_server_host, made.vllm_server_port)
    assert 0.4 == made.vllm_gpu_memory_utilization
    assert 2 == made.vllm_tensor_parallel_size
    assert 1000 == made.vllm_max_model_length


def test_without_it_transformers_generate(tmp_path: Path) -> None:
    """A run that says nothing of vLLM does not ask for it."""
    overrides = (f"grpo.output_dir={tmp_path}",)
    config = load_config(preset="smoke", overrides=overrides).config

    assert not arguments(config, world=1, evaluates=False).use_vllm


def made(tmp_path: Path, *overrides: str) -> Any:
    """Make the arguments of a smoke run with overrides, in which everything is on."""
    settings = (f"grpo.output_dir={tmp_path}", "vllm.enabled=true", *overrides)
    config = load_config(preset="smoke", overrides=settings, environment={}).config
    return arguments(config, world=1, evaluates=True)


def test_any_other_option_of_trl_is_passed_on(tmp_path: Path) -> None:
    """What has no setting goes to TRL as it is, from a file and from the command line."""
    file = tmp_path / "run.toml"
    file.write_text(
        'preset = "smoke"\n[grpo.extra]\ntop_k = 20\nepsilon_high = 0.28\n'
        'importance_sampling_level = "sequence"\ngeneration_kwargs = {min_new_tokens = 1}\n',
        "utf-8",
    )
    loaded = load_config(
        file,
        overrides=["grpo.extra.top_k=30", "grpo.extra.optim=adamw_torch"],
        environment={},
    )
    found = arguments(loaded.config, world=1, evaluates=False)

    assert (30, 0.28, "sequence") == (
        found.top_k,
        found.epsilon_high,
        found.importance_sampling_level,
    )
    assert {"min_new_tokens": 1} == found.generation_kwargs
    assert "adamw_torch" == found.optim
    assert "--set" == loaded.origins["grpo.extra.top_k"]
    assert f"file {file}" == loaded.origins["grpo.extra.epsilon_high"]
    assert "grpo.extra.top_k" in table(loaded)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "max_completion_length=9",
            "max_completion_length: is set by grpo.max_completion_length",
        ),
        ("num_cycles=9", "num_cycles: is set by grpo.num_cycles"),
        ("steps_per_generation=2", "steps_per_generation: is set by grpo.generation_b"),
        ("log_completions=true", "log_completions: is set by grpo.log_completions"),
        ("top_q=3", "top_q: TRL has no such option; did you mean top_p?"),
        ("episilon=0.1", "episilon: TRL has no such option; did you mean epsilon?"),
    ],
)
def test_other_extras_are_refused(tmp_path: Path, override: str, message: str) -> None:
    """What has a setting is to be set by that, and what TRL does not know is refused."""
    with pytest.raises(ConfigError) as caught:
        made(tmp_path, f"grpo.extra.{override}")

    assert str(caught.value).startswith(f"grpo.extra.{message}")
    assert "\n" not in str(caught.value)


def test_other_extras_go_to_trl(tmp_path: Path) -> None:
    """What TRL knows and no setting stands for is handed on."""
    assert 1 == made(tmp_path, "grpo.extra.eval_delay=1").eval_delay


def test_every_option_without_a_setting_is_passed_on(tmp_path: Path) -> None:
    """All that the installed TRL has, from the optimizer to the hub."""
    free: dict[str, Any] = {
        each.name: each.default
        for each in dataclasses.fields(GRPOConfig)
        if each.init
        and each.name not in DIRECT.keys() | COMPUTED.keys()
        and isinstance(each.default, bool | int | float | str)
    }
    settings = (f"grpo.output_dir={tmp_path}",)
    plain = load_config(preset="smoke", overrides=settings, environment={}).config
    chosen = free | {
        "num_iterations": 2,
        "top_entropy_quantile": 0.8,
        "push_to_hub": True,
    }
    chosen |= {"optim": "adafactor", "generation_kwargs": {"min_p": 0.1}}
    found = arguments(dataclasses.replace(plain, extra=chosen), world=1, evaluates=False)

    assert 80 < len(free)
    for name in ("deepspeed", "hub_model_id", "epsilon_high"):
        assert name not in {*DIRECT, *COMPUTED}
    for name in ("num_iterations", "top_entropy_quantile", "push_to_hub"):
        assert chosen[name] == getattr(found, name)
    assert ("adafactor", {"min_p": 0.1}) == (found.optim, found.generation_kwargs)


def test_what_trl_refuses_is_one_line(tmp_path: Path) -> None:
    """A value that TRL does not take is an error of the configuration."""
    with pytest.raises(ConfigError, match=r"^grpo\.extra: TRL refuses it: "):
        made(tmp_path, "grpo.extra.optim=no_such_optimizer")


def test_every_name_that_we_give_trl_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of names are complete and TRL's, and what they name are settings."""
    given: dict[str, Any] = {}

    def noted(**options: Any) -> GRPOConfig:
        given.update(options)
        return GRPOConfig(**options)

    known = {each.name for each in dataclasses.fields(GRPOConfig) if each.init}
    monkeypatch.setattr(train_parts, "check_options", lambda _: None)
    monkeypatch.setattr(train_parts, "arguments_class", lambda _: noted)
    made(tmp_path)

    assert given.keys() <= DIRECT.keys() | COMPUTED.keys() <= known
    assert {*DIRECT.values()} <= SETTINGS.keys()
    assert {"steps_per_generation", "resume_from_checkpoint"} == (COMPUTED.keys() - given.keys())


SDPO: Final = ("reward.algorithm=sdpo",)


@pytest.mark.filterwarnings("default")
def test_self_distillation_has_arguments_of_its_own(tmp_path: Path) -> None:
    """What both trainers know is given to either, and each of the other's names is in a table."""
    found = made(tmp_path, *SDPO, "grpo.max_prompt_length=700")
    names = {each.name for each in dataclasses.fields(found) if each.init}

    assert {*GRPO_ONLY} == (DIRECT.keys() | COMPUTED.keys()) - names
    assert names >= SDPO_ONLY.keys()
    assert not {each.name for each in dataclasses.fields(GRPOConfig)} & SDPO_ONLY.keys()
    assert (True, 700, 2) == (
        found.include_environment_feedback,
        found.max_prompt_length,
        found.num_generations,
    )
    assert not made(tmp_path, *SDPO, "reward.feedback=none").include_environment_feedback


@pytest.mark.filterwarnings("default")
def test_extras_of_self_distillation(tmp_path: Path) -> None:
    """TRL's SDPO options are passed on, and only to it; those with a setting are refused."""
    settings = (*SDPO, "grpo.extra.teacher_update_rate=0.1")

    assert 0.1 == made(tmp_path, *settings).teacher_update_rate
    for name, rest in (
        ("include_environment_feedback=false", "is set by reward.feedback"),
        ("max_prompt_length=9", "is set by grpo.max_prompt_length"),
        ("delta=1.0", "TRL has no such option"),
    ):
        with pytest.raises(ConfigError, match=rest):
            made(tmp_path, *SDPO, f"grpo.extra.{name}")
    with pytest.raises(ConfigError, match="teacher_update_rate: TRL has no such option"):
        made(tmp_path, "grpo.extra.teacher_update_rate=0.1")


@pytest.mark.parametrize(
    ("feedback", "regions"), [("located", True), ("outcome", False), ("none", False)]
)
def test_only_located_feedback_takes_regions(feedback: str, regions: bool) -> None:
    overrides = (*SDPO, f"reward.feedback={feedback}")
    config = load_config(preset="smoke", overrides=overrides, environment={}).config

    assert regions == reward(config).regions
