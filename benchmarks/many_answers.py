"""Problems with many right answers, judged: right programs that print other answers than the
reference, and wrong ones, held against an oracle of its own, in Python.

    python -m benchmarks.many_answers
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from ocaml_reward import Completion, Grader, Problem, StdioCase
from ocaml_reward.engine.engines.printing import Printing
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.model import Comparison
from problem_sets import Oracle, Order, Tally, make

FAMILIES: Final = ("any-path", "any-colouring", "any-order", "any-partition")
EACH: Final = 12
WRONG: Final = 10
ORDERS: Final = ("compare", "(fun a b -> compare b a)")
OTHER: Final = "(fun a b -> compare (a mod 2, b) (b mod 2, a))"

Takes = Callable[[StdioCase, str], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A problem, right programs for it, and an oracle that takes any right output."""

    problem: Problem
    right: tuple[str, ...]
    takes: Takes


def numbers(text: str) -> list[int] | None:
    """Read whole numbers; None for anything else."""
    words = text.split()
    if all(re.fullmatch(r"[+-]?\d+", word) for word in words):
        return [int(word) for word in words]
    return None


def kept_by(problem: Problem) -> Callable[[int], bool]:
    """Read the condition of a problem, which its reference has as `let kept x = ...`."""
    found = re.search(r"let kept x = (.*)", problem.reference or "")
    said = found[1] if found else "true"
    for ml, python in (
        *(("abs x", "abs(x)"), (" mod ", " % "), (" = ", " == "), ("<>", "!=")),
        ("&&", "and"),
    ):
        said = said.replace(ml, python)
    return eval(f"lambda x: {said}", {"abs": abs})  # noqa: S307 (of our own generator)


def graph(text: str, kept: Callable[[int], bool]) -> tuple[int, list[tuple[int, int]], list[int]]:
    """Read a graph with the edges that count, and what follows it."""
    n, m, *rest = map(int, text.split())
    threes = zip(*(rest[place : 3 * m : 3] for place in range(3)), strict=True)
    edges = [(a, b) for a, b, x in threes if kept(x)]
    return n, edges, rest[3 * m :]


def takes_path(problem: Problem) -> Takes:
    """Make the oracle of a problem that asks for a path."""
    both = "from a to b and from b to a" in " ".join(problem.prompt.split())
    short = "shortest" in problem.prompt

    kept = kept_by(problem)

    def takes(case: StdioCase, printed: str) -> bool:
        _, edges, (start, stop) = graph(case.stdin, kept)
        steps = {*edges, *((b, a) for a, b in edges if both)}
        far, here = {start: 0}, [start]
        while here:
            fresh = {b for a, b in steps if a in here and b not in far}
            far |= dict.fromkeys(fresh, far[here[0]] + 1)
            here = sorted(fresh)
        if stop not in far:
            return printed.split() == ["none"]
        path = numbers(printed)
        return (
            bool(path)
            and path is not None
            and (path[0], path[-1]) == (start, stop)
            and len({*path}) == len(path)
            and all(step in steps for step in pairwise(path))
            and (not short or len(path) == far[stop] + 1)
        )

    return takes


def takes_colouring(problem: Problem) -> Takes:
    """Make the oracle of a problem that asks for a colouring."""
    asked = " ".join(problem.prompt.split())
    letters, spare = "letters" in asked, 2 if "plus two" in asked else 1

    kept = kept_by(problem)

    def takes(case: StdioCase, printed: str) -> bool:
        n, edges, _ = graph(case.stdin, kept)
        near: dict[int, set[int]] = {x: set() for x in range(1, n + 1)}
        for a, b in edges:
            near[a].add(b)
            near[b].add(a)
        most = max(map(len, near.values())) + spare
        allowed = [chr(96 + c) if letters else str(c) for c in range(1, most + 1)]
        words = printed.split()
        return (
            len(words) == n
            and all(word in allowed for word in words)
            and all(words[a - 1] != words[b - 1] for a, b in edges)
        )

    return takes


def takes_order(problem: Problem) -> Takes:
    """Make the oracle of a problem that asks for an order."""
    asked = " ".join(problem.prompt.split())
    needs, word = (
        "needs task b" in asked,
        "cycle" if "`cycle`" in asked else "impossible",
    )

    kept = kept_by(problem)

    def takes(case: StdioCase, printed: str) -> bool:
        n, edges, _ = graph(case.stdin, kept)
        pairs = [(b, a) if needs else (a, b) for a, b in edges]
        left = {*range(1, n + 1)}
        while free := left - {b for a, b in pairs if a in left}:
            left -= free
        if left:
            return printed.split() == [word]
        order = numbers(printed)
        return (
            order is not None
            and sorted(order) == [*range(1, n + 1)]
            and all(order.index(a) < order.index(b) for a, b in pairs)
        )

    return takes


