"""Sampling for one GPU and a small model: the kernels of a token are recorded once, as a CUDA graph,
and replayed for every token of every batch.

A model of this size computes a token in a fraction of the time that Python takes to ask for it,
and several trainings at a time share one card only if none of them waits for Python.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import torch
from transformers import AttentionInterface, StaticCache
from transformers.integrations.sdpa_attention import sdpa_attention_forward

LOOKED: Final = 16
"""Tokens between two looks at whether every completion has ended: a look waits for the GPU."""
MOST: Final = 128
"""Completions at a time: what is kept of each takes 21 MB in a model of 135 million parameters."""
ALIGNED: Final = 8
"""A mask's rows begin at multiples of this, which attention's kernels ask for."""


class Decoders:
    """One decoder for each number of rows that comes; the weights may be trained between two calls."""

    def __init__(
        self, model: Any, *, width: int, longest: int, ends: Collection[int], pad: int
    ) -> None:
        """Keep the model; `width` and `longest` are the most tokens of a prompt and of a completion,
        `ends` the tokens that end one.
        """
        self._model = model
        self._shape = {"width": width, "longest": longest}
        self._ends, self._pad = ends, pad
        self._made: dict[int, Decoder] = {}

    def sample(self, prompts: Sequence[Sequence[int]], *, temperature: float) -> list[list[int]]:
        """Sample a completion of each prompt, its end token included; 0 takes the likeliest token."""
        training, config = self._model.training, self._model.config
        attention = config._attn_implementation  # noqa: SLF001 (there is no other name for it)
        self._model.eval()
        config._attn_implementation = GROUPED  # noqa: SLF001
        try:
            found = []
            for start in range(0, len(prompts), MOST):
                found += self._some(prompts[start : start + MOST], temperature)
        finally:
            config._attn_implementation = attention  # noqa: SLF001
            self._model.train(training)
        return found

    def _some(self, prompts: Sequence[Sequence[int]], temperature: float) -> list[list[int]]:
        rows = len(prompts)
        if rows not in self._made:
            self._made[rows] = Decoder(self._model, rows=rows, **self._shape)
        found: list[list[int]] = self._made[rows].sample(
            prompts, temperature=temperature, ends=self._ends, pad=self._pad
        )
        return found


class Decoder:
    """Samples so many completions at a time, in buffers that stay where they are."""

    def __init__(self, model: Any, *, rows: int, width: int, longest: int) -> None:
        """Make the buffers; the graph is recorded with the first batch."""
        self._model, self._rows, self._longest = model, rows, longest
        self._width = width
        self._columns = aligned(width) + aligned(longest)
        device = model.device
        self._cache = StaticCache(config=model.config, max_cache_len=self._columns)
        self._token = torch.zeros(rows, 1, dtype=torch.long, device=device)
        # Of the token in its own text, where padding does not count.
        self._place = torch.zeros(rows, 1, dtype=torch.long, device=device)
        self._column = torch.zeros(1, dtype=torch.long, device=device)
        self._seen = torch.zeros(rows, 1, 1, self._columns, dtype=torch.bool, device=device)
        self._graph: torch.cuda.CUDAGraph | None = None
        self._logits = torch.empty(0)

    @torch.no_grad()
    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        *,
        temperature: float,
        ends: Collection[int],
        pad: int,
    ) -> list[list[int]]:
        """Sample a completion of each prompt."""
        device = self._token.device
        if self._graph is None and device.type == "cuda":
            self._record(prompts, pad)
        last = torch.tensor(sorted(ends), device=device)
        written = torch.full((self._rows, self._longest), pad, device=device)
        ended = torch.zeros(self._rows, dtype=torch.bool, device=device)
        logits = self._read(prompts, pad)
        for number in range(self._longest):
            token = drawn(logits, temperature)
            written[:, number] = torch.where(ended, pad, token)
            ended |= torch.isin(token, last)
            if number % LOOKED == LOOKED - 1 and bool(ended.all()):
                break
            if number + 1 < self._longest:
                self._token.copy_(token.unsqueeze(1))
                logits = self._next()
        return [cut(each, ends) for each in written.tolist()]

    def _read(self, prompts: Sequence[Sequence[int]], pad: int) -> torch.Tensor:
        """Read the prompts and return the logits of the first tokens."""
        device = self._token.device
        most = max(map(len, prompts))
        if most > self._width:
            raise ValueError(f"a prompt has {most} tokens, more than {self._width}")
        width = aligned(most)
        ids = torch.full((self._rows, width), pad)
        real = torch.zeros(self._rows, width, dtype=torch.bool)
        for row, prompt in enumerate(prompts):
            ids[row, width - len(prompt) :] = torch.tensor(prompt)
            real[row, width - len(prompt) :] = True
        ids, real = ids.to(device), real.to(device)
        self._cache.reset()
        self._seen.zero_()
        self._seen[:, 0, 0, :width] = real
        self._column.fill_(width)
        self._place.copy_(real.sum(dim=1, keepdim=True))
        mask = torch.zeros(self._rows, 1, width, self._columns, dtype=torch.bool, device=device)
        square = torch.ones(width, width, dtype=torch.bool, device=device)
        # What pads looks at itself: a row that sees nothing would give no number.
        mask[..., :width] = (square.tril() & real[:, None, None, :]) | torch.eye(
            width, dtype=torch.bool, device=device
        )
        return self._forward(ids, mask, places=(real.long().cumsum(dim=1) - 1).clamp(min=0))

    def _next(self) -> torch.Tensor:
        if self._graph is None:
            return self._step()
        self._graph.replay()
        return self._logits

    def _step(self) -> torch.Tensor:
        self._seen.index_fill_(3, self._column, 1)
        logits = self._forward(self._token, self._seen, places=self._place)
        self._place += 1
        self._column += 1
        return logits

    def _forward(
        self, ids: torch.Tensor, mask: torch.Tensor, *, places: torch.Tensor
    ) -> torch.Tensor:
        output = self._model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=places,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        logits: torch.Tensor = output.logits[:, -1].float()
        return logits

    def _record(self, prompts: Sequence[Sequence[int]], pad: int) -> None:
        """Record the graph, after a few steps in which libraries make what they need."""
        self._read(prompts, pad)
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                self._step()
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        # Threads that grade do nothing on the GPU, and may go on.
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            self._logits = self._step()
        self._graph = graph


def grouped(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor,
    *,
    scaling: float,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """Compute attention as `sdpa` does, for one token without a copy of keys and values for each of
    the heads that share them: copied, they are most of what a token reads and writes.
    """
    rows, heads, tokens, size = query.shape
    if tokens > 1:
        found: tuple[torch.Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, scaling=scaling, **options
        )
        return found
    shared = query.view(rows, key.shape[1], -1, size)
    scores = (shared @ key.transpose(2, 3)) * scaling
    shares = scores.masked_fill(~attention_mask, -torch.inf).softmax(dim=-1)
    return (shares @ value).view(rows, 1, heads, size), None


GROUPED: Final = "grouped"
AttentionInterface.register(GROUPED, grouped)


def aligned(count: int) -> int:
    """Give the next multiple of what masks are aligned to."""
    return count + -count % ALIGNED


def drawn(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Draw a token of each row."""
    if not temperature:
        return logits.argmax(dim=-1)
    shares = torch.softmax(logits / temperature, dim=-1)
    return torch.multinomial(shares, 1).squeeze(1)


def cut(tokens: list[int], ends: Collection[int]) -> list[int]:
    """Cut a completion behind the token that ends it."""
    for place, token in enumerate(tokens):
        if token in ends:
            return tokens[: place + 1]
    return tokens
