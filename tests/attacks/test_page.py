"""docs/attacks.md lists the attacks; `pytest tests/attacks --promote` writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ocaml_reward.auditing import load_attacks

ROOT = Path(__file__).parents[2]

HEAD = """# Attacks

The programs of `test_corpus/attacks`, with the verdict that each gets and the most it may earn where the
checks are decided beside the code. All of them fail every check of their problem: 0.3 is what any program
earns that types and compiles, in the scheme `concise`. Where checks are judged outside the code's process
nothing is forbidden and any verdict will do; "outside" is the most that they may earn there, 1 for programs
that only break their own process and then answer rightly. What is looked at after each of them, and where
they were run, is in the [threat model](threat-model.md).
"""


def test_the_page_lists_every_attack(golden: Callable[[Path, str], None]) -> None:
    """The page is made of the corpus; tests/attacks holds the corpus to what happens."""
    parts = [HEAD]
    for against in ("host", "sandbox", "compiler", "engine", "scorer"):
        parts.append(f"\n## Against the {against}\n\n")
        parts.append(
            "| attack | tries to | verdict | earns at most | outside |\n"
            "|---|---|---|---|---|\n"
        )
        parts += [
            f"| {each.name} | {each.tries} | {', '.join(each.verdicts)} | {each.most:g}"
            f" | {each.most_outside:g} |\n"
            for each in load_attacks()
            if each.against == against
        ]

    golden(ROOT / "docs" / "attacks.md", "".join(parts))
