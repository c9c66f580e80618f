"""Creates the trainer of a run with its callbacks and console output."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import trl
from rich.console import Console
from rich.panel import Panel
from rich.text import Text
from transformers import PrinterCallback, ProgressCallback
from trl import GRPOTrainer

from ..callbacks import watchers
from ..config.reading import Loaded
from ..config.value import Config
from ..learning import format_line, step_from_logs
from ..located.trainer import LocatedGRPOTrainer
from ..logs.figures import Batch
from ..logs.log_events import LogEventCallback
from ..logs.remarks import EVALUATED, evaluation_text
from ..reward import OCamlReward
from ..sdpo.resumption import enable_resumption
from ..selection import SelectiveGRPOTrainer
from ..supported_trl_versions import check_tested
from .algorithm import LEVELS, is_sdpo, sdpo_trainer_class
from .functions import functions, with_missing_rewards
from .parts import adapter, arguments

MAX_LINES: Final = 24
"""Longer completions are cut; the logs have all lines."""


NOT_IN_SDPO: Final = (
    "sdpo: the teacher's log ratio is each token's credit; TRL's trainer has no KL penalty, so"
    " grpo.beta does not count, nor does reward.credit"
)


class ShownCompletions(LogEventCallback):
    """Shows some completions of the last batch at each logged step."""

    def __init__(self, score: OCamlReward, count: int) -> None:
        """Set the reward, and the number of completions to show."""
        self._score = score
        self._count = count

    def on_log_event(self, state: Any, logs: Mapping[str, Any]) -> None:
        """Show completions after a step with new ones."""
        del state
        batch = self._score.last
        if "reward" not in logs or batch is None or batch.training is False:
            return
        console = Console()
        for place in evenly_ranked(batch.rewards, self._count):
            console.print(completion_panel(batch, place))


def evenly_ranked(rewards: Sequence[float | None], count: int) -> list[int]:
    """Return positions of a batch evenly spread from best to worst; unscored ones count
    as worst.
    """
    ranked = sorted(
        range(len(rewards)), key=lambda at: (rewards[at] is None, -(rewards[at] or 0.0))
    )
    count = min(count, len(ranked))
    if count < 2:
        return ranked[:count]
    step = (len(ranked) - 1) / (count - 1)
    return [ranked[round(number * step)] for number in range(count)]


def completion_panel(batch: Batch, place: int) -> Panel:
    """Return a frame with a completion, its verdict, checks and reward."""
    breakdown, reward = batch.breakdowns[place], batch.rewards[place]
    earned = "not scored" if reward is None else f"reward {reward:.3f}"
    checks = f"{breakdown.tests.passed} of {breakdown.tests.total} checks"
    title = f"{breakdown.problem_id}: {breakdown.verdict.value}, {checks}, {earned}"
    lines = batch.samples[place].completion.text.splitlines()
    more = [f"... and {len(lines) - MAX_LINES} lines more"] if len(lines) > MAX_LINES else []
    return Panel(
        Text(_clean("\n".join([*lines[:MAX_LINES], *more]))),
        title=Text(_clean(title)),
        title_align="left",
    )


def _clean(text: str) -> str:
    """Replace control characters of terminals."""
    return "".join(
        each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for each in text
    )


class StepPrinter(LogEventCallback):
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
            sys.stdout.write(f"[step {state.global_step}]  validation: {evaluation_text(logs)}\n")
        sys.stdout.flush()


def with_supported_credit(loaded: Loaded) -> tuple[Loaded, tuple[str, ...]]:
    """Return the configuration with a credit that runs with the installed TRL, and lines that say
    what was changed.
    """
    config = loaded.config
    if is_sdpo(config):
        return loaded, (NOT_IN_SDPO,)
    if config.reward.credit != "located":
        return loaded, ()
    try:
        check_tested("reward.credit: located", otherwise='credit = "sequence" is used')
    except RuntimeError as error:
        changed = replace(config, reward=replace(config.reward, credit="sequence"))
        origins = {**loaded.origins, "reward.credit": f"trl {trl.__version__}"}
        return Loaded(config=changed, origins=origins), (str(error),)
    return loaded, ()


def create_trainer(
    config: Config, score: OCamlReward, *, world: int, evaluates: bool, **parts: Any
) -> Any:
    """Create the trainer with the callbacks of the run; `parts` are the model and the data."""
    chosen: dict[str, Any] = {}
    kind: Any = GRPOTrainer
    best = config.reward.selection == "best_of_group"
    if best or config.reward.min_reward is not None:
        kind = SelectiveGRPOTrainer
        chosen = {"best_of_group": best, "min_reward": config.reward.min_reward}
    if config.reward.credit == "located":
        kind = LocatedGRPOTrainer
        chosen["located_share"] = config.reward.located_share
    if is_sdpo(config):
        kind = sdpo_trainer_class()
        chosen = {"feedback": LEVELS[config.reward.feedback]}
    made = kind(
        reward_funcs=[
            score,
            *(with_missing_rewards(score, each) for each in functions(config)),
        ],
        args=arguments(config, world=world, evaluates=evaluates),
        peft_config=adapter(config),
        callbacks=[
            StepPrinter(score.__name__),
            *watchers(
                score,
                stop_on=config.reward.stop_on,
                patience=config.reward.patience or 0,
            ),
        ],
        **parts,
        **chosen,
    )
    if is_sdpo(config):
        enable_resumption(made)
    if config.grpo.num_completions_to_print:
        made.add_callback(ShownCompletions(score, config.grpo.num_completions_to_print))
    # TRL's callback prints every figure; ours prints one readable line.
    made.remove_callback(PrinterCallback)
    made.remove_callback(ProgressCallback)
    return made
