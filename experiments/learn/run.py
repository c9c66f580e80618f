"""One training: a base model, a variant of the reward, a seed; the curve it makes."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any, Final

from datasets import Dataset
from transformers import PreTrainedTokenizerFast, TrainerCallback

from ocaml_reward import Grader
from trainer_plugin.config.reading import load_config
from trainer_plugin.data.datasets import dataset_rows
from trainer_plugin.data.prompts import Prompting
from trainer_plugin.learning import step_from_logs
from trainer_plugin.run.trainer import StepPrinter, create_trainer

from .held_out import Yardstick, scheme
from .rejection import REJECTION, learn_from_passes
from .tasks import END, Learnt
from .variants import make_reward, settings_of

EVERY: Final = 10
GROUP: Final = 8
SPARE: Final = 8
SETTINGS: Final = (
    "grpo.save_steps=100000",
    "grpo.eval_steps=none",
    f"grpo.num_generations={GROUP}",
    "grpo.lr_scheduler_type=constant_with_warmup",
    "grpo.warmup_steps=5",
    "grpo.temperature=1.0",
    "grpo.top_p=1.0",
    "grpo.beta=0.0",
    # An adapter would leave the output layer as it is, whose rows for a word and the same
    # word misspelt are as good as equal in some bases: docs/learning.md.
    "lora.enabled=false",
)
PROMPTS: Final = Prompting(
    template=Template("$problem"), system="", examples=(), end=END, chat=False
)


class Curve(TrainerCallback):
    """Measures on the held-out problems every so many steps, and notes how long each step takes,
    which not every trainer of TRL logs.
    """

    def __init__(self, yardstick: Yardstick) -> None:
        """Start without a point."""
        self.yardstick = yardstick
        self.points: list[dict[str, Any]] = []
        self.seconds: list[float] = []
        self._began = 0.0

    def on_train_begin(self, _: Any, __: Any, ___: Any, **more: Any) -> None:
        """Measure the base."""
        self.note(0, more["model"])

    def on_step_begin(self, _: Any, __: Any, ___: Any, **____: Any) -> None:
        """Start the clock."""
        self._began = time.perf_counter()

    def on_step_end(self, _: Any, state: Any, __: Any, **more: Any) -> None:
        """Stop the clock, and measure now and then."""
        self.seconds.append(time.perf_counter() - self._began)
        if state.global_step % EVERY == 0:
            self.note(state.global_step, more["model"])

    def on_train_end(self, _: Any, state: Any, __: Any, **more: Any) -> None:
        """Measure the end, if that was not just done."""
        if self.points[-1]["step"] != state.global_step:
            self.note(state.global_step, more["model"])

    def note(self, step: int, model: Any) -> None:
        """Add a point."""
        self.points.append({"step": step, **self.yardstick.measure(model)})


def train_one(
    base: Path,
    folder: Path,
    training: Sequence[Learnt],
    held_out: Sequence[Learnt],
    *,
    variant: str,
    seed: int,
    steps: int,
    problems: int,
    longest: int | None,
    changes: Sequence[str] = (),
) -> dict[str, Any]:
    """Train, and return the curve with the figures of the steps; a run that is on disk
    already is read instead.

    Args:
        base: The folder of the model to begin with.
        folder: Where the run is kept.
        training: The problems to train on.
        held_out: Those to measure on.
        variant: What the reward is.
        seed: Of the training.
        steps: How many there are.
        problems: How many problems each of them has.
        longest: How many tokens a completion may have; None for what solutions need.
        changes: Settings of the trainer, as KEY=VALUE.

    Returns:
        The result, as `result.json` in the folder has it.
    """
    told = folder / "result.json"
    if told.is_file():
        found: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
        return found
    # By its class: the automatic one would cut texts as Qwen2's own does.
    tokenizer = PreTrainedTokenizerFast.from_pretrained(base, padding_side="left")
    longest = longest or longest_of(training, tokenizer)
    config = load_config(
        preset="smoke",
        overrides=[
            *SETTINGS,
            f"grpo.per_device_train_batch_size={GROUP * problems}",
            f"grpo.generation_batch_size={GROUP * problems}",
            f"grpo.max_completion_length={longest}",
            f"model.id={base}",
            f"grpo.output_dir={folder}",
            f"grpo.max_steps={steps}",
            f"grpo.seed={seed}",
            *settings_of(variant),
            *changes,
        ],
        environment={},
    ).config
    score = make_reward(variant, seed)
    started = time.perf_counter()
    with Grader(scheme(), jobs=2) as grader:
        curve = Curve(Yardstick(held_out, tokenizer, grader, longest))
        trainer = create_trainer(
            config,
            score,
            world=1,
            evaluates=False,
            model=str(base),
            train_dataset=Dataset.from_list(
                dataset_rows([task.problem for task in training], PROMPTS, part="train")
            ),
            processing_class=tokenizer,
        )
        if variant == REJECTION:
            learn_from_passes(trainer)
        trainer.add_callback(curve)
        trainer.remove_callback(StepPrinter)
        trainer.train()
    score.close()
    result = {
        "variant": variant,
        "seed": seed,
        "seconds": round(time.perf_counter() - started, 1),
        "points": curve.points,
        **steps_of(trainer.state.log_history, curve.seconds),
    }
    told.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return result


def longest_of(tasks: Sequence[Learnt], tokenizer: Any) -> int:
    """Tell how many tokens a completion may have: those of the longest solution, and a few."""
    texts = [f"{task.problem.reference}\n{END}" for task in tasks]
    return max(len(each) for each in tokenizer(texts)["input_ids"]) + SPARE


def steps_of(history: list[dict[str, Any]], seconds: list[float]) -> dict[str, Any]:
    """Sum up the training steps: groups without a difference, time, and the reward's part."""
    steps = [each for each in history if "ocaml/score_seconds" in each]
    # The same figures as in `learning.log`.
    told = [step_from_logs(each, name="", step=each["step"]) for each in steps]
    scoring = [each["ocaml/score_seconds"] for each in steps]
    return {
        "zero_std": [each.frac_zero_std for each in told if each],
        # TRL's SDPO trainer has none.
        "entropy": [each["entropy"] for each in steps if "entropy" in each],
        "step_seconds": statistics.median(seconds),
        "score_seconds": statistics.median(scoring),
        "score_share": sum(scoring) / sum(seconds),
    }
