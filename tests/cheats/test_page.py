"""docs/cheats.md shows what every cheat got; `pytest tests/cheats --promote` writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ocaml_reward.engine import Engine

from .corpus import CORPUS, Cheat, cheats, reward, schemes

HEAD = """# Cheats

The completions of `test_corpus/cheats` try for credit that they did not earn. Each has an honest twin:
the same completion without the trick or, where the trick is all there is, the honest attempt that it
pretends to be, or nothing. Shown is the reward in the scheme `seed`; `tests/cheats` holds every
cheat but stubs to its twin in every shipped scheme, with both engines, and composes the tricks with programs
of every quality. "Before" is what a cheat got when every check was decided beside the code, in its process.
What it cannot find out is in the [threat model](threat-model.md).

## Stubs

A body that only raises, or gives the same answer to everything, types and compiles for any problem. `idle` takes
nine tenths from functions that never mention a parameter or only raise. Nothing looks for stubs that hide it
better: use `decisive`, which pays at most 0.07 for code that types and passes no check. The stubs below are
shown in `decisive`.
"""


def test_the_page_shows_what_every_cheat_got(
    engine: Engine, golden: Callable[[Path, str], None]
) -> None:
    """The page is made of the corpus and of what both engines give, with OCaml 4.13 as the
    other records are.
    """
    parts = [HEAD]
    for family in dict.fromkeys(cheat.family for cheat in by_family()):
        parts.append(f"\n## {family.capitalize()}\n\n")
        of_family = [cheat for cheat in cheats() if cheat.family == family]
        was = any(cheat.before is not None for cheat in of_family)
        parts.append("| cheat | tries to use | got | its twin |" + " before |" * was)
        parts.append("\n|---|---|---|---|" + "---|" * was + "\n")
        parts += [row(engine, cheat, was=was) for cheat in of_family]

    page = CORPUS.parent / "docs" / "cheats.md"
    if engine.toolchain.startswith("ocaml 4.13"):
        golden(page, "".join(parts))
    shown = page.read_text(encoding="utf-8")

    assert [] == [cheat.name for cheat in cheats() if f"| {cheat.name} |" not in shown]


def by_family() -> list[Cheat]:
    return sorted(cheats(), key=lambda cheat: cheat.family)


def row(engine: Engine, cheat: Cheat, *, was: bool) -> str:
    stub = cheat.family == "constants, echoes and stubs"
    scheme = schemes()["decisive" if stub else "seed"]
    got, twin = (
        reward(engine, scheme, cheat.problem, text, truncated=cheat.truncated)
        for text in (cheat.cheat, cheat.honest)
    )
    tries = cheat.tries.replace("|", "\\|")
    shown = "" if cheat.before is None else f"{cheat.before:.3f}"
    before = f" {shown} |" if was else ""
    return f"| {cheat.name} | {tries} | {got:.3f} | {twin:.3f} |{before}\n"