def takes_partition(problem: Problem) -> Takes:
    """Make the oracle of a problem that asks for numbers with a sum."""
    asked = " ".join(problem.prompt.split())
    half, first = "half of the sum" in asked, 0 if "which is 0" in asked else 1

    kept = kept_by(problem)

    def takes(case: StdioCase, printed: str) -> bool:
        n, *rest = map(int, case.stdin.split())
        given = rest[:n]
        goal = sum(given) / 2 if half else rest[n]
        sums = {0}
        for number in filter(kept, given):
            sums |= {one + number for one in sums}
        if goal not in sums:
            return printed.split() == ["none"]
        places = numbers(printed)
        return (
            places is not None
            and len({*places}) == len(places)
            and all(first <= place < n + first for place in places)
            and all(kept(given[place - first]) for place in places)
            and sum(given[place - first] for place in places) == goal
        )

    return takes


ORACLES: Final = dict(
    zip(
        FAMILIES,
        (takes_path, takes_colouring, takes_order, takes_partition),
        strict=True,
    )
)


def made() -> Iterator[Kind]:
    """Yield generated problems, so many of each family."""
    for family in FAMILIES:
        found: dict[str, Problem] = {}
        for seed in range(9):
            for split in ("training", "held-out"):
                order = Order(count=EACH, seed=seed, families=(family,), split=split)
                for one in make(order, Oracle(Printing()), None, Tally()):
                    found.setdefault(one.problem.id, one.problem)
        for problem in list(found.values())[:EACH]:
            reference = problem.reference or ""
            if family == "any-partition":
                turned = re.sub(r"\[ (true|false); (true|false) \]", r"[ \2; \1 ]", reference)
                third = reference.replace("(List.mapi", "(List.rev @@ List.mapi")
            else:
                used = ORDERS[ORDERS[1] in _choice(reference)]
                other = ORDERS[used == ORDERS[0]]
                turned = _chosen(reference, used, other)
                third = _chosen(reference, used, OTHER)
            yield Kind(
                problem=problem,
                right=(reference, turned, third.replace('" "', '"\\n "')),
                takes=ORACLES[family](problem),
            )


def _choice(reference: str) -> str:
    return re.findall(r"List\.sort(?:_uniq)? .*", reference)[-1]


def _chosen(reference: str, used: str, other: str) -> str:
    line = _choice(reference)
    return reference.replace(line, line.replace(f" {used}", f" {other}", 1))


READ: Final = (
    'let n = Scanf.scanf " %d" Fun.id\nlet xs = List.init n (fun _ -> Scanf.scanf " %d" Fun.id)\n'
)


def declared() -> Iterator[Kind]:
    """Yield problems whose outputs may differ as a comparison says."""
    inputs = ["3\n4 9 12\n", "1\n7\n", "4\n1 2 3 4\n", "5\n9 9 2 8 30\n", "2\n5 10\n"]
    mean = f"{READ}let m = float (List.fold_left (+) 0 xs) /. float n\n"
    for power in (1, 2, 3, 4):
        value = f"(m ** {power}. /. 3.)"
        yield _kind(
            f"mean-{power}",
            inputs,
            [
                f'{mean}let () = print_endline (Printf.sprintf "{form}" {value})\n'
                for form in ("%.6f", "%.9e", "%.8f\\n")
            ],
            Comparison(absolute=1e-5, relative=1e-5),
        )
    for least in (2, 3, 4, 5):
        kept = (
            f"{READ}let ds = List.sort_uniq compare (List.concat_map (fun x ->\n"
            f"  List.filter (fun d -> d >= {least} && x mod d = 0) (List.init x succ)) xs)\n"
        )
        for what, separator in (("lines", '"\\n"'), ("tokens", '" "')):
            yield _kind(
                f"divisors-{what}-{least}",
                inputs,
                [
                    f"{kept}let () = print_endline (String.concat {separator}"
                    f" (List.map string_of_int ({turn} ds)))\n"
                    for turn in ("Fun.id", "List.rev", f"List.sort {OTHER}")
                ],
                Comparison(unordered=what),
            )


