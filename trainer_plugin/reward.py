"""The reward as trainers call it: a function of a batch that never ends a run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ocaml_reward import Breakdown, InputError, MachineError, RewardScheme
from ocaml_reward.engine import Engine
from ocaml_reward.engine.select import check_name
from ocaml_reward.scheme import load

from .endings import cut_off
from .host import Host, host_of
from .logs.figures import Batch, columns_of
from .logs.gathering import gathered
from .logs.reward_logs import RewardLogs
from .logs.whole import WholeEvaluation
from .samples import Sample, samples_of
from .scorer import Scored, Scorer
from .shaping import Bests, shaped

NAME = "syntax_aware_reward"

Column = Callable[[str, list[Any]], object]
Metric = Callable[[str, float], object]

MOST_UNGRADED: Final = 3
"""So many batches in a row without any reward end a run: one may be a machine out of memory for a
moment.
"""


class OCamlReward:
    """A reward function for TRL: `reward_funcs=[OCamlReward()]`.

    It can be pickled; each process starts an engine of its own.
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
        ends: Sequence[int] = (),
        longest: int | None = None,
        logs: bool = True,
        log_dir: str | Path | None = None,
        regions: bool = False,
    ) -> None:
        """Check the settings; nothing starts before the first batch.

        Args:
            scheme: A RewardScheme, the name of a shipped one, or the path of a TOML file.
            engine: An engine's name or addresses of servers, as `ocaml-reward score` takes
                them; or a function that makes an engine.
            sandbox: A jail's name, as `ocaml-reward score` takes it.
            jobs: Completions scored at a time; without it this rank's share of the
                processors.
            deadline_s: Seconds that a batch may take; what is not scored by then gets no
                reward.
            name: What metrics are logged under.
            blend: Whether the phases of a curriculum pass into each other
                (`RewardScheme.at_epoch`).
            ends: Ids of the tokens that end a completion, for a trainer that does not say.
            longest: The most tokens of a completion, for a trainer that does not say.
            logs: Whether to write logs.  Of several such rewards of one trainer only one
                may write them.
            log_dir: The folder of the logs; without it the trainer's output folder.
            regions: Whether to find which parts of each code are right or wrong, which
                LocatedGRPOTrainer goes by; the logs keep them.

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
        self.evaluation = WholeEvaluation()
        self.seen: Callable[[Mapping[str, Sequence[bool | None]]], object] | None = None
        """Told of each batch of a training, of all processes: which completions of each
        problem pass.
        """
        self.last: Batch | None = None
        """The last batch that was scored."""
        self._bests = Bests()
        self._scored_before = False
        self._ungraded = 0
        self._log_dir = Path(log_dir) if log_dir is not None else None
        self._wants_logs = logs
        self._logs: RewardLogs | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the engine now, to know before a model is loaded that this machine scores.

        Raises MachineError if it does not; the first batch would raise the same.
        """
        self._scorer.start()

    def close(self) -> None:
        """End the engine; another batch would start it again."""
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
            completions: What the model wrote, as text or chat messages.
            completion_ids: The tokens of each completion, which tell whether it was cut off.
            trainer_state: The trainer's state; without it the scheme holds as outside
                training.
            log_metric: Takes a name and a value to log.
            log_extra: Takes the name and the values of a column of the trainer's table.
            **columns: The dataset's other columns, each with one value per completion:
                `id`, `tests`, and where there are any `signature`, `libraries`, `split`.

        Returns:
            One reward per completion, between 0 and 1 without bonuses; None where our
            machine could not score.

        Raises:
            ProblemError: The dataset has no tests.
            InputError: Another reward of the trainer's keeps logs in the same folder.
            MachineError: The very first batch finds that this machine cannot score, or three
                batches of training in a row have no completion that could be scored.
        """
        started = time.perf_counter()
        host = host_of(log_metric)
        ends, longest = self._ends or host.ends, self._longest or host.longest
        cut: list[bool | None] = [None] * len(completions)
        if completion_ids is not None:
            cut = [cut_off(each, ends=ends, longest=longest) for each in completion_ids]
        samples = samples_of(prompts, completions, cut, columns)
        epoch = getattr(trainer_state, "epoch", None)
        scheme = self.scheme.at_epoch(float(epoch or 0.0), blend=self.blend)
        if trainer_state is None:
            # Nobody knows the epoch, so what holds outside training holds.
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
                rewards=self._with_bonuses(breakdowns, training=training),
                final_rewards=[each.final_reward for each in scored],
                seconds=time.perf_counter() - started,
                step=step,
                epoch=epoch,
                an_update=host.an_update,
                training=training,
                replaced=self._scorer.replaced,
            )
            # A trainer that we know calls in all its processes, each with its slice.
            whole = batch if host.output_dir is None else gathered(batch)
            if logs is not None:
                logs.write(batch, whole)
            self.last = batch
            if self.seen is not None and training is not False:
                self.seen(whole.passes())
            figures = self.evaluation.metrics_of(whole)
            self._note_ungraded(whole)
        if log_metric is not None:
            for name, value in figures.items():
                # The trainer averages over the steps that know; one NaN would spoil it.
                if value is not None:
                    log_metric(name, value)
        if log_extra is not None:
            for column, values in columns_of(batch).items():
                log_extra(column, values)
        return list(batch.rewards)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the logs, which another process opens for itself, and the last batch."""
        state = self.__dict__ | {"_logs": None, "last": None}
        del state["_lock"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Begin in another process."""
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def _logs_for(
        self, host: Host, step: int | None, *, training: bool | None
    ) -> RewardLogs | None:
        """Return the logs in use, made ready when a run begins or goes back to a step."""
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
                    self._bests = Bests(logs.seen())
        return logs

    def _alone_in(self, folder: Path, host: Host) -> None:
        """Raise InputError for another reward of the trainer's that writes the same files."""
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
        if not self._scored_before:
            self._scorer.start()
            self._scored_before = True
        return self._scorer.score(samples, scheme)

    def _note_ungraded(self, whole: Batch) -> None:
        """End a run that learns nothing: raise MachineError for the last of so many batches in a
        row of which this machine could score no completion.
        """
        if whole.training is False or not whole.rewards:
            return
        if any(each is not None for each in whole.rewards):
            self._ungraded = 0
            return
        self._ungraded += 1
        if self._ungraded >= MOST_UNGRADED:
            faults = [each.fault for each in whole.breakdowns if each.fault]
            said = f" ({faults[0].kind}: {faults[0].message})" if faults else ""
            raise MachineError(
                f"no completion of the last {self._ungraded} batches could be scored{said}:"
                " nothing is learned; see what ocaml-reward doctor says"
            )

    def _with_bonuses(
        self, breakdowns: Sequence[Breakdown], *, training: bool | None
    ) -> list[float | None]:
        if not self.scheme.shaping.enabled or training is False:
            return [each.reward for each in breakdowns]
        rewards = shaped(breakdowns, self.scheme.shaping, self._bests)
        self._bests.note((each.problem_id, each.tests.passed) for each in breakdowns)
        return rewards


def _training(split: Any, host: Host) -> bool | None:
    """Tell training from evaluation: by a column of the dataset, else as the trainer says."""
    if isinstance(split, list | tuple) and split:
        return bool(split[0] == "train")
    return host.training
