"""Two engines say the same of the same completion, and one engine says it in any order.

`python -m benchmarks.differential` does this for thousands of programs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest

from ocaml_reward.engine import Engine
from tests.generated.comparing import (
    CANDIDATE,
    REFERENCE,
    difference,
    engine_named,
    graded,
)
from tests.generated.samples import CORPUS, Sample, corpus, samples

PROGRAMS = 60
SEED = 1


@pytest.fixture(scope="module")
def reference() -> Iterator[Engine]:
    engine = engine_named(REFERENCE)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def candidate() -> Iterator[Engine]:
    engine = engine_named(CANDIDATE)
    yield engine
    engine.close()


def quick_corpus() -> list[Sample]:
    """Return every fourth completion of the corpus, without those that cost seconds."""
    lines = (CORPUS / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    slow = {"timed_out", "out_of_memory", "compiler_limit"}
    verdicts = {row["case"]: row["verdict"] for row in map(json.loads, lines)}
    return [each for each in corpus() if verdicts[each.name] not in slow][::4]


def differences(one: Engine, other: Engine, chosen: list[Sample]) -> str:
    ours = {each.name: text for each, text, _ in graded(one, chosen)}
    theirs = {each.name: text for each, text, _ in graded(other, chosen)}
    assert len(ours) == len(theirs) == len(chosen)
    found = (difference(each, ours[each.name], theirs[each.name]) for each in chosen)
    return "\n".join(filter(None, found))


def test_engines_agree_on_the_corpus(reference: Engine, candidate: Engine) -> None:
    """Records of the corpus' completions are equal but for the engine's name and the time."""
    assert differences(reference, candidate, quick_corpus()) == ""


def test_engines_agree_on_generated_programs(reference: Engine, candidate: Engine) -> None:
    assert differences(reference, candidate, list(samples(PROGRAMS, SEED))) == ""


def test_a_difference_is_shown_with_its_program() -> None:
    """Only the fields that differ are shown, both ways, and the code and tests below them."""
    each = next(samples(1, SEED))
    shown = difference(each, "reward: 1\nfault: 0\n", "reward: 0.5\nfault: 0\n")
    head, _, rest = shown.partition("-- code")

    assert [line for line in head.splitlines() if line[:1] in "+-"][2:] == [
        "-reward: 1",
        "+reward: 0.5",
    ]
    assert "fault" not in head
    assert each.completion.text in rest
    assert str(each.problem.tests) in rest


def test_neither_order_nor_company_changes_a_record(candidate: Engine) -> None:
    """In three orders, by one worker and by three, one engine writes the same bytes."""
    chosen = list(samples(24, SEED + 1))
    orders = [Random(seed).sample(chosen, len(chosen)) for seed in range(3)]
    records = [
        sorted((each.name, text) for each, text, _ in graded(candidate, order, jobs=jobs))
        for order in orders
        for jobs in (1, 3)
    ]

    assert records == [records[0]] * len(records)
