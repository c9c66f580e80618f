"""
What `problems strengthen` makes of problems, as they are and with two checks each.

    python -m benchmarks.stronger [--beyond] [--told] [--printed] [--problems FILE]

Without a file they are the corpus' that are judged by assertions, with --printed those
judged by what they print.  Wrong programs are the corpus' completions that run and do not
pass all checks, right ones those that do; problems of a file have mutants alone.  Without --told neither is shown to `strengthen`, which sees mutants alone:
what it catches of the wrong ones, and fails of the right ones, is what it does to programs
that nobody knows.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ocaml_reward import Completion, Grader, Problem, ProblemError, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.engine.select import engine
from ocaml_reward.formats import CompletionLine, load_problems, read_completions
from ocaml_reward.strengthening import strengthen

CORPUS = Path(__file__).parents[1] / "test_corpus"
FILE = CORPUS / "problems.jsonl"
WRONG = {Verdict.FAILED_TESTS, Verdict.RUNTIME_ERROR, Verdict.TIMED_OUT}
KEPT = 2


def thinned(grader: Grader, problem: Problem) -> Problem | None:
    """
    Keep the first checks of a problem, where they stand by themselves.
    """
    if not isinstance(problem.tests, str):
        return replace(problem, id=f"thin-{problem.id}", tests=problem.tests[:KEPT])
    try:
        checks = grader.prepare(problem).checks[:KEPT]
    except ProblemError:
        return None
    sources = [
        each.source if each.source.startswith("assert") else f"assert ({each.source})"
        for each in checks
    ]
    tests = "".join(f"let () = {each}\n" for each in sources)
    alias = re.search(r"let candidate = (\S+) in", str(problem.tests))
    if alias:
        tests = re.sub(r"\bcandidate\b", alias[1], tests)
    thin = replace(problem, id=f"thin-{problem.id}", tests=tests)
    try:
        found = grader.grade(thin, Completion(text=problem.reference or ""))
    except ProblemError:
        # What they use is defined among the others.
        return None
    is_sound = found.verdict is Verdict.PASSED and found.tests.total == len(checks)
    return thin if is_sound else None


def completions() -> Iterator[CompletionLine]:
    """
    Yield the corpus' completions.
    """
    for line in read_completions(CORPUS / "completions.jsonl"):
        if isinstance(line, CompletionLine):
            yield line


def verdicts(
    grader: Grader, problem: Problem, texts: list[Completion]
) -> list[Verdict]:
    """
    List what completions come to.
    """
    pairs = ((problem, each) for each in texts)
    return [each.verdict for each in grader.grade_many(pairs)]


def used() -> float:
    """
    Return the CPU seconds of this process and of those that have ended.
    """
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(each)[:2]) for each in who)


def measured(
    running: Engine,
    file: Path,
    *,
    thin: bool,
    beyond: bool,
    told: bool,
    printed: bool,
) -> tuple[Counter[str], list]:
    """
    Strengthen every problem of a file that is judged in that way.
    """
    grader = Grader("concise", engine=running, jobs=1)
    sides: dict[str, dict[bool, list[Completion]]] = {}
    problems = load_problems(file).problems
    for line in completions() if file == FILE else ():
        verdict = grader.grade(problems[line.problem_id], line.completion).verdict
        if verdict in WRONG or verdict is Verdict.PASSED:
            own = sides.setdefault(line.problem_id, {True: [], False: []})
            own[verdict is Verdict.PASSED].append(line.completion)
    counts: Counter[str] = Counter()
    shown = []
    for problem in problems.values():
        if isinstance(problem.tests, str) is printed:
            continue
        given = thinned(grader, problem) if thin else problem
        if given is None:
            counts["not thinned"] += 1
            continue
        own = sides.get(problem.id, {True: [], False: []})
        begun = time.monotonic()
        found = strengthen(
            running,
            given,
            wrong=[each.text for each in own[False]] if told else (),
            right=[each.text for each in own[True]] if told else (),
            beyond=beyond,
        )
        slowest = time.monotonic() - begun
        counts["problems"] += 1
        counts["slowest, ms"] = max(counts["slowest, ms"], round(1000 * slowest))
        counts["alone"] += bool(found.skipped)
        counts["stronger"] += bool(found.checks)
        counts["checks added"] += len(found.checks)
        counts["beside"] += found.beside
        counts["mutants"] += found.mutants
        counts["mutants before"] += found.mutants_before
        counts["mutants after"] += found.mutants_after
        counts["asked"] += len(found.asked)
        changes: Counter[str] = Counter()
        for is_right, name in ((False, "wrong"), (True, "right")):
            before = verdicts(grader, given, own[is_right])
            after = verdicts(grader, found.problem, own[is_right])
            counts[name] += len(before)
            counts[f"{name} before"] += before.count(Verdict.PASSED)
            counts[f"{name} after"] += after.count(Verdict.PASSED)
            for one, other in zip(before, after, strict=True):
                if one is not other:
                    changes[f"{name}: {one.value} to {other.value}"] += 1
        counts.update(changes)
        shown.append((problem.id, found.checks, changes))
    return counts, shown


def main() -> None:
    """
    Print the figures, and the checks that were added.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beyond", action="store_true")
    parser.add_argument("--told", action="store_true")
    parser.add_argument("--printed", action="store_true")
    parser.add_argument("--problems", type=Path, default=FILE)
    given = parser.parse_args()
    for thin in (False, True):
        running = engine(cached=True)
        before = used()
        counts, shown = measured(
            running,
            given.problems,
            thin=thin,
            beyond=given.beyond,
            told=given.told,
            printed=given.printed,
        )
        running.close()
        spent = used() - before
        options = {"thin": thin, **vars(given), "problems": given.problems.name}
        print(json.dumps({"options": options, "cpu_s": round(spent, 1), **counts}))
        for name, checks, changes in shown:
            for check in checks:
                print(f"  {name}: {check}")
            for change, count in changes.items():
                print(f"  {name}: {count} {change}")


if __name__ == "__main__":
    main()
