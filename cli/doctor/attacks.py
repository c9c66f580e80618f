"""What `doctor --attacks` adds: the attacks that ship, run where scoring would take place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

from ocaml_reward import MachineError
from ocaml_reward.auditing import AttackResult, attack, load_attacks
from ocaml_reward.auditing.attacking import JUDGED
from ocaml_reward.engine.select import engine
from ocaml_reward.engine.toolchain import locate

from .examination import Row

_ADVICE = "do not score here; report it with the name of the attack"


def attacked(sandbox: str, begin: Callable[[str], None]) -> Iterator[Row]:
    """Yield a row for each kind of attack, and one for each attack that was not held.

    `begin` is told how far it is; about two minutes.
    """
    programs = len(JUDGED) * len(load_attacks())
    try:
        with closing(engine("auto", sandbox)) as running:
            results = []
            for result in attack(running, locate().stdlib):
                results.append(result)
                begin(f"{sandbox}: {len(results)} of {programs} attacks")
            name = running.name
    except MachineError as error:
        yield Row(part=sandbox, name="attacks", passed=False, evidence=str(error))
        return
    for kind in dict.fromkeys(result.attack.against for result in results):
        yield _summary(
            sandbox, kind, name, [r for r in results if r.attack.against == kind]
        )
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
