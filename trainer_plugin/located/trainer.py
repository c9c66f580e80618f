"""Trains with per-token credit: GRPO with advantages of shape (completions, tokens).

    reward = OCamlReward(regions=True)
    trainer = LocatedGRPOTrainer(..., reward_funcs=reward, callbacks=watchers(reward))

The credit of a token in a region of the code is `1 - located_share` times the advantage of its
completion plus `located_share` times the region's credit compared with its group. Text outside of
the code, and completions without any known region, keep their advantage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import torch
from accelerate.utils import gather_object

from ocaml_reward import Breakdown

from ..reward import OCamlReward
from ..selection import SelectiveGRPOTrainer
from ..supported_trl_versions import check_tested
from .advantages import PlacedCompletion, credits_of, place
from .credit import ALIKE, CAUSES, UNKNOWN, Comparison, compare_groups, known_parts
from .spans import TokenReader

NOWHERE: Final = -1


class LocatedGRPOTrainer(SelectiveGRPOTrainer):
    """A GRPOTrainer that computes a credit per token from the regions of the code."""

    def __init__(self, *args: Any, located_share: float = 0.5, **kwargs: Any) -> None:
        """Create the trainer; with a share of 0 it trains as GRPOTrainer does.

        Args:
            *args: Arguments of GRPOTrainer.
            located_share: The share, 0 to 1, of a token's credit that depends on its region.
            **kwargs: Arguments of GRPOTrainer and SelectiveGRPOTrainer.

        Raises:
            RuntimeError: This version of TRL differs internally from those that were tested.
            ValueError: The share is out of range, no reward reports regions, the loss weighs whole
                completions, or the tokenizer is not supported.
        """
        check_tested("located credit", otherwise='take credit = "sequence"')
        if not 0 <= located_share <= 1:
            raise ValueError(f"located_share: from 0 to 1, found {located_share:g}")
        self._share = located_share
        self._sampled: list[list[int]] = []
        super().__init__(*args, **kwargs)
        located_rewards = [
            each for each in self.reward_funcs if isinstance(each, OCamlReward) and each.regions
        ]
        if len(located_rewards) != 1:
            raise ValueError(
                "located credit needs one OCamlReward(regions=True) among the reward"
                f" functions, found {len(located_rewards)}"
            )
        if self.args.importance_sampling_level != "token":
            raise ValueError(
                f"importance_sampling_level={self.args.importance_sampling_level!r} weighs"
                " a completion as a whole, which mixes the credit of its tokens: located"
                " credit takes 'token'"
            )
        self._located_reward = located_rewards[0]
        processing = self.processing_class
        self._reader = TokenReader(getattr(processing, "tokenizer", processing))
        if not self._reader.reads():
            raise ValueError(
                f"located credit cannot place the tokens of {type(processing).__name__} in"
                " the text that they stand for: its pieces are neither bytes nor"
                ' SentencePiece\'s; take credit = "sequence"'
            )

    def _calculate_rewards(self, *args: Any, **kwargs: Any) -> Any:
        """Keep the token ids of the scored completions."""
        self._sampled = kwargs.get("completion_ids_list") or args[3]
        return super()._calculate_rewards(*args, **kwargs)

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        """Replace the advantages of completions with advantages of tokens."""
        output = super()._generate_and_score_completions(inputs)
        batch = self._located_reward.last
        if not self.model.training or batch is None:
            return output
        mask, own = output["completion_mask"], output["advantages"]
        placed = [
            self._placed(ids, sample.completion.text, breakdown)
            for ids, sample, breakdown in zip(
                self._sampled, batch.samples, batch.breakdowns, strict=True
            )
        ]
        values, width = own.tolist(), mask.size(1)
        found = credits_of(placed, self._compared(placed), values, share=self._share)
        # Written here and sent at once: each transfer to a GPU waits for all that it has to do.
        located = own.new_tensor(
            [
                _padded([one.advantage for one in each], width, value)
                for each, value in zip(found, values, strict=True)
            ]
        )
        causes = mask.new_tensor(
            [_padded([_code(one.cause) for one in each], width, NOWHERE) for each in found]
        )
        own = own.unsqueeze(1).expand(-1, width)
        # Masked tokens, such as those of a completion that is not selected, keep their value.
        output["advantages"] = torch.where(mask.bool(), located, own)
        self._log_shares(causes, mask, unplaced=sum(not each.is_placed for each in placed))
        return output

    def _compared(self, placed: Sequence[PlacedCompletion]) -> list[Comparison]:
        """Return the comparison of each completion's group; a group may span processes."""
        every = gather_object([known_parts(each.parts) for each in placed])
        groups = [at // self.num_generations for at in range(len(every))]
        found = compare_groups(every, groups, scale=self.scale_rewards)
        first = self.accelerator.process_index * len(placed)
        return [found[each] for each in groups[first : first + len(placed)]]

    def _placed(self, ids: Sequence[int], answer: str, breakdown: Breakdown) -> PlacedCompletion:
        """Place the tokens of a completion.

        The answer is the whole text, or its end if a template separates thoughts from it.
        """
        decoded = self._reader.text(ids)
        spans = self._reader.spans(ids, decoded)
        tokens = len(ids) if spans is None else spans
        return place(breakdown, tokens, text=answer, decoded=decoded)

    def _log_shares(self, causes: torch.Tensor, mask: torch.Tensor, *, unplaced: int) -> None:
        """Log the share of trained tokens with regional credit by cause, and the number of
        completions that could not be aligned.
        """
        learnt = causes[mask.bool()]
        counts = torch.stack([(learnt == place).sum() for place in range(len(CAUSES))])
        rest = counts.new_tensor([learnt.numel(), unplaced, len(mask)])
        sums = torch.cat([counts, rest]).unsqueeze(0)
        *found, tokens, lost, rows = self.accelerator.gather(sums).sum(dim=0).tolist()
        shares = {name: count / max(tokens, 1) for name, count in zip(CAUSES, found, strict=True)}
        shares["share"] = sum(shares.values()) - shares[UNKNOWN] - shares[ALIKE]
        shares["unplaced"] = lost / rows
        for name, share in shares.items():
            self._metrics["train"][f"located/{name}"].append(share)


def _code(cause: str | None) -> int:
    return NOWHERE if cause is None else CAUSES.index(cause)


def _padded(values: list[Any], width: int, value: Any) -> list[Any]:
    return values + [value] * (width - len(values))
