"""
The three searches: what they try, and what the reward made of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from ocaml_reward import Breakdown, Completion, Grader, Problem
from ocaml_reward.model import Verdict
from tests.cheats.fixed import prelude, takes

from .same import changed
from .stubs import Stub, grown, mutated, rendered
from .worse import worse

__all__ = [
    "END",
    "Changed",
    "Tried",
    "answers",
    "changes",
    "climb",
    "is_better",
    "is_blind",
]

END = "(* END *)\n"
# How many of the best a generation is made of, and the share that is drawn anew.
_BEAM = 8
_ANEW = 0.25
_HEAD = re.compile(r"^let rec [\w']+(?: x\d)+ =$", re.MULTILINE)
_STAGES = (
    Verdict.SYNTAX_ERROR,
    Verdict.TYPE_ERROR,
    Verdict.INTERFACE_ERROR,
    Verdict.LINK_ERROR,
)
# What loops or fills memory is told by limits that are not what is looked for here.
_SLOW = (
    Verdict.TIMED_OUT,
    Verdict.OUT_OF_MEMORY,
    Verdict.OUTPUT_LIMIT,
    Verdict.NO_CODE,
)
_LONGEST = 6000


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """
    A program that knows no answer, and what it got.
    """

    problem: str
    text: str
    found: Breakdown

    @property
    def reward(self) -> float:
        """
        What it earned.
        """
        return self.found.reward or 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Changed:
    """
    A completion before and after a change.
    """

    problem: str
    kind: str
    text: str
    before: Breakdown
    after: Breakdown

    @property
    def gain(self) -> float:
        """
        What the change was paid.
        """
        return round((self.after.reward or 0.0) - (self.before.reward or 0.0), 6)


def is_blind(tried: Tried) -> bool:
    """
    Tell whether a program names nothing that it is given, nor calls itself.
    """
    bodies = _HEAD.sub("", tried.text)
    names = re.findall(r"^let rec ([\w']+)(?: x\d)+ =$", tried.text, re.MULTILINE)
    called = (
        rf"(?<![\w'])(?:x\d{''.join('|' + re.escape(name) for name in names)})(?![\w'])"
    )
    return not re.search(called, bodies)


def climb(
    grader: Grader,
    problems: Mapping[str, Problem],
    *,
    seed: int,
    rounds: int,
    width: int,
) -> list[Tried]:
    """
    Search every problem for what is paid most and passes no check.

    Args:
        grader: What pays.
        problems: The problems that ask for functions; others are passed over.
        seed: What all is drawn from.
        rounds: How many generations there are.
        width: How many programs a generation has for each problem.

    Returns:
        All that was tried, also what passes a check by chance.
    """
    searches = [
        _Search(problem, seed)
        for problem in problems.values()
        if isinstance(problem.tests, str) and any(takes(problem).values())
    ]
    for _ in range(rounds):
        batch = [each for search in searches for each in search.generation(width)]
        graded = grader.grade_many(
            (search.problem, Completion(text=text)) for search, _, text in batch
        )
        for (search, stub, text), found in zip(batch, graded, strict=True):
            search.hear(stub, Tried(problem=search.problem.id, text=text, found=found))
    return [tried for search in searches for _, tried in search.all]


class _Search:
    """
    The search for one problem.
    """

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem = problem
        self.all: list[tuple[Stub, Tried]] = []
        wanted = {name: count for name, count in takes(problem).items() if count}
        self._names, self._arities = list(wanted), list(wanted.values())
        self._prelude = prelude(problem)
        self._rng = Random(f"{seed} {problem.id}")  # noqa: S311
        self._seen: set[str] = set()

    def generation(self, width: int) -> Iterator[tuple[_Search, Stub, str]]:
        """
        Yield programs that were not there before.
        """
        useless = [each for each in self.all if not each[1].found.tests.passed]
        best = sorted(useless, key=lambda each: (-each[1].reward, len(each[1].text)))
        for _ in range(width):
            if not best or self._rng.random() < _ANEW:
                stub = grown(self._rng, self._arities, 3)
            else:
                stub = mutated(
                    self._rng.choice(best[:_BEAM])[0], self._rng, self._arities
                )
            text = rendered(stub, self._names, self._arities, self._prelude)
            if text not in self._seen:
                self._seen.add(text)
                yield self, stub, text

    def hear(self, stub: Stub, tried: Tried) -> None:
        """
        Note what a program got; what our side could not grade is forgotten.
        """
        if tried.found.reward is not None:
            self.all.append((stub, tried))


def answers(
    grader: Grader, pairs: list[tuple[Problem, Completion]]
) -> list[tuple[Problem, str, Breakdown]]:
    """
    Take the code of each completion once, with its marker behind it, and grade that.
    """
    found = grader.grade_many(pairs)
    codes = dict.fromkeys(
        (problem, each.code.rstrip().removesuffix(END.strip()).rstrip())
        for (problem, _), each in zip(pairs, found, strict=True)
        if each.verdict not in _SLOW and len(each.code) <= _LONGEST
    )
    plain = [(problem, Completion(text=f"{code}\n{END}")) for problem, code in codes]
    graded = grader.grade_many(plain)
    return [
        (*pair, each)
        for pair, each in zip(codes, graded, strict=True)
        if each.code.strip()
    ]


def changes(
    grader: Grader,
    bases: list[tuple[Problem, str, Breakdown]],
    *,
    seed: int,
    make_worse: bool,
) -> list[Changed]:
    """
    Change each in every way, for the worse or without an effect, and grade what comes out.
    """
    make: Callable[[str, int], Iterator[tuple[str, str]]] = (
        worse if make_worse else changed
    )
    made = [
        (problem, kind, text, before)
        for problem, code, before in bases
        for kind, text in make(code, seed)
    ]
    graded = grader.grade_many(
        (problem, Completion(text=text)) for problem, _, text, _ in made
    )
    return [
        Changed(problem=problem.id, kind=kind, text=text, before=before, after=after)
        for (problem, kind, text, before), after in zip(made, graded, strict=True)
    ]


def is_better(each: Changed) -> bool:
    """
    Tell whether a change took a mistake away, as the record says: more checks pass, it comes
    further, fewer errors are left, or more of it parses.
    """
    return _standing(each.after) > _standing(each.before)


def _standing(found: Breakdown) -> tuple[int, float, float]:
    stage = _STAGES.index(found.verdict) if found.verdict in _STAGES else len(_STAGES)
    if found.verdict is Verdict.INTERFACE_ERROR:
        stage = _STAGES.index(Verdict.TYPE_ERROR)
    if found.verdict in (Verdict.COMPILER_LIMIT, Verdict.NO_CODE):
        stage = -1
    return (
        found.tests.passed,
        stage,
        found.parsed_share or -float(found.type_errors or 0),
    )
