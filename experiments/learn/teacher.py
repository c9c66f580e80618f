"""The compiler as a teacher (SDPO): bases that read feedback, and the variants that learn by it.

A lesson in reading is what the teacher of TRL's SDPO trainer is asked after a failed attempt, and
behind it an attempt in which the lines that were right are kept and the others written anew: as
often wrong as in a first one, so that the teacher writes no better than the student but for what
the feedback tells it, or mended.

Reading is learned late, after some 2,000 steps, so there is one reader for each kind of mistakes.
Bases go on from it, each with problems, mistakes and random numbers of its own. Whether those on
disk read:

    python -m experiments.learn.teacher build/learn/rare-reading
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

import torch
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast

from ocaml_reward import Grader
from trainer_plugin.located.spans import TokenReader

from ..teacher.contexts import TEMPLATES
from ..teacher.figures import area
from .base import Reading, Size, Text, make_base
from .families import ALL_STARTS, FAMILIES
from .held_out import scheme
from .repair import Wrong, lesson, told_of
from .tasks import Learnt
from .variants import TEMPLATE, Start

EXAMPLES: Final = 2500
"""Wrong programs of which the lessons are made, graded once for all."""
HALF: Final = 0.5
"""The share of wrong functions in them, which tells most about where a mistake is."""
STEPS: Final = 3600
TAUGHT: Final = 0.25
"""The share of the reader's steps without mistakes, before it reads."""
PEAK: Final = 2e-3
SIZE: Final = Size(layers=3, hidden=128)
GOING_ON: Final = 300
"""The steps of a base, which goes on from the reader."""
OWN: Final = "its own"
OTHER: Final = "of another program"
SEEDS: Final = 8
"""As many of a start's seeds keep their 64 held-out problems, the default, from the reader."""


def asked(prompt: str, told: str) -> str:
    """Return what the teacher is asked, as TRL puts it."""
    feedback = TEMPLATES["feedback_template"].format(feedback_raw=told)
    return TEMPLATE.format(feedback=feedback, prompt=prompt)


def make_reading_base(
    folder: Path, reader: Path, training: Sequence[Learnt], start: Start, *, seed: int
) -> Path:
    """Make a base that reads feedback, and the reader if there is none; returns the base's folder.

    Args:
        folder: The folder of the base.
        reader: The folder of the reader.
        training: The problems of the seed.
        start: The start.
        seed: Of the base.
    """
    if (folder / "config.json").is_file():
        return folder
    return make_base(
        folder,
        training,
        mistakes=start.mistakes,
        taught=0.0,
        seed=seed,
        steps=GOING_ON,
        size=SIZE,
        cut_after=FAMILIES[start.family].pieces,
        reading=reading_lessons(training, seed=seed, mended=start.mended),
        peak=PEAK / 2,
        begin=make_reader(reader, start),
    )


def make_reader(folder: Path, start: Start) -> Path:
    """Train the reader of a start's mistakes, unless the folder has it; returns the folder."""
    if (folder / "config.json").is_file():
        return folder
    tasks = reader_tasks(start)
    return make_base(
        folder,
        tasks,
        mistakes=start.mistakes,
        taught=TAUGHT,
        seed=0,
        steps=STEPS,
        size=SIZE,
        cut_after=FAMILIES[start.family].pieces,
        reading=reading_lessons(tasks, seed=0),
        peak=PEAK,
    )


def reader_tasks(start: Start) -> list[Learnt]:
    """Return what a reader is taught on: problems of other seeds, none of them held out."""
    draw = FAMILIES[start.family].draw
    kept = {
        each.problem.id
        for seed in range(start.first, start.first + SEEDS)
        for each in draw(seed, start.of_form, 64)[1]
    }
    return [
        each
        for seed in range(SEEDS)
        for each in draw(seed, start.of_form, 0)[0]
        if each.problem.id not in kept
    ]


def reading_lessons(
    tasks: Sequence[Learnt], *, seed: int, mended: bool = False, count: int = EXAMPLES
) -> Reading:
    """Grade programs with mistakes, and return what draws a lesson from them, `mended` or not."""
    wrong = wrong_programs(tasks, count, seed=seed)

    def drawn(rng: Random, share: float) -> Text:
        one = rng.choice(wrong)
        question = asked(one.task.prompt, one.told["located"])
        return lesson(one, question, 0.0 if mended else share, rng)

    return drawn