def _kind(name: str, inputs: Sequence[str], right: Sequence[str], how: Comparison) -> Kind:
    expected = Printing().outputs(right[0], inputs)
    cases = zip(inputs, expected, strict=True)
    problem = Problem(
        id=name,
        tests=tuple(StdioCase(stdin=read, stdout=text) for read, text in cases),
        reference=right[0],
        comparison=how,
    )

    def takes(case: StdioCase, printed: str) -> bool:
        mine, theirs = printed.split(), case.stdout.split()
        if how.unordered:
            return sorted(mine) == sorted(theirs)
        try:
            return len(mine) == len(theirs) and all(
                abs(float(a) - float(b)) <= 1e-5 * max(1, abs(float(b)))
                for a, b in zip(mine, theirs, strict=True)
            )
        except ValueError:
            return False

    return Kind(problem=problem, right=tuple(right), takes=takes)


SPOILT: Final = (
    "match List.rev ws with [] -> [] | _ :: r -> List.rev r",
    'match List.rev ws with [] -> [ "1" ] | w :: _ -> ws @ [ w ]',
    'ws @ [ "1" ]',
    "match ws with [] -> [] | _ :: r -> r",
    'match ws with [] -> [ "1" ] | w :: r -> (w ^ "1") :: r',
    "[]",
    '[ "none" ]',
    "match ws with [] -> [] | w :: _ -> [ w ]",
    "List.mapi (fun i _ -> string_of_int (i + 1)) ws",
    'List.map (fun _ -> "1") ws',
    "List.rev ws",
    '[ "impossible" ]',
    'List.map (fun w -> "-" ^ w) ws',
    '"0" :: ws',
    "List.concat_map (fun w -> [ w; w ]) ws",
)
"""What becomes of the words that the reference prints."""


def spoilt(reference: str, words: str) -> str:
    """Write a program that prints other words than a reference."""
    return (
        "let print_endline text =\n"
        "  let ws = List.filter (( <> ) \"\") (String.split_on_char ' '\n"
        "    (String.map (fun c -> if c = '\\n' then ' ' else c) text)) in\n"
        f'  print_endline (String.concat " " ({words}))\n\n{reference}'
    )


def main() -> None:
    """Judge all, and print what was accepted and rejected."""
    kinds = [*made(), *declared()]
    printing = Printing()
    counts = {"right": [0, 0, 0], "wrong": [0, 0, 0]}
    differing = 0
    spent: dict[str, list[float]] = {"judged": [], "plain": []}
    with Grader("concise", engine=engine("auto"), jobs=1) as grader:
        for kind in kinds:
            problem = kind.problem
            if isinstance(problem.tests, str):
                continue
            plain = replace(problem, judge="", comparison=None, id=f"{problem.id}-plain")
            inputs = [case.stdin for case in problem.tests]
            programs = [("right", code) for code in kind.right]
            programs += [("wrong", spoilt(problem.reference or "", words)) for words in SPOILT]
            wrong = 0
            for what, code in programs:
                printed = printing.tried(code, inputs)
                truth = [
                    not one.failed and kind.takes(case, one.text)
                    for case, one in zip(problem.tests, printed, strict=True)
                ]
                if what == "wrong" and (all(truth) or wrong == WRONG):
                    continue
                wrong += what == "wrong"
                if what == "right" and not all(truth):
                    sys.exit(f"{problem.id}: the oracle rejects a right program")
                found = []
                for name, asked in (("judged", problem), ("plain", plain)):
                    began = time.perf_counter()
                    graded = grader.grade(asked, Completion(text=f"{code}(* {name} *)\n"))
                    taken = time.perf_counter() - began
                    spent[name].append(taken / len(inputs))
                    found.append([each.outcome == "passed" for each in graded.tests.results])
                differing += found[0] != truth
                counts[what][0] += 1
                for place, passed in enumerate(found, 1):
                    counts[what][place] += all(passed) == (what == "wrong")
            if wrong < WRONG:
                sys.exit(f"{problem.id}: only {wrong} programs are wrong")
    more = statistics.median(
        (a - b) * 1e3 for a, b in zip(spent["judged"], spent["plain"], strict=True)
    )
    sys.stdout.write(
        f"{len(kinds)} problems\n"
        f"right programs: {counts['right'][0]}, rejected {counts['right'][1]};"
        f" by plain comparison {counts['right'][2]}\n"
        f"wrong programs: {counts['wrong'][0]}, accepted {counts['wrong'][1]};"
        f" by plain comparison {counts['wrong'][2]}\n"
        f"programs with a case that the oracle judges otherwise: {differing}\n"
        f"more time a case than plain comparison, median: {more:.2f} ms of"
        f" {statistics.median(spent['plain']) * 1e3:.2f}\n"
    )


if __name__ == "__main__":
    main()
