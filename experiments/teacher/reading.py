"""Reads programs with a model: the log probability of each token, by what the model is shown."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from trainer_plugin.config.value import PromptConfig
from trainer_plugin.data.prompts import prompting
from trainer_plugin.located.spans import TokenReader

from .contexts import contexts
from .planted import KINDS, Planted, planted


class Reader:
    """A model with its tokenizer, and the prompts of a training."""

    def __init__(self, source: Path) -> None:
        """Load the model of a folder."""
        self.tokenizer = AutoTokenizer.from_pretrained(source)
        self._model = AutoModelForCausalLM.from_pretrained(source).eval()
        # A bfloat16 logit of 16 is only known to 0.06, as much as what feedback may change.
        self._layers = copy.deepcopy(self._model.get_decoder()).to(torch.bfloat16)
        self._prompts = prompting(PromptConfig(few_shot=0), end="", chat=True)
        self._spans = TokenReader(self.tokenizer)

    def row(self, one: Planted, other: Planted) -> dict[str, Any]:
        """Return what is kept of a program: the log probability of each token by context (""
        is the student's), the divergence of the student from each teacher in nats per token, and
        which tokens are of the mistake.
        """
        ids = self.tokenizer(one.code, add_special_tokens=False)["input_ids"]
        spans = self._spans.spans(ids, one.code) or []
        question = str(self._prompts.render(one.problem)[-1]["content"])  # type: ignore[index]
        asked = {"": question, **contexts(one, other, question=question)}
        found = self.read(list(dict.fromkeys(asked.values())), ids)
        token = torch.tensor(ids).unsqueeze(1)
        student = found[question]
        return {
            "id": one.problem.id,
            "kind": one.kind,
            "wrong": [start < one.stop and stop > one.start for start, stop in spans],
            "logps": {
                name: [round(each, 5) for each in found[text].gather(1, token).squeeze(1).tolist()]
                for name, text in asked.items()
            },
            "divergence": {
                name: (student.exp() * (student - found[text])).sum(dim=1).mean().item()
                for name, text in asked.items()
                if name
            },
        }

    @torch.no_grad()
    def read(self, questions: Sequence[str], ids: list[int]) -> Mapping[str, torch.Tensor]:
        """Return the log probabilities at each token of a completion, by question.

        Args:
            questions: What a user asks, some of them.
            ids: The tokens of the completion.

        Returns:
            Tensors of shape (tokens, vocabulary).
        """
        prompts = [self._prompt(each) for each in questions]
        # All begin alike, which is read once.
        common = len(list(takewhile(lambda each: len(set(each)) == 1, zip(*prompts, strict=False))))
        common = min(common, *(len(each) - 1 for each in prompts))
        start = torch.tensor([prompts[0][:common]])
        past = self._layers(input_ids=start, use_cache=True).past_key_values
        found = {}
        for question, prompt in zip(questions, prompts, strict=True):
            hidden = self._layers(
                input_ids=torch.tensor([[*prompt[common:], *ids]]),
                past_key_values=copy.deepcopy(past),
            ).last_hidden_state[0, -len(ids) - 1 : -1]
            logits = self._model.get_output_embeddings()(hidden.float())
            found[question] = logits.log_softmax(dim=-1)
        return found

    def _prompt(self, question: str) -> list[int]:
        messages = [
            {"role": "system", "content": self._prompts.system},
            {"role": "user", "content": question},
        ]
        found: list[int] = self.tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=True, return_dict=True
        )["input_ids"]
        return found


def rows_of(source: Path, count: int, *, skip: int) -> Iterator[dict[str, Any]]:
    """Yield the row of each program but the first few, which were read before."""
    # Two threads of one product wait for each other on a busy machine.
    torch.set_num_threads(1)
    reader = Reader(source)
    programs = list(planted(count + len(KINDS)))
    # The next program of the kind is the control.
    pairs = islice(zip(programs, programs[len(KINDS) :], strict=False), skip, count)
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as threads:
        yield from threads.map(lambda pair: reader.row(*pair), pairs)
