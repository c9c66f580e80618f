"""
Play the policy: search for what the reward pays, without knowing any answer.

Three searches.  `up` begins with stubs and mutates what is paid most among what passes no
check.  `worse` takes the corpus' completions and spoils each in ways that are no better; a
gain is fair where the record says that a mistake is gone with what was spoilt.  `same` adds
what changes nothing to those that parse, for others are paid by the share of what does.  Printed is a table each, and with `--show` the programs behind it.

    python -m benchmarks.climb --rounds 12 --width 60
    python -m benchmarks.climb --scheme decisive --step 4 --searches up worse
    python -m benchmarks.climb --problems made.jsonl --searches up --show 10
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from ocaml_reward import Grader
from ocaml_reward.engine import select
from ocaml_reward.formats import CompletionLine, load_problems, read_completions
from ocaml_reward.model import Verdict
from ocaml_reward.scheme import load, with_overrides

from .searching import Changed, Tried, answers, changes, climb, is_better, is_blind

CORPUS = Path(__file__).parents[2] / "test_corpus"
# Programs that loop on purpose shall not fill the time.
LITTLE_TIME = ("budget.check_cpu_s=0.05", "budget.tests_cpu_s=0.1")
# More than a stub keeps, and code that does not parse with its marker.
BUSY = 0.055
SEARCHES = ("up", "worse", "same")


def show_up(found: Sequence[Tried], most: int) -> None:
    """
    Print what is paid to programs that pass no check.
    """
    useless = [each for each in found if not each.found.tests.passed]
    blind = [each for each in useless if is_blind(each)]
    print(
        f"up: {len(found)} programs, {len(useless)} pass no check, {len(blind)} of them blind"
    )
    best: dict[str, float] = {}
    for each in useless:
        best[each.problem] = max(best.get(each.problem, 0.0), each.reward)
    print(
        f"  the best of a problem: {mean(best.values()):.3f}, at most {max(best.values()):.3f}"
    )
    high = sorted((each.reward for each in blind if each.reward > BUSY), reverse=True)
    print(
        f"  blind ones above {BUSY}: {len(high)}, at most {max(high, default=0.0):.3f}"
    )
    paid = Counter(
        (round(each.reward, 3), each.found.verdict.value) for each in useless
    )
    for (reward, verdict), count in sorted(paid.items(), reverse=True)[:12]:
        print(f"  {reward:6.3f} {verdict:16} {count:6}")
    # First those that have nothing to do with what they are given.
    blind_first = sorted(
        useless,
        key=lambda each: (each.reward <= BUSY or not is_blind(each), -each.reward),
    )
    for each in blind_first[:most]:
        print(f"=== {each.problem}: {each.reward}\n{each.text}")


def show_changes(
    name: str, found: Sequence[Changed], most: int, *, is_fault: bool
) -> None:
    """
    Print each kind with changes that are paid: `is_fault` of those that make nothing better.
    """
    print(f"{name}: {len(found)} changes")
    kinds: dict[str, list[Changed]] = {}
    for each in found:
        kinds.setdefault(each.kind, []).append(each)
    odd = {
        kind: [
            each
            for each in those
            if (each.gain > 0 and not is_better(each) if is_fault else each.gain)
        ]
        for kind, those in kinds.items()
    }
    for kind, those in kinds.items():
        fair = (
            sum(each.gain > 0 and is_better(each) for each in those) if is_fault else 0
        )
        if odd[kind] or fair:
            largest = max((each.gain for each in odd[kind]), key=abs, default=0.0)
            says = f"{fair:4} fair" if is_fault else ""
            print(
                f"  {kind:32} {len(odd[kind]):4} of {len(those):5} {largest:+.3f} {says}"
            )
    worst = sorted(
        (each for those in odd.values() for each in those), key=lambda c: -abs(c.gain)
    )
    for each in worst[:most]:
        verdicts = f"{each.before.verdict.value} to {each.after.verdict.value}"
        print(
            f"=== {each.problem}, {each.kind}: {each.gain:+}, {verdicts}\n{each.text}"
        )


def main() -> None:
    """
    Search, and print the tables.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--searches", nargs="*", choices=SEARCHES, default=list(SEARCHES)
    )
    parser.add_argument("--scheme", default="seed")
    parser.add_argument("--problems", type=Path, default=CORPUS / "problems.jsonl")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=12, help="generations")
    parser.add_argument(
        "--width", type=int, default=60, help="programs of one, a problem"
    )
    parser.add_argument(
        "--step", type=int, default=2, help="each so many-th completion"
    )
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    scheme = with_overrides(load(options.scheme), LITTLE_TIME)
    problems = load_problems(options.problems).problems
    with Grader(scheme, engine=select.engine("warm"), jobs=options.jobs) as grader:
        if "up" in options.searches:
            found = climb(
                grader,
                problems,
                seed=options.seed,
                rounds=options.rounds,
                width=options.width,
            )
            show_up(found, options.show)
        if {"worse", "same"}.isdisjoint(options.searches):
            return
        lines = [
            line
            for line in read_completions(CORPUS / "completions.jsonl")
            if isinstance(line, CompletionLine)
            and not str(line.extra["case"]).startswith("cheat-")
        ]
        corpus = load_problems(CORPUS / "problems.jsonl").problems
        pairs = [
            (corpus[line.problem_id], line.completion)
            for line in lines[:: options.step]
        ]
        bases = answers(grader, pairs)
        for name in ("worse", "same"):
            if name in options.searches:
                is_fault = name == "worse"
                if not is_fault:
                    bases = [
                        base
                        for base in bases
                        if base[2].verdict is not Verdict.SYNTAX_ERROR
                    ]
                made = changes(grader, bases, seed=options.seed, make_worse=is_fault)
                show_changes(name, made, options.show, is_fault=is_fault)


if __name__ == "__main__":
    main()
