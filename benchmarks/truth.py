"""`passed` beside plain OCaml: generated problems, each form in which OCaml can hold an assertion,
right code and mutants of it.

Plain OCaml is the code and the tests in one file, run by `ocaml`: passed means that it ends
with 0.  Printed is each disagreement, with the problem, the form and the code, and what was
refused; at the end how many programs agreed.

    ocaml-reward problems generate --count 160 --seed 29 --unchecked -o drawn.jsonl
    python -m benchmarks.truth drawn.jsonl --problems 40 --mutants 10 --engine warm

With `--runners` the tests are hand-made runners, registries, lazy cases, guards and statements behind
the last assertion (tests/generated/runners.py), and half of the answers raise or loop.  Passed then
means that plain OCaml ends with 0, not by an exit of the code's own, and prints what it prints with
a right answer.

    python -m benchmarks.truth --runners
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from ocaml_reward import Completion, Grader, Problem, ProblemError, Verdict
from ocaml_reward.auditing.mutants import common_mutants
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.formats import load_problems
from ocaml_reward.scheme import load
from tests.generated import runners
from tests.generated.assertions import FORMS, OUNIT_FORMS

_CONDITION = re.compile(r"^  assert \((.*)\);?$", re.MULTILINE)
_BARE = ("booleans", "negations")
_SCHEME = load("concise", ("budget.most_steps=5000000", "budget.looping_factor=2"))
_BRIEF = load("concise", ("budget.most_steps=2000000", "budget.looping_factor=1"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A reference, wrong versions of it, and what holds of the reference."""

    name: str
    codes: tuple[str, ...]
    conditions: tuple[str, ...]


def subjects(path: Path, count: int, most: int) -> Iterator[Subject]:
    """Take problems whose tests are assertions in a row."""
    found = 0
    for problem in load_problems(path).problems.values():
        conditions = _CONDITION.findall(str(problem.tests))
        reference = problem.reference or ""
        wrong = [each.code for each in common_mutants(reference, most)]
        # One that loops takes as long as it is given, in every form.
        wrong = [each for each in wrong if ends(each, conditions[:4])]
        if len(conditions) < 4 or len(wrong) < 3 or "\n\n" in str(problem.tests):
            continue
        yield Subject(
            name=problem.id,
            codes=(problem.reference or "", *wrong),
            conditions=tuple(conditions[:4]),
        )
        found += 1
        if found == count:
            return


def ends(code: str, conditions: Sequence[str]) -> bool:
    """Tell whether code comes to an end, whatever that is, of each condition."""
    tests = "".join(f"let () = try ignore ({each}) with _ -> ()\n" for each in conditions)
    return plain(code, tests)


def plain(code: str, tests: str, *, ounit: bool = False) -> bool:
    """Tell whether plain OCaml runs code and tests to their end."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "all.ml")
        path.write_text(f"{code}\n;;\n{tests}", encoding="utf-8")
        command = ["ocaml", "-w", "-a", "-noinit"]
        if ounit:
            command = [
                "ocamlfind", "ocamlc", "-w", "-a", "-package", "ounit2", "-linkpkg",
                "-o", "all", "all.ml",
            ]  # fmt: skip
            done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
            if done.returncode:
                return False
            command = ["./all", "-runner", "sequential"]
        else:
            command.append("all.ml")
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=2, check=False)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


@cache
def ended(program: str) -> tuple[int, bytes] | None:
    """Return the status of a program and what it prints; None if it does not end."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "all.ml").write_text(program, encoding="utf-8")
        command = ["ocaml", "-w", "-a", "-noinit", "all.ml"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=2, check=False)
        except subprocess.TimeoutExpired:
            return None
        return done.returncode, done.stdout


