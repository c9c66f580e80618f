"""The characters that tokens stand for, by tokenizers of every family trained on the spot.

What holds is the tokenizer's own decoding: of all tokens, and of the first ones alone.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)
from transformers import PreTrainedTokenizer, PreTrainedTokenizerFast

from trainer_plugin.located.spans import TokenReader
from trainer_plugin.run.tiny_models import make_tokenizer

CORPUS = [
    "let rec length l = match l with [] -> 0 | _ :: t -> 1 + length t",
    'let name = "caf\u00e9 \u20ac 3" (* na\u00efve *)\n\tand n = 3.14',
]
TEXTS = st.text(alphabet="let xy=(*)\n\t.'! \u00e9\u00ef\u20ac\u4e2d\U0001f642\ufffd", max_size=25)
END = "<|end|>"
SETTINGS = settings(max_examples=40, deadline=None)


class BytePieces(PreTrainedTokenizer):
    """A vocabulary of bytes by rank, in Python, as tiktoken's files are read by models that
    bring their own tokenizer; its tokens are bytes.
    """

    def __init__(self, ranks: list[bytes]) -> None:
        self.pieces = ranks
        self.ranks = {piece: rank for rank, piece in enumerate(ranks)}
        super().__init__(eos_token=END, special_tokens_pattern="none")

    @property
    def vocab_size(self) -> int:
        return len(self.pieces)

    def get_vocab(self) -> dict[Any, int]:
        return {**self.ranks, **self.added_tokens_encoder}

    def _tokenize(self, text: str, **_: Any) -> list[Any]:
        raw, found = text.encode(), []
        while raw:
            size = next(n for n in range(len(raw), 0, -1) if raw[:n] in self.ranks)
            found.append(raw[:size])
            raw = raw[size:]
        return found

    def _convert_token_to_id(self, token: Any) -> int:
        return self.ranks[token]

    def _convert_id_to_token(self, index: int) -> Any:
        return self.pieces[index]

    def convert_tokens_to_string(self, tokens: list[Any]) -> str:
        raws = (each if isinstance(each, bytes) else each.encode() for each in tokens)
        return b"".join(raws).decode(errors="replace")


def sentence_bpe() -> Tokenizer:
    """Merge pieces as SentencePiece does, with bytes for what is in no piece, as Llama 2 has."""
    made = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    )
    made.decoder = decoders.Sequence(
        [
            decoders.Replace("\u2581", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    special = ["<unk>", END, *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=330, special_tokens=special, show_progress=False)
    made.train_from_iterator(CORPUS, trainer)
    # Bytes are pieces like others: what is special would be left out of the text.
    told = json.loads(made.to_str())
    told["added_tokens"] = [
        each for each in told["added_tokens"] if not each["content"].startswith("<0x")
    ]
    return Tokenizer.from_str(json.dumps(told))


def unigram() -> Tokenizer:
    """Choose pieces by their likelihood, as T5 does."""
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=80,
        special_tokens=["<unk>", END],
        unk_token="<unk>",
        show_progress=False,
    )
    made.train_from_iterator(CORPUS, trainer)
    return made


@cache
def tokenizers() -> dict[str, Any]:
    """Train one of each family."""

    def fast(made: Tokenizer, **more: Any) -> Any:
        return PreTrainedTokenizerFast(tokenizer_object=made, eos_token=END, **more)

    parts = {text.encode()[at : at + 4] for text in CORPUS for at in range(40)}
    bytes_alone = [bytes([byte]) for byte in range(256)]
    return {
        "byte-level": make_tokenizer(CORPUS, vocabulary=300),
        "sentencepiece": fast(sentence_bpe()),
        "unigram": fast(unigram()),
        "tidied": fast(unigram(), clean_up_tokenization_spaces=True),
        "tiktoken": BytePieces(bytes_alone + sorted(parts)),
    }


FAMILIES = ("byte-level", "sentencepiece", "unigram", "tidied", "tiktoken")


def placed(tokenizer: Any, ids: list[int]) -> tuple[str, list[tuple[int, int]]]:
    """Decode tokens and place them."""
    reader = TokenReader(tokenizer)
    text = reader.text(ids)
    spans = reader.spans(ids, text)
    assert spans is not None
    return text, spans


@pytest.mark.parametrize("family", FAMILIES)
class TestSpans:
    """Each token stands for the characters that decoding makes of it."""

    @SETTINGS
    @given(data=st.data())
    def test_whatever_is_sampled_is_placed(self, family: str, data: Any) -> None:
        """Any tokens at all, also special ones, ids of none, and bytes that are no text:
        every character is some token's, and tokens are in order.
        """
        tokenizer = tokenizers()[family]
        beyond = len(tokenizer) + (0 if family == "tiktoken" else 3)
        ids = data.draw(st.lists(st.integers(0, beyond - 1), max_size=20))
        text, spans = placed(tokenizer, ids)

        assert len(ids) == len(spans)
        assert set(range(len(text))) == {at for span in spans for at in range(*span)}
        # A token that is left out may stand between the bytes of one character.
        there = [(start, stop) for start, stop in spans if start < stop]
        for (start, stop), (after, end) in pairwise(there):
            assert start <= after
            assert stop <= end
            # A character that is cut in two belongs to both.
            assert stop - after <= 1

    @SETTINGS
    @given(texts=st.lists(TEXTS, max_size=3))
    @example(texts=["let \u20ac\U0001f642", " . \u4e2d", "  'a' !x"])
    def test_the_first_tokens_make_the_first_characters(
        self, family: str, texts: list[str]
    ) -> None:
        """Wherever no character is cut, what the tokens before decode to ends there, however
        the text was cut into tokens.
        """
        tokenizer = tokenizers()[family]
        ids = [
            token
            for each in texts
            for token in tokenizer(each, add_special_tokens=False)["input_ids"]
        ]
        text, spans = placed(tokenizer, ids)

        assert text == tokenizer.decode(ids, skip_special_tokens=True)
        for count, ((_, stop), (after, _)) in enumerate(pairwise(spans), start=1):
            first = tokenizer.decode(ids[:count], skip_special_tokens=True)
            if stop <= after and family != "tidied":
                assert text[:stop] == first
            elif stop > after and family != "sentencepiece":
                # Whose bytes in a row are all lost where one of them is.
                assert text[: stop - 1] == first[: stop - 1]


@pytest.mark.parametrize("family", ["byte-level", "sentencepiece", "tiktoken"])
def test_each_byte_of_a_character_has_it(family: str) -> None:
    tokenizer = tokenizers()[family]
    ids = tokenizer("x\U0001f642y", add_special_tokens=False)["input_ids"]
    text, spans = placed(tokenizer, ids)
    face = text.index("\U0001f642")

    assert 4 == spans.count((face, face + 1))


def test_what_ends_a_completion_stands_for_nothing() -> None:
    """The end token has no character, and takes none from the others."""
    tokenizer = tokenizers()["byte-level"]
    ids = tokenizer("let", add_special_tokens=False)["input_ids"]
    _, spans = placed(tokenizer, [*ids, tokenizer.eos_token_id])

    assert [(0, 3), (3, 3)] == spans


def test_a_tokenizer_of_another_kind_is_not_read() -> None:
    """Pieces that decoding changes beyond blanks are placed nowhere, rather than wrongly."""
    words = Tokenizer(models.WordPiece({"let": 0, "##s": 1, "x": 2}, unk_token="x"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.decoder = decoders.WordPiece()
    reader = TokenReader(PreTrainedTokenizerFast(tokenizer_object=words))

    assert "lets x" == reader.text([0, 1, 2])
    assert reader.spans([0, 1, 2], "lets x") is None
    assert not reader.reads()
    assert all(TokenReader(each).reads() for each in tokenizers().values())
