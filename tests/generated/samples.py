"""Completions to grade, each made from a kind and a seed alone: equal seeds, equal texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from ocaml_reward import Completion, Problem
from ocaml_reward.formats import CompletionLine, load_problems, read_completions

from .mistakes import broken, damaged, mistaken
from .noise import ODD_TESTS, noise, odd
from .programs import program
from .stepping import stepping

CORPUS = Path(__file__).parents[2] / "test_corpus"
KINDS = ("typed", "mistaken", "broken", "damaged", "odd", "noise", "stepping")
"""Well-typed; with mistakes of types; of syntax; of bytes; odd at the top; hardly OCaml; of loops and
recursion."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A completion with the problem that it is graded against."""

    name: str
    problem: Problem
    completion: Completion


@cache
def corpus() -> tuple[Sample, ...]:
    """Return the completions of the corpus, by their cases' names."""
    problems = load_problems(CORPUS / "problems.jsonl").problems
    return tuple(
        Sample(
            name=str(line.extra["case"]),
            problem=problems[line.problem_id],
            completion=line.completion,
        )
        for line in read_completions(CORPUS / "completions.jsonl")
        if isinstance(line, CompletionLine)
    )


@cache
def _solved() -> tuple[Problem, ...]:
    return tuple(dict.fromkeys(s.problem for s in corpus() if s.problem.reference))


def sample(kind: str, seed: int) -> Sample:
    """Make the sample of a kind that a seed stands for."""
    name = f"{kind}-{seed}"
    # A text as the seed, for then no two kinds share their choices.
    rng = Random(name)
    if kind in ("odd", "noise"):
        code = odd(rng) if kind == "odd" else noise(rng)
        problem = Problem(id=kind, tests=ODD_TESTS)
    elif kind == "stepping":
        code, tests = stepping(rng)
        problem = Problem(id=name, tests=tests, reference="let f n = n")
    elif kind == "typed" or rng.random() < 0.5:
        code, tests = program(rng)
        problem = Problem(id=name, tests=tests)
    else:
        problem = rng.choice(_solved())
        code = problem.reference or ""
    change = {"mistaken": mistaken, "broken": broken, "damaged": damaged}.get(kind)
    if change is not None:
        code = change(rng, code)
    if rng.random() < 0.3:
        code += "\n(* END *)"
    return Sample(name=name, problem=problem, completion=Completion(text=code))


def samples(count: int, seed: int, kinds: tuple[str, ...] = KINDS) -> Iterator[Sample]:
    """Yield samples of all kinds in turn; other seeds share none of them."""
    for number in range(count):
        yield sample(kinds[number % len(kinds)], seed * 1_000_000 + number)


anything = st.builds(sample, st.sampled_from(KINDS), st.integers(0, 2**40))
"""The same for hypothesis: it searches among kinds and seeds."""
