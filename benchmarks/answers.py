"""
What `problems strengthen` changes in the verdicts on answers as small models write them.

    python -m benchmarks.answers [--told] [--beyond] [--json FILE]

The problems and the eight answers to each are in `test_corpus/humaneval_like.jsonl`, in
MultiPL-E's shape; `mistakes` says what is wrong with each answer by its prompt, null of
those that are right.  With --told the first four answers of each problem that run are shown
to `strengthen`, wrong ones as --wrong and right ones as --right, and the others are counted.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ocaml_reward import Breakdown, Completion, Grader, Problem, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.engine.select import engine
from ocaml_reward.formats import CompletionLine, load_problems, read_completions
from ocaml_reward.model import Outcome
from ocaml_reward.strengthening import Strengthened, strengthen

from .stronger import used

FILE = Path(__file__).parents[1] / "test_corpus" / "humaneval_like.jsonl"
DOES_NOT_COMPILE = "does not compile"
# Answers to each problem that `strengthen` is told of with --told.
SHOWN = 4
# What the table calls the mistakes; all others are something that was forgotten.
KINDS = {
    "equal elements": {"duplicates", "same place twice"},
    "the prompt misread": {"misread"},
    "0 and 1": {"zero", "one"},
    "negative numbers": {"negative numbers"},
    "bounds": {"bounds", "off by one"},
    "ties, order": {"ties", "order"},
    "other characters, case, blanks": {"bytes", "case", "blanks", "separators"},
    "several digits, overflow": {"many digits", "overflow"},
    "the empty, what raises": {"empty", "raises"},
    DOES_NOT_COMPILE: {DOES_NOT_COMPILE},
}
FORGOTTEN = "one case, kind or element forgotten"


def answers() -> dict[str, list[tuple[str, str | None]]]:
    """
    Return the answers to each problem, each with its mistake.
    """
    found: dict[str, list[tuple[str, str | None]]] = {}
    for line in read_completions(FILE):
        if isinstance(line, CompletionLine):
            own = found.setdefault(line.problem_id, [])
            own.append((line.completion.text, line.extra["mistakes"][len(own)]))
    return found


def stronger(
    running: Engine,
    problem: Problem,
    given: list[tuple[str, str | None]],
    *,
    told: bool,
    beyond: bool,
) -> Strengthened:
    """
    Strengthen a problem, told of the first four answers or of none.
    """
    known = [each for each in given[:SHOWN] if each[1] != DOES_NOT_COMPILE]
    return strengthen(
        running,
        problem,
        wrong=[text for text, mistake in known if mistake and told],
        right=[text for text, mistake in known if not mistake and told],
        beyond=beyond,
    )


def rows(*, told: bool, beyond: bool) -> Iterator[dict[str, Any]]:
    """
    Yield for each answer what it comes to before and after.
    """
    running = engine(cached=True)
    grader = Grader("concise", engine=running, jobs=1)
    given = answers()
    try:
        for problem in load_problems(FILE).problems.values():
            own = given[problem.id]
            found = stronger(running, problem, own, told=told, beyond=beyond)
            before, after = (
                list(
                    grader.grade_many((asked, Completion(text=text)) for text, _ in own)
                )
                for asked in (problem, found.problem)
            )
            for number, (_, mistake) in enumerate(own):
                if told and number < SHOWN:
                    continue
                yield {
                    "problem": problem.id,
                    "answer": number + 1,
                    "mistake": mistake,
                    "before": before[number].verdict.value,
                    "after": after[number].verdict.value,
                    "checks": len(found.checks),
                    "failed": failed(after[number], found.checks),
                }
    finally:
        running.close()


def failed(after: Breakdown, checks: tuple[str, ...]) -> list[str]:
    """
    List the new checks that an answer fails, which stand behind the old ones, with what came of them.
    """
    old = after.tests.total - len(checks)
    return [
        f"{check} {each.outcome.value}"
        for check, each in zip(checks, after.tests.results[old:], strict=False)
        if each.outcome is not Outcome.PASSED
    ]


def kinds_of(mistake: str | None) -> tuple[str, ...]:
    """
    Return the rows of the table that an answer counts in.
    """
    if mistake is None:
        return ("nothing",)
    named = (kind for kind, mistakes in KINDS.items() if mistake in mistakes)
    return (next(named, FORGOTTEN), "all wrong ones")


def table(found: list[dict[str, Any]]) -> Iterator[str]:
    """
    Yield the figures, by what is wrong with an answer, then each answer whose verdict changed.
    """
    passed = Verdict.PASSED.value
    kinds: dict[str, Counter[str]] = {}
    for each in found:
        for name in kinds_of(each["mistake"]):
            count = kinds.setdefault(name, Counter())
            count["answers"] += 1
            count["before"] += each["before"] == passed
            count["after"] += each["after"] == passed
    yield "| what is wrong | answers | pass before | pass after |"
    yield "|---|---|---|---|"
    for name in sorted(kinds, key=lambda name: (-kinds[name]["before"], name)):
        own = kinds[name]
        yield f"| {name} | {own['answers']} | {own['before']} | {own['after']} |"
    for each in found:
        if each["before"] != each["after"]:
            yield (
                f"{each['problem']} {each['answer']}, {each['mistake']}: {each['before']}"
                f" to {each['after']}: {'; '.join(each['failed'])}"
            )


def main() -> None:
    """
    Print the table.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--told", action="store_true")
    parser.add_argument("--beyond", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all rows, as lines")
    given = parser.parse_args()
    began = used()
    found = list(rows(told=given.told, beyond=given.beyond))
    if given.json:
        given.json.write_text("".join(f"{json.dumps(each)}\n" for each in found))
    print("\n".join(table(found)))
    checks = {each["problem"]: each["checks"] for each in found}
    stronger_ones = sum(map(bool, checks.values()))
    print(f"{stronger_ones} of {len(checks)} problems, {sum(checks.values())} checks")
    print(f"{used() - began:.0f} s of CPU time")


if __name__ == "__main__":
    main()
