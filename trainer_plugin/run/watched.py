"""Creates the trainer of a run with its callbacks and console output."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from transformers import PrinterCallback, ProgressCallback
from trl import GRPOTrainer

from ..callbacks import watchers
from ..config.value import Config
from ..learning import format_line, step_from_logs
from ..located.trainer import LocatedGRPOTrainer
from ..logs.log_events import LogEventCallback
from ..logs.remarks import EVALUATED, evaluated
from ..reward import OCamlReward
from ..selection import SelectiveGRPOTrainer
from .functions import functions, with_missing_rewards
from .parts import adapter, arguments
from .shown import ShownCompletions


class Console(LogEventCallback):
    """Prints the line of `learning.log` for each step, and pass@1 for each evaluation."""

    def __init__(self, name: str) -> None:
        """Print for the reward of that name."""
        self._name = name

    def on_log_event(self, state: Any, logs: Mapping[str, Any]) -> None:
        """Print a step or an evaluation."""
        step = step_from_logs(logs, name=self._name, step=state.global_step)
        if step is not None and step.fresh:
            sys.stdout.write(f"{format_line(step)}\n")
        if EVALUATED in logs:
            sys.stdout.write(
                f"[step {state.global_step}]  validation: {evaluated(logs)}\n"
            )
        sys.stdout.flush()


def trainer_of(
    config: Config, score: OCamlReward, *, world: int, evaluates: bool, **parts: Any
) -> GRPOTrainer:
    """Create the trainer with the callbacks of the run; `parts` are the model and the data."""
    chosen: dict[str, Any] = {}
    kind: type[GRPOTrainer] = GRPOTrainer
    best = config.reward.selection == "best_of_group"
    if best or config.reward.min_reward is not None:
        kind = SelectiveGRPOTrainer
        chosen = {"best_of_group": best, "min_reward": config.reward.min_reward}
    if config.reward.credit == "located":
        kind = LocatedGRPOTrainer
        chosen["located_share"] = config.reward.located_share
    made = kind(
        reward_funcs=[
            score,
            *(with_missing_rewards(score, each) for each in functions(config)),
        ],
        args=arguments(config, world=world, evaluates=evaluates),
        peft_config=adapter(config),
        callbacks=[
            Console(score.__name__),
            *watchers(
                score,
                stop_on=config.reward.stop_on,
                patience=config.reward.patience or 0,
            ),
        ],
        **parts,
        **chosen,
    )
    if config.grpo.print_completions:
        made.add_callback(ShownCompletions(score, config.grpo.print_completions))
    # TRL's callback prints every figure; ours prints one readable line.
    made.remove_callback(PrinterCallback)
    made.remove_callback(ProgressCallback)
    return made
