"""What a program printed is held against what it had to, by the grader itself: whatever it printed,
that is as quick as it is long.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_reward import Completion, Grader, Problem, StdioCase, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.engine.judge.outputs import difference
from ocaml_reward.model import Comparison

CLOSE = Comparison(absolute=1e-6)
NO_CAPITALS = Comparison(case_sensitive=False)
EXACT = Comparison(space_change_sensitive=True)


@pytest.mark.parametrize(
    "printed",
    ["1" * 1_000_000 + "x", "1." * 500_000, "e" * 1_000_000, "-" * 1_000_000, "1e" * 500_000,
     "." * 1_000_000, " 1" * 500_000, "9" * 1_000_000, "\r" * 1_000_000 + "1"],
    ids=["digits", "points", "letters", "signs", "exponents", "dots", "words", "number", "blanks"],
)  # fmt: skip
@pytest.mark.parametrize(
    "how",
    [CLOSE, Comparison(relative=1e-6), NO_CAPITALS, Comparison(unordered="tokens"),
     Comparison(unordered="lines"), Comparison(space_change_sensitive=True), None],
    ids=["absolute", "relative", "capitals", "tokens", "lines", "exact", "words"],
)  # fmt: skip
def test_a_long_output_is_refused_at_once(printed: str, how: Comparison | None) -> None:
    """An expression that backtracks would take hours for each of these."""
    assert difference(printed, "1.5", how) is not None


def test_digits_do_not_hang_the_grader(engine: Engine) -> None:
    """A number that is none, of forty thousand digits, is a wrong answer like others."""
    problem = Problem(id="half", tests=(StdioCase(stdin="", stdout="1.5"),), comparison=CLOSE)
    code = "let () = print_string (String.make 40_000 '1' ^ \"x\")"
    grader = Grader("concise", engine=engine, jobs=1)
    found = grader.grade(problem, Completion(text=code))

    assert Verdict.FAILED_TESTS is found.verdict


@pytest.mark.parametrize(
    ("printed", "expected"),
    [("ye\u017f", "YES"), ("\u00df", "SS"), ("\u212a", "k"), ("\ufb01", "FI"), ("\u0130", "i")],
    ids=["long s", "sharp s", "Kelvin", "ligature", "dotted I"],
)  # fmt: skip
def test_letters_that_are_spelt_otherwise_are_others(printed: str, expected: str) -> None:
    """Where capitals do not count, those of ASCII do not, and nothing else is taken for them."""
    assert difference(printed, expected, NO_CAPITALS) is not None
    assert difference(expected.lower(), expected, NO_CAPITALS) is None
    assert difference(printed, printed, NO_CAPITALS) is None


@pytest.mark.parametrize(
    ("printed", "expected", "how", "said"),
    [("1 2\n 3 x\n", "1 2 3\n\n4", None, "line 3: expected '4', got 'x'"),
     ("1", "1\n2", None, "line 2: expected '2', got nothing more"),
     ("1 2", "1", None, "expected nothing more, got '2'"),
     ("12 3", "1 23", None, "line 1: expected '1 23', got '12 3'"),
     ("a\n b", "a\nb", EXACT, "line 2: expected 'b', got ' b'"),
     ("a ", "a", EXACT, "line 1: expected 'a', got 'a '"),
     ("a\n\n", "a", EXACT, "expected nothing more, got ''"),
     ("", "a", EXACT, "line 1: expected 'a', got nothing more")],
)  # fmt: skip
def test_the_first_difference_is_shown(
    printed: str, expected: str, how: Comparison | None, said: str
) -> None:
    """From the word on in which outputs differ; its whole line where blanks count."""
    assert said == difference(printed, expected, how)


ADDS = r'let () = Scanf.scanf "%d %d\n" (fun a b -> Printf.printf "%d\n" (a + b))'
READS = "let () = let a = read_int () in let b = read_int () in print_int (a + b)"
COUNTS = r"""let () =
  let n = ref 0 in
  (try while true do if input_char stdin = '\n' then incr n done with End_of_file -> ());
  print_int !n"""
SPACED = r'let () = for i = 1 to read_int () do Printf.printf " %d " i done'
LINES = 'let () = for i = 1 to read_int () do Printf.printf "%d\n" i done; print_newline ()'


@pytest.mark.parametrize(
    ("code", "read", "printed", "exactly"),
    [(ADDS, "3 4", "7", True), (ADDS, "3 4\r\n", "7\r\n", True), (ADDS, "3 4\n", "7\n", True),
     (READS, "3\r\n4\r\n", "7\r\n", True), (READS, "3\r4", "7\r", True), (READS, "3\n4\r", "7", True),
     (COUNTS, "", "0", True), (COUNTS, "\n", "1", True), (COUNTS, "a\n\n", "2", True),
     (COUNTS, "a\r\n\r\nb", "3", True),
     (SPACED, "3\n", "1 2 3", False), (SPACED, "3", "1\n2\n3\n", False), (LINES, "3", "1 2 3", False),
     ('let () = print_string "\\n \\n"', "", "", False)],
)  # fmt: skip
def test_streams_are_as_judges_have_them(
    engine: Engine, code: str, read: str, printed: str, *, exactly: bool
) -> None:
    """Lines end with a newline, the last one, too, in what is read and what is expected; and
    blanks do not count, unless the problem says so.
    """
    problem = Problem(id="p", tests=(StdioCase(stdin=read, stdout=printed),))
    grader = Grader("concise", engine=engine, jobs=1)
    found = [
        grader.grade(each, Completion(text=code)).verdict
        for each in (problem, replace(problem, comparison=EXACT))
    ]

    assert Verdict.PASSED is found[0]
    assert exactly is (found[1] is Verdict.PASSED)


@pytest.mark.parametrize("printed", ["a \r\nb", "a \r\nb\r\n", "a \nb\r", "a \rb\n"])
def test_line_ends_are_those_of_unix_on_both_sides(printed: str) -> None:
    """Expected outputs are read so, and what a program prints is compared so."""
    assert difference(printed, "a \nb\n", EXACT) is None
    assert difference(printed, "a\nb\n", EXACT) is not None
