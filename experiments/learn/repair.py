"""Does feedback help a second try?  Small models that make mistakes are taught, level by level, to
read what is said of a program and to write another; then each writes one for programs that fail,
and a model that only tries again is held against them.

    python -m experiments.learn.repair --seeds 8

With `--blind` the prompts do not say what a function computes, so that a model can only guess, and
nothing but the feedback tells it which guesses were right.

What a second try is taught: it keeps the lines that are right, and writes the others anew, as
often wrong as the first.  So no level is taught to write better code than another, or than the
model that tries again: what differs is what it knows of the program before it.
"""

from __future__ import annotations

import argparse
import copy
import json
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from math import comb
from pathlib import Path
from random import Random
from typing import Any, Final

from ocaml_reward import Problem

from . import stay_offline
from .tasks import END, NAMES, OPERATIONS, Task

ROOT: Final = Path(__file__).parents[2]
LEVELS: Final = ("verdict", "compiler", "located", "public")
SHUFFLED: Final = "located, of another program"
"""A control: the model that was taught `located`, told what is true of another program."""
ONCE: Final = "tried again"
EQUAL: Final = "tried again, as often as the tokens read pay for"
TRIES: Final = 8
"""First tries at each held-out problem."""
AGAIN: Final = 16
"""More of them, for the model that only tries again."""
HEAD: Final = (
    "| second try | pass@1 after both | less tried again once |"
    " less tried again at equal tokens | tokens, of trying again |"
)
EXAMPLES: Final = 2500
"""Wrong programs that the levels are taught on, graded once for all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrong:
    """A program that does not pass, what is said of it at each level, and the task."""

    task: Any
    text: str
    told: Mapping[str, str]

    def asked(self, level: str) -> str:
        """Write all that the model reads before it tries again."""
        return f"{self.task.prompt}{self.text}\n{self.told[level]}\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Blind:
    """A task whose prompt gives the types of its functions alone."""

    task: Task

    @property
    def prompt(self) -> str:
        """What the model reads."""
        kinds = zip(NAMES, self.task.operations, strict=True)
        return f"(* {' '.join(f'{name}: {one.type}.' for name, one in kinds)} *)\n"

    @property
    def problem(self) -> Problem:
        """The problem with its tests and its solution."""
        return replace(self.task.problem, prompt=self.prompt)

    def written(self, rng: Random, *, share: float) -> str:
        """Guess what the functions compute, with a share of mistakes besides."""
        guessed = [
            rng.choice([n for n, one in enumerate(OPERATIONS) if one.type == each.type])
            for each in self.task.operations
        ]
        return Task(numbers=tuple(guessed), of_form=True).written(rng, share=share)


def blinded(task: Any) -> Any:
    """Leave out of a prompt what the functions compute."""
    return Blind(task=task)


def main() -> None:
    """Do what is missing, and print the table after each seed."""
    options = arguments()
    stay_offline()
    from ocaml_reward import Grader  # noqa: PLC0415 (after the variables)

    from .held_out import scheme  # noqa: PLC0415

    results = []
    with Grader(scheme(), regions=True) as grader:
        for seed in range(options.first, options.first + options.seeds):
            name = f"{options.start}-blind" if options.blind else options.start
            path = options.out / name / f"seed{seed}.json"
            if not path.is_file():
                began = time.perf_counter()
                found = seed_of(grader, seed, options)
                found["seconds"] = round(time.perf_counter() - began)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(found) + "\n", encoding="utf-8")
            results.append(json.loads(path.read_text(encoding="utf-8")))
            sys.stdout.write(f"{table(results)}\n")
            sys.stdout.flush()


def seed_of(grader: Any, seed: int, options: argparse.Namespace) -> dict[str, Any]:
    """Teach the models of a seed and measure them: for each held-out problem the share of its
    first tries that passed, and what each arm's second ones add.
    """
    import torch  # noqa: PLC0415 (after the variables)

    from trainer_plugin.run.tiny_models import make_model, make_tokenizer  # noqa: PLC0415

    from .base import SIZES, sample, teach  # noqa: PLC0415
    from .families import ALL_STARTS, FAMILIES  # noqa: PLC0415

    torch.set_num_threads(options.threads)
    start = ALL_STARTS[options.start]
    family = FAMILIES[start.family]
    mistakes = start.mistakes if options.mistakes is None else options.mistakes
    drawn_tasks = family.draw(seed, start.of_form, options.held_out)
    training, held_out = (
        [blinded(each) if options.blind else each for each in some] for some in drawn_tasks
    )
    rng = Random(seed)
    wrong = list(
        told_of(
            grader,
            [
                (task, task.written(rng, share=mistakes))
                for task in rng.choices(training, k=EXAMPLES)
            ],
        )
    )
    texts = [each.asked(level) for each in wrong[:800] for level in LEVELS]
    tokenizer = make_tokenizer(
        [*texts, *(sample(rng.choice(training), rng, 0.0)[0] for _ in range(800))],
        vocabulary=1024,
        cut_after=family.pieces,
    )
    base = make_model(
        tokenizer, seed=seed, hidden=SIZES["small"].hidden, layers=SIZES["small"].layers
    )
    teach(
        base,
        tokenizer,
        lambda _: sample(rng.choice(training), rng, mistakes),
        steps=options.base_steps,
    )
    first = tries(base, tokenizer, [each.prompt for each in held_out], TRIES)
    tried = [(held_out[place // TRIES], text) for place, (text, _) in enumerate(first)]
    failed = list(told_of(grader, tried))
    passed = passes(grader, tried)
    again = tries(base, tokenizer, [each.prompt for each in held_out], AGAIN, seed=2)
    luck = passes(
        grader,
        [(held_out[place // AGAIN], text) for place, (text, _) in enumerate(again)],
    )
    lucky = dict(zip(map(id, held_out), in_groups(luck, AGAIN), strict=True))
    shares = [count / TRIES for count in in_groups(passed, TRIES)]
    found: dict[str, Any] = {"first": shares, "arms": {}}
    written = statistics.fmean(count for _, count in again)

    def measured(second: Sequence[float]) -> list[float]:
        gained = dict.fromkeys(map(id, held_out), 0.0)
        for each, one in zip(failed, second, strict=True):
            gained[id(each.task)] += one / TRIES
        return [share + gained[id(each)] for share, each in zip(shares, held_out, strict=True)]

    found["arms"][ONCE] = measured([any_of(lucky[id(each.task)], 1.0) for each in failed])

    def drawn(level: str, _: int) -> tuple[str, str]:
        return lesson(one := rng.choice(wrong), one.asked(level), mistakes, rng)

    for level in options.levels:
        model = copy.deepcopy(base)
        teach(
            model,
            tokenizer,
            partial(drawn, level),
            steps=options.level_steps,
        )
        asked = [each.asked(level) for each in failed]
        second = tries(model, tokenizer, asked, 1)
        read = statistics.fmean(len(tokenizer(each)["input_ids"]) for each in asked)
        prompt = statistics.fmean(len(tokenizer(each.task.prompt)["input_ids"]) for each in failed)
        spent = read + statistics.fmean(count for _, count in second)
        times = spent / (prompt + written)
        pairs = [(each.task, text) for each, (text, _) in zip(failed, second, strict=True)]
        found["arms"][level] = measured(passes(grader, pairs))
        found["arms"][f"{EQUAL} at {level}"] = measured(
            [any_of(lucky[id(each.task)], times) for each in failed]
        )
        found.setdefault("times", {})[level] = times
        if level == "located":
            others = [failed[place - 1] for place in range(len(failed))]
            crossed = [
                f"{each.task.prompt}{each.text}\n{other.told[level]}\n"
                for each, other in zip(failed, others, strict=True)
            ]
            second = tries(model, tokenizer, crossed, 1)
            pairs = [(each.task, text) for each, (text, _) in zip(failed, second, strict=True)]
            found["arms"][SHUFFLED] = measured(passes(grader, pairs))
    return found


def in_groups(passed: Sequence[bool], size: int) -> list[int]:
    """Count those that passed in each run of so many."""
    return [sum(passed[at : at + size]) for at in range(0, len(passed), size)]


def lesson(wrong: Wrong, asked: str, mistakes: float, rng: Random) -> tuple[str, str]:
    """Make a text to be taught: what is asked after a program, and another in which the lines that
    were right are kept and the others written anew.
    """
    right = [*(wrong.task.problem.reference or "").split("\n"), END]
    before = wrong.text.split("\n")[: len(right)]
    lines: list[str | None] = [None] * len(right)
    for _ in range(9):
        fresh = wrong.task.written(rng, share=mistakes).split("\n")
        lines = [
            old if old == good else new
            for old, good, new in zip_longest(before, right, fresh[: len(right)])
        ]
        # The same once more would be no other try.
        if lines != before:
            break
    return asked + "\n".join(line for line in lines if line is not None), asked


def told_of(grader: Any, tried: Sequence[tuple[Any, str]]) -> Iterator[Wrong]:
    """Yield those programs that do not pass, with what is said of each at every level."""
    from ocaml_reward import Completion  # noqa: PLC0415
    from ocaml_reward.model import public_checks  # noqa: PLC0415

    # The first test of each problem may be seen.
    problems = {id(task): task.problem for task, _ in tried}
    public = {
        key: replace(problem, tests=problem.tests.split("\n")[0])
        for key, problem in problems.items()
    }
    pairs = [(problems[id(task)], Completion(text=text)) for task, text in tried]
    for (task, text), pair, found in zip(tried, pairs, grader.grade_many(pairs), strict=True):
        if found.verdict == "passed":
            continue
        shown = public[id(task)]
        checks = public_checks(shown, grader.grade(shown, pair[1]))
        told = {level: found.feedback(level, checks) for level in LEVELS}
        yield Wrong(task=task, text=text, told=told)


def passes(grader: Any, tried: Sequence[tuple[Any, str]]) -> list[bool]:
    """Tell of each program whether it passes."""
    from ocaml_reward import Completion  # noqa: PLC0415

    pairs = [(task.problem, Completion(text=text)) for task, text in tried]
    return [each.verdict == "passed" for each in grader.grade_many(pairs)]


def tries(
    model: Any, tokenizer: Any, prompts: Sequence[str], count: int, *, seed: int = 1
) -> list[tuple[str, int]]:
    """Sample so many texts for each prompt, each with its tokens."""
    import torch  # noqa: PLC0415

    torch.manual_seed(seed)
    model.eval()
    found = []
    for at in range(0, len(prompts), 64):
        given = tokenizer(
            list(prompts[at : at + 64]),
            return_tensors="pt", padding=True, padding_side="left",
        )  # fmt: skip
        with torch.inference_mode():
            output = model.generate(
                **given,
                do_sample=True, temperature=1.0, top_k=0, top_p=1.0,
                max_new_tokens=64, num_return_sequences=count,
                pad_token_id=tokenizer.pad_token_id,
            )  # fmt: skip
        for answer in output[:, given["input_ids"].shape[1] :]:
            text = tokenizer.decode(answer, skip_special_tokens=True)
            found.append((text, int((answer != tokenizer.pad_token_id).sum())))
    return found


def any_of(passed: int, times: float) -> float:
    """Give the chance that one of so many of the tries passes, between whole numbers on a line."""

    def chance(count: int) -> float:
        return 1 - comb(AGAIN - passed, count) / comb(AGAIN, count)

    whole = min(int(times), AGAIN - 1)
    rest = min(times - whole, 1.0)
    return (1 - rest) * chance(whole) + rest * chance(whole + 1)


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """Write the arms with pass@1 after both tries, and less that of a model that tries again."""
    from .paired import interval  # noqa: PLC0415

    first = statistics.fmean(share for each in results for share in each["first"])
    lines = [
        f"{len(results)} seeds; pass@1 of the first tries {first:.3f}",
        HEAD,
        "|---|---|---|---|---|",
    ]
    arms = [each for each in (ONCE, *LEVELS, SHUFFLED) if each in results[0]["arms"]]
    for arm in arms:
        level = "located" if arm == SHUFFLED else arm
        cells = []
        for against in (ONCE, f"{EQUAL} at {level}"):
            if arm == ONCE:
                cells.append("-")
                continue
            gained = [
                [a - b for a, b in zip(each["arms"][arm], each["arms"][against], strict=True)]
                for each in results
            ]
            low, high = interval(gained)
            mean = statistics.fmean(value for some in gained for value in some)
            cells.append(f"{mean:+.3f} ({low:+.3f} to {high:+.3f})")
        value = statistics.fmean(v for each in results for v in each["arms"][arm])
        times = statistics.fmean(each["times"][level] if arm != ONCE else 1.0 for each in results)
        lines.append(f"| {arm} | {value:.3f} | {' | '.join(cells)} | {times:.1f} |")
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m experiments.learn.repair")
    for flag, default, meaning in (
        ("--seeds", 8, "how many seeds"),
        ("--first", 0, "the first seed"),
        ("--base-steps", 800, "of each base"),
        ("--level-steps", 600, "of each level"),
        ("--held-out", 64, "problems that are measured on, by 8 first tries each"),
        ("--threads", 1, "of the model's sums"),
    ):
        parser.add_argument(flag, type=int, default=default, help=f"{meaning}; {default}")
    parser.add_argument("--levels", nargs="+", choices=LEVELS, default=LEVELS, help="of feedback")
    parser.add_argument("--mistakes", type=float, help="share of wrong functions")
    parser.add_argument("--blind", action="store_true", help="do not say what functions compute")
    parser.add_argument("--start", default="common", help="what a base is taught")
    build = ROOT / "build" / "repair"
    parser.add_argument("--out", type=Path, default=build, help="where runs are kept")
    return parser.parse_args()


if __name__ == "__main__":
    main()
