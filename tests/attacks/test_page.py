"""test_corpus/attacks.md lists the attacks; `pytest tests/attacks --promote` writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ocaml_reward.auditing import load_attacks

ROOT = Path(__file__).parents[2]

HEAD = """# Attacks

The programs of `test_corpus/attacks`, with the verdict and the highest reward that each may get in the
scheme `concise` if the checks are decided in the code's process. All fail every check of their problem;
any program that types and compiles earns 0.3. "Outside" is the highest reward if the checks are judged
outside the code's process, where nothing is forbidden and any verdict is accepted: 1 for programs that
only break their own process and answer correctly. The [threat model](../docs/threat-model.md#attacks)
says what is examined after each attack.
"""


def test_the_page_lists_every_attack(golden: Callable[[Path, str], None]) -> None:
    """The page is made of the corpus; tests/attacks holds the corpus to what happens."""
    parts = [HEAD]
    for against in ("host", "sandbox", "compiler", "engine", "scorer"):
        parts.append(f"\n## Against the {against}\n\n")
        parts.append(
            "| attack | tries to | verdict | earns at most | outside |\n|---|---|---|---|---|\n"
        )
        parts += [
            f"| {each.name} | {each.tries} | {', '.join(each.verdicts)} | {each.most:g}"
            f" | {each.most_outside:g} |\n"
            for each in load_attacks()
            if each.against == against
        ]

    golden(ROOT / "test_corpus" / "attacks.md", "".join(parts))
