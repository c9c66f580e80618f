"""Outputs that are no answer, of the kinds that Kattis tries on each output validator before a
problem is used: none is accepted, and no judge dies on one.  (Kattis/problemtools
problemtools/verifyproblem.py)
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from ocaml_reward import Completion, Grader, Problem, StdioCase, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.printing import Printing
from ocaml_reward.engine.judge.outputs import DIED, NO_TIME, difference
from ocaml_reward.formats.contests import COMPARISONS
from ocaml_reward.formats.problems import comparison_of
from ocaml_reward.model import Comparison
from problem_sets import Oracle, Order, Tally, make
from tests.engine.test_checker import CHECKER
from tests.engine.test_output_judge import SPLIT
from tests.formats.test_folders import (
    CPP,
    NEAR,
    PACKAGE,
    SAID,
    VALIDATOR,
    Files,
    imported,
    problem_of,
)

_DRAWN: Final = random.Random(42)
JUNK: Final[dict[str, bytes]] = {
    "nothing": b"",
    "blanks": b" \t \n\n \r\n\v\f ",
    "line ends": b"\n" * 1000,
    "bytes": _DRAWN.randbytes(1024),
    "ASCII": bytes(range(32, 127)),
    "characters": "".join(_DRAWN.choices(string.printable, k=200)).encode(),
    "brackets": b"(()",
    "letter": b"a",
    "word": "Ünïcödé".encode(),
    "minus one": b"-1",
    "zero": b"0",
    "minus zero": b"-0",
    "zero and more": b"0 0 0 0 0 0 0 0 0 0",
    "one": b"1.0",
    "two": b"2\n-1 1",
    "count without numbers": b"1000000000\n",
    "int32": b"2147483648",
    "int63": b"4611686018427387904",
    "int64": b"9223372036854775808",
    "negative int64": b"-9223372036854775809 -9223372036854775809",
    "beyond": b"340282366920938463463374607431768211456 1",
    "leading zeros": b"0000000000000000000000000000000000000",
    "digits": b"9" * 100_000,
    "words": b"1 " * 50_000,
    "line": b"x" * 100_000,
    "nested": b"(" * 100_000,
    "quotient": b"1/0",
    "dash": b"1-",
    "less": b"2\n<",
    "not a number": b"NaN",
    "twice not a number": b"nan nan",
    "infinity": b"inf -Infinity",
    "huge": b"1e999 1e308",
    "tiny": b"1e-999999999 -1e-400",
    "exponent": b"1e",
    "hexadecimal": b"0x7 0x1p3",
    "underscores": b"7_0 3_",
    "comma": b"7,3",
    "Arabic digits": "\u0667 \u0663".encode(),
    "wide digits": "\uff17 \uff13".encode(),
    "no-break blank": "7\u00a03\u00a0No".encode(),
    "mark": b"\xef\xbb\xbf7",
    "NUL": b"\x00",
    "NUL within": b"7\x00 3\x00",
    "continuation": b"\x80",
    "surrogate": b"\xed\xa0\x80 \xff\xfe",
    "half a character": b"7 \xc3",
    "printf": b"%s%s%n%d%99999d",
    "shell": b"$(exit 0); `true` && exit 42 || kill -9 $$",
    "OCaml": b"let judge ~input ~expected ~output = accept",
    "verdicts": b"accept 1.0\nAC 1\npoints 1\n42\n0x1p+0",
    "netstring": b"1:7,1:3,\n0:,",
    "escapes": b"\x1b[2J\x1b]0;AC\x07\b\b\b",
}
ECHO: Final = "let () = try while true do print_char (input_char stdin) done with End_of_file -> ()"
"""Prints the input back."""
EXPECTED: Final = ("7 3.25\nNo\n", "-12\n", "6.5\n", "9223372036854775807 7\n", " *\n***\n", "[]\n")


def printing(junk: bytes) -> str:
    """Return a program that prints some bytes."""
    text = "".join(f"\\{byte:03d}" for byte in junk)
    return f'let () = set_binary_mode_out stdout true; print_string "{text}"'


def comparisons() -> Iterator[Comparison | None]:
    """Yield each comparison that a problem can have."""
    yield from (comparison_of(how, ()) for how in COMPARISONS.values())
    for absolute, relative, cased, spaced, unordered in product(
        (None, 0.0, 1e-2), (None, 1e-2), (True, False), (True, False), (None, "lines", "tokens")
    ):
        yield Comparison(
            absolute=absolute,
            relative=relative,
            case_sensitive=cased,
            space_change_sensitive=spaced,
            unordered=unordered,
        )


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
def test_no_comparison_accepts_junk(junk: bytes) -> None:
    printed = junk.decode("utf-8", "surrogateescape")
    accepted = [
        (expected, how)
        for expected in EXPECTED
        for how in comparisons()
        if difference(printed, expected, how) is None
    ]

    assert [] == accepted


CASES: Final = {"a.1.in": "4 3\n", "a.1.out": "7 3.25\nNo\n", "a.2.in": "", "a.2.out": "6\n"}
BRIDGED: Final = "{name: bridged, args: {files: [c.cpp, near.h], type: testlib}}"
VALIDATED: Files = {
    **PACKAGE, "data/secret/a.in": "4 5\n", "data/secret/a.ans": "9\n",
    "data/secret/b.in": "30 -4\n", "data/secret/b.ans": "26\n",
}  # fmt: skip
FOLDERS: Final[dict[str, Files]] = {
    **{
        checker: {"init.yml": f"checker: {checker}\n", **CASES}
        for checker in (
            "standard", "rstripped", "identical", "easy", "linecount", "floats",
            "{name: floatsabs, args: {precision: 2}}", "floatsrel", "sorted", "unordered",
        )
    },
    "bridged": {
        "init.yml": f"checker: {BRIDGED}\n", "c.cpp": CPP, "near.h": NEAR,
        "a.1.in": "", "a.1.out": "40\n", "a.2.in": "", "a.2.out": "-7\n",
    },
    "ICPC": VALIDATED,
    "ICPC flags": {**VALIDATED, "problem.yaml": "validator_flags: float_tolerance 1e-4\n"},
    "validator": {
        **VALIDATED, "problem.yaml": "validation: custom\n",
        "output_validators/v/v.cc": VALIDATOR, "output_validators/v/said.h": SAID,
    },
}  # fmt: skip
SPLITTING: Final = tuple(StdioCase(stdin=f"{n}\n", stdout=f"0 {n}\n") for n in (5, 8, 11))
READING: Final = """
let judge ~input ~expected ~output =
  ignore expected;
  let n = Reader.int (Reader.of_problem input) in
  let printed = Reader.of_output output in
  let count = Reader.int printed in
  let order = Reader.list count Reader.int printed in
  let parts = Reader.array (Reader.int printed) Reader.float printed in
  let head = Reader.line printed in
  let tail = Reader.line printed in
  Reader.finish printed;
  let sum = Array.fold_left ( +. ) 0. parts in
  if is_permutation count order && same_members order (List.init n (fun i -> n - i))
     && close sum 1. && head ^ tail = "yes"
     && Graph.is_path (Graph.of_edges n [ (1, 2) ]) order
  then accept
  else reject "not so"
