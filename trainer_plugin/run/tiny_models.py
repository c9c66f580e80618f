"""Creates tiny models for smoke runs, tests and the learning experiment.

These are a byte-level tokenizer trained on a few texts and a random Qwen2 of under a million
parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

from ocaml_reward.formats import load_problems

from ..config.value import PromptConfig
from ..data.prompts import prompting, shipped_problems

PAD: Final = "<|endoftext|>"
END: Final = "<|im_end|>"
SPECIAL: Final = (PAD, "<|im_start|>", END)


def make_tokenizer(
    texts: Iterable[str], *, vocabulary: int = 512, cut_after: str | None = None
) -> Any:
    """Train a byte-level BPE tokenizer, which can encode every text.

    Tokens end with a word, or where the regular expression `cut_after` matches; this keeps texts
    that are much alike short.
    """
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if cut_after is not None:
        made.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(cut_after), "merged_with_previous"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=END, pad_token=PAD, padding_side="left"
    )


def make_model(
    tokenizer: Any,
    *,
    seed: int,
    hidden: int = 64,
    layers: int = 2,
    positions: int = 2048,
) -> Any:
    """Create a random Qwen2 for a tokenizer."""
    torch.manual_seed(seed)
    return Qwen2ForCausalLM(
        Qwen2Config(
            vocab_size=len(tokenizer),
            hidden_size=hidden,
            intermediate_size=2 * hidden,
            num_hidden_layers=layers,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=positions,
            tie_word_embeddings=True,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
        )
    )


def make_random(folder: Path, *, seed: int) -> Path:
    """Write the model "random" into a folder, unless it exists.

    Resuming a run and merging an adapter need the same weights again.
    """
    if not (folder / "config.json").is_file():
        tokenizer = make_tokenizer(_texts())
        make_model(tokenizer, seed=seed).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    return folder


def _texts() -> Iterator[str]:
    """Yield the shipped problems in the format of a training, each with its solution."""
    prompts = prompting(PromptConfig(few_shot=0), end="(* END *)", chat=False)
    for name in ("examples", "generated"):
        for one in load_problems(shipped_problems(name)).problems.values():
            yield f"{prompts.render(one)}{prompts.solution(one)}"
