"""Whatever the text, grading ends with a verdict: no exception, no fault, no hang.

`python -m benchmarks.fuzz` does this for tens of thousands of texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from ocaml_reward import Verdict
from ocaml_reward.engine import Engine
from tests.generated.comparing import CANDIDATE, engine_named, graded, record
from tests.generated.samples import KINDS, Sample, anything, sample, samples

TEXTS = 300
SEED = 3


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = engine_named(CANDIDATE)
    yield engine
    engine.close()


def test_every_text_gets_a_verdict(engine: Engine) -> None:
    """No generated text is answered with a fault, and each record can be read back."""
    verdicts: Counter[Verdict] = Counter()
    for each, text, breakdown in graded(engine, samples(TEXTS, SEED)):
        assert breakdown is not None, f"{each.name}: {text}"
        assert breakdown.fault is None, f"{each.name}: {breakdown.fault}"
        assert breakdown.reward is not None
        assert 0 <= breakdown.reward <= 1, each.name
        assert record(breakdown) == text
        verdicts[breakdown.verdict] += 1

    # Texts that all end alike would show little.
    assert len(verdicts) >= 7, verdicts
    assert max(verdicts.values()) < TEXTS * 0.7, verdicts


def test_well_typed_programs_type(engine: Engine) -> None:
    """What the grammar writes as well typed has no type error, and its tests fit it."""
    chosen = [sample("typed", seed) for seed in range(30)]
    found = {each.name: b for each, _, b in graded(engine, chosen)}
    ran = {Verdict.PASSED, Verdict.FAILED_TESTS, Verdict.RUNTIME_ERROR}

    assert dict.fromkeys(found, 0) == {name: b and b.type_errors for name, b in found.items()}
    assert ran == {b.verdict for b in found.values() if b}


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(chosen=anything)
def test_grading_twice_gives_the_same(engine: Engine, chosen: Sample) -> None:
    """A second grading of any text, by the same engine, writes the same record."""
    once, again = (next(graded(engine, [chosen], jobs=1)) for _ in range(2))

    assert once == again


@pytest.mark.parametrize("kind", KINDS)
def test_samples_depend_on_their_seed_alone(kind: str) -> None:
    """Equal seeds give equal samples, and other seeds other ones."""
    made = [sample(kind, seed) for seed in range(20)]

    assert made == [sample(kind, seed) for seed in range(20)]
    assert len({each.completion.text for each in made}) > 5
