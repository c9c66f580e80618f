"""The model before the reward: random weights, then supervised training on solutions with
planted mistakes, at times after some without.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast

from trainer_plugin.run.tiny_models import make_model, make_tokenizer

from .tasks import Learnt

Text = tuple[str, str]
"""What a model is taught, and the prompt that it begins with."""
Reading = Callable[[Random, float], Text]
"""Draws a lesson with random numbers, for a share of wrong functions in what is written anew."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """How many layers a model has, and how many dimensions."""

    layers: int
    hidden: int


SIZES: Final[Mapping[str, Size]] = {
    "small": Size(layers=3, hidden=96),
    "large": Size(layers=6, hidden=192),
}
"""0.3 and 2 million weights."""

BATCH: Final = 32
RATE: Final = 3e-3
WARMUP: Final = 30


def make_base(
    folder: Path,
    tasks: Sequence[Learnt],
    *,
    mistakes: float,
    taught: float,
    seed: int,
    steps: int,
    size: Size,
    cut_after: str | None,
    reading: Reading | None = None,
    peak: float = RATE,
    begin: Path | None = None,
) -> Path:
    """Train a base model on solutions of which a share of functions is wrong, unless the
    folder has one already.

    Args:
        folder: Where the model and its tokenizer are kept.
        tasks: The problems that the texts solve.
        mistakes: The share of wrong functions, 0 to 1.
        taught: The share of the steps, the first ones, whose texts have none of them.
        seed: Of the weights and of the texts.
        steps: How many batches it is trained on.
        size: Of the model.
        cut_after: Where tokens end, as `make_tokenizer` takes it.
        reading: Draws a lesson in reading feedback. Behind the lessons without mistakes two of
            three steps have such ones; None for none.
        peak: The learning rate behind the warm-up.
        begin: The folder of a model to begin with, with its tokenizer; None for random weights.

    Returns:
        The folder.
    """
    if (folder / "config.json").is_file():
        return folder
    rng = Random(seed)

    def drawn(step: int, share: float) -> Text:
        if reading is not None and step >= taught * steps and step % 3:
            return reading(rng, share)
        return sample(rng.choice(tasks), rng, share)

    if begin is None:
        tokenizer = make_tokenizer(
            (drawn(steps + number, mistakes)[0] for number in range(4000)),
            # Feedback has words of its own.
            vocabulary=512 if reading is None else 1024,
            cut_after=cut_after,
        )
        model = make_model(tokenizer, seed=seed, hidden=size.hidden, layers=size.layers)
    else:
        # By its class: the automatic one would cut texts as Qwen2's own does.
        tokenizer = PreTrainedTokenizerFast.from_pretrained(begin)
        model = AutoModelForCausalLM.from_pretrained(begin)
    teach(
        model,
        tokenizer,
        lambda step: drawn(step, share_wrong(step, steps, mistakes=mistakes, taught=taught)),
        steps=steps,
        peak=peak,
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def teach(
    model: Any,
    tokenizer: Any,
    draw: Callable[[int], Text],
    *,
    steps: int,
    peak: float = RATE,
) -> None:
    """Train a model on texts, of which what follows their prompts is learnt.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        draw: Gives a text and the prompt that it begins with, for a step.
        steps: How many batches there are.
        peak: The learning rate behind the warm-up.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate(step, steps))
    started = time.perf_counter()
    model.train()
    for step in range(steps):
        rows = [draw(step) for _ in range(BATCH)]
        loss = model(**batch(tokenizer, rows)).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        if step % 100 == 0 or step == steps - 1:
            seconds = time.perf_counter() - started
            sys.stdout.write(f"taught {step:5d}  loss {loss.item():.3f}  {seconds:.0f} s\n")
            sys.stdout.flush()


def rate(step: int, steps: int) -> float:
    """Rise over the warm-up, then fall as a cosine."""
    if step < WARMUP:
        return (step + 1) / WARMUP
    return 0.5 * (1 + math.cos(math.pi * (step - WARMUP) / max(1, steps - WARMUP)))


def share_wrong(step: int, steps: int, *, mistakes: float, taught: float) -> float:
    """Return the share of wrong functions in a step: none in the lessons, which come first."""
    return 0.0 if step < taught * steps else mistakes


def sample(task: Learnt, rng: Random, mistakes: float) -> Text:
    """Draw a text and the prompt that it begins with."""
    return task.prompt + task.written(rng, share=mistakes), task.prompt


def batch(tokenizer: Any, rows: list[Text]) -> dict[str, Any]:
    """Make a batch of which only the answers, with their end, are learnt."""
    texts = [tokenizer(text)["input_ids"] + [tokenizer.eos_token_id] for text, _ in rows]
    asked = [len(tokenizer(prompt)["input_ids"]) for _, prompt in rows]
    width = max(map(len, texts))
    ids = torch.full((len(rows), width), tokenizer.pad_token_id)
    labels = torch.full((len(rows), width), -100)
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    for place, (text, start) in enumerate(zip(texts, asked, strict=True)):
        ids[place, : len(text)] = torch.tensor(text)
        labels[place, start : len(text)] = torch.tensor(text[start:])
        mask[place, : len(text)] = 1
    return {"input_ids": ids, "labels": labels, "attention_mask": mask}
