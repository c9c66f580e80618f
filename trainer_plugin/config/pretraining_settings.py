"""Settings for the baseline and the supervised warm-up."""

from __future__ import annotations

from dataclasses import dataclass

from .declaring import setting


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

    num_epochs: float = setting(1.0, "passes over the references", low=0)
    max_steps: int | None = setting(None, "stop after so many updates", low=1)
    batch_size: int = setting(4, "references per device and micro-batch", low=1)
    grad_accum_steps: int = setting(4, "micro-batches per update", low=1)
    learning_rate: float = setting(1e-4, "peak learning rate", low=0)
    warmup_steps: int = setting(10, "updates over which the rate rises", low=0)
