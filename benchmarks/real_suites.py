"""Exercises that other people wrote, beside what plain OCaml says of them: right answers that are
lost, problems that are refused, wrong answers that are paid, and partial credit.

A row of the file is an exercise: `problem` (as a problem file has it), `truth` (of its reference:
`pass`, and `total` and `failed` where its runner counts) and `mutants` (`edit`, as from, to and
text in place of that part of the reference, with a `truth` each). Every reference and mutant is
graded, with the reference known and without.

A check that cannot fail is one that every wrong answer passes: code of the reference's interface
that raises whatever it is asked, the reference looping where it would raise, and each version of it
that plain OCaml fails. What the first passes and another fails wants an exception; both are listed.

    python -m benchmarks.real_suites exercises.jsonl
    python -m benchmarks.real_suites exercises.jsonl --without --only leap
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ocaml_reward import Breakdown, Completion, Grader, Problem, ProblemError, Verdict
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.engine.prepare.interfaces import interface_of

_PASSED = Verdict.PASSED


@dataclass(kw_only=True, slots=True)
class Found:
    """What came of the exercises, in one way of grading them."""

    right: int = 0
    wrong: int = 0
    lost: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    paid: list[str] = field(default_factory=list)
    raising: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    equal: int = 0
    unequal: list[str] = field(default_factory=list)


def answers(row: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield what each answer is, its code, and the truth about it."""
    reference = row["problem"]["reference"]
    yield "reference", reference, row["truth"]
    for mutant in row["mutants"]:
        start, end, text = mutant["edit"]
        code = reference[:start] + text + reference[end:]
        yield f"{mutant['op']} at {start}", code, mutant["truth"]


def look(found: Found, name: str, graded: Breakdown, truth: dict[str, Any]) -> None:
    """Hold one grading against the truth."""
    if graded.fault is not None:
        raise SystemExit(f"{name}: {graded.fault.message}")
    passed = graded.verdict is _PASSED
    if truth["pass"]:
        found.right += 1
        if not passed:
            why = graded.diagnostics[0].message if graded.diagnostics else ""
            details = [f"line {r.line}: {r.outcome.value} {r.detail}"
                       for r in graded.tests.results if r.outcome != "passed"]  # fmt: skip
            why = " ".join((why or "; ".join(details[:2])).split())
            found.lost.append(f"{name}: {graded.verdict.value}: {why[:200]}")
    else:
        found.wrong += 1
        if passed:
            found.paid.append(f"{name}: {graded.tests.passed}/{graded.tests.total}")
    if truth.get("total") and graded.tests.total:
        plain = truth["total"] - truth["failed"], truth["total"]
        here = graded.tests.passed, graded.tests.total
        if plain[0] * here[1] == here[0] * plain[1]:
            found.equal += 1
        else:
            found.unequal.append(f"{name}: {here[0]}/{here[1]}, plain {plain}")


def declared(interface: str) -> Iterator[tuple[str, str]]:
    """Yield the values of an interface, each with its first argument; "" of what takes none."""
    for each in re.finditer(r"^val ([a-z_][\w']*) :((?:.|\n )*)", interface, re.MULTILINE):
        name, written = each.groups()
        inner = None
        while inner != written:
            inner, written = written, re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "t", written)
        first, arrow, _ = written.partition("->")
        yield name, first if arrow else ""


def raises(code: str, interface: dict[str, str]) -> str:
    """Return code of a reference's interface that raises whatever it is asked."""
    lied = r"\1 if true then raise Exit else"
    for head in (
        r"^( *(?:let(?: rec)?|and) +[a-z_][\w']*(?: +[^=\n]+?)(?<!:) *=)(?!=)",
        r"^( *(?:let(?: rec)?|and) +[a-z_][\w']* *=(?: *fun [^\n]*->)+)",
    ):
        code = re.sub(head, lied, code, flags=re.MULTILINE)
    cases = r"^( *(?:let(?: rec)?|and) +[a-z_][\w']* *=) *function\b"
    code = re.sub(
        cases,
        r"\1 fun x -> if true then raise Exit else x |> function",
        code,
        flags=re.MULTILINE,
    )
    # Those too that are made of others, as by `>>`.
    for name, first in interface.items():
        if first and ":" not in first:
            code += f"\nlet {name} = fun _ -> raise Exit"
    return code


