"""Degenerate completions: who is one, who must not be, and what it may earn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.formats import load_problems
from ocaml_reward.model import CheckReport, Stage
from ocaml_reward.scheme import RewardScheme
from tests.scored_texts import (
    CAPPED,
    CONCISE,
    END,
    ONE_TYPE_ERROR,
    PASSING,
    PROGRAM,
    SEED,
    UNPARSED,
    codes,
    fenced,
    graded,
    report,
)

PROBLEMS = Path(__file__).parents[2] / "test_corpus" / "problems.jsonl"
NEARLY = report(passed=3)
JUNK = "".join(f"{number * 7919 % 1009:04d} " for number in range(40))
HELPERS = "".join(
    f"Helper {number}:\n" + fenced(f"let helper_{number} x =\n  x + {number}")
    for number in range(5)
)
GUARD = 'let check x =\n  if x < 0 then failwith "implement the positive case"\n  else x\n'
# As long as a real explanation, without saying anything twice.
REMARK = " ".join(f"Case {number} needs {number * 31 % 97} steps." for number in range(60))


@pytest.mark.parametrize(
    "text",
    [
        f"{PROGRAM}{END}",
        f"{GUARD}{PROGRAM}{END}",
        f"(* Here we implement the sum, as you would by hand. *)\n{PROGRAM}{END}",
        f'let help = "This is what you should do with the list"\n{PROGRAM}{END}',
        f"{HELPERS}Final answer:\n{fenced(PROGRAM)}{END}",
        f"Draft:\n{fenced(PROGRAM)}Final:\n{fenced(PROGRAM)}{END}",
        f"Sure! This is how we do it, and why.\n{REMARK}\n{fenced(PROGRAM)}{END}\n{REMARK}",
        f"{fenced(PROGRAM + END)}Usage:\n```\nsum [1; 2]\n```\nOutput:\n```\n3\n```\n{END}",
        PROGRAM + "".join(f"let test_{n} = sum [{n}] = {n}\n" for n in range(60)) + END,
        PROGRAM + f"let zeros = [|{'0; ' * 80}|]\n" + END,
        PROGRAM + f"(* {'=' * 300} *)\n" + END,
    ],
)
@pytest.mark.parametrize("scheme", [SEED, CAPPED, CONCISE], ids=lambda each: each.name)
@pytest.mark.parametrize("given", [NEARLY, ONE_TYPE_ERROR], ids=["running", "failing"])
def test_honest_work_is_not_punished(text: str, scheme: RewardScheme, given: CheckReport) -> None:
    """Guards, English in comments and strings, helpers in blocks of their own, a draft, a
    long explanation, many similar lines: none of them is degenerate.
    """
    assert [] == codes(graded(text, given, scheme=scheme))


PROSE = (
    "To solve this we should first look at the list.\n"
    "The sum of an empty list is zero, which is the base case.\n"
    "Then you can add the head to the sum of the tail.\n"
    "This is what the function would do for each of the cases.\n"
    "It will always end, since the list is getting shorter.\n"
    "I hope that this explanation is what you were looking for.\n"
    "Please let me know if there is anything that you would like to change.\n"
    "The following steps are the same for every list that has numbers.\n"
)
DEGENERATE = {
    "prose": PROSE,
    "foreign prose": "это функция для списка чисел\n" * 9,
    "begin and end": "BEGIN\nEND\n" * 99,
    "one block again": fenced(PROGRAM) * 4,
    "empty fences": fenced(PROGRAM) + "```ocaml\n```\n" * 8,
    "fences without news": fenced(PROGRAM)
    + fenced("let double x = 2 * x") * 2
    + fenced("      | [] -> 0") * 2,
    "one line again": "let x = 1\n" * 40,
    "units": "();;\n" * 10,
    "end markers": f"{PROGRAM}{END}\n" + f"{END}\n" * 99,
    "code again": PROGRAM * 6,
    "junk again": f"{PROGRAM}(*{JUNK * 12}*)\n",
    "a passage of 499": f"{PROGRAM}" + ("".join(map(chr, range(300, 799))) + "\n") * 5,
}


@pytest.mark.parametrize("text", DEGENERATE.values(), ids=DEGENERATE.keys())
@pytest.mark.parametrize("scheme", [SEED, CAPPED, CONCISE], ids=lambda each: each.name)
class TestDegenerate:
    """Prose instead of code, fence spam, the same thing again and again."""

    def test_it_never_earns_more_than_an_honest_attempt(
        self, text: str, scheme: RewardScheme
    ) -> None:
        """With an end marker or without, filling the length earns less than a program of
        ten lines with a type error.
        """
        honest = graded(f"{PROGRAM}{END}", ONE_TYPE_ERROR, scheme=scheme)
        for tail in ("", END):
            for given in (UNPARSED, ONE_TYPE_ERROR):
                result = graded(text + tail, given, scheme=scheme)

                assert result.reward < honest.reward

    def test_it_never_earns_a_constant(self, text: str, scheme: RewardScheme) -> None:
        """What passes no check earns exactly nothing, however far it compiles."""
        for given in (UNPARSED, ONE_TYPE_ERROR, report(passed=0)):
            compiles = given.stage is Stage.EXECUTABLE
            if compiles and text in (DEGENERATE["prose"], DEGENERATE["foreign prose"]):
                continue

            assert 0.0 == graded(text + END, given, scheme=scheme).reward

    def test_right_code_inside_keeps_no_more_than_failed_tests(
        self, text: str, scheme: RewardScheme
    ) -> None:
        """Passing nearly every test amid spam earns no more than an honest answer that fails them."""
        if text in (DEGENERATE["prose"], DEGENERATE["foreign prose"]):
            text = DEGENERATE["code again"]
        if text == DEGENERATE["begin and end"]:
            text = PROGRAM + text
        failed = graded(f"{PROGRAM}{END}", report(passed=0), scheme=scheme)

        assert graded(text + END, NEARLY, scheme=scheme).reward <= failed.reward

    def test_what_passes_every_check_is_not_degenerate(
        self, text: str, scheme: RewardScheme
    ) -> None:
        """Whatever it looks like, it has answered."""
        assert 1.0 == graded(text + END, PASSING, scheme=scheme).reward
        assert "degenerate" in codes(graded(text + END, ONE_TYPE_ERROR, scheme=scheme))


# Right answers that repeat themselves as their problems do.
REPEATING = {
    "a board of equal rows": PROGRAM
    + "let board = [|\n" + "  [|0; 0; 0; 0; 0; 0; 0; 0|];\n" * 30 + "|]\n",
    "calls in a row": "let () =\n" + "  step ();\n" * 24,
    "near-copies": "".join(
        f"let {side} board = check board 0 1 2 && check board 3 4 5 && check board 6 7 8\n" * 3
        for side in ("rows", "lines", "sides", "edges", "sorts")
    ) * 2,
}  # fmt: skip


@pytest.mark.parametrize("code", REPEATING.values(), ids=REPEATING.keys())
def test_right_answers_may_repeat_themselves(code: str) -> None:
    """Nothing is taken from what passes every check."""
    assert 1.0 == graded(code + END).reward
    assert ["degenerate"] == codes(graded(code + END, NEARLY))


ROWS = {
    "pairs": "  ({n}, {n} * {n});",
    "records": "  {{ id = {n};\n    kind = Even;\n    next = None;\n    left = Leaf;\n"
    "    right = Leaf;\n    weight = 0 }};",
    "cases": "  | {n} ->\n    begin\n      match x with\n      | Some y -> y\n"
    "      | None -> 0\n    end",
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_a_table_of_distinct_rows_is_honest(row: str) -> None:
    """Short lines recur in a table, and in code of any length; what stands around them does not."""
    table = "let table =\n" + "\n".join(row.format(n=n) for n in range(500)) + "\n"

    assert [] == codes(graded(PROGRAM + table + END, NEARLY))


def renamed(code: str, number: int) -> str:
    """Give the functions at the top of some code other names."""
    names = re.findall(r"^let (?:rec )?([a-z]\w*)", code, re.MULTILINE)
    pattern = rf"\b({'|'.join(names)})\b" if names else r"((?!))"
    return re.sub(pattern, rf"\g<1>_{number}", code)


def test_a_long_file_is_honest() -> None:
    """Ten thousand lines of right code are no loop."""
    references = [
        problem.reference
        for problem in load_problems(PROBLEMS).problems.values()
        if problem.reference
    ]
    copies = [renamed(each, n) for n in range(12) for each in references]
    text = "\n".join(copies)

    assert text.count("\n") > 10_000
    assert [] == codes(graded(PROGRAM + text + END, NEARLY))


def test_the_standard_library_is_honest() -> None:
    """No source of OCaml's own library is flagged."""
    sources = sorted(locate().stdlib.glob("*.ml"))

    assert len(sources) > 50
    assert [] == [
        path.name
        for path in sources
        if "degenerate" in codes(graded(path.read_text("latin-1"), NEARLY, scheme=CONCISE))
    ]


@pytest.mark.parametrize("period", [1, 2, 3, 5, 8, 13, 21])
def test_a_loop_is_degenerate_whatever_its_length(period: int) -> None:
    """The same lines again and again, also behind right code."""
    loop = [f"let x{n} = {n * 7919 % 1009}" for n in range(period)]
    text = PROGRAM + "\n".join(loop * (160 // period)) + "\n"

    assert ["degenerate"] == codes(graded(text + END, NEARLY))


def test_several_signs_are_one_penalty() -> None:
    """The factor is taken once, and the evidence names every sign."""
    result = graded(fenced(PROGRAM) * 4 + f"{END}\n" * 9, NEARLY)

    assert ["degenerate"] == codes(result)
    assert 0.23625 == result.reward
    assert "one block 4 times" in result.penalties[0].evidence
    assert "9 end markers" in result.penalties[0].evidence


def test_what_compiles_is_code_however_it_reads() -> None:
    """Names that are English words do not make prose of a program."""
    lines = [f"let sum_{n} the list that you have = the {n} that list\n" for n in range(9)]
    text = "".join(lines)

    assert [] == codes(graded(text + END, NEARLY, scheme=CONCISE))
