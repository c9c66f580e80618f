"""The base: the model and a LoRA adapter, which so many supervised steps on references of easy
families have taught until it passes some.

    python -m experiments.pretrained.warming EVERY KEY=VALUE...

Measures every so many steps, until enough passes.  Keeps the adapter, what its optimizer knows and
every measurement in `grpo.output_dir`, so that the same command goes on where it was cut off.

The loop is a plain one: a trainer of TRL takes more memory, and does not stop by what passes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
from peft import get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from torch.nn.functional import cross_entropy
from transformers import AutoModelForCausalLM

from ocaml_reward import Breakdown, Completion, Problem, Verdict
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import Config
from trainer_plugin.endings import cut_off, final_tokens
from trainer_plugin.run.parts import adapter
from trainer_plugin.run.preparing import Prepared, grader_of, prepare, say
from trainer_plugin.run.sft import reference_rows

from .decoding import Decoders
from .model import MEASURED, NAME
from .problems import EASY, family_of

ENOUGH: Final = 0.08
"""The base is the first that passes this share of new problems of the families that it learned from.
Success comes at once: from none to a third within forty steps, so that few may lie between two
measurements.
"""
STATE: Final = "state.pt"
KEPT: Final = 10
"""Steps between two times that the state is written: a step takes ten seconds on a CPU."""
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
        """Return the share of new problems that pass now, one try each, and write it down."""
        asked = [each for each in self._prepared.problems.validation if family_of(each.id) in EASY]
        began = time.perf_counter()
        answers = self._sampled(model, asked)
        sampling = time.perf_counter() - began
        graded = list(self._grader.grade_many(zip(asked, answers, strict=True)))
        share = sum(each.verdict is Verdict.PASSED for each in graded) / len(graded)
        line = {
            "step": step,
            "alpha": self._config.lora.alpha,
            "pass_at_1": share,
            "samples": len(graded),
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
        return share

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


def batch(rows: Sequence[Row], pad: int) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Return rows as tensors of shape (rows, tokens), in which all answers begin in one column, and
    the tokens of the answers, of shape (rows, the longest answer).
    """
    asked, answered = (max(map(len, each)) for each in zip(*rows, strict=True))
    ids = torch.full((len(rows), asked + answered), pad)
    labels = torch.full((len(rows), answered), IGNORED)
    real = torch.zeros(len(rows), asked + answered, dtype=torch.long)
    for number, (prompt, answer) in enumerate(rows):
        begin, end = asked - len(prompt), asked + len(answer)
        ids[number, begin:end] = torch.tensor(prompt + answer)
        labels[number, : len(answer)] = torch.tensor(answer)
        real[number, begin:end] = 1
    return {"input_ids": ids, "attention_mask": real}, labels


def batches(rows: Sequence[Row], size: int, seed: int) -> Iterator[list[Row]]:
    """Yield batches for ever, in an order of its own each time round."""
    rng = Random(seed)
    while True:
        order = rng.sample(range(len(rows)), len(rows))
        for start in range(0, max(len(rows) - size, 0) + 1, size):
            yield [rows[number] for number in order[start : start + size]]


def learn(model: Any, rows: Sequence[Row], config: Config, pad: int, every: int) -> Iterator[int]:
    """Take supervised steps, from where they were left; yield the number of steps taken when it is
    time to measure.
    """
    learned = [each for each in model.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=config.sft.learning_rate)
    state = Path(config.grpo.output_dir) / STATE
    taken = restored(model, optimizer, state)
    source = batches(rows, config.sft.per_device_train_batch_size, config.grpo.seed)
    last = config.sft.max_steps or 0
    for step, chosen in enumerate(islice(source, taken, last), start=taken + 1):
        began = time.perf_counter()
        for group in optimizer.param_groups:
            group["lr"] = config.sft.learning_rate * min(1, step / config.sft.warmup_steps)
        model.train()
        inputs, labels = batch(chosen, pad)
        inputs = {name: each.to(model.device) for name, each in inputs.items()}
        # Of prompts nothing is learned: what comes after their tokens is not computed.
        kept = labels.size(1) + 1
        logits = model(**inputs, use_cache=False, logits_to_keep=kept).logits[:, :-1]
        loss = cross_entropy(logits.flatten(0, 1), labels.to(model.device).flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, config.grpo.max_grad_norm)
        optimizer.step()
        optimizer.zero_grad()
        say(f"[step {step}]  loss={loss.item():.4f}  {time.perf_counter() - began:.1f} s")
        measures = step % every == 0 or step == last
        if measures or step % KEPT == 0:
            known = {
                "step": step,
                "adapter": get_peft_model_state_dict(model),
                "optimizer": optimizer.state_dict(),
            }
            torch.save(known, state.with_suffix(".part"))
            state.with_suffix(".part").replace(state)
        if measures:
            yield step


def restored(model: Any, optimizer: torch.optim.Optimizer, state: Path) -> int:
    """Load the state of an earlier call, if there is one; return how many steps it had taken."""
    if not state.is_file():
        return 0
    kept = torch.load(state)
    set_peft_model_state_dict(model, kept["adapter"])
    optimizer.load_state_dict(kept["optimizer"])
    step: int = kept["step"]
    return step


def main() -> None:
    """Learn from the references until enough passes, and write the adapter."""
    every, *settings = sys.argv[1:]
    config = load_config(preset="seed", overrides=settings, environment={}).config
    folder = Path(config.grpo.output_dir)
    folder.mkdir(parents=True, exist_ok=True)
    prepared = prepare(config)
    rows = tokens_of(prepared)
    say(*prepared.problems.report_lines(), f"references: {len(rows)} to learn from")
    torch.manual_seed(config.grpo.seed)
    plain: Any = AutoModelForCausalLM.from_pretrained(prepared.source, dtype=torch.float32)
    model: Any = get_peft_model(plain, adapter(config))
    model.to("cpu" if config.model.cpu else "cuda")
    measuring = Measuring(config, prepared)
    pad = prepared.tokenizer.pad_token_id
    for step in learn(model, rows, config, pad, int(every)):
        if measuring.passed(step, plain) >= ENOUGH:
            break
    # Half as large, and next to the same; a folder of this machine is nobody else's model.
    model.half()
    model.peft_config["default"].base_model_name_or_path = NAME
    model.save_pretrained(folder, save_embedding_layers=False)


if __name__ == "__main__":
    main()
