"""The configuration of a training run: a frozen value.

Each field has its meaning, its range and its environment variable. Does not import torch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ocaml_reward import InputError
from ocaml_reward.engine.remote.urls import is_address

__all__ = [
    "BaselineConfig",
    "Config",
    "ConfigError",
    "DatasetConfig",
    "GrpoConfig",
    "LoraSettings",
    "ModelConfig",
    "PromptConfig",
    "RewardConfig",
    "SftConfig",
    "VllmConfig",
]


Value = TypeVar("Value")


class ConfigError(InputError):
    """A run's configuration is invalid."""


def setting(
    default: Value,
    meaning: str,
    *,
    env: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    accepts: Callable[[str], bool] | None = None,
) -> Value:
    """Declare a field of a configuration.

    Args:
        default: Its value if no source sets it.
        meaning: Its description, in a few words, for the page of all settings.
        env: The environment variable, if it is not named like the key.
        low: The minimum.
        high: The maximum.
        choices: The allowed words; without any every text is allowed.
        accepts: Returns whether a word is allowed besides `choices`.

    Returns:
        The field, with the type of its default.
    """
    about = {"meaning": meaning, "env": env, "low": low, "high": high}
    words = {"choices": choices, "accepts": accepts}
    declared: Value = field(default=default, metadata={**about, **words})
    return declared


