"""The base: the model after so many supervised steps on references that it passes a little.

    python -m experiments.pretrained.warming EVERY KEY=VALUE...

Measures every so many steps, until enough passes; never with 0, when it takes all steps.  Writes
the model, and what every measurement came to, into `grpo.output_dir`.

The loop is a plain one: on a GPU a step of it takes a tenth of a second, of which a trainer's own
work would be most.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
from transformers import AutoModelForCausalLM

from ocaml_reward import Breakdown, Completion, Problem, Verdict
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import Config
from trainer_plugin.endings import cut_off, final_tokens
from trainer_plugin.run.preparing import Prepared, grader_of, prepare, say
from trainer_plugin.run.sft import reference_rows

from .decoding import Decoders, aligned
from .problems import TRAINED, family_of

ENOUGH: Final = 0.05
"""The base is the first that passes this share of new problems of the families trained on."""
GROUP: Final = 8
MEASURED: Final = "measured.jsonl"
IGNORED: Final = -100
"""The label of a token that is not learned, as torch's cross entropy has it."""

Row = tuple[list[int], list[int]]
"""The tokens of a prompt and of the answer to it, which ends with the end token."""


class Measuring:
    """Measures the model as it learns."""

    def __init__(self, config: Config, prepared: Prepared) -> None:
        """Start the engine."""
        self._config, self._prepared = config, prepared
        self._grader = grader_of(config)
        self._decoders: Decoders | None = None
        self._began = time.perf_counter()

    def passed(self, step: int, model: Any) -> float:
        """Return the share of the trained families' problems that pass now, and write it down."""
        problems = self._prepared.problems.validation
        asked = [each for each in problems for _ in range(GROUP)]
        began = time.perf_counter()
        answers = self._sampled(model, asked)
        sampling = time.perf_counter() - began
        graded = list(self._grader.grade_many(zip(asked, answers, strict=True)))
        shares = by_kind(asked, graded)
        line = {
            "step": step,
            "pass_at_1": shares,
            "verdicts": counted(graded),
            "seconds": {
                "since the start": round(time.perf_counter() - self._began, 1),
                "sampling": round(sampling, 2),
                "grading": round(time.perf_counter() - began - sampling, 2),
            },
            "sample": answers[0].text,
        }
        folder = Path(self._config.grpo.output_dir)
        with (folder / MEASURED).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")
        say(json.dumps(line))
        return shares["trained"]

    def _sampled(self, model: Any, asked: Sequence[Problem]) -> list[Completion]:
        """Sample a completion for each problem, as a training does."""
        tokenizer, longest = self._prepared.tokenizer, self._config.grpo.max_completion_length
        ends = final_tokens(tokenizer, model)
        if self._decoders is None:
            self._decoders = Decoders(
                model,
                width=self._config.grpo.max_prompt_length,
                longest=longest,
                ends=ends,
                pad=tokenizer.pad_token_id,
            )
        prompts = [str(self._prepared.prompts.render(each)) for each in asked]
        found = []
        ids = tokenizer(prompts)["input_ids"]
        for tokens in self._decoders.sample(ids, temperature=1.0):
            text = tokenizer.decode(tokens, skip_special_tokens=True)
            found.append(Completion(text=text, truncated=cut_off(tokens, ends=ends)))
        return found


def by_kind(asked: Sequence[Problem], graded: Sequence[Breakdown]) -> dict[str, float]:
    """Give the share that passes of the families that are trained on, and of the others."""
    kinds: dict[str, list[bool]] = {"trained": [], "others": []}
    for problem, breakdown in zip(asked, graded, strict=True):
        kind = "trained" if family_of(problem.id) in TRAINED else "others"
        kinds[kind].append(breakdown.verdict is Verdict.PASSED)
    return {kind: sum(each) / max(len(each), 1) for kind, each in kinds.items()}


def counted(graded: Sequence[Breakdown]) -> dict[str, int]:
    """Count the verdicts."""
    words = [str(each.verdict) for each in graded]
    return {word: words.count(word) for word in sorted(set(words))}


