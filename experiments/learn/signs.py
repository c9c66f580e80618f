"""How often a token's credit has the right sign, for texts whose mistakes are known.

    python -m experiments.learn.signs --wrong 0.97 --of-form

Groups of eight solutions with planted mistakes, those that the bases are taught, are scored
as in a training.  A token of a function that is right where others of its group are wrong
should gain, and one of a function that is wrong where others are right should lose.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from ocaml_reward import Completion, Grader
from trainer_plugin.located.advantages import located_advantages, place
from trainer_plugin.located.spans import TokenReader
from trainer_plugin.run.tiny_models import make_tokenizer

from .run import GROUP
from .tasks import NAMES, PIECES, Task, problems
from .variants import dealt, scheme_of

SHARES: Final = {
    "solved": 0.0,
    "located": 0.5,
    "located, all of it": 1.0,
    "located at random": 0.5,
}


def signs(wrong: float, *, of_form: bool, tasks: int, jobs: int = 2) -> dict[str, Counter[int]]:
    """Count the tokens whose credit has the right sign (1), the wrong one (-1) or is zero.

    Args:
        wrong: The share of functions with a mistake.
        of_form: Whether mistakes are of form alone.
        tasks: How many groups there are.
        jobs: How many completions are graded at a time.

    Returns:
        By variant, how many tokens there are of each.
    """
    rng = Random(0)
    drawn, _ = problems(0, training=tasks, held_out=1, of_form=of_form)
    texts = [(task, task.written(rng, share=wrong)) for task in drawn for _ in range(GROUP)]
    tokenizer = make_tokenizer((text for _, text in texts), cut_after=PIECES)
    reader = TokenReader(tokenizer)
    with Grader(scheme_of("located"), jobs=jobs, regions=True) as grader:
        graded = list(
            grader.grade_many((task.problem, Completion(text=text)) for task, text in texts)
        )
    found = {}
    for variant, share in SHARES.items():
        told = dealt(graded, rng) if variant == "located at random" else graded
        spans = [reader.spans(tokenizer(text)["input_ids"], text) or [] for _, text in texts]
        # As the recorded figures were made: all of a wrong definition is equally likely.
        placed = [
            place(replace(one, blame=None), each, text=text)
            for one, each, (_, text) in zip(told, spans, texts, strict=True)
        ]
        groups = [at // GROUP for at in range(len(texts))]
        gained = located_advantages(placed, groups, share=share).advantages
        counts: Counter[int] = Counter()
        for first in range(0, len(texts), GROUP):
            part = slice(first, first + GROUP)
            truths = list(due(texts[part]))
            for tokens, numbers, truth in zip(spans[part], gained[part], truths, strict=True):
                for (start, _), number in zip(tokens, numbers, strict=True):
                    wanted = next((sign for begin, end, sign in truth if begin <= start < end), 0)
                    if wanted:
                        counts[sign_of(number) * wanted] += 1
        found[variant] = counts
    return found


def due(group: Sequence[tuple[Task, str]]) -> Iterator[list[tuple[int, int, int]]]:
    """Yield for each text of a group what its functions should gain: the characters, and 1
    or -1; nothing where all of the group are alike.
    """
    rights = [
        [line == own for line, own in zip(text.split("\n"), task.lines(), strict=False)]
        for task, text in group
    ]
    for (_, text), right in zip(group, rights, strict=True):
        places = []
        start = 0
        for number, line in enumerate(text.split("\n")[: len(NAMES)]):
            others = {each[number] for each in rights}
            if len(others) > 1:
                places.append((start, start + len(line), 1 if right[number] else -1))
            start += len(line) + 1
        yield places


def sign_of(value: float) -> int:
    """Return -1, 0 or 1."""
    return (value > 0) - (value < 0)


def main() -> None:
    """Print one row a variant."""
    parser = argparse.ArgumentParser(prog="python -m experiments.learn.signs")
    parser.add_argument("--wrong", type=float, default=0.55, help="share of functions")
    parser.add_argument("--of-form", action="store_true", help="no wrong results")
    parser.add_argument("--tasks", type=int, default=64, help="how many groups")
    options = parser.parse_args()
    counted = signs(options.wrong, of_form=options.of_form, tasks=options.tasks)
    for variant, counts in counted.items():
        cells = " | ".join(f"{counts[sign] / counts.total():.0%}" for sign in (1, -1, 0))
        sys.stdout.write(f"| {variant} | {counts.total()} | {cells} |\n")


if __name__ == "__main__":
    main()
