"""A tokenizer of bytes, made on the spot: trainers want one, and none is downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

__all__ = ["END", "PADDING", "tokenizer"]

END, PADDING = 256, 257


def tokenizer(folder: Path) -> Any:
    """Make it, and save it to a folder."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate(alphabet)}
    vocabulary |= {"<|im_end|>": END, "<pad>": PADDING}
    inner = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<pad>"
    )
    made.save_pretrained(str(folder))
    return made
