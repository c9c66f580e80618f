"""Whatever a run goes through, its logs hold each step once."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainer_plugin.logs.figures import Batch
from trainer_plugin.logs.reward_logs import RewardLogs
from trainer_plugin.reading import completions, rows

# Each process goes on from a checkpoint at or before the last step, makes some steps,
# and is killed in the middle of a line or not.
LIVES = st.lists(
    st.tuples(st.floats(0, 1), st.integers(1, 6), st.booleans()), min_size=1, max_size=6
)


def batch_at(step: int) -> Batch:
    """Build a batch of nothing, scored at a step."""
    return Batch(
        samples=(),
        breakdowns=(),
        rewards=(),
        final_rewards=(),
        seconds=0.0,
        step=step,
        epoch=0.0,
        training=True,
    )


@given(LIVES, st.integers(200, 5000))
@settings(max_examples=40, deadline=None)
def test_each_step_once(lives: Sequence[tuple[float, int, bool]], most_bytes: int) -> None:
    """Kills, resumes and rotation leave the steps from 1 to the last, in order."""
    with tempfile.TemporaryDirectory() as name:
        folder, done = Path(name), 0
        for place, (share, count, killed) in enumerate(lives):
            # A run without a checkpoint starts anew.
            start = max(1, int(share * done)) if place and done > 1 else 0
            logs = RewardLogs(folder, name="r_reward", most_bytes=most_bytes)
            logs.begin(start, training=True)
            for step in range(start, start + count):
                logs.write(batch_at(step))
            done = start + count
            if killed:
                with (folder / "batch_metrics.jsonl").open("a") as file:
                    file.write('{"step": 9')
        found = [row["step"] for row in rows(folder / "batch_metrics.jsonl")]

    assert found == list(range(done - len(found) + 1, done + 1))
    # Rotation keeps ten parts: of more steps the oldest may be gone.
    if sum(count for _, count, _ in lives) <= 10:
        assert done == len(found)


@pytest.mark.parametrize("workers", [2, 5])
def test_ranks_come_in_the_order_of_steps(tmp_path: Path, workers: int) -> None:
    for rank in range(workers):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("RANK", str(rank))
            logs = RewardLogs(tmp_path, name="r_reward")
        for step in range(3):
            logs.write(batch_at(step))
    found = [(row["step"], row["rank"]) for row in rows(tmp_path / "batch_metrics.jsonl")]

    assert [(step, rank) for step in range(1, 4) for rank in range(workers)] == found
    assert [] == list(completions(tmp_path))
