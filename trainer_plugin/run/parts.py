"""Translates a configuration into the objects of TRL and PEFT: arguments, adapter,
model, reward.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import torch
from peft import LoraConfig
from transformers import AutoTokenizer

from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.scheme import RewardScheme, load

from ..callbacks import BEST_METRIC
from ..config.checks import generation_batch_size
from ..config.trl import GRPO_ONLY, check_known, check_owned, direct
from ..config.value import Config, ConfigError
from ..data.prompts import Prompt
from ..reward import OCamlReward
from .algorithm import LEVELS, arguments_class, is_sdpo
from .functions import weights
from .tiny_models import make_random

RANDOM: Final = "random"


def model_source(config: Config) -> str:
    """Return the hub id or folder of the model; a random model is created first."""
    if config.model.id != RANDOM:
        return config.model.id
    # Adapters store the path of their base, which has to be valid from other folders, too.
    folder = Path(config.grpo.output_dir).resolve() / "base"
    return str(make_random(folder, seed=config.grpo.seed))


def tokenizer_of(config: Config, source: str) -> Any:
    """Load the tokenizer, with padding on the left as generation needs it.

    Raises ConfigError for a model that does not exist.
    """
    try:
        made = AutoTokenizer.from_pretrained(
            source, revision=config.model.revision, padding_side="left"
        )
    except (OSError, ValueError) as error:
        first = str(error).strip().partition("\n")[0]
        # A mistyped folder is taken for a name on the hub.
        reason = first if Path(source).exists() else f"no such folder; {first}"
        raise ConfigError(f"model.id: {source}: {reason}") from error
    if made.pad_token is None:
        made.pad_token = made.eos_token
    return made


def token_count(tokenizer: Any, prompt: Prompt) -> int:
    """Count the tokens of a prompt as the trainer will send it."""
    if isinstance(prompt, str):
        return len(tokenizer(prompt)["input_ids"])
    text = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)
    return len(tokenizer(text, add_special_tokens=False)["input_ids"])


def number_format(config: Config) -> str:
    """Return the number format of the weights."""
    if config.model.dtype != "auto":
        return config.model.dtype
    gpu = torch.cuda.is_available() and not config.model.cpu
    return "bfloat16" if gpu and torch.cuda.is_bf16_supported() else "float32"


def model_options(config: Config) -> dict[str, Any]:
    """Return the keyword arguments for loading the model."""
    options: dict[str, Any] = {"dtype": number_format(config)}
    if config.model.revision is not None:
        options["revision"] = config.model.revision
    if config.model.attention is not None:
        options["attn_implementation"] = config.model.attention
    return options


def arguments(config: Config, *, world: int, evaluates: bool) -> Any:
    """Translate the configuration to TRL's GRPOConfig or SDPOConfig; `evaluates` is false without
    validation problems.
    """
    grpo = config.grpo
    dtype = number_format(config)
    computed = {
        "model_init_kwargs": model_options(config),
        "generation_batch_size": generation_batch_size(config, world),
        "max_steps": -1 if grpo.max_steps is None else grpo.max_steps,
        "lr_scheduler_kwargs": {"num_cycles": grpo.num_cycles}
        if grpo.lr_scheduler_type == "cosine_with_restarts"
        else None,
        "shuffle_dataset": config.dataset.order == "shuffled",
        # Our own display replaces TRL's, which does not fit a terminal.
        "num_completions_to_print": 0,
        "reward_weights": weights(config),
        "report_to": list(grpo.report_to) or "none",
        "bf16": dtype == "bfloat16",
        "fp16": dtype == "float16",
        "ddp_find_unused_parameters": False,
    }
    computed |= evaluation(config, evaluates=evaluates) | vllm(config)
    check_options(config)
    chosen = direct(config) | computed
    if is_sdpo(config):
        chosen = {name: value for name, value in chosen.items() if name not in GRPO_ONLY}
        chosen |= {
            "include_environment_feedback": LEVELS[config.reward.feedback] is not None,
            "max_prompt_length": grpo.max_prompt_length,
        }
    try:
        return arguments_class(config)(**chosen, **config.extra)
    except (TypeError, ValueError) as error:
        if not config.extra:
            raise
        first = str(error).partition("\n")[0]
        raise ConfigError(f"grpo.extra: TRL refuses it: {first}") from error


def check_options(config: Config) -> None:
    """Raise ConfigError for an option that TRL does not have, or that has a setting here."""
    check_owned(config)
    check_known(config, [each.name for each in fields(arguments_class(config)) if each.init])


def evaluation(config: Config, *, evaluates: bool) -> dict[str, Any]:
    """Return the arguments about validation.

    The best checkpoint is the one that passes most validation tests, because a curriculum does not
    change that figure.
    """
    grpo = config.grpo
    if not evaluates or not grpo.eval_steps:
        return {"eval_strategy": "no"}
    generations = grpo.num_generations_eval or grpo.num_generations
    return {
        "eval_strategy": "steps",
        "eval_steps": grpo.eval_steps,
        "num_generations_eval": generations,
        "per_device_eval_batch_size": generations * grpo.per_device_train_batch_size,
        "load_best_model_at_end": True,
        "metric_for_best_model": BEST_METRIC,
        "greater_is_better": True,
    }


def vllm(config: Config) -> dict[str, Any]:
    """Return the arguments about generation by vLLM."""
    chosen = config.vllm
    if not chosen.enabled:
        return {}
    return {
        "use_vllm": True,
        "vllm_mode": chosen.mode,
        "vllm_server_host": chosen.server_host,
        "vllm_server_port": chosen.server_port,
        "vllm_gpu_memory_utilization": chosen.gpu_memory_utilization,
        "vllm_tensor_parallel_size": chosen.tensor_parallel_size,
        "vllm_max_model_length": config.grpo.max_prompt_length + config.grpo.max_completion_length,
    }


def adapter(config: Config) -> LoraConfig | None:
    """Return the adapter's settings; None if every weight is trained."""
    lora = config.lora
    if not lora.enabled:
        return None
    return LoraConfig(
        r=lora.r,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        bias=lora.bias,
        target_modules=list(lora.target_modules),
        task_type="CAUSAL_LM",
    )


def scheme_of(config: Config) -> RewardScheme:
    """Load the scheme with its overrides; raises SchemeError."""
    return load(config.reward.scheme, config.reward.overrides)


def engine_of(config: Config) -> Engine:
    """Start the configured engine; raises MachineError."""
    return engine(config.reward.engine, config.reward.sandbox, cached=True)


def reward(config: Config) -> OCamlReward:
    """Return the reward; its engine starts with the first batch, or on `start`."""
    return OCamlReward(
        scheme_of(config),
        engine=config.reward.engine,
        sandbox=config.reward.sandbox,
        jobs=config.reward.jobs,
        deadline_s=config.reward.deadline_s,
        blend=config.reward.blend,
        rare_checks=config.reward.rare_checks,
        regions=(config.reward.feedback if is_sdpo(config) else config.reward.credit) == "located",
    )