def compare_runners(grader: Grader, pool: ThreadPoolExecutor, only: str) -> Counter[str]:
    """Compare the answers to hand-made runners; print each disagreement."""
    counts: Counter[str] = Counter()
    for each in runners.problems():
        if only not in each.name:
            continue
        problem = Problem(id=each.name, tests=each.tests, reference=each.reference)
        codes = (*each.right, *each.wrong, *each.never)
        # Loops take as long as they may: that they do not end is known.
        loops = each.never[-1]
        programs = (f"{code}\n;;\n{each.tests}" for code in codes if code != loops)
        plainly = [*pool.map(ended, programs), None]
        right = [
            found is not None and found == plainly[0] and found[0] == 0 and "exit 0" not in code
            for found, code in zip(plainly, codes, strict=True)
        ]
        counts["programs"] += len(codes)
        counts["that raise or loop"] += len(each.never)
        try:
            grader.prepare(problem)
        except ProblemError as error:
            told = {found and found[0] for found in plainly[: len(each.right) + len(each.wrong)]}
            counts["refused"] += 1
            if len(told) > 1:
                counts["differ"] += 1
                print(f"differs: {each.name}: plain OCaml tells them: {error}", flush=True)
            continue
        found = grader.grade_many((problem, Completion(text=code)) for code in codes)
        for code, expected, breakdown in zip(codes, right, found, strict=True):
            same = expected == (breakdown.verdict is Verdict.PASSED)
            counts["agree" if same else "differ"] += 1
            if code in each.never and breakdown.tests.passed:
                counts["credited"] += 1
            if not same:
                verdict = breakdown.verdict.value
                print(f"differs: {each.name}: {code}: plain {expected}, here {verdict}", flush=True)
    return counts


def main() -> int:
    """Return 0 if both agree everywhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--runners", action="store_true")
    parser.add_argument("--problems", type=int, default=40)
    parser.add_argument("--mutants", type=int, default=10)
    parser.add_argument("--engine", default="warm")
    parser.add_argument("--forms", help="only those whose name holds this")
    options = parser.parse_args()
    if options.runners:
        with (
            ThreadPoolExecutor(2) as pool,
            Grader(_BRIEF, engine=engine(options.engine)) as grader,
        ):
            counts = compare_runners(grader, pool, options.forms or "")
        print(dict(counts))
        return 1 if counts["differ"] else 0
    if options.file is None:
        parser.error("a file of generated problems, or --runners")
    forms = [(name, make, False) for name, make in FORMS.items()]
    forms += [(f"OUnit2: {name}", make, True) for name, make in OUNIT_FORMS.items()]
    if options.forms:
        forms = [each for each in forms if options.forms in each[0]]
    counts = Counter()
    with (
        ThreadPoolExecutor(2) as pool,
        Grader(_SCHEME, engine=engine(options.engine)) as grader,
    ):
        for subject in subjects(options.file, options.problems, options.mutants):
            for name, make, ounit in forms:
                tests = make(subject.conditions)
                problem = Problem(
                    id=f"{subject.name}/{name}",
                    tests=tests,
                    libraries=("ounit2",) if ounit else (),
                    # What code builds is counted with a reference.
                    reference=subject.codes[0] if "by code" in name else None,
                )
                try:
                    grader.prepare(problem)
                except ProblemError as error:
                    counts["refused"] += 1
                    print(f"refused: {name}: {error}", flush=True)
                    continue
                # A boolean at the top is a check here, and nothing to plain OCaml.
                told = FORMS["evaluated"] if name in _BARE else make
                expected = pool.map(
                    partial(plain, tests=told(subject.conditions), ounit=ounit),
                    subject.codes,
                )
                found = grader.grade_many(
                    (problem, Completion(text=code)) for code in subject.codes
                )
                for code, right, breakdown in zip(subject.codes, expected, found, strict=True):
                    same = right == (breakdown.verdict is Verdict.PASSED)
                    counts["agree" if same else "differ"] += 1
                    counts["passing"] += right
                    if not same:
                        which = "reference" if code is subject.codes[0] else "mutant"
                        print(
                            f"differs: {name}: {subject.name}: {which}: plain {right},"
                            f" here {breakdown.verdict.value}",
                            flush=True,
                        )
    print(dict(counts))
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
