"""`ocaml-reward doctor`: checks that this machine can score, and safely."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ocaml_reward import Completion, Grader, MachineError, Problem
from ocaml_reward.auditing import AttackResult, attack, load_attacks
from ocaml_reward.auditing.attacking import JUDGED
from ocaml_reward.engine.build import engine_folder
from ocaml_reward.engine.choice import choice
from ocaml_reward.engine.select import engine as open_engine
from ocaml_reward.engine.toolchain import locate
from ocaml_reward.sandbox import BACKENDS, JAILED, choose
from ocaml_reward.sandbox.selfcheck import selfcheck

from .terminal.text import clean, one_line

TOOLCHAIN: Final = "toolchain"
_UNCONFINED: Final = "nsjail or bubblewrap confine completions; this does not"

_PROBLEM: Final = Problem(id="doctor", tests="let () = assert (double 21 = 42)")
_COMPLETION: Final = Completion(text="```ocaml\nlet double x = 2 * x\n```\n")


_ADVICE = "do not score here; report it with the name of the attack"

_UNSAFE = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """The result of one check; its part is the toolchain, or the name of a sandbox."""

    part: str
    name: str
    passed: bool
    evidence: str
    advice: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Examination:
    """All results; `sandbox` is the one that scoring would use, if any."""

    rows: tuple[Row, ...]
    sandbox: str | None
    toolchain: str | None

    @property
    def safe(self) -> bool:
        """Return whether the toolchain works and the sandbox for scoring passed every check."""
        return self.sandbox is not None and self.holds(TOOLCHAIN, self.sandbox)

    def holds(self, *parts: str) -> bool:
        """Return whether these parts were checked and passed every check."""
        return all(
            any(row.part == part for row in self.rows)
            and all(row.passed for row in self.rows if row.part == part)
            for part in parts
        )

    @property
    def alternative(self) -> str | None:
        """Return a safe sandbox if the default one is not safe."""
        if self.safe:
            return None
        fine = (name for name in JAILED if self.holds(TOOLCHAIN, name))
        return next(fine, None)


def examine(sandbox: str, begin: Callable[[str], None]) -> Examination:
    """Check the toolchain and `sandbox`; "auto" checks all that confine code.

    `begin` is called with the name of each part; a sandbox takes about three seconds.
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
    """Score a correct completion, from its text to its reward."""
    title = "scores a completion"
    started = time.perf_counter()
    try:
        with Grader("seed", engine=open_engine("auto", name), jobs=1) as grader:
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


def attack_rows(sandbox: str, begin: Callable[[str], None]) -> Iterator[Row]:
    """Yield a row for each kind of attack, and one for each attack that succeeded.

    `begin` is called with the progress; the attacks take about two minutes.
    """
    programs = len(JUDGED) * len(load_attacks())
    try:
        with closing(open_engine("auto", sandbox)) as running:
            results = []
            for result in attack(running, locate().stdlib):
                results.append(result)
                begin(f"{sandbox}: {len(results)} of {programs} attacks")
            name = running.name
    except MachineError as error:
        yield Row(part=sandbox, name="attacks", passed=False, evidence=str(error))
        return
    for kind in dict.fromkeys(result.attack.against for result in results):
        yield _summary(sandbox, kind, name, [r for r in results if r.attack.against == kind])
    for result in results:
        if not result.contained:
            yield Row(
                part=sandbox,
                name=f"attack {result.attack.name}, judged {result.judged}",
                passed=False,
                evidence="; ".join(result.wrong),
                advice=_ADVICE,
            )


def _summary(sandbox: str, kind: str, engine: str, found: list[AttackResult]) -> Row:
    held = sum(result.contained for result in found)
    return Row(
        part=sandbox,
        name=f"attacks on the {kind}",
        passed=held == len(found),
        evidence=f"{held} of {len(found)} programs did no harm, {engine} engine",
    )


@click.command()
@click.option(
    "--sandbox",
    type=click.Choice(["auto", *BACKENDS]),
    default="auto",
    show_default=True,
    help="Look at this sandbox only; auto: at nsjail and at bubblewrap.",
)
@click.option(
    "--attacks",
    is_flag=True,
    help="Also run the attacks that ship, where scoring would take place: two minutes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(sandbox: str, *, attacks: bool, as_json: bool) -> None:
    """Check the toolchain and the sandboxes of this machine.

    Each sandbox is started and attacked for real: its user, capabilities, files, network,
    processes, signals, and every limit.  Then one completion is scored in it.

    The exit code is 0 only if scoring is safe here: the toolchain works, and the sandbox
    that scoring would take keeps every promise.  Otherwise it is 3.
    """
    with Console(stderr=True).status("") as status:

        def begin(part: str) -> None:
            status.update(f"Checking {part}")

        found = examine(sandbox, begin)
        if attacks and found.sandbox is not None:
            more = tuple(attack_rows(found.sandbox, begin))
            found = replace(found, rows=found.rows + more)
    if as_json:
        click.echo(json.dumps(_to_dict(found), indent=2))
    else:
        _print(found)
    sys.exit(0 if found.safe else _UNSAFE)


def _to_dict(found: Examination) -> dict[str, object]:
    return {
        "schema": 1,
        "safe": found.safe,
        "verdict": _verdict(found),
        "sandbox": found.sandbox,
        "toolchain": found.toolchain,
        "findings": [asdict(row) for row in found.rows],
    }


def _verdict(found: Examination) -> str:
    if found.safe:
        return f"Scoring is safe here: {found.toolchain} in {found.sandbox}."
    failed = [row for row in found.rows if not row.passed]
    if found.alternative:
        return f"{found.sandbox} broke a promise: score with --sandbox {found.alternative} instead."
    count = f"{len(failed)} check{'s' if len(failed) != 1 else ''}"
    return f"Scoring is not safe here: {count} failed."


def _print(found: Examination) -> None:
    console = Console(highlight=False)
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("check", overflow="fold")
    table.add_column("result", no_wrap=True)
    table.add_column("what was seen", overflow="fold")
    part = None
    for row in found.rows:
        if row.part != part:
            part = row.part
            table.add_section()
            table.add_row(Text(part, style="bold"), _result_text(found.holds(part)), "")
        table.add_row(Text(f"  {row.name}"), _result_text(row.passed), _evidence_text(row))
    console.print(table)
    console.print()
    style = "bold green" if found.safe else "bold red"
    console.print(Text(_verdict(found), style=style))


def _result_text(passed: bool) -> Text:
    return Text("ok", style="green") if passed else Text("FAILED", style="bold red")


def _evidence_text(row: Row) -> Text:
    text = Text(clean(one_line(row.evidence)))
    if row.advice:
        text.append(f"\nAdvice: {one_line(row.advice)}", style="bold")
    return text
