"""The base: the model after so many supervised steps on references that it passes a little.

    python -m experiments.pretrained.warming EVERY KEY=VALUE...

Measures every so many steps, until enough passes; never with 0, when it takes all steps.  Writes
the model, and what every measurement came to, into `grpo.output_dir`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from datasets import Dataset
from transformers import PrinterCallback, ProgressCallback, TrainerCallback
from trl import SFTTrainer

from ocaml_reward import Breakdown, Completion, Problem, Verdict
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import Config
from trainer_plugin.endings import cut_off, final_tokens
from trainer_plugin.run.preparing import Prepared, grader_of, prepare, say
from trainer_plugin.run.sft import LossPrinter, arguments, reference_rows

from .decoding import Decoders
from .problems import TRAINED, family_of

ENOUGH: Final = 0.05
"""The base is the first that passes this share of new problems of the families trained on."""
LONGEST: Final = 512
"""Tokens that every batch is padded to: buffers of one size stay where they are."""
GROUP: Final = 8
MEASURED: Final = "measured.jsonl"


class Measuring(TrainerCallback):
    """Measures the model as it learns, and stops when it passes enough."""

    def __init__(self, config: Config, prepared: Prepared, every: int) -> None:
        """Start the engine; `every` is the number of steps between two measurements."""
        self._config, self._prepared, self._every = config, prepared, every
        self._grader = grader_of(config)
        self._decoders: Decoders | None = None
        self._began = time.perf_counter()

    def on_train_begin(self, *events: Any, **more: Any) -> None:
        """Measure the model as it came."""
        self._measure(events[1].global_step, more["model"])

    def on_step_end(self, *events: Any, **more: Any) -> None:
        """Measure, now and then."""
        _, state, control = events
        if state.global_step % self._every == 0:
            passed = self._measure(state.global_step, more["model"])
            control.should_training_stop |= passed >= ENOUGH

    def _measure(self, step: int, model: Any) -> float:
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
        tokenizer, longest = self._prepared.tokenizer, self._config.grpo.max_completion
        ends = final_tokens(tokenizer, model)
        if self._decoders is None:
            self._decoders = Decoders(
                model,
                width=self._config.grpo.max_prompt,
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


def main() -> None:
    """Learn from the references until enough passes, and write the model."""
    # Weights of 32 bits learn in small steps; their products need not be as exact.
    torch.set_float32_matmul_precision("high")
    every, *settings = sys.argv[1:]
    loaded = load_config(preset="seed", overrides=settings, environment={})
    config = loaded.config
    folder = Path(config.grpo.output_dir)
    folder.mkdir(parents=True, exist_ok=True)
    prepared = prepare(config)
    rows = reference_rows(prepared.problems.training, prepared.prompts)
    say(*prepared.problems.report_lines(), f"references: {len(rows)} to learn from")
    told = arguments(config, folder)
    told.pad_to_multiple_of = LONGEST
    trainer = SFTTrainer(
        model=prepared.source,
        args=told,
        train_dataset=Dataset.from_list(rows),
        processing_class=prepared.tokenizer,
        callbacks=[Measuring(config, prepared, int(every))] if int(every) else [],
    )
    trainer.add_callback(LossPrinter())
    trainer.remove_callback(PrinterCallback)
    trainer.remove_callback(ProgressCallback)
    trainer.train()
    trainer.save_model(str(folder))
    prepared.tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    main()
