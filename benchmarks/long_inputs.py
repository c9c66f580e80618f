"""
How long Python takes over completions of megabytes, whatever they are made of.

Each shape of tests/hostile_texts.py is extracted and scored as code that does not parse,
and as code that does not type.  Printed are the seconds of CPU for both together, at a
tenth of the size and at all of it, slowest first.

    python -m benchmarks.long_inputs --megabytes 2
"""

from __future__ import annotations

import argparse
import time

from ocaml_reward import Completion
from ocaml_reward.reading.extraction import extract
from ocaml_reward.scheme import load
from ocaml_reward.scoring import score
from ocaml_reward.testing import diagnostic, report
from tests.hostile_texts import SHAPES, shape

PROMPT = "Write f.\n\nlet f (x : int) : int ="


def took(text: str) -> float:
    """
    Extract once and score twice; return the seconds of CPU.
    """
    scheme = load("seed")
    started = time.process_time()
    extraction = extract(text, uses=("f",), prompt=PROMPT, end_marker=scheme.end_marker)
    lines = extraction.code.count("\n") + 1
    mistakes = [diagnostic("no", line=1 + lines * n // 20) for n in range(20)]
    for found in (
        report(stage="syntax_error"),
        report(stage="type_error", diagnostics=mistakes),
    ):
        score(found, extraction, Completion(text=text), 1, scheme)
    return time.process_time() - started


def main() -> None:
    """
    Time every shape.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("--shape", action="append", choices=sorted(SHAPES))
    options = parser.parse_args()
    size = round(options.megabytes * 1_000_000)
    rows = [
        (took(shape(name, size)), took(shape(name, size // 10)), name)
        for name in options.shape or SHAPES
    ]
    for whole, tenth, name in sorted(rows, reverse=True):
        print(f"{name:44} {tenth:7.2f} s {whole:7.2f} s")


if __name__ == "__main__":
    main()
