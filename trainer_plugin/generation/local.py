"""Generates completions with a model that transformers loads here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, set_seed
from transformers.utils import logging

from ocaml_reward import InputError

from ..data.prompts import Prompt
from ..endings import cut_off, end_tokens, final_tokens
from .job import Generated, Job


def from_model(job: Job) -> Iterator[list[Generated]]:
    """Yield the missing completions of a job, a batch of problems at a time.

    Existing completions have to end with a batch: the random numbers are seeded anew for each, so
    that a resumed run gives the same completions as an uninterrupted one. Raises InputError for a
    model that cannot be loaded.
    """
    logging.disable_progress_bar()
    gpu = torch.cuda.is_available()
    dtype = torch.bfloat16 if gpu and torch.cuda.is_bf16_supported() else torch.float32
    try:
        tokenizer = AutoTokenizer.from_pretrained(job.model, padding_side="left")
        model = AutoModelForCausalLM.from_pretrained(job.model, dtype=dtype)
    except (OSError, ValueError) as error:
        first = str(error).strip().partition("\n")[0]
        # A mistyped folder is taken for a name on the hub.
        reason = first if Path(job.model).exists() else f"no such folder; {first}"
        raise InputError(f"--model: {job.model}: {reason}") from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    model.to("cuda" if gpu else "cpu").eval()
    prompts = job.prompting(chat=bool(tokenizer.chat_template))
    for start in range(job.done // job.samples, len(job.problems), job.batch):
        batch = job.problems[start : start + job.batch]
        set_seed(job.seed_of(start))
        made = generate(
            model,
            tokenizer,
            [each.render(prompts) for each in batch],
            samples=job.samples,
            temperature=job.temperature,
            top_p=job.top_p,
            max_tokens=job.max_tokens,
        )
        yield [replace(each, model=job.model) for each in made]


def generate(
    model: Any,
    tokenizer: Any,
    prompts: Sequence[Prompt],
    *,
    samples: int,
    temperature: float,
    top_p: float,
    max_tokens: int,
) -> list[Generated]:
    """Generate completions for several prompts at once.

    Args:
        model: A causal model of transformers.
        tokenizer: Its tokenizer, which pads on the left.
        prompts: Texts, or chats that the tokenizer has a template for.
        samples: Number of completions per prompt.
        temperature: The sampling temperature; 0 takes the likeliest token.
        top_p: The share of probability that is sampled from.
        max_tokens: Maximum length of a completion, in tokens.

    Returns:
        `samples` completions of the first prompt, then those of the next.
    """
    texts = [as_text(tokenizer, each) for each in prompts]
    # A chat's template writes the beginning-of-text token itself.
    chat = not isinstance(prompts[0], str)
    given = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=not chat).to(
        model.device
    )
    sampling: dict[str, Any] = {"do_sample": False}
    if temperature:
        sampling = {"do_sample": True, "temperature": temperature, "top_p": top_p}
    with torch.inference_mode():
        output = model.generate(
            **given,
            **sampling,
            max_new_tokens=max_tokens,
            num_return_sequences=samples,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=sorted(end_tokens(tokenizer, model)) or None,
        )
    ends = final_tokens(tokenizer, model)
    answers = output[:, given["input_ids"].shape[1] :]
    return [_read(tokenizer, answer, ends) for answer in answers]


def as_text(tokenizer: Any, prompt: Prompt) -> str:
    """Return a prompt as the model reads it."""
    if isinstance(prompt, str):
        return prompt
    text: str = tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)
    return text


def _read(tokenizer: Any, tokens: Any, ends: frozenset[int]) -> Generated:
    """Decode a completion, which ended or was cut off at the length limit."""
    text = tokenizer.decode(tokens, skip_special_tokens=True)
    cut = cut_off(tokens.tolist(), ends=ends)
    return Generated(text=text, finish_reason="length" if cut else "stop")
