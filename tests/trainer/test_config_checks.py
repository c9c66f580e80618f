"""Combinations that cannot run are refused before a model or data set is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ocaml_reward import SchemeError
from trainer_plugin.config.checks import (
    check_config,
    check_launch,
    generation_batch_size,
    parameters,
)
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import ConfigError

ROOT = Path(__file__).parents[2]


def check(*overrides: str, preset: str = "seed", world: int = 1, gpu: bool = True) -> None:
    """Check a configuration made of a preset and overrides."""
    config = load_config(preset=preset, overrides=overrides, environment={}).config
    check_config(config, world=world, accelerator=lambda: gpu)


@pytest.mark.parametrize("preset", ["seed", "stabilized", "smoke"])
@pytest.mark.parametrize("world", [1, 2, 8])
def test_the_presets_run_on_any_number_of_processes(preset: str, world: int) -> None:
    check(preset=preset, world=world)


def test_a_generation_holds_a_problem_per_row_of_the_batch() -> None:
    """Four rows and six completions make four groups of six, for each process."""
    config = load_config(environment={}).config

    assert (24, 48) == (
        generation_batch_size(config, 1),
        generation_batch_size(config, 2),
    )


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            ["grpo.generation_batch_size=20"],
            "grpo.generation_batch_size: 20 completions are no whole groups of"
            " grpo.num_generations=6",
        ),
        (
            ["grpo.generation_batch_size=30"],
            "grpo.generation_batch_size: 30 is not a multiple of grpo.per_device_train_batch_size x"
            " processes = 4 x 1 = 4",
        ),
        (
            ["grpo.gradient_accumulation_steps=4"],
            "grpo.gradient_accumulation_steps: a generation of 24 completions makes 6 micro-batches"
            " of 4, which updates of 4 do not divide evenly",
        ),
        (["grpo.learning_rate=0"], "grpo.learning_rate: 0 learns nothing"),
        (
            ["grpo.extra.importance_sampling_level=sequence"],
            "reward.credit: located needs credit token by token, and"
            " grpo.extra.importance_sampling_level='sequence' weighs a completion as a"
            ' whole, which goes with reward.credit="sequence"',
        ),
        (
            ["reward.algorithm=sdpo", "grpo.entropy_coef=0.1"],
            "grpo.entropy_coef: not with reward.algorithm=sdpo, whose trainer has no such",
        ),
        (
            ["reward.algorithm=sdpo", "reward.selection=best_of_group"],
            "reward.selection: not with reward.algorithm=sdpo, whose trainer has no such",
        ),
        (
            ["reward.selection=best_of_group", "grpo.gradient_accumulation_steps=3"],
            "grpo.gradient_accumulation_steps: an update of 3 micro-batches is no whole generation,"
            " and where few completions are learnt from it may have none; 6 is one",
        ),
        (
            ["lora.target_modules=[]"],
            "lora.target_modules: an adapter needs at least one layer",
        ),
        (
            ["baseline.k=9"],
            "baseline.k: pass@9 needs that many completions, and baseline.samples is 6",
        ),
        (
            ["reward.sandbox=chroot"],
            "reward.sandbox: 'chroot' is not one of auto, nsjail, bubblewrap, rlimits, none",
        ),
        (
            ["grpo.eval_steps=100", "grpo.save_steps=150"],
            "grpo.save_steps: 150 is not a multiple of grpo.eval_steps=100, and the best"
            " checkpoint is one that was evaluated",
        ),
        (
            ["grpo.report_to=no_such_tracker"],
            "grpo.report_to: no_such_tracker is not installed",
        ),
        (["dataset.source=no.jsonl"], "dataset.source: no.jsonl: no such file"),
        (["prompt.template=no.txt"], "prompt.template: no.txt: no such file"),
        (
            ["vllm.enabled=true", "model.cpu=true"],
            "vllm.enabled: vLLM needs a GPU, and model.cpu is true",
        ),
    ],
)
def test_impossible_combinations(overrides: list[str], message: str) -> None:
    """Each is refused in one line that names the key."""
    with pytest.raises(ConfigError) as caught:
        check(*overrides)

    assert message == str(caught.value)


def test_several_gpus_need_a_launcher() -> None:
    """One process with several GPUs is told how to use them."""
    check_launch(gpus=4, world=4)
    check_launch(gpus=1, world=1)
    with pytest.raises(ConfigError, match="accelerate launch --num_processes 4"):
        check_launch(gpus=4, world=1)


def test_an_unknown_rule_of_health_is_refused() -> None:
    """The rules that can stop a run are listed."""
    check("reward.stop_on=mode-collapse")
    with pytest.raises(ConfigError, match=r"no rule 'collapse'; there are .*mode-coll"):
        check("reward.stop_on=collapse")


def test_a_bad_scheme_is_refused_by_name() -> None:
    """The reward's scheme and its overrides are read before anything else is loaded."""
    with pytest.raises(SchemeError, match=r"runaway\.facto"):
        check("reward.overrides=runaway.facto=0.2")


def test_a_large_model_needs_a_gpu() -> None:
    """Without one it is refused, unless the CPU is asked for."""
    with pytest.raises(ConfigError, match=r"has 1\.5B parameters and this machine"):
        check(gpu=False)
    check("model.cpu=true", gpu=False)
    check("model.id=some/tiny-30M", gpu=False)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("Qwen/Qwen2.5-Coder-1.5B-Instruct", 1.5e9),
        ("some/tiny-30M", 30e6),
        ("random", None),
    ],
)
def test_sizes_are_read_from_names(name: str, size: float | None) -> None:
    """A version number is no size."""
    assert size == parameters(name)


def test_the_size_of_a_folder_comes_from_its_weights(tmp_path: Path) -> None:
    """Two bytes a weight where the folder's configuration says so, else four."""
    (tmp_path / "model.safetensors").write_bytes(bytes(800))

    assert 200 == parameters(str(tmp_path))
    (tmp_path / "config.json").write_text('{"dtype": "bfloat16"}')
    assert 400 == parameters(str(tmp_path))


def test_reading_a_configuration_loads_no_training_library() -> None:
    """Mistakes are found before torch is imported."""
    probe = (
        "import sys; from trainer_plugin.config import checks, reading, scale, table;"
        "print(sorted({'torch', 'trl', 'transformers', 'datasets'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "[]\n" == done.stdout