@dataclass(frozen=True, kw_only=True, slots=True)
class BaselineConfig:
    """Settings of `ocaml-reward baseline`."""

    problems: int = setting(10, "problems drawn", low=1)
    samples: int = setting(6, "completions per problem", low=1)
    k: int | None = setting(None, "a pass@k between 1 and samples", low=1)
    batch: int = setting(8, "prompts generated at a time", low=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class SftConfig:
    """Settings of the supervised steps of `ocaml-reward train --sft`."""

    num_train_epochs: float = setting(
        1.0, "passes over the references", low=0, env="GRPO_SFT_NUM_EPOCHS"
    )
    max_steps: int | None = setting(None, "stop after so many updates", low=1)
    per_device_train_batch_size: int = setting(
        4, "references per device and micro-batch", low=1, env="GRPO_SFT_BATCH_SIZE"
    )
    gradient_accumulation_steps: int = setting(
        4, "micro-batches per update", low=1, env="GRPO_SFT_GRAD_ACCUM_STEPS"
    )
    learning_rate: float = setting(1e-4, "peak learning rate", low=0)
    warmup_steps: int = setting(10, "updates over which the rate rises", low=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class DatasetConfig:
    """Settings about the problems and their selection."""

    source: str = setting(
        "kiranpg/ocaml-training-problems",
        "hub id, or a JSONL, JSON, CSV, TSV or parquet file; generated are the shipped few",
        env="TRAINING_DATASET",
    )
    name: str | None = setting(None, "configuration of a hub data set")
    split: str = setting("train", "split of a hub data set")
    validation: str | None = setting(
        None, "file or hub split of validation problems; without it some are held out"
    )
    validation_size: int = setting(
        64, "problems held out for validation, at most a fifth of them", low=0
    )
    difficulty: tuple[str, ...] = setting((), "keep these difficulties only; empty keeps all")
    difficulty_column: str = setting("difficulty", "column that names the difficulty")
    max_solution: int | None = setting(None, "longest reference solution, in tokens", low=1)
    check_references: bool = setting(
        default=True, meaning="leave out problems whose tests their own reference fails"
    )
    limit: int | None = setting(None, "use only the first problems", low=1)
    seed: int = setting(0, "seed of the split", low=0)
    order: str = setting(
        "shuffled",
        "order of training: by chance, the file's, or by difficulty",
        choices=("shuffled", "given", "easy_first"),
    )
    settled_share: float = setting(
        1.0,
        "how often problems are drawn that all completions solve, or none, against others",
        low=0,
        high=1,
    )
    settled_after: int = setting(2, "draws in a row with one outcome that settle a problem", low=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptConfig:
    """Settings about prompts."""

    style: str = setting(
        "auto",
        "chat messages or plain text; auto is chat where the tokenizer has a template",
        choices=("auto", "chat", "text"),
    )
    template: str | None = setting(None, "file with the template; without it the one that ships")
    system: str | None = setting(None, "system message; without it the shipped one")
    few_shot: int = setting(1, "worked examples put before the problem", low=0)
    examples: str | None = setting(None, "file of problems with references to take examples from")


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelConfig:
    """Settings of the trained model."""

    id: str = setting(
        "Qwen/Qwen2.5-Coder-1.5B-Instruct",
        "hub id or local folder; random makes a tiny model on the spot",
        env="GRPO_MODEL_ID",
    )
    revision: str | None = setting(None, "branch, tag or commit on the hub")
    dtype: str = setting(
        "auto",
        "number format; auto is bfloat16 on a GPU that has it, else float32",
        choices=("auto", "bfloat16", "float16", "float32"),
    )
    attention: str | None = setting(None, "attention implementation, such as sdpa")
    cpu: bool = setting(default=False, meaning="train on the CPU, whatever the model's size")


@dataclass(frozen=True, kw_only=True, slots=True)
class LoraSettings:
    """Settings of the LoRA adapter."""

    enabled: bool = setting(default=True, meaning="train an adapter; false trains every weight")
    r: int = setting(32, "rank", low=1)
    alpha: int = setting(64, "scale of the adapter", low=1)
    dropout: float = setting(0.05, "dropout on the adapter's input", low=0, high=1)
    bias: str = setting("none", "which biases learn", choices=("none", "all", "lora_only"))
    target_modules: tuple[str, ...] = setting(
        ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"),
        "layers that get an adapter",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class GrpoConfig:
    """Settings of GRPO."""

    output_dir: str = setting("grpo_runs", "folder of checkpoints and logs")
    per_device_train_batch_size: int = setting(
        4, "completions per device and micro-batch", low=1, env="GRPO_BATCH_SIZE"
    )
    gradient_accumulation_steps: int = setting(
        1, "micro-batches per update", low=1, env="GRPO_GRAD_ACCUM_STEPS"
    )
    num_generations: int = setting(6, "completions per problem", low=2)
    generation_batch_size: int | None = setting(
        None,
        "completions generated at a time; default per_device_train_batch_size problems a process",
        low=2,
    )
    max_prompt_length: int = setting(704, "longest prompt, in tokens", low=1, env="GRPO_MAX_PROMPT")
    max_completion_length: int = setting(
        512, "longest completion, in tokens", low=1, env="GRPO_MAX_COMPLETION"
    )
    num_train_epochs: float = setting(1.0, "passes over the problems", low=0, env="GRPO_NUM_EPOCHS")
    max_steps: int | None = setting(None, "stop after so many updates", low=1)
    learning_rate: float = setting(5e-6, "peak learning rate", low=0)
    lr_scheduler_type: str = setting(
        "cosine_with_restarts",
        "learning rate over time",
        choices=(
            "cosine",
            "cosine_with_restarts",
            "linear",
            "constant",
            "constant_with_warmup",
        ),
        env="GRPO_SCHEDULER",
    )
    num_cycles: int = setting(2, "cycles of cosine_with_restarts", low=1, env="GRPO_CYCLES")
    warmup_steps: int = setting(100, "updates over which the rate rises", low=0)
    weight_decay: float = setting(0.01, "weight decay", low=0)
    temperature: float = setting(0.9, "sampling temperature", low=0.01)
    top_p: float = setting(0.95, "nucleus sampling", low=0.01, high=1)
    beta: float = setting(0.05, "weight of the KL penalty", low=0)
    max_grad_norm: float = setting(1.0, "gradient clipping", low=0)
    entropy_coef: float = setting(0.0, "weight of an entropy bonus", low=0)
    loss_type: str = setting(
        "dapo",
        "loss",
        choices=("dapo", "grpo", "dr_grpo", "bnpo", "cispo", "sapo"),
        env="GRPO_LOSS",
    )
    scale_rewards: str = setting(
        "batch",
        "what advantages are divided by the spread of; TRL's own is the group",
        choices=("group", "batch", "none"),
    )
    mask_truncated_completions: bool = setting(
        default=False, meaning="learn nothing from truncated completions", env="GRPO_MASK_TRUNCATED"
    )
    gradient_checkpointing: bool = setting(default=True, meaning="trade time for memory")
    logging_steps: int = setting(1, "updates between log lines", low=1)
    save_steps: int = setting(
        0, "updates between checkpoints; 0 is with evaluations, or 100", low=0
    )
    save_total_limit: int | None = setting(30, "checkpoints kept", low=1)
    eval_steps: int | None = setting(
        0,
        "updates between evaluations; 0 lets them take a tenth of what is generated,"
        " none never evaluates",
        low=0,
    )
    num_generations_eval: int | None = setting(
        None,
        "completions per validation problem; default num_generations",
        low=2,
        env="GRPO_EVAL_GENERATIONS",
    )
    report_to: tuple[str, ...] = setting((), "wandb, tensorboard, trackio ...")
    log_completions: bool = setting(
        default=False, meaning="tables of completions for W&B, trackio and as parquet"
    )
    num_completions_to_print: int = setting(
        0, "completions of a batch shown at each log line", low=0, env="GRPO_PRINT_COMPLETIONS"
    )
    seed: int = setting(42, "seed of weights, order and sampling", low=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class VllmConfig:
    """Settings of generation by vLLM, which replaces transformers."""

    enabled: bool = setting(default=False, meaning="generate with vLLM")
    mode: str = setting("colocate", "in this process or a server", choices=("colocate", "server"))
    server_host: str = setting("127.0.0.1", "the server's address", env="GRPO_VLLM_HOST")
    server_port: int = setting(8000, "the server's port", low=1, high=65535, env="GRPO_VLLM_PORT")
    gpu_memory_utilization: float = setting(
        0.3, "share of GPU memory when colocated", low=0.01, high=1, env="GRPO_VLLM_MEMORY"
    )
    tensor_parallel_size: int = setting(
        1, "GPUs that share one model", low=1, env="GRPO_VLLM_TENSOR_PARALLEL"
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class RewardConfig:
    """Settings of the reward and of the reactions to it."""

    scheme: str = setting("decisive", "a shipped scheme, or a TOML file")
    overrides: tuple[str, ...] = setting((), "changes of the scheme, KEY=VALUE")
    engine: str = setting(
        "auto",
        "engine",
        choices=("auto", "warm", "stock", "http://host:8700,..."),
        accepts=is_address,
    )
    sandbox: str = setting("auto", "jail, as for ocaml-reward score")
    jobs: int | None = setting(None, "workers per process; default a fair share", low=1)
    deadline_s: float = setting(300.0, "seconds that a batch may take", low=1)
    blend: bool = setting(
        default=False, meaning="let the phases of a curriculum pass into each other"
    )
    rare_checks: bool = setting(
        default=False, meaning="weigh each check by the share of its group that fails it"
    )
    weight: float = setting(1.0, "what this reward counts for", low=0)
    functions: tuple[str, ...] = setting(
        (), "other rewards, NAME=WEIGHT: overlong, length or a dotted path"
    )
    overlong_from: float = setting(
        0.8, "share of max_completion_length from which overlong counts", low=0, high=0.99
    )
    preflight: bool = setting(
        default=True,
        meaning="refuse, before training, references that earn less than 1",
    )
    selection: str = setting(
        "all", "which completions are learnt from", choices=("all", "best_of_group")
    )
    min_reward: float | None = setting(
        None, "learn only from completions with more than this reward", low=0, high=1
    )
    algorithm: str = setting(
        "grpo", "what completions are learnt from by", choices=("grpo", "sdpo")
    )
    # A small teacher that is shown its mistake again prefers it (experiments/teacher/results).
    feedback: str = setting(
        "outcome",
        "what sdpo's teacher is shown of a failed attempt",
        choices=("located", "outcome", "none"),
    )
    credit: str = setting(
        "located",
        "what a token's advantage goes by: its completion, or also its part of the code",
        choices=("sequence", "located"),
    )
    located_share: float = setting(
        0.5, "share of located credit that goes by the part", low=0, high=1
    )
    stop_on: tuple[str, ...] = setting((), "rules of health whose finding stops the run")
    patience: int | None = setting(
        2, "epochs of a falling validation reward that stop the run; none never", low=1
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """All settings of a run."""

    preset: str = "seed"
    model: ModelConfig = field(default_factory=ModelConfig)
    dataset: DatasetConfig = field(default_factory=DatasetConfig)
    prompt: PromptConfig = field(default_factory=PromptConfig)
    lora: LoraSettings = field(default_factory=LoraSettings)
    grpo: GrpoConfig = field(default_factory=GrpoConfig)
    vllm: VllmConfig = field(default_factory=VllmConfig)
    reward: RewardConfig = field(default_factory=RewardConfig)
    baseline: BaselineConfig = field(default_factory=BaselineConfig)
    sft: SftConfig = field(default_factory=SftConfig)
    # Options of TRL without a setting, by TRL's names.
    extra: Mapping[str, Any] = field(default_factory=dict)
