"""Engines by name, and what two of them say about the same completion."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from ocaml_reward import Breakdown, Grader, ProblemError
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.stock import StockEngine
from ocaml_reward.record import breakdown_to_dict, dumps

from .samples import Sample

WARM = "ocaml_reward.engine.engines.warm"
REFERENCE = "stock"
CANDIDATE = "warm"
"""What is held against the reference: the warm engine, or else the other jail."""
# Who graded, and for how long: these may differ.
BESIDE = ("timings_ms", "engine", "sandbox")


def engine_named(name: str) -> Engine:
    """Make an engine from `stock` or `warm`, with its jail behind a slash if one is meant."""
    kind, _, sandbox = name.partition("/")
    if kind == "stock":
        return StockEngine(sandbox or "auto")
    engine: Engine = import_module(WARM).WarmEngine(sandbox or "auto")
    return engine


def record(breakdown: Breakdown) -> str:
    """Write all that may not differ, a line for each value with the path to it."""
    fields = json.loads(dumps(breakdown_to_dict(breakdown)))
    kept = {name: value for name, value in fields.items() if name not in BESIDE}
    return "".join(f"{path}: {dumps(leaf)}\n" for path, leaf in _leaves("", kept))


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if not value or not isinstance(value, dict | list):
        yield path, value
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inner:
        yield from _leaves(f"{path}.{key}" if path else str(key), each)


def graded(
    engine: Engine, chosen: Iterable[Sample], *, jobs: int = 2
) -> Iterator[tuple[Sample, str, Breakdown | None]]:
    """Grade, with regions, with a grader that remembers nothing; tests that cannot be used are
    an answer.
    """
    grader = Grader("seed", engine=engine, jobs=jobs, regions=True)
    usable: list[Sample] = []
    for each in chosen:
        try:
            grader.prepare(each.problem)
        except ProblemError as error:
            yield each, f"{type(error).__name__}: {error}\n", None
        else:
            usable.append(each)
    pairs = ((each.problem, each.completion) for each in usable)
    for each, breakdown in zip(usable, grader.grade_many(pairs), strict=True):
        yield each, record(breakdown), breakdown


def difference(sample: Sample, ours: str, theirs: str) -> str:
    """Show the fields that differ, and below them the program; empty where none does."""
    if ours == theirs:
        return ""
    lines = difflib.unified_diff(
        ours.splitlines(), theirs.splitlines(), "reference", "candidate", "", "", 0, ""
    )
    code = sample.completion.text.encode("utf-8", "backslashreplace").decode()
    tests = sample.problem.tests
    return "\n".join((f"== {sample.name}", *lines, "-- code", code, f"-- tests\n{tests}"))
