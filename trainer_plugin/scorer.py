"""Scores batches with a deadline; a hung engine is killed and replaced.

A completion that our machine could not score has no reward. After a deadline the engine is killed
with its processes, and the next batch starts another.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from typing import Any

from ocaml_reward import Breakdown, Grader, InputError, RewardScheme
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.parallel import jobs_of
from ocaml_reward.engine.engines.select import engine as engine_named
from ocaml_reward.model import Fault
from ocaml_reward.scoring.rewards import ungraded
from ocaml_reward.two_pass_scheduler import Task, Threads, TwoPassScheduler

from .samples import Sample

DEADLINE = "Deadline"
_KEPT_SCHEMES = 8

log = logging.getLogger("trainer_plugin")


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """A completion's breakdown, and its reward after the last phase of training."""

    breakdown: Breakdown
    final_reward: float | None


def share_of_processors() -> int:
    """Return the number of processors for each training process of this machine."""
    ranks = max(1, int(os.environ.get("LOCAL_WORLD_SIZE") or 1))
    return max(1, len(os.sched_getaffinity(0)) // ranks)


class Scorer:
    """Scores under `scheme` or one of its phases, `jobs` completions at a time.

    `engine` is a name, or a function that creates one. `start` raises its errors, so that a machine
    that cannot score is detected at once; `score` never raises. Both are thread-safe.
    """

    def __init__(
        self,
        scheme: RewardScheme,
        *,
        engine: str | Callable[[], Engine],
        sandbox: str,
        jobs: int | None,
        deadline_s: float,
        regions: bool = False,
    ) -> None:
        """Store the settings without starting an engine."""
        self._scheme = scheme
        self._engine = engine
        self._sandbox = sandbox
        self._jobs = jobs
        self._deadline_s = deadline_s
        self._regions = regions
        self._forget()

    def _forget(self) -> None:
        """Begin without a session, in this process."""
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._session: _EngineSession | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what belongs to this process."""
        state = dict(self.__dict__)
        del state["_process"], state["_lock"], state["_session"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Start without an engine in another process."""
        self.__dict__.update(state)
        self._forget()

    def start(self) -> None:
        """Start the engine, if none runs.

        Raises MachineError, or ValueError for an engine that does not exist.
        """
        self._started()

    def close(self) -> None:
        """Close the engine and its processes; a later batch starts another."""
        with self._lock:
            session, self._session = self._session, None
        if session is not None:
            session.close()

    @property
    def replaced(self) -> int:
        """Return the number of engine processes that were replaced after a wrong or
        missing answer.
        """
        session = self._session
        return sum(session.final.replaced.values()) if session else 0

    def score(self, samples: Sequence[Sample], scheme: RewardScheme) -> list[Scored]:
        """Score a batch under a phase of the scheme, in order."""
        try:
            session = self._started()
        except Exception as error:  # noqa: BLE001 (a run goes on, whatever it is)
            results = [self._unscored(sample, error, scheme) for sample in samples]
        else:
            results = self._scored(session, samples, scheme)
        _report([each.breakdown for each in results])
        return results

    def _started(self) -> _EngineSession:
        """Return the engine's session; start it if there is none in this process."""
        if self._process != os.getpid():
            # A forked child has its parent's objects but not its threads.
            self._forget()
        with self._lock:
            if self._session is None:
                make = self._engine
                engine = engine_named(make, self._sandbox) if isinstance(make, str) else make()
                jobs = self._jobs or jobs_of(engine, share_of_processors())
                self._session = _EngineSession(
                    Grader(self._scheme, engine=engine, jobs=jobs, regions=self._regions)
                )
            return self._session

    def _scored(
        self, session: _EngineSession, samples: Sequence[Sample], scheme: RewardScheme
    ) -> list[Scored]:
        """Score samples, as many as finish before the deadline."""
        grader = session.grader(scheme)
        try:
            futures = session.pool.submit_all(
                Task(
                    quick_attempt=partial(_graded, sample, grader, session.final, quick=True),
                    work=partial(_graded, sample, grader, session.final, quick=False),
                    group=sample.problem_id,
                )
                for sample in samples
            )
            late = wait(futures, timeout=self._deadline_s).not_done
        except BaseException:
            # Interrupted: kill the engine instead of waiting for it.
            self.close()
            raise
        results = [
            self._result(sample, future, scheme, late=future in late)
            for sample, future in zip(samples, futures, strict=True)
        ]
        if late:
            with self._lock:
                if self._session is session:
                    self._session = None
            session.close()
        return results

    def _result(
        self,
        sample: Sample,
        future: Future[Scored],
        scheme: RewardScheme,
        *,
        late: bool,
    ) -> Scored:
        """Return the score of a finished future, or that of a sample that could not be scored."""
        if late:
            message = f"not scored within the batch's {self._deadline_s:g} s"
            return self._unscored(sample, TimeoutError(message), scheme, kind=DEADLINE)
        error = future.exception()
        if error is not None:
            return self._unscored(sample, error, scheme)
        return future.result()

    def _unscored(
        self,
        sample: Sample,
        error: BaseException,
        scheme: RewardScheme,
        *,
        kind: str | None = None,
    ) -> Scored:
        """Return the breakdown of a completion that our machine could not score."""
        breakdown = ungraded(
            sample.problem_id,
            Fault(kind=kind or type(error).__name__, message=str(error)),
            scheme,
            self._session.final.engine if self._session else None,
        )
        return Scored(breakdown=breakdown, final_reward=None)


class _EngineSession:
    """An engine with its graders and threads."""

    def __init__(self, final: Grader) -> None:
        self.final = final
        self._threads = Threads(final.jobs, "scorer")
        self.pool = TwoPassScheduler[Scored](self._threads)
        self._graders: dict[RewardScheme, Grader] = {}

    def grader(self, scheme: RewardScheme) -> Grader:
        """Return the grader of a phase."""
        if scheme == self.final.scheme:
            return self.final
        found = self._graders.get(scheme)
        if found is None:
            found = self.final.under(scheme)
            # A blended curriculum has a scheme for each step.
            kept = list(self._graders.items())[-_KEPT_SCHEMES:]
            self._graders = dict([*kept, (scheme, found)])
        return found

    def close(self) -> None:
        """Close the engine; queued work fails at once."""
        self.final.close()
        self.pool.shutdown(wait=False)
        self._threads.close(wait=False)


def _graded(sample: Sample, grader: Grader, final: Grader, *, quick: bool) -> Scored | None:
    """Grade one completion; None if a `quick` attempt took too long."""
    problem, completion = sample.problem, sample.completion
    if isinstance(problem, InputError):
        raise problem
    look = grader.quick_attempt if quick else grader.grade
    breakdown = look(problem, completion)
    if breakdown is None:
        return None
    if grader is final or breakdown.reward is None:
        return Scored(breakdown=breakdown, final_reward=breakdown.reward)
    last = final.grade(problem, completion)
    return Scored(breakdown=breakdown, final_reward=last.reward)


def _report(breakdowns: Sequence[Breakdown]) -> None:
    """Report in one line how many completions could not be scored, and why."""
    faults = [each.fault for each in breakdowns if each.fault is not None]
    if not faults:
        return
    kinds = Counter(fault.kind for fault in faults)
    first = {fault.kind: fault.message for fault in reversed(faults)}
    why = "; ".join(
        f"{count} {kind}: {' '.join(first[kind].split())[:200]}" for kind, count in kinds.items()
    )
    log.warning(
        "%d of %d completions could not be scored and get no reward (%s)",
        len(faults),
        len(breakdowns),
        why,
    )
