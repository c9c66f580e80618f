"""What `learning.log` says besides its steps."""

from __future__ import annotations

from typing import Any

import pytest

from trainer_plugin.learning import parse_line
from trainer_plugin.logs.remarks import (
    LEGEND,
    end_remarks,
    evaluation_text,
    is_outdated,
)


def evaluation(
    passed: float | None,
    error: float | None = 0.04,
    *,
    step: int = 0,
    reward: float = 0.5,
) -> dict[str, Any]:
    """Return what a trainer logs of an evaluation."""
    return {
        "step": step,
        "eval_ocaml/fault_rate": 0.0,
        "eval_ocaml/pass_at_1": passed,
        "eval_ocaml/pass_at_1_error": error,
        "eval_ocaml/final_reward": reward,
        "eval_ocaml/final_reward_variance": 0.01,
    }


def told(
    rewards: list[float], *evaluations: dict[str, Any], remarks: tuple[str, ...] = ()
) -> list[str]:
    """Sum up a run with these rewards."""
    steps = [{"step": n, "reward": each} for n, each in enumerate(rewards, start=1)]
    return end_remarks(
        [*steps, *evaluations],
        remarks,
        name="r",
        step=len(rewards),
        steps=300,
        held_out=25,
    )


RISING = [0.1 + 0.002 * step for step in range(200)]
FLAT = [0.3, 0.4] * 100


def test_an_evaluation_has_its_interval() -> None:
    """1.96 standard errors on both sides, within 0 and 1; none where nothing differs."""
    assert "pass@1 0.31 (0.23 to 0.39), reward 0.500" == evaluation_text(evaluation(0.31))
    assert "pass@1 0.05 (0.00 to 0.13), reward 0.500" == evaluation_text(evaluation(0.05))
    assert "pass@1 0.00, reward 0.500" == evaluation_text(evaluation(0.0, 0.0))
    assert "pass@1 0.50, reward 0.500" == evaluation_text(evaluation(0.5, None))
    assert "pass@1 unknown, reward unknown" == evaluation_text({})


def test_an_evaluation_says_how_many_twins_passed() -> None:
    """If it has any."""
    logged = evaluation(0.31) | {"eval_ocaml/impossible_pass_rate": 0.125}

    assert evaluation_text(logged) == f"{evaluation_text(evaluation(0.31))}, twins passed 12.5%"


@pytest.mark.parametrize(
    ("rewards", "passes", "said"),
    [
        (RISING, (0.1, 0.4), "well: the reward rose, and held-out problems gained"),
        (FLAT, (0.1, 0.4), "well: held-out problems gained"),
        (
            RISING,
            (0.10, 0.15),
            "the reward rose on the problems trained on; held-out ones did not surely gain",
        ),
        (RISING, (), "the reward rose; what held-out problems gained was not measured"),
        (RISING, (0.4, 0.1), "not well: held-out problems lost"),
        (RISING[::-1], (0.1, 0.4), "not well: the reward fell"),
        (FLAT, (0.10, 0.15), "nothing surely rose"),
        ([0.1, 0.9], (), "too short to tell"),
        ([], (), "too short to tell"),
    ],
)
def test_the_last_line_sums_up(rewards: list[float], passes: tuple[float, ...], said: str) -> None:
    """Whether the run learns, and whether that carries over, as far as chance lets one tell."""
    found = [evaluation(each, step=100 * n) for n, each in enumerate(passes)]

    assert f"# end: {said}" == told(rewards, *found)[-1]


@pytest.mark.parametrize(
    ("reward", "said"),
    [
        (
            0.57,
            "held-out rewards rose; that more of these problems pass is not sure",
        ),
        (0.54, "nothing surely rose"),
        (0.43, "not well: held-out problems lost"),
    ],
)
def test_the_reward_tells_what_passes_cannot(reward: float, said: str) -> None:
    """Held-out problems are the same ones each time: a mean of 25 whose squared errors are
    0.01 is known to 0.02, a difference to 0.028.
    """
    found = told(FLAT, evaluation(0.1), evaluation(0.12, step=200, reward=reward))

    assert f"# end: {said}" == found[-1]


def test_a_summary() -> None:
    """How far it came, the reward at both ends, held-out problems, and the findings by rule."""
    seen = (
        *LEGEND,
        "# step 40, finding: high-variance (warning): the std is high; larger batches",
        "# step 90, finding: high-variance (warning): the std is high; larger batches",
        "# step 90, finding: runaway (critical): all are cut off; a longer limit",
    )

    found = told(RISING, evaluation(0.1), evaluation(0.4, step=200), remarks=seen)

    assert [
        "# end: update 200 of 300",
        "# end: reward 0.119 in the first 20 logged updates, 0.479 in the last 20: rose,"
        " +0.360 (+0.353 to +0.367)",
        "# end: held-out pass@1 0.10 (0.02 to 0.18) at step 0, pass@1 0.40 (0.32 to 0.48)"
        " at step 200: rose, +0.300 (+0.189 to +0.411)",
        "# end: held-out reward 0.500 at step 0, reward 0.500 at step 200: no change"
        " beyond chance, +0.000 (-0.055 to +0.055)",
        "# end: findings: 2 high-variance (warning), 1 runaway (critical)",
        "# end: well: the reward rose, and held-out problems gained",
    ] == found


def test_what_a_resumed_run_removes() -> None:
    """Remarks of later steps and of the end, and neither the legend nor earlier remarks."""
    lines = (
        *LEGEND,
        "# step 2, held-out: pass@1 0.00, reward 0.000",
        "# step 4, finding: runaway (critical): x; y",
        "# end: update 4 of 4",
    )

    assert ["# step 4,", "# end: up"] == [line[:9] for line in lines if is_outdated(line, 2)]


def test_no_remark_is_taken_for_a_step() -> None:
    assert not any(parse_line(line) for line in (*LEGEND, *told(RISING)))
