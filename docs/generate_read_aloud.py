"""
Write docs/read-aloud.md: ten problems in each tone, as the generator makes them today.

`make docs` runs this; tests/problem_sets/test_generate.py fails while the page differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("read-aloud.md")

SEED: Final = 9
FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "doc": (
        *("divisors", "float-rounding", "text-pipeline", "runs", "updates", "lookups"),
        *("record-update", "tree-rebuilt", "expression-text", "raising"),
    ),
    "plain": (
        *("digits", "words", "matrix", "ledger", "histogram", "coins", "reachable"),
        *("automaton", "round-robin", "line-report"),
    ),
    # The families whose rule some examples can tell.
    "examples": (
        *("pieces", "neighbours", "beginnings-and-ends", "runs", "kinds"),
        "optional-sums",
    ),
}
TITLES: Final = {
    "doc": "A comment above a definition (`doc`)",
    "plain": "Plain English (`plain`)",
    "examples": "Results without the rule (`examples`)",
}
HEAD: Final = f"""# Ten problems in each tone

<!-- Written by docs/generate_read_aloud.py (`make docs`); edit the families instead. -->

What `ocaml-reward problems generate --unchecked --count 10 --seed {SEED}` makes of the families
named below, to be read aloud: a prompt that stumbles is to be mended in its family. How they are
made is in [problems.md](problems.md). In the tone `examples` the rule has to be found, and may be
another one that fits; sets without it take `--tones doc,plain`. Programs on standard input are
always in plain English.
"""


def page() -> str:
    """
    Return the whole page.  References and tests run in the jail.
    """
    return "\n".join([HEAD, *sections()])


def sections() -> Iterator[str]:
    """
    Yield the part of each tone.
    """
    from ocaml_reward.engine.printing import Printing  # noqa: PLC0415
    from problem_sets import Oracle, Order, Tally, make  # noqa: PLC0415

    oracle = Oracle(Printing())
    for tone, families in FAMILIES.items():
        order = Order(count=10, seed=SEED, families=families, tones=(tone,))
        yield f"## {TITLES[tone]}\n\n`--tones {tone} --families {','.join(families)}`\n"
        for made in make(order, oracle, None, Tally()):
            yield f"```text\n{made.problem.prompt.rstrip()}\n```\n"


if __name__ == "__main__":
    # The checkout comes first, as it does for docs/generate_cli.py.
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(page(), encoding="utf-8")
