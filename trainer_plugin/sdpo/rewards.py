"""The rewards of a batch in TRL's SDPO trainer, which makes 0 of a missing one; pure."""

from __future__ import annotations

from collections.abc import Sequence

import torch


def with_group_means(rewards: torch.Tensor, missing: torch.Tensor, *, group: int) -> torch.Tensor:
    """Replace missing rewards by the mean of their group.

    A completion with it has no advantage, and the others' baseline stays where it is.

    Args:
        rewards: Rewards, shape (completions, functions), groups one after the other.
        missing: Whether a completion has no reward, shape (completions,).
        group: The number of completions of a group.

    Returns:
        A tensor of the same shape; 0 in a group without any reward, which is then alike.
    """
    known = rewards.masked_fill(missing.unsqueeze(1), torch.nan)
    groups = known.view(-1, group, known.size(1))
    means = groups.nanmean(dim=1, keepdim=True).nan_to_num().expand_as(groups)
    return torch.where(missing.unsqueeze(1), means.reshape(known.shape), rewards)


def reward_figures(
    rewards: torch.Tensor, missing: torch.Tensor, *, weights: torch.Tensor, names: Sequence[str]
) -> dict[str, float]:
    """Return means and standard deviations by the names of TRL's GRPO trainer.

    Args:
        rewards: Rewards, shape (completions, functions).
        missing: Whether a completion has no reward, shape (completions,).
        weights: The weight of each function.
        names: The name of each function.

    Returns:
        The figures of the weighted sum and of each function; NaN for one without any value.
    """
    known = rewards[~missing]
    found = {}
    for mean, spread, values in (
        ("reward", "reward_std", (known * weights).nansum(dim=1)),
        *(
            (f"rewards/{name}/mean", f"rewards/{name}/std", column[~column.isnan()])
            for name, column in zip(names, known.T, strict=True)
        ),
    ):
        found[mean] = values.mean().item()
        found[spread] = values.std().item() if values.numel() > 1 else torch.nan
    return found
