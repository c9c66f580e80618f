"""What `doctor` looks at: the toolchain, each sandbox, and one completion scored in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from ocaml_reward import Completion, Grader, MachineError, Problem
from ocaml_reward.engine.build import engine_folder
from ocaml_reward.engine.choice import choice
from ocaml_reward.engine.select import engine as chosen
from ocaml_reward.engine.toolchain import locate
from ocaml_reward.sandbox import JAILED, choose
from ocaml_reward.sandbox.selfcheck import selfcheck

TOOLCHAIN: Final = "toolchain"
_UNCONFINED: Final = "nsjail or bubblewrap confine completions; this does not"

_PROBLEM: Final = Problem(id="doctor", tests="let () = assert (double 21 = 42)")
_COMPLETION: Final = Completion(text="```ocaml\nlet double x = 2 * x\n```\n")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One thing looked at, in one part: the toolchain, or a sandbox by its name."""

    part: str
    name: str
    passed: bool
    evidence: str
    advice: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Examination:
    """Everything looked at.  `sandbox` is the one that scoring would take, None if none."""

    rows: tuple[Row, ...]
    sandbox: str | None
    toolchain: str | None

    @property
    def safe(self) -> bool:
        """Whether the toolchain works, and the sandbox that scoring takes kept every promise."""
        return self.sandbox is not None and self.holds(TOOLCHAIN, self.sandbox)

    def holds(self, *parts: str) -> bool:
        """Tell whether these parts were looked at and everything in them is well."""
        return all(
            any(row.part == part for row in self.rows)
            and all(row.passed for row in self.rows if row.part == part)
            for part in parts
        )

    @property
    def alternative(self) -> str | None:
        """A sandbox that is safe although the one that scoring takes by itself is not."""
        if self.safe:
            return None
        fine = (name for name in JAILED if self.holds(TOOLCHAIN, name))
        return next(fine, None)


def examine(sandbox: str, begin: Callable[[str], None]) -> Examination:
    """Look at the toolchain and at `sandbox`, "auto" being all that confine.

    `begin` is told what is looked at next; a sandbox takes about three seconds.
    """
    begin(TOOLCHAIN)
    rows = list(_toolchain())
    toolchain = locate().label if rows[0].passed else None
    scorable = all(row.passed for row in rows)
    chosen: str | None = None
    for name in JAILED if sandbox == "auto" else (sandbox,):
        begin(name)
        found = tuple(_sandbox(name, scorable=scorable))
        if chosen is None and found[0].passed:
            chosen = name
        rows += found
    return Examination(rows=tuple(rows), sandbox=chosen, toolchain=toolchain)


def _toolchain() -> Iterator[Row]:
    try:
        toolchain = locate()
    except MachineError as error:
        yield Row(part=TOOLCHAIN, name="compiler", passed=False, evidence=str(error))
        return
    evidence = f"{toolchain.label}, {toolchain.ocamlc}"
    yield Row(part=TOOLCHAIN, name="compiler", passed=True, evidence=evidence)
    try:
        evidence = f"built in {engine_folder()}"
    except MachineError as error:
        yield Row(part=TOOLCHAIN, name="helpers", passed=False, evidence=str(error))
        return
    yield Row(part=TOOLCHAIN, name="helpers", passed=True, evidence=evidence)
    warm, why = choice()
    evidence = f"warm: {why}" if warm else f"stock, which is slower: {why}"
    yield Row(part=TOOLCHAIN, name="engine", passed=True, evidence=evidence)


def _sandbox(name: str, *, scorable: bool) -> Iterator[Row]:
    if name not in JAILED:
        yield Row(
            part=name,
            name="confines completions",
            passed=False,
            evidence="no namespaces: it protects neither files nor network",
            advice=_UNCONFINED,
        )
        return
    try:
        jail = choose(name)
    except MachineError as error:
        yield Row(part=name, name="starts", passed=False, evidence=str(error))
        return
    yield Row(part=name, name="starts", passed=True, evidence="passed its preflight")
    for finding in selfcheck(jail):
        yield Row(
            part=name,
            name=finding.name,
            passed=finding.passed,
            evidence=finding.evidence,
            advice=finding.advice,
        )
    if scorable:
        yield _scoring(name)


def _scoring(name: str) -> Row:
    """Score a completion that is right, from its text to its reward."""
    title = "scores a completion"
    started = time.perf_counter()
    try:
        with Grader("seed", engine=chosen("auto", name), jobs=1) as grader:
            breakdown = grader.grade(_PROBLEM, _COMPLETION)
    except MachineError as error:
        return Row(part=name, name=title, passed=False, evidence=str(error))
    milliseconds = (time.perf_counter() - started) * 1000
    if breakdown.fault is not None:
        evidence = f"unscored: {breakdown.fault.message}"
        return Row(part=name, name=title, passed=False, evidence=evidence)
    tally = breakdown.tests
    evidence = f"{breakdown.verdict.value}, {tally.passed} of {tally.total} checks"
    return Row(
        part=name,
        name=title,
        passed=tally.total > 0 and tally.passed == tally.total,
        evidence=f"{evidence}, in {milliseconds:.0f} ms",
    )