def wrong_programs(tasks: Sequence[Learnt], count: int, *, seed: int) -> list[Wrong]:
    """Write so many programs with mistakes; returns those that fail, with what is said of them."""
    rng = Random(seed)
    tried = [(task, task.written(rng, share=HALF)) for task in rng.choices(tasks, k=count)]
    with Grader(scheme(), regions=True) as grader:
        return list(told_of(grader, tried))


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What a base makes of feedback.

    Attributes:
        blame: The area under the curve by which the teacher blames the tokens of wrong lines more
            than those of right ones, a mean over programs; 0.5 is chance.
        reference: How much likelier the reference is to the teacher than to the student, in nats, a
            mean over programs.
    """

    blame: float
    reference: float


def read(
    model: Any, tokenizer: Any, held_out: Sequence[Learnt], *, count: int = 200
) -> dict[str, Told]:
    """Measure whether a base reads, on so many programs that fail: with their own feedback, and
    with that of another program. Nothing is trained.
    """
    wrong = wrong_programs(held_out, count, seed=1)
    reader = TokenReader(tokenizer)
    areas: dict[str, list[float]] = {OWN: [], OTHER: []}
    gained: dict[str, list[float]] = {OWN: [], OTHER: []}
    for place, one in enumerate(wrong):
        prompt, reference = one.task.prompt, one.task.problem.reference or ""
        spans = reader.spans(tokenizer(one.text)["input_ids"], one.text) or []
        lines = [one.text.count("\n", 0, start) for start, _ in spans]
        right, written = reference.split("\n"), one.text.split("\n")
        # What is behind the functions is no mistake of theirs.
        counted = [at for at, line in enumerate(lines) if line < min(len(right), len(written))]
        is_wrong = [written[lines[at]] != right[lines[at]] for at in counted]
        if len({*is_wrong}) < 2:
            continue
        student = log_probs(model, tokenizer, prompt, one.text)
        likely = log_probs(model, tokenizer, prompt, reference).sum()
        for name, other in {OWN: one, OTHER: wrong[place - 1]}.items():
            question = asked(prompt, other.told["located"])
            scores = (student - log_probs(model, tokenizer, question, one.text)).tolist()
            areas[name].append(area([scores[at] for at in counted], is_wrong))
            known = log_probs(model, tokenizer, question, reference).sum()
            gained[name].append((known - likely).item())
    return {
        name: Told(blame=fmean(areas[name]), reference=fmean(gained[name])) for name in (OWN, OTHER)
    }


def log_probs(model: Any, tokenizer: Any, prompt: str, text: str) -> torch.Tensor:
    """Return the log probability of each token of a text behind a prompt, shape (tokens,)."""
    before, ids = tokenizer(prompt)["input_ids"], tokenizer(text)["input_ids"]
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([before + ids])).logits[0, len(before) - 1 : -1]
    return logits.log_softmax(-1).gather(1, torch.tensor(ids).unsqueeze(1)).squeeze(1)


def main() -> None:
    """Print what the bases in a start's folder make of feedback."""
    parser = argparse.ArgumentParser(prog="python -m experiments.learn.teacher")
    parser.add_argument("folder", type=Path, nargs="+", help="of a start, with its seeds")
    folders = parser.parse_args().folder
    torch.set_num_threads(1)
    head = "| base | feedback | AUC of blame | nats that the reference gains |\n|---|---|---|---|\n"
    sys.stdout.write(head)
    for folder in folders:
        start = ALL_STARTS[folder.name]
        for base in sorted(folder.glob("seed*/base")):
            seed = int(base.parent.name.removeprefix("seed"))
            held_out = FAMILIES[start.family].draw(seed, start.of_form, 64)[1]
            tokenizer = PreTrainedTokenizerFast.from_pretrained(base)
            model = AutoModelForCausalLM.from_pretrained(base).eval()
            for name, told in read(model, tokenizer, held_out).items():
                row = f"{folder.name}, seed {seed} | {name} | {told.blame:.3f} | {told.reference:+.2f}"
                sys.stdout.write(f"| {row} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
