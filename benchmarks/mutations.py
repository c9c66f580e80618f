"""How often one mistake counts one, and two in different places of a program two: mutations
of programs that type, by kind.

The programs are the corpus' references, alone and with the uses that their tests are made
of (where these type behind them), and generated ones.  A mutant that does not parse, or
that types, is no mistake of types and left out.  Pairs are made of mistakes that count 1
alone; one in ten or so does depend on the other, so that not all can count 2.

    python -m benchmarks.mutations --each 6
    python -m benchmarks.mutations --show
    python -m benchmarks.mutations --pairs 14 --each 2 --generated 20
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

from ocaml_reward.engine import CheckRequest, Engine, PreparedTests
from ocaml_reward.engine.engines import select
from ocaml_reward.formats import load_problems
from ocaml_reward.model import Problem, Stage, StdioCase
from tests.generated.programs import program
from tests.generated.samples import CORPUS
from tests.generated.single import SINGLE, mutants

NO_TESTS = Problem(id="p", tests=(StdioCase(stdin="", stdout=""),))


def counted(engine: Engine, tests: PreparedTests, code: str) -> int | None:
    """Return how many errors code has; None where it does not parse."""
    report = engine.check(CheckRequest(code=code, tests=tests))
    if report.stage is Stage.TYPE_ERROR:
        return report.type_errors or 0
    return None if report.stage is Stage.SYNTAX_ERROR else 0


def sources(engine: Engine, tests: PreparedTests, generated: int) -> Iterator[tuple[str, str, str]]:
    """Yield each program with its set's name, and the uses to put behind it."""
    for problem in load_problems(CORPUS / "problems.jsonl").problems.values():
        code = problem.reference or ""
        yield "references", code, ""
        if isinstance(problem.tests, str):
            uses = "\n" + problem.tests
            if counted(engine, tests, code + uses) == 0:
                yield "references with uses", code, uses
    for seed in range(generated):
        code, uses = program(Random(seed))  # noqa: S311
        yield "generated with uses", code, "\n" + uses


Change = tuple[int, int, str]


def change(code: str, mutant: str) -> Change:
    """Return where a mutant differs: the first character, the one behind, the new text."""
    most = min(len(code), len(mutant))
    start = next((i for i in range(most) if code[i] != mutant[i]), most)
    left = range(most - start)
    same = next((i for i in left if code[-1 - i] != mutant[-1 - i]), most - start)
    return start, len(code) - same, mutant[start : len(mutant) - same]


def changed(code: str, changes: tuple[Change, ...]) -> str:
    """Make several changes that lie apart."""
    for start, stop, text in sorted(changes, reverse=True):
        code = code[:start] + text + code[stop:]
    return code


def pairs(code: str, ones: list[str], most: int, seed: int) -> list[str]:
    """Draw programs with two of the mistakes that count 1, in different places."""
    changes = [change(code, mutant) for mutant in ones]
    apart = [(a, b) for a, b in combinations(changes, 2) if a[1] < b[0] or b[1] < a[0]]
    rng = Random(f"{seed} {code}")  # noqa: S311
    chosen = rng.sample(apart, min(most, len(apart)))
    return [changed(code, pair) for pair in chosen]


def main() -> None:
    """Count each mutant, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=4, help="of a kind and a program")
    parser.add_argument("--generated", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=0, help="of a program")
    parser.add_argument("--show", action="store_true", help="those that count otherwise")
    options = parser.parse_args()
    engine = select.engine("warm")
    tests = engine.prepare(NO_TESTS)
    found: dict[str, dict[str, Counter[int]]] = {}
    in_pairs: dict[str, Counter[int]] = {}

    def count(kind: str, mutant: str, uses: str, wanted: int) -> int:
        number = counted(engine, tests, mutant + uses) or 0
        if options.show and number not in (0, wanted):
            print(f"=== {kind}: {number}\n{mutant}{uses}")
        return number

    for set_name, code, uses in sources(engine, tests, options.generated):
        by_kind = found.setdefault(set_name, {})
        ones = []
        for kind, mutant in drawn(code, options.each, options.seed):
            number = count(f"{set_name}: {kind}", mutant, uses, 1)
            by_kind.setdefault(kind, Counter())[number] += 1
            if number == 1:
                ones.append(mutant)
        of_pairs = in_pairs.setdefault(set_name, Counter())
        for mutant in pairs(code, ones, options.pairs, options.seed):
            of_pairs[count(f"{set_name}: a pair", mutant, uses, 2)] += 1
    engine.close()
    for set_name, by_kind in found.items():
        show(set_name, sum(by_kind.values(), Counter()))
        for kind, counts in by_kind.items():
            show(f"  {kind}", counts)
        show(f"  pairs of {set_name}", in_pairs[set_name], wanted=2)


def drawn(code: str, each: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield mutants of a program, with their kinds."""
    for kind in SINGLE:
        rng = Random(f"{seed} {kind} {code}")  # noqa: S311
        made = mutants(code, kind)
        for mutant in rng.sample(made, min(each, len(made))):
            yield kind, mutant


def show(name: str, counts: Counter[int], *, wanted: int = 1) -> None:
    """Print the share of counts as wanted, and how often each other came out."""
    counts = Counter({number: times for number, times in counts.items() if number})
    others = ", ".join(f"{n} of {c}" for c, n in sorted(counts.items()) if c != wanted)
    total, right = counts.total(), counts[wanted]
    if total:
        print(f"{name}: {right} of {total}, {right / total:.1%} ({others})")


if __name__ == "__main__":
    main()
