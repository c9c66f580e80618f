"""The yardstick: held-out problems, sampled and scored under the seed scheme, the same for
every variant of the reward.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import torch

from ocaml_reward import Completion, Grader, Verdict
from ocaml_reward.metrics import mean
from ocaml_reward.scheme import RewardScheme, load, with_overrides

from .tasks import Learnt

SAMPLES: Final = 8


def scheme() -> RewardScheme:
    """Give the seed scheme without its least number of lines: the solutions here are short."""
    return with_overrides(load("seed"), ["min_lines=1"])


class Yardstick:
    """Measures a model on the held-out problems, always with the same random numbers."""

    def __init__(
        self, tasks: Sequence[Learnt], tokenizer: Any, grader: Grader, longest: int
    ) -> None:
        """Keep what is needed to measure at any step."""
        self.problems = [task.problem for task in tasks]
        self.tokenizer = tokenizer
        self.grader = grader
        self.longest = longest

    def measure(self, model: Any) -> dict[str, Any]:
        """Sample and score; returns the mean reward, pass@1, how many of the samples of each
        problem passed, and the verdicts.
        """
        prompts = [problem.prompt for problem in self.problems]
        given = self.tokenizer(prompts, return_tensors="pt", padding=True)
        state = torch.get_rng_state()
        torch.manual_seed(1)
        was_training = model.training
        model.eval()
        with torch.inference_mode():
            output = model.generate(
                **given,
                do_sample=True,
                temperature=1.0,
                top_k=0,
                top_p=1.0,
                max_new_tokens=self.longest,
                num_return_sequences=SAMPLES,
                pad_token_id=self.tokenizer.pad_token_id,
            )
        model.train(was_training)
        torch.set_rng_state(state)
        answers = output[:, given["input_ids"].shape[1] :]
        pairs = [
            (self.problems[place // SAMPLES], self.completion(answer))
            for place, answer in enumerate(answers)
        ]
        graded = list(self.grader.grade_many(pairs))
        verdicts = Counter(str(one.verdict) for one in graded)
        passed = [one.verdict is Verdict.PASSED for one in graded]
        return {
            "reward": mean(one.reward for one in graded),
            "pass_at_1": sum(passed) / len(graded),
            "passed": [
                sum(passed[first : first + SAMPLES]) for first in range(0, len(passed), SAMPLES)
            ],
            "verdicts": dict(verdicts),
        }

    def completion(self, tokens: Any) -> Completion:
        """Read an answer, cut off where it did not come to an end."""
        ended = bool((tokens == self.tokenizer.eos_token_id).any())
        text = self.tokenizer.decode(tokens, skip_special_tokens=True)
        return Completion(text=text, truncated=not ended)
