"""
How often one mistake counts one: single mutations of programs that type, by kind.

The programs are the corpus' references, alone and with the uses that their tests are made
of (where these type behind them), and generated ones.  A mutant that does not parse, or
that types, is no mistake of types and left out.

    python -m benchmarks.mutations --each 6
    python -m benchmarks.mutations --show
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random

from ocaml_reward.engine import CheckRequest, Engine, PreparedTests, select
from ocaml_reward.formats import load_problems
from ocaml_reward.model import Problem, Stage, StdioCase
from tests.generated.programs import program
from tests.generated.samples import CORPUS
from tests.generated.single import SINGLE, mutants

NO_TESTS = Problem(id="p", tests=(StdioCase(stdin="", stdout=""),))


def counted(engine: Engine, tests: PreparedTests, code: str) -> int | None:
    """
    Return how many errors code has; None where it does not parse.
    """
    report = engine.check(CheckRequest(code=code, tests=tests))
    if report.stage is Stage.TYPE_ERROR:
        return report.type_errors or 0
    return None if report.stage is Stage.SYNTAX_ERROR else 0


def sources(
    engine: Engine, tests: PreparedTests, generated: int
) -> Iterator[tuple[str, str, str]]:
    """
    Yield each program with its set's name, and the uses to put behind it.
    """
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


def main() -> None:
    """
    Count each mutant, and print the shares.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=4, help="of a kind and a program")
    parser.add_argument("--generated", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="those that do not count 1")
    options = parser.parse_args()
    engine = select.engine("warm")
    tests = engine.prepare(NO_TESTS)
    found: dict[str, dict[str, Counter[int]]] = {}
    for set_name, code, uses in sources(engine, tests, options.generated):
        for kind in SINGLE:
            rng = Random(f"{options.seed} {kind} {code}")  # noqa: S311
            made = mutants(code, kind)
            for mutant in rng.sample(made, min(options.each, len(made))):
                count = counted(engine, tests, mutant + uses)
                if count:
                    by_kind = found.setdefault(set_name, {})
                    by_kind.setdefault(kind, Counter())[count] += 1
                    if options.show and count > 1:
                        print(f"=== {set_name}: {kind}: {count}\n{mutant}{uses}")
    engine.close()
    for set_name, by_kind in found.items():
        total = sum(by_kind.values(), Counter())
        show(set_name, total)
        for kind, counts in by_kind.items():
            show(f"  {kind}", counts)


def show(name: str, counts: Counter[int]) -> None:
    """
    Print the share of ones, and how often each other count came out.
    """
    others = ", ".join(f"{n} of {c}" for c, n in sorted(counts.items()) if c != 1)
    total = counts.total()
    print(f"{name}: {counts[1]} of {total}, {counts[1] / total:.1%} ({others})")


if __name__ == "__main__":
    main()