"""
JUDGES: Final = {
    "judge": Problem(id="split", tests=SPLITTING, judge=SPLIT),
    "judge that reads all": Problem(id="read", tests=SPLITTING, judge=READING),
    "checker": Problem(id="split", tests=SPLITTING, checker=CHECKER),
}
FAMILIES: Final = ("any-path", "any-colouring", "any-order", "any-partition")


def require_rejected(engine: Engine, problem: Problem) -> None:
    """Fail unless each junk output is rejected as a whole, by a judge that lives."""
    grader = Grader("concise", engine=engine, jobs=1)
    programs = {name: printing(junk) for name, junk in JUNK.items()} | {"echo": ECHO}
    wrong = {}
    for name, code in programs.items():
        found = grader.grade(problem, Completion(text=code))
        details = [each.detail for each in found.tests.results]
        lost = [each for each in details if each.startswith(DIED) or each == NO_TIME.message]
        if found.verdict is not Verdict.FAILED_TESTS or lost:
            wrong[name] = (found.verdict, found.fault, details)

    assert {} == wrong


@pytest.mark.parametrize("kind", FOLDERS)
def test_no_judge_of_a_folder_accepts_junk(
    kind: str, tmp_path: Path, engines: Callable[[str], Engine]
) -> None:
    require_rejected(engines("warm"), problem_of(imported(tmp_path / "p", FOLDERS[kind])))


@pytest.mark.parametrize("problem", JUDGES.values(), ids=JUDGES)
def test_no_judge_of_a_problem_accepts_junk(
    problem: Problem, engines: Callable[[str], Engine]
) -> None:
    require_rejected(engines("warm"), problem)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_judge_of_a_family_accepts_junk(family: str, engines: Callable[[str], Engine]) -> None:
    (made,) = make(Order(count=1, seed=3, families=(family,)), Oracle(Printing()), None, Tally())

    assert made.problem.judge
    require_rejected(engines("warm"), made.problem)
