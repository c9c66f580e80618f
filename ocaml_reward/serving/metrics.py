"""What a server counts of itself, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from ..engine.remote.messages import About

_SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)


class Metrics:
    """The figures of one server, in a registry of its own."""

    def __init__(self, about: About) -> None:
        """Begin at nothing."""
        registry = self._registry = CollectorRegistry()
        name = "ocaml_reward"
        self._requests = Counter(
            f"{name}_requests", "Answers sent.", ["path", "status"], registry=registry
        )
        self._outcomes = Counter(
            f"{name}_graded",
            "Completions by verdict, or by how far they got where no scheme is asked for.",
            ["verdict"],
            registry=registry,
        )
        self._faults = Counter(
            f"{name}_faults",
            "Completions that this machine failed to grade.",
            ["kind"],
            registry=registry,
        )
        self._refused = Counter(f"{name}_refused", "Requests refused.", ["why"], registry=registry)
        self._waiting = Gauge(f"{name}_waiting", "Pieces of work that wait.", registry=registry)
        self._grade = Histogram(
            f"{name}_grade_seconds",
            "What a piece of work took.",
            buckets=_SECONDS,
            registry=registry,
        )
        self._queue = Histogram(
            f"{name}_queue_seconds",
            "What a piece of work waited.",
            buckets=_SECONDS,
            registry=registry,
        )
        info = Gauge(
            f"{name}_info",
            "What grades here.",
            ["version", "engine", "sandbox", "toolchain"],
            registry=registry,
        )
        info.labels(about.version, about.engine, about.sandbox, about.toolchain).set(1)

    def watch_children(self, alive: Callable[[], int], lost: Callable[[], int]) -> None:
        """Tell of processes that grade: how many there are, and how many have died."""
        self._registry.register(_Children(alive, lost))

    def watch_engine(self, replaced: Callable[[], Mapping[str, int]]) -> None:
        """Tell how many processes of the engine were replaced, by the reason."""
        self._registry.register(_Replaced(replaced))

    def answered(self, path: str, status: int) -> None:
        """Count an answer."""
        self._requests.labels(path, str(status)).inc()

    def outcome(self, verdict: str) -> None:
        """Count a completion."""
        self._outcomes.labels(verdict).inc()

    def fault(self, kind: str) -> None:
        """Count a failure of this machine."""
        self._faults.labels(kind).inc()

    def refused(self, why: str) -> None:
        """Count a refusal."""
        self._refused.labels(why).inc()

    def waiting(self, count: int) -> None:
        """Note how much waits."""
        self._waiting.set(count)

    def graded(self, grade_s: float, queue_s: float) -> None:
        """Note what a piece of work took and had waited."""
        self._grade.observe(grade_s)
        self._queue.observe(queue_s)

    def page(self) -> bytes:
        """Return all of it as text."""
        return generate_latest(self._registry)


class _Replaced:
    """Asked when the page is."""

    def __init__(self, replaced: Callable[[], Mapping[str, int]]) -> None:
        self._replaced = replaced

    def collect(self) -> Iterable[Metric]:
        """Yield the counters of replaced processes."""
        family = CounterMetricFamily(
            "ocaml_reward_engine_replaced",
            "Processes of the engine that answered wrongly, or not at all, and were replaced.",
            labels=["why"],
        )
        for why, count in sorted(self._replaced().items()):
            family.add_metric([why], count)
        yield family


class _Children:
    """Asked when the page is."""

    def __init__(self, alive: Callable[[], int], lost: Callable[[], int]) -> None:
        self._alive, self._lost = alive, lost

    def collect(self) -> Iterable[Metric]:
        """Yield the figures of the processes that grade."""
        yield GaugeMetricFamily(
            "ocaml_reward_children", "Processes that grade.", value=self._alive()
        )
        yield CounterMetricFamily(
            "ocaml_reward_children_lost",
            "Processes that died and were replaced.",
            value=self._lost(),
        )
