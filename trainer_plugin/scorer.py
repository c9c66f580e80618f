"""
Scores batches on an engine of its own, within a deadline, whatever the engine does.

A completion that our machine could not score comes back without a reward.  After a
deadline the engine is ended, with all that hangs in it, and the next batch gets another.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from ocaml_reward import (
    Breakdown,
    Grader,
    InputError,
    RewardScheme,
    Verdict,
)
from ocaml_reward.engine import Engine
from ocaml_reward.engine.select import engine as engine_named
from ocaml_reward.model import Credits, Fault, Tally

from .samples import Sample

__all__ = ["Scored", "Scorer", "share_of_processors"]

DEADLINE = "Deadline"
_KEPT_SCHEMES = 8

log = logging.getLogger("trainer_plugin")


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """
    One completion's account, and its reward when every phase of training is over.
    """

    breakdown: Breakdown
    final_reward: float | None


def share_of_processors() -> int:
    """
    Return how many processors each of this machine's training processes may use.
    """
    ranks = max(1, int(os.environ.get("LOCAL_WORLD_SIZE") or 1))
    return max(1, len(os.sched_getaffinity(0)) // ranks)


class Scorer:
    """
    Scores under `scheme` or one of its phases, `jobs` completions at a time.

    `engine` is the name of one, or makes one.  `start` raises what making it raises, so
    that a machine that cannot score at all is seen at once; `score` never raises.
    """

    def __init__(
        self,
        scheme: RewardScheme,
        *,
        engine: str | Callable[[], Engine],
        sandbox: str,
        jobs: int | None,
        deadline_s: float,
    ) -> None:
        """
        Start nothing yet.
        """
        self._scheme = scheme
        self._engine = engine
        self._sandbox = sandbox
        self._jobs = jobs or share_of_processors()
        self._deadline_s = deadline_s
        self._process = os.getpid()
        self._final: Grader | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._graders: dict[RewardScheme, Grader] = {}

    def __getstate__(self) -> dict[str, Any]:
        """
        Leave out what belongs to this process.
        """
        return self.__dict__ | {"_final": None, "_pool": None, "_graders": {}}

    def start(self) -> Grader:
        """
        Return the grader of the final scheme, made if there is none that works here.

        Raises MachineError, or ValueError for an engine that does not exist.
        """
        if self._process != os.getpid():
            # A forked child has its parent's objects, not its threads.
            self._process = os.getpid()
            self._final = self._pool = None
        if self._final is None:
            make = self._engine
            made = (
                engine_named(make, self._sandbox) if isinstance(make, str) else make()
            )
            self._final = Grader(self._scheme, engine=made, jobs=self._jobs)
            self._graders = {}
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._jobs, thread_name_prefix="scorer")
        return self._final

    def close(self) -> None:
        """
        End the engine and all that it started; a later batch starts another.
        """
        pool, final = self._pool, self._final
        self._pool = self._final = None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
        if final is not None:
            final.close()

    def score(self, samples: Sequence[Sample], scheme: RewardScheme) -> list[Scored]:
        """
        Score a batch under a phase of the scheme, in order.
        """
        try:
            final = self.start()
        except Exception as error:  # noqa: BLE001 (a run goes on, whatever it is)
            results = [self._without(sample, error) for sample in samples]
        else:
            results = self._scored(samples, self._grader(final, scheme), final)
        _report([each.breakdown for each in results])
        return results

    def _grader(self, final: Grader, scheme: RewardScheme) -> Grader:
        if scheme == final.scheme:
            return final
        if scheme not in self._graders:
            # A blended curriculum has a scheme for each step.
            while len(self._graders) >= _KEPT_SCHEMES:
                del self._graders[next(iter(self._graders))]
            self._graders[scheme] = final.under(scheme)
        return self._graders[scheme]

    def _scored(
        self, samples: Sequence[Sample], grader: Grader, final: Grader
    ) -> list[Scored]:
        assert self._pool is not None  # noqa: S101 (made by start)
        try:
            futures = [
                self._pool.submit(_graded, sample, grader, final) for sample in samples
            ]
            late = wait(futures, timeout=self._deadline_s).not_done
        except BaseException:
            # Interrupted: end what runs instead of waiting for it.
            self.close()
            raise
        late = {future for future in late if not future.done()}
        results = [
            self._result(sample, future, late=future in late)
            for sample, future in zip(samples, futures, strict=True)
        ]
        if late:
            self.close()
        return results

    def _result(self, sample: Sample, future: Future[Scored], *, late: bool) -> Scored:
        if late:
            message = f"not scored within the batch's {self._deadline_s:g} s"
            return self._without(sample, TimeoutError(message), kind=DEADLINE)
        error = future.exception()
        if error is not None:
            return self._without(sample, error)
        return future.result()

    def _without(
        self, sample: Sample, error: BaseException, *, kind: str | None = None
    ) -> Scored:
        """
        Account for a completion that our side could not score.
        """
        engine = self._final.engine if self._final else None
        breakdown = Breakdown(
            problem_id=sample.problem_id,
            reward=None,
            verdict=Verdict.UNGRADED,
            credits=Credits(),
            penalties=(),
            code="",
            type_errors=None,
            parsed_share=None,
            diagnostics=(),
            forbidden=(),
            tests=Tally(total=0),
            fault=Fault(kind=kind or type(error).__name__, message=str(error)),
            engine=engine.name if engine else "",
            sandbox=engine.sandbox if engine else "",
            scheme=self._scheme.label,
            toolchain=engine.toolchain if engine else "",
        )
        return Scored(breakdown=breakdown, final_reward=None)


def _graded(sample: Sample, grader: Grader, final: Grader) -> Scored:
    if isinstance(sample.problem, InputError):
        raise sample.problem
    breakdown = grader.grade(sample.problem, sample.completion)
    if grader is final or breakdown.reward is None:
        return Scored(breakdown=breakdown, final_reward=breakdown.reward)
    last = final.grade(sample.problem, sample.completion)
    return Scored(breakdown=breakdown, final_reward=last.reward)


def _report(breakdowns: Sequence[Breakdown]) -> None:
    """
    Say in one line what could not be scored, and why.
    """
    faults = [each.fault for each in breakdowns if each.fault is not None]
    if not faults:
        return
    kinds = Counter(fault.kind for fault in faults)
    first = {fault.kind: fault.message for fault in reversed(faults)}
    why = "; ".join(
        f"{count} {kind}: {' '.join(first[kind].split())[:200]}"
        for kind, count in kinds.items()
    )
    log.warning(
        "%d of %d completions could not be scored and get no reward (%s)",
        len(faults),
        len(breakdowns),
        why,
    )
