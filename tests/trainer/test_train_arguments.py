"""
What a run's settings become in TRL's own terms.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer_plugin.config import load_config
from trainer_plugin.train_parts import arguments


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("world", [1, 4])
def test_vllm_is_settings_of_the_trainer(tmp_path: Path, world: int) -> None:
    """
    TRL takes each setting of vLLM by its own name, on one process and on several.
    """
    overrides = (
        f"grpo.output_dir={tmp_path}",
        "grpo.max_prompt=700",
        "grpo.max_completion=300",
        "vllm.enabled=true",
        "vllm.mode=server",
        "vllm.host=trainer",
        "vllm.port=8001",
        "vllm.memory=0.4",
        "vllm.tensor_parallel=2",
    )
    config = load_config(preset="smoke", overrides=overrides).config
    made = arguments(config, world=world, evaluates=False)

    assert (True, "server") == (made.use_vllm, made.vllm_mode)
    assert ("trainer", 8001) == (made.vllm_server_host, made.vllm_server_port)
    assert 0.4 == made.vllm_gpu_memory_utilization
    assert 2 == made.vllm_tensor_parallel_size
    assert 1000 == made.vllm_max_model_length


def test_without_it_transformers_generate(tmp_path: Path) -> None:
    """
    A run that says nothing of vLLM does not ask for it.
    """
    overrides = (f"grpo.output_dir={tmp_path}",)
    config = load_config(preset="smoke", overrides=overrides).config

    assert not arguments(config, world=1, evaluates=False).use_vllm