def tokens_of(prepared: Prepared) -> list[Row]:
    """Return the references as tokens, each after its prompt as a training samples from it."""
    tokenizer = prepared.tokenizer
    rows = reference_rows(prepared.problems.training, prepared.prompts)
    prompts = tokenizer([str(each["prompt"]) for each in rows])["input_ids"]
    answers = tokenizer([str(each["completion"]) + tokenizer.eos_token for each in rows])
    return list(zip(prompts, answers["input_ids"], strict=True))


def batch(rows: Sequence[Row], width: int, pad: int) -> dict[str, torch.Tensor]:
    """Return rows as tensors of shape (rows, width), padded on the right; only answers are learned."""
    ids = torch.full((len(rows), width), pad)
    labels = torch.full((len(rows), width), IGNORED)
    real = torch.zeros(len(rows), width, dtype=torch.long)
    for number, (prompt, answer) in enumerate(rows):
        end = len(prompt) + len(answer)
        ids[number, :end] = torch.tensor(prompt + answer)
        labels[number, len(prompt) : end] = torch.tensor(answer)
        real[number, :end] = 1
    return {"input_ids": ids, "labels": labels, "attention_mask": real}


def batches(rows: Sequence[Row], size: int, seed: int) -> Iterator[list[Row]]:
    """Yield batches for ever, in an order of its own each time round."""
    rng = Random(seed)
    while True:
        order = rng.sample(range(len(rows)), len(rows))
        for start in range(0, max(len(rows) - size, 0) + 1, size):
            yield [rows[number] for number in order[start : start + size]]


def learn(model: Any, rows: Sequence[Row], config: Config, pad: int, every: int) -> Iterator[int]:
    """Take supervised steps; yield the number of steps taken when it is time to measure."""
    # Tensors of one size, so that their memory is used again.
    width = aligned(max(len(prompt) + len(answer) for prompt, answer in rows))
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.sft.learning_rate)
    warming = torch.optim.lr_scheduler.LinearLR(
        optimizer, 1 / config.sft.warmup_steps, total_iters=config.sft.warmup_steps
    )
    model.train()
    began = time.perf_counter()
    source = batches(rows, config.sft.per_device_train_batch_size, config.grpo.seed)
    for step in range(1, (config.sft.max_steps or 0) + 1):
        inputs = {
            name: each.to(model.device) for name, each in batch(next(source), width, pad).items()
        }
        loss = model(**inputs, use_cache=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.grpo.max_grad_norm)
        optimizer.step()
        optimizer.zero_grad()
        warming.step()
        if step % config.grpo.logging_steps == 0:
            spent = time.perf_counter() - began
            say(f"[step {step}]  loss={loss.item():.4f}  {spent / step:.3f} s a step")
        if every and step % every == 0:
            yield step


def main() -> None:
    """Learn from the references until enough passes, and write the model."""
    # Weights of 32 bits learn in small steps; their products need not be as exact.
    torch.set_float32_matmul_precision("high")
    every, *settings = sys.argv[1:]
    config = load_config(preset="seed", overrides=settings, environment={}).config
    folder = Path(config.grpo.output_dir)
    folder.mkdir(parents=True, exist_ok=True)
    prepared = prepare(config)
    rows = tokens_of(prepared)
    say(*prepared.problems.report_lines(), f"references: {len(rows)} to learn from")
    model: Any = AutoModelForCausalLM.from_pretrained(prepared.source, dtype=torch.float32)
    model.to("cpu" if config.model.cpu else "cuda")
    measuring = Measuring(config, prepared) if int(every) else None
    if measuring is not None:
        measuring.passed(0, model)
    pad = prepared.tokenizer.pad_token_id
    for step in learn(model, rows, config, pad, int(every)):
        if measuring is not None and measuring.passed(step, model) >= ENOUGH:
            break
    model.save_pretrained(folder)
    prepared.tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    main()
