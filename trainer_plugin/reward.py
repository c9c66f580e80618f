"""The reward function that trainers call with a batch; it does not end a run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ocaml_reward import Breakdown, InputError, MachineError, RewardScheme
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.select import check_name
from ocaml_reward.scheme import load

from .endings import cut_off
from .logs.figures import Batch, columns_of
from .logs.gathering import EvaluationMetrics, gather
from .logs.reward_logs import RewardLogs
from .samples import Sample, samples_of
from .scorer import Scored, Scorer
from .shaping import BestPasses, with_bonuses, with_rare_checks
from .trainer_attributes import TrainerAttributes, attributes_of

NAME = "syntax_aware_reward"

Column = Callable[[str, list[Any]], object]
Metric = Callable[[str, float], object]

MOST_UNGRADED: Final = 3
"""A run ends after this many consecutive batches without any reward: a single one may be due to a
short lack of memory.
"""


class OCamlReward:
    """A reward function for TRL: `reward_funcs=[OCamlReward()]`.

    It can be pickled; each process starts its own engine.
    """

    def __init__(
        self,
        scheme: RewardScheme | str | Path = "seed",
        *,
        engine: str | Callable[[], Engine] = "auto",
        sandbox: str = "auto",
        jobs: int | None = None,
        deadline_s: float = 300.0,
        name: str = NAME,
        blend: bool = False,
        rare_checks: bool = False,
        ends: Sequence[int] = (),
        longest: int | None = None,
        logs: bool = True,
        log_dir: str | Path | None = None,
        regions: bool = False,
    ) -> None:
        """Check the settings; nothing starts before the first batch.

        Args:
            scheme: A RewardScheme, the name of a shipped one, or the path of a TOML file.
            engine: An engine's name or addresses of servers, as `ocaml-reward score` takes them; or
                a function that creates an engine.
            sandbox: A jail's name, as `ocaml-reward score` takes it.
            jobs: Completions scored at a time; by default this rank's share of the processors.
            deadline_s: Time limit of a batch in seconds; completions not scored by then get no
                reward.
            name: The name of its metrics.
            blend: Whether the phases of a curriculum are interpolated (`RewardScheme.at_epoch`).
            rare_checks: Whether, in training, each check is weighed by the share of the problem's
                completions in the batch (of this process) that do not pass it.
            ends: Ids of the tokens that end a completion, if the trainer does not provide them.
            longest: Maximum number of tokens of a completion, if the trainer does not provide it.
            logs: Whether to write logs. Only one reward of a trainer may write them.
            log_dir: The folder of the logs; by default the trainer's output folder.
            regions: Whether to mark right and wrong regions of the code, which LocatedGRPOTrainer
                needs; the logs contain them.

        Raises:
            SchemeError: The scheme cannot be used.
            ValueError: Another setting cannot be used.
        """
        if isinstance(engine, str):
            check_name(engine)
        if jobs is not None and jobs < 1:
            raise ValueError(f"jobs: at least 1, found {jobs}")
        if not deadline_s > 0:
            raise ValueError(f"deadline_s: above 0, found {deadline_s:g}")
        if not name:
            raise ValueError("a reward needs a name")
        self.__name__ = name
        self.scheme = load(scheme)
        self.blend = blend
        self.rare_checks = rare_checks
        self.regions = regions
        self._ends = frozenset(ends)
        self._longest = longest
        self._scorer = Scorer(
            self.scheme,
            engine=engine,
            sandbox=sandbox,
            jobs=jobs,
            deadline_s=deadline_s,
            regions=regions,
        )
        self.evaluation = EvaluationMetrics()
        self.seen: Callable[[Mapping[str, Sequence[bool | None]]], object] | None = None
        """Called for each training batch, of all processes, with the passes of each problem's
        completions.
        """
        self.last: Batch | None = None
        """The last batch that was scored."""
        self.log_metric: Metric | None = None
        """Takes figures of a trainer that passes no `log_metric`."""
        self._bests = BestPasses()
        self._scored_before = False
        self._ungraded = 0
        self._log_dir = Path(log_dir) if log_dir is not None else None
        self._wants_logs = logs
        self._logs: RewardLogs | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the engine now, to detect a machine that cannot score before a model is loaded.

        Raises MachineError, as the first batch would.
        """
        self._scorer.start()

    def close(self) -> None:
        """Close the engine; another batch would start it again."""
        self._scorer.close()

    def __call__(
        self,
        prompts: Sequence[Any] | None = None,
        completions: Sequence[Any] = (),
        completion_ids: Sequence[Sequence[int]] | None = None,
        *,
        trainer_state: Any = None,
        log_metric: Metric | None = None,
        log_extra: Column | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Score a batch.

        Args:
            prompts: The prompts, as text or chat messages; one per completion.
            completions: The completions, as text or chat messages.
            completion_ids: The tokens of each completion, which show whether it was cut off.
            trainer_state: The trainer's state; without it the scheme's final phase is used.
            log_metric: Takes a name and a value to log.
            log_extra: Takes the name and the values of a column of the trainer's table.
            **columns: The dataset's other columns, each with one value per completion: `id`,
                `tests`, and optionally `signature`, `libraries`, `split`.

        Returns:
            One reward per completion, between 0 and 1 without bonuses; None if our machine could
                not score it.

        Raises:
            ProblemError: The dataset has no tests.
            InputError: Another reward of the trainer keeps logs in the same folder.
            MachineError: The very first batch finds that this machine cannot score, or three
                consecutive batches of training have no completion that could be scored.
        """
        started = time.perf_counter()
        log_metric = log_metric or self.log_metric
        host = attributes_of(log_metric)
        ends, longest = self._ends or host.ends, self._longest or host.longest
        cut: list[bool | None] = [None] * len(completions)
        if completion_ids is not None:
            cut = [cut_off(each, ends=ends, longest=longest) for each in completion_ids]
        samples = samples_of(prompts, completions, cut, columns)
        epoch = getattr(trainer_state, "epoch", None)
        scheme = self.scheme.at_epoch(float(epoch or 0.0), blend=self.blend)
        if trainer_state is None:
            # The epoch is unknown, so use the final phase.
            scheme = replace(self.scheme, phases=())
        scored = self._score(samples, scheme)
        breakdowns = [each.breakdown for each in scored]
        training = _training(columns.get("split"), host)
        step = getattr(trainer_state, "global_step", None)
        # Asynchronous trainers score several groups at a time.
        with self._lock:
            logs = self._logs_for(host, step, training=training)
            batch = Batch(
                samples=samples,
                breakdowns=breakdowns,
                rewards=self._rewards(breakdowns, scheme, training=training),
                final_rewards=[each.final_reward for each in scored],
                seconds=time.perf_counter() - started,
                step=step,
                epoch=epoch,
                an_update=host.an_update,
                training=training,
                replaced=self._scorer.replaced,
            )
            # TRL calls us in every rank with that rank's slice; gather the whole batch.
            whole = batch if host.output_dir is None else gather(batch)
            if logs is not None:
                logs.write(batch, whole)
            self.last = batch
            if self.seen is not None and training is not False:
                self.seen(whole.passes())
            figures = self.evaluation.metrics_of(whole)
            self._note_ungraded(whole)
        if log_metric is not None:
            for name, value in figures.items():
                # The trainer averages over the steps with a value; one NaN would spoil the mean.
                if value is not None:
                    log_metric(name, value)
        if log_extra is not None:
            for column, values in columns_of(batch).items():
                log_extra(column, values)
        return list(batch.rewards)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the last batch, the trainer, and the logs, which another process opens
        itself.
        """
        state = self.__dict__ | {"_logs": None, "last": None, "log_metric": None}
        del state["_lock"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state in another process."""
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def _logs_for(
        self, host: TrainerAttributes, step: int | None, *, training: bool | None
    ) -> RewardLogs | None:
        """Return the logs, prepared when a run begins or goes back to a step."""
        folder = self._log_dir or host.output_dir
        if folder is None or not self._wants_logs:
            return None
        logs = self._logs
        if logs is None or logs.folder != folder or (step or 0) < logs.step:
            self._alone_in(folder, host)
            logs = self._logs = RewardLogs(folder, name=self.__name__)
            if step is not None:
                logs.begin(step, training=training)
                if self.scheme.shaping.enabled:
                    self._bests = BestPasses(logs.seen())
        return logs

    def _alone_in(self, folder: Path, host: TrainerAttributes) -> None:
        """Raise InputError if another reward of the trainer writes the same files."""
        for other in host.rewards:
            if isinstance(other, OCamlReward) and other is not self:
                writes = other._log_dir or host.output_dir  # noqa: SLF001
                if other._wants_logs and writes == folder:  # noqa: SLF001
                    message = (
                        f"two rewards keep logs in {folder}: give one of them logs=False or"
                        " a log_dir of its own"
                    )
                    raise InputError(message)

    def _score(self, samples: Sequence[Sample], scheme: RewardScheme) -> list[Scored]:
        """Score samples, after the engine has started."""
        if not self._scored_before:
            self._scorer.start()
            self._scored_before = True
        return self._scorer.score(samples, scheme)

    def _note_ungraded(self, whole: Batch) -> None:
        """Raise MachineError for the last of too many consecutive batches that could
        not be scored.
        """
        if whole.training is False or not whole.rewards:
            return
        if any(each is not None for each in whole.rewards):
            self._ungraded = 0
            return
        self._ungraded += 1
        if self._ungraded >= MOST_UNGRADED:
            faults = [each.fault for each in whole.breakdowns if each.fault]
            reason = f" ({faults[0].kind}: {faults[0].message})" if faults else ""
            raise MachineError(
                f"no completion of the last {self._ungraded} batches could be scored{reason}:"
                " nothing is learned; see what ocaml-reward doctor says"
            )

    def _rewards(
        self, breakdowns: Sequence[Breakdown], scheme: RewardScheme, *, training: bool | None
    ) -> list[float | None]:
        """Return the rewards, in training with rare checks weighed more and with the bonuses of the
        scheme's shaping.
        """
        if self.rare_checks and training is not False:
            breakdowns = with_rare_checks(breakdowns, scheme.available.tests)
        if not self.scheme.shaping.enabled or training is False:
            return [each.reward for each in breakdowns]
        rewards = with_bonuses(breakdowns, self.scheme.shaping, self._bests)
        self._bests.note((each.problem_id, each.tests.passed) for each in breakdowns)
        return rewards


def _training(split: Any, host: TrainerAttributes) -> bool | None:
    """Return whether it is training, not evaluation: by a column of the dataset, else by the
    trainer.
    """
    if isinstance(split, list | tuple) and split:
        return bool(split[0] == "train")
    return host.training
