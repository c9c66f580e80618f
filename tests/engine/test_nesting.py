"""However deep or long a program is, it is graded, and by both engines alike.

`python -m benchmarks.nesting` does this at sizes that take minutes.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ocaml_reward import Completion, Grader, Problem, Verdict
from ocaml_reward.engine.engines import server
from tests.generated.comparing import CANDIDATE, REFERENCE, engine_named
from tests.generated.nests import SHAPES, TESTS, program

# A heap of 96 MB in place of 1280, so that many a shape fills it before its time is up, as all
# those do on a machine that is fast enough.
SPARE_BYTES = -160 << 20
HURRIED = Problem(id="next", tests=TESTS, budget=(("compile_cpu_s", 0.5),))
LARGE = 4000
UNHURRIED = Problem(id="next", tests=TESTS)
SMALL = 80
# The others are the benchmark's; of the few, each takes two jails.
HALF = list(SHAPES)[::2]
SOME = list(SHAPES)[::6]


@pytest.fixture(scope="module")
def short() -> Iterator[Grader]:
    """Make a grader whose compilers have little memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "_SPARE_BYTES", SPARE_BYTES)
        with Grader("concise", engine=engine_named(CANDIDATE), regions=True) as made:
            yield made


@pytest.fixture(scope="module")
def graders() -> Iterator[list[Grader]]:
    """Make a grader for each engine."""
    made = [Grader("concise", engine=engine_named(name)) for name in (CANDIDATE, REFERENCE)]
    yield made
    for grader in made:
        grader.close()


@pytest.mark.parametrize("name", HALF)
def test_no_shape_is_the_machines_fault(short: Grader, name: str) -> None:
    """It has a verdict, and no server is replaced for it."""
    before = dict(short.replaced)
    breakdown = short.grade(HURRIED, Completion(text=program(name, LARGE)))

    assert breakdown.fault is None
    assert before == dict(short.replaced)


@pytest.mark.parametrize("name", SOME)
def test_engines_agree_on_a_shape(graders: list[Grader], name: str) -> None:
    """Their verdicts and rewards are equal."""
    warm, stock = (
        grader.grade(UNHURRIED, Completion(text=program(name, SMALL))) for grader in graders
    )

    assert (warm.verdict, warm.reward, warm.fault) == (
        stock.verdict,
        stock.reward,
        stock.fault,
    )


def test_engines_agree_on_code_with_thousands_of_warnings(
    graders: list[Grader],
) -> None:
    """What a compiler prints, two megabytes here, is no limit of the code's."""
    text = program("arguments", 15_000)
    warm, stock = (grader.grade(UNHURRIED, Completion(text=text)) for grader in graders)

    assert (Verdict.TIMED_OUT, Verdict.TIMED_OUT) == (warm.verdict, stock.verdict)
