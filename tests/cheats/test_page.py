"""test_corpus/cheats.md shows what every cheat got; `pytest tests/cheats --promote` writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ocaml_reward.engine import Engine

from .corpus import CORPUS, Cheat, cheats, reward, schemes

HEAD = """# Cheats

Each completion of `test_corpus/cheats` tries to get credit that it did not earn. Its honest twin is the same
completion without the trick, or the honest attempt that it imitates, or nothing. The tables show rewards in
the scheme `seed`. "Before" is the reward of a cheat if every check is decided in the code's process.
The [threat model](../docs/threat-model.md#cheats) says what is not covered.

## Stubs

A function that only raises or returns a constant types and compiles for any problem. The penalty `idle`
multiplies its reward by 0.1 if its functions never mention a parameter or only raise; stubs that hide this
better are not detected. The scheme `decisive` pays at most 0.07 for code that types and passes no check: the
table of stubs shows it.
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

    page = CORPUS / "cheats.md"
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