# Before a reference: it comes to no end where it would raise.
_LOOPS = "".join(
    f"let rec {name} it = {name} it\n" for name in ("raise", "failwith", "invalid_arg")
)


def passed_by_nothing(
    nothing: Breakdown, others: Iterable[Breakdown], right: set[int]
) -> tuple[list[int], list[int]]:
    """Return the lines of the checks that code passes which only raises, `nothing`, and those of
    them that none of the `others`, which are wrong, fails; without those for which it is `right`.
    """
    passed = {
        r.index: r.line
        for r in nothing.tests.results
        if r.outcome == "passed" and r.index not in right
    }
    failed = {
        r.index
        for each in others
        for r in each.tests.results
        if r.outcome not in {"passed", "not_run"}
    }
    return list(passed.values()), [n for i, n in passed.items() if i not in failed]


def measure(rows: list[dict[str, Any]], grader: Grader, *, known: bool) -> Found:
    """Grade all answers to all exercises, with the reference `known` to the grader or not."""
    found = Found()
    for row in rows:
        written = row["problem"]
        problem = Problem(
            id=written["id"],
            prompt=written["prompt"],
            tests=written["tests"],
            reference=written["reference"] if known else None,
            libraries=tuple(written.get("libraries", ())),
        )
        try:
            prepared = grader.prepare(problem)
        except ProblemError as error:
            sound = "" if row["truth"]["pass"] else " (fails as plain OCaml)"
            found.refused.append(f"{error}{sound}")
            continue
        tried = list(answers(row))
        graded = list(grader.grade_many((problem, Completion(text=code)) for _, code, _ in tried))
        for (what, _, truth), each in zip(tried, graded, strict=True):
            look(found, f"{problem.id}: {what}", each, truth)
        interface = dict(declared(interface_of(written["reference"], libraries=problem.libraries)))
        # What is no function is as it has to be.
        right = {
            each.index
            for each in prepared.checks
            if each.needs and not any(interface.get(name, "?") for name in each.needs)
        }
        raising = raises(written["reference"], interface)
        nothing = grader.grade(problem, Completion(text=raising))
        loops = f"{_LOOPS}{written['reference']}"
        wrong = [grader.grade(problem, Completion(text=loops))]
        wrong += [
            each for (_, _, truth), each in zip(tried, graded, strict=True) if not truth["pass"]
        ]
        some, never = passed_by_nothing(nothing, wrong, right)
        of_all = f"of {nothing.tests.total}"
        if some != never:
            found.raising.append(f"{problem.id}: lines {some} {of_all}")
        if never:
            found.idle.append(f"{problem.id}: lines {never} {of_all}")
    return found


def report(found: Found, title: str) -> None:
    """Print what was found."""
    print(f"== {title}")
    print(f"right: {found.right}, lost {len(found.lost)}")
    print(*(f"  {each}" for each in found.lost), sep="\n")
    print(f"wrong: {found.wrong}, paid {len(found.paid)}")
    print(*(f"  {each}" for each in found.paid), sep="\n")
    print(f"partial credit equal {found.equal}, not {len(found.unequal)}")
    print(*(f"  {each}" for each in found.unequal), sep="\n")
    print(f"credit for raising where that is wanted: {len(found.raising)}")
    print(*(f"  {each}" for each in found.raising), sep="\n")
    print(f"credit for checks that cannot fail: {len(found.idle)}")
    print(*(f"  {each}" for each in found.idle), sep="\n")
    reasons = Counter(
        re.sub(r"\b[A-Z]\w*\b|\d+", "…", each.split(": ", 1)[-1]) for each in found.refused
    )
    print(f"refused: {len(found.refused)}, for {len(reasons)} reasons")
    print(*(f"  {each[:250]}" for each in found.refused), sep="\n", flush=True)


def main() -> int:
    """Return 0 unless a wrong answer is paid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--engine", default="warm")
    parser.add_argument("--only", help="exercises whose id holds this", default="")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--with", dest="known", action="store_const", const=(True,))
    how.add_argument("--without", dest="known", action="store_const", const=(False,))
    options = parser.parse_args()
    lines = options.file.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if options.only in row["problem"]["id"]]
    paid = 0
    with Grader(engine=engine(options.engine)) as grader:
        for known in options.known or (True, False):
            found = measure(rows, grader, known=known)
            report(found, "with the reference" if known else "without the reference")
            paid += len(found.paid)
    return 1 if paid else 0


if __name__ == "__main__":
    raise SystemExit(main())
