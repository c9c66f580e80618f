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
from ocaml_reward.engine.build.choice import choice
from ocaml_reward.engine.build.helpers import engine_folder
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.engines.select import engine as open_engine
from ocaml_reward.sandbox import BACKENDS, JAILED, cache_root, choose
from ocaml_reward.sandbox.selfcheck import selfcheck

from .terminal.building import say_if_building
from .terminal.consoles import console
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
    """All results.

    `sandbox` is the one that scoring would use, if any. `verbose` tells whether everything that the
    sandboxes promise was tried.
    """

    rows: tuple[Row, ...]
    sandbox: str | None
    toolchain: str | None
    verbose: bool = True

    @property
    def works(self) -> bool:
        """Return whether the toolchain works and the sandbox for scoring passed every check."""
        return self.sandbox is not None and self.holds(TOOLCHAIN, self.sandbox)

    @property
    def safe(self) -> bool | None:
        """Return whether scoring is safe; None if it works and not every promise was tried."""
        return None if self.works and not self.verbose else self.works

    def holds(self, *parts: str) -> bool:
        """Return whether these parts were checked and passed every check."""
        return all(
            any(row.part == part for row in self.rows)
            and all(row.passed for row in self.rows if row.part == part)
            for part in parts
        )

    @property
    def alternative(self) -> str | None:
        """Return a sandbox that passed every check if the default one did not."""
        if self.works:
            return None
        fine = (name for name in JAILED if self.holds(TOOLCHAIN, name))
        return next(fine, None)


def examine(sandbox: str, begin: Callable[[str], None], *, verbose: bool) -> Examination:
    """Check the toolchain and `sandbox`; "auto" checks all that confine code.

    With `verbose` every promise of each sandbox is tried, which takes about three seconds each, and
    a completion is scored in each. Else each is only started, and a completion scored in the first
    that works. `begin` is called with the name of each part.
    """
    begin(TOOLCHAIN)
    rows = list(_toolchain())
    toolchain = locate().label if rows[0].passed else None
    scorable = all(row.passed for row in rows)
    chosen: str | None = None
    works = False
    for name in JAILED if sandbox == "auto" else (sandbox,):
        begin(name)
        scores = scorable and (verbose or not works)
        found = tuple(_sandbox(name, scores=scores, verbose=verbose))
        if chosen is None and found[0].passed:
            chosen = name
        works = works or all(row.passed for row in found)
        rows += found
    return Examination(rows=tuple(rows), sandbox=chosen, toolchain=toolchain, verbose=verbose)


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
    evidence = f"all that is built is in {cache_root()}, which may be removed at any time"
    yield Row(part=TOOLCHAIN, name="cache", passed=True, evidence=evidence)


def _sandbox(name: str, *, scores: bool, verbose: bool) -> Iterator[Row]:
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
    for finding in selfcheck(jail) if verbose else ():
        yield Row(
            part=name,
            name=finding.name,
            passed=finding.passed,
            evidence=finding.evidence,
            advice=finding.advice,
        )
    if scores:
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
    "-v",
    "--verbose",
    is_flag=True,
    help="Try everything that the sandboxes promise, and show what was seen: ten seconds.",
)
@click.option(
    "--attacks",
    is_flag=True,
    help="With --verbose, also run the attacks that ship, where scoring would take place: two"
    " minutes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(sandbox: str, *, verbose: bool, attacks: bool, as_json: bool) -> None:
    """Check the toolchain and the sandboxes of this machine.

    Each sandbox is started, and a completion is scored in the first that works.  With
    --verbose each is attacked for real: its user, capabilities, files, network, processes,
    signals, and every limit; and a completion is scored in each.

    The exit code is 0 only if the toolchain works, and the sandbox that scoring would take
    passed everything that was tried.  Otherwise it is 3.
    """
    if attacks and not verbose:
        raise click.UsageError("--attacks needs --verbose")
    say_if_building()
    with Console(stderr=True).status("") as status:

        def begin(part: str) -> None:
            status.update(f"Checking {part}")

        found = examine(sandbox, begin, verbose=verbose)
        if attacks and found.sandbox is not None:
            more = tuple(attack_rows(found.sandbox, begin))
            found = replace(found, rows=found.rows + more)
    if as_json:
        click.echo(json.dumps(_to_dict(found), indent=2))
    else:
        _print(found)
    sys.exit(0 if found.works else _UNSAFE)


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
    where = f"{found.toolchain} in {found.sandbox}"
    if found.safe:
        return f"Scoring is safe here: {where}."
    if found.works:
        return f"Scoring works here: {where}. --verbose tries all that the sandboxes promise."
    failed = [row for row in found.rows if not row.passed]
    if found.alternative:
        return f"{found.sandbox} broke a promise: score with --sandbox {found.alternative} instead."
    count = f"{len(failed)} check{'s' if len(failed) != 1 else ''}"
    what = "is not safe" if found.holds(TOOLCHAIN) else "does not work"
    return f"Scoring {what} here: {count} failed."


def _print(found: Examination) -> None:
    screen = console()
    if found.verbose:
        screen.print(_table(found), soft_wrap=False)
        screen.print()
    else:
        for part in dict.fromkeys(row.part for row in found.rows):
            screen.print(_line(found, part))
    style = "bold green" if found.works else "bold red"
    screen.print(Text(_verdict(found), style=style))


def _table(found: Examination) -> Table:
    """Return a table of every check."""
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
    return table


def _line(found: Examination, part: str) -> Text:
    """Return the result of one part: what failed, else all that was seen."""
    rows = [row for row in found.rows if row.part == part]
    shown = [row for row in rows if not row.passed] or rows
    seen = "; ".join(
        f"{row.evidence}; {row.advice}" if row.advice else row.evidence for row in shown
    )
    widest = max(map(len, (TOOLCHAIN, *BACKENDS)))
    result = _result_text(found.holds(part))
    return Text.assemble(f"{part:<{widest}}  ", result, f"  {one_line(seen)}")


def _result_text(passed: bool) -> Text:
    return Text("ok", style="green") if passed else Text("FAILED", style="bold red")


def _evidence_text(row: Row) -> Text:
    text = Text(clean(one_line(row.evidence)))
    if row.advice:
        text.append(f"\nAdvice: {one_line(row.advice)}", style="bold")
    return text
