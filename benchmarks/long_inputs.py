"""
How long Python takes over completions of megabytes, whatever they are made of.

Each kind is one short text repeated.  Printed are the seconds of CPU to extract and to
score the whole and half of it, and how many times longer the whole took: about 2 where
the time is linear.

    python -m benchmarks.long_inputs --megabytes 5
"""

from __future__ import annotations

import argparse
import time

from ocaml_reward import Completion
from ocaml_reward.engine import CheckReport, Stage
from ocaml_reward.extraction import extract
from ocaml_reward.scheme import load
from ocaml_reward.scoring import score

KINDS = {
    "ticks": "`",
    "fence lines": "```\n",
    "tagged fence lines": "```ocaml\n",
    "blocks": "```ocaml\nlet f x = x\n```\n",
    "small blocks": "```\nx\n```\n",
    "indented fences": "  ```ocaml\n  let f x = x\n  ```\n",
    "fences on one line": "```let f x = x``` ",
    "fence after code": "let f x = x```\n",
    "tildes": "~",
    "tilde lines": "~~~\n",
    "comments": "(* a *)",
    "nested comments": "(* a ",
    "commented quotes": '(* " *)',
    "empty strings": '""',
    "strings": 'f "a" ',
    "escapes": '"\\',
    "apostrophes": "'",
    "characters": "'a'",
    "type variables": "'a ",
    "quoted strings": "{|a|}",
    "quoted openers": "{a|",
    "braces": "{",
    "extensions": "{%a",
    "definitions": "let f x = x\n",
    "definitions on one line": "let f x = x ",
    "expressions": "let x = 1 in ",
    "tuples": "let a, b = c\n",
    "lets": "let ",
    "ands": "and ",
    "operators": "let ( + ) ",
    "types": "type (",
    "spaces": " ",
    "lines": "\n",
    "short lines": "x\n",
    "letters": "x",
    "words": "word ",
    "lines of words": "some words of text\n",
    "brackets": "(",
    "stars": "*",
    "dots": ".",
    "markers": "(* END *)\n",
    "thoughts": "<think>a</think>\n",
    "open thoughts": "<think>\n",
    "closed thoughts": "</think>",
    "letters elsewhere": "漢字",
    "nul": "\0",
    "carriage returns": "\r",
}
STARTS = {
    "": "",
    "code": "let f x = x\n",
    "fence": "```ocaml\nlet f x = x\n",
    "comment": "(*",
    "string": 'let s = "',
}
PROMPT = "Write f.\n\nlet f (x : int) : int ="


def took(text: str) -> float:
    """
    Extract and score; return the seconds of CPU.
    """
    scheme = load("seed")
    report = CheckReport(stage=Stage.SYNTAX_ERROR, type_errors=None)
    started = time.process_time()
    extraction = extract(text, uses=("f",), prompt=PROMPT, end_marker=scheme.end_marker)
    score(report, extraction, Completion(text=text), 1, scheme)
    return time.process_time() - started


def main() -> None:
    """
    Time every kind behind every start, and print the slowest start of each.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=5)
    parser.add_argument("--kind", action="append", choices=sorted(KINDS))
    options = parser.parse_args()
    length = round(options.megabytes * 1_000_000)
    for kind in options.kind or KINDS:
        body = KINDS[kind] * (length // len(KINDS[kind]))
        seconds = {start: took(text + body) for start, text in STARTS.items()}
        start = max(seconds, key=lambda each: seconds[each])
        half = took(STARTS[start] + body[: len(body) // 2])
        ratio = seconds[start] / half
        print(f"{kind:24} {start:8} {seconds[start]:6.2f} s {ratio:5.1f}x")


if __name__ == "__main__":
    main()
