"""Formats a scored batch as lines of its logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ocaml_reward import metrics
from ocaml_reward.record import breakdown_to_dict

from .figures import Batch, Group, group_figures, metrics_of

_SHARES: Final = ("compile_rate", "runaway_rate", "clock_rate", "fault_rate")


def completion_rows(batch: Batch, rank: int) -> list[dict[str, Any]]:
    """Return the rows of the completions, which `ocaml-reward score` can read."""
    return [
        _place(batch, rank)
        | {
            "problem_id": sample.problem_id,
            "reward": reward,
            "verdict": breakdown.verdict.value,
            "truncated": sample.completion.truncated,
            "prompt": sample.prompt,
            "completion": sample.completion.text,
        }
        for sample, breakdown, reward in zip(
            batch.samples, batch.breakdowns, batch.rewards, strict=True
        )
    ]


def breakdown_rows(batch: Batch, rank: int) -> list[dict[str, Any]]:
    """Return each completion's record as `ocaml-reward score` writes it, with the step.

    `reward` is the scheme's, `trained_on` the one returned to the trainer, with bonuses.
    """
    return [
        _place(batch, rank)
        | {"trained_on": reward, "final_reward": final}
        | breakdown_to_dict(breakdown)
        for breakdown, reward, final in zip(
            batch.breakdowns, batch.rewards, batch.final_rewards, strict=True
        )
    ]


def batch_row(batch: Batch, rank: int) -> dict[str, Any]:
    """Return the figures of the whole batch, with the groups that they are computed from."""
    groups = batch.groups()
    texts: dict[str, list[str]] = {}
    for sample in batch.samples:
        texts.setdefault(sample.problem_id, []).append(sample.completion.text)
    spread = metrics.diversity(texts.values())
    logged = metrics_of(batch)
    return (
        _place(batch, rank)
        | {"completions": len(batch.samples)}
        | group_figures(groups)
        | {name: logged[f"ocaml/{name}"] for name in _SHARES}
        | {
            "diversity": {
                "unique_share": spread.unique_share if spread else None,
                "similarity": spread.similarity if spread else None,
            },
            "score_seconds": round(batch.seconds, 6),
            "groups": {
                problem_id: {
                    "rewards": [reward for reward, _ in group],
                    "passed": [flag for _, flag in group],
                }
                for problem_id, group in groups.items()
            },
        }
    )


def merge_ranks(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the batches of one step into one row, either of all ranks or of one evaluation.

    Groups that were split between ranks are joined.
    """
    groups: dict[str, Group] = {}
    for row in rows:
        for problem_id, group in row["groups"].items():
            pairs = zip(group["rewards"], group["passed"], strict=True)
            groups.setdefault(problem_id, []).extend(pairs)
    first = rows[0]
    weights = [row["completions"] for row in rows]
    return (
        {key: first[key] for key in ("step", "epoch", "split")}
        | {"completions": sum(weights)}
        | group_figures(groups)
        # Rows from before there was a `clock_rate` lack it.
        | {name: _mean([row.get(name) for row in rows], weights) for name in _SHARES}
        | {
            "diversity": {
                key: _mean([row["diversity"][key] for row in rows], weights)
                for key in ("unique_share", "similarity")
            },
            "score_seconds": max(row["score_seconds"] for row in rows),
        }
    )


def _place(batch: Batch, rank: int) -> dict[str, Any]:
    """Return the fields that say where in the run a batch is."""
    split = {True: "train", False: "eval", None: None}[batch.training]
    step, epoch = batch.place()
    epoch = None if epoch is None else round(epoch, 6)
    return {"step": step, "epoch": epoch, "split": split, "rank": rank}


def _mean(values: Iterable[float | None], weights: Sequence[int]) -> float | None:
    """Return the weighted mean of the known values; None if there are none."""
    pairs = [
        (value, weight)
        for value, weight in zip(values, weights, strict=True)
        if value is not None and weight
    ]
    total = sum(weight for _, weight in pairs)
    return sum(value * weight for value, weight in pairs) / total if pairs else None
