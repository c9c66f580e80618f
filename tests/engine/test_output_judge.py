"""Problems with many right answers: how outputs may differ, and judges of a problem's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cli.main import main
from ocaml_reward import Breakdown, Completion, Grader, Problem, ProblemError, StdioCase
from ocaml_reward.engine import Engine
from ocaml_reward.engine.judge.outputs import difference
from ocaml_reward.engine.remote.engine import RemoteEngine
from ocaml_reward.formats.labels import problem_by_label
from ocaml_reward.formats.writing import problem_fields
from ocaml_reward.model import Comparison, Outcome
from ocaml_reward.record import breakdown_from_dict, breakdown_to_dict, dumps, loads
from tests.serving.running import spawned

SPLIT = """
let judge ~input ~expected ~output =
  ignore expected;
  let n = Reader.int (Reader.of_problem input) in
  let printed = Reader.of_output output in
  let a = Reader.int ~low:0 ~high:n printed in
  let b = Reader.int ~low:0 ~high:n printed in
  Reader.finish printed;
  if a + b = n then accept
  else if a + b = n + 1 then partial 0.5 "one too many"
  else rejectf "%d and %d are not %d" a b n
"""
CASES = tuple(StdioCase(stdin=f"{n}\n", stdout=f"0 {n}\n") for n in (2, 5, 8, 11))
PROBLEM = Problem(id="split", tests=CASES, judge=SPLIT)
EXPECTED = 'let () = Printf.printf "0 %d\\n" (read_int ())'
RIGHT = 'let () = let n = read_int () in Printf.printf "%d %d" (n / 2) (n - n / 2)'


@pytest.fixture(scope="module", params=["warm", "stock"])
def grader(request: pytest.FixtureRequest, engines: Callable[[str], Engine]) -> Grader:
    """Grade in each engine."""
    return Grader("concise", engine=engines(request.param), jobs=2)


def graded(grader: Grader, code: str, judge: str = SPLIT) -> Breakdown:
    """Grade a program for the problem with a judge."""
    return grader.grade(replace(PROBLEM, judge=judge), Completion(text=code))


def test_a_judge_takes_any_right_answer(grader: Grader) -> None:
    """Which of them it is does not matter; the expected one alone would."""
    for code in (RIGHT, 'let () = print_string (read_line () ^ " 0")'):
        assert 1.0 == graded(grader, code).reward
        assert {"failed"} == {each.outcome for each in graded_plainly(grader, code).tests.results}


def graded_plainly(grader: Grader, code: str) -> Breakdown:
    """Grade a program by its text alone."""
    return grader.grade(replace(PROBLEM, judge=""), Completion(text=code))


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ('"1 1 1"', "more than was asked for"),
        ('"1"', "it ends too early"),
        ('""', "it ends too early"),
        ('"0x1 1"', '"0x1" is no whole number'),
        ('"1_0 nan"', '"1_0" is no whole number'),
        ('"99999999999999999999 1"', '"99999999999999999999" is no whole number'),
        ('"-1 12"', "-1 is less than 0"),
        ('"accept\\n1.0 accept"', '"accept" is no whole number'),
        ("String.make 999_999 '1'", "is no whole number"),
        ("String.make 400_000 '('", "is no whole number"),
        ('"\\000\\255\\200 1"', "is no whole number"),
    ],
)
def test_what_is_no_answer_is_rejected(grader: Grader, printed: str, said: str) -> None:
    """Malformed, huge, hostile and imitating output: a failed check with the judge's words."""
    found = graded(grader, f"let () = print_string ({printed})")

    assert found.fault is None
    assert {Outcome.FAILED} == {each.outcome for each in found.tests.results}
    assert said in found.tests.results[3].detail


def test_a_judge_may_give_a_part(grader: Grader) -> None:
    """Half of each check is half of what tests are worth; the record keeps it; nothing passes."""
    found = graded(grader, 'let () = Printf.printf "1 %d" (read_int ())')
    read = breakdown_from_dict(loads(dumps(breakdown_to_dict(found)).encode()))

    assert 0 == found.tests.passed
    assert [0.5] * 4 == [each.partial for each in found.tests.results]
    assert "0.5 of it: one too many" == found.tests.results[0].detail
    assert graded(grader, RIGHT).credits.tests / 2 == pytest.approx(found.credits.tests)
    assert found.tests == read.tests


@pytest.mark.usefixtures("brief_judging")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("while true do () done; accept", "timed_out"),
        ('if output <> "" then exit 3 else accept', "exited"),
        ('if output <> "" then failwith "out of order" else accept', "out of order"),
        ("{ score = nan; message = output }", "not between 0 and 1"),
        ("{ score = 2.; message = output }", "not between 0 and 1"),
        ("let rec f n = 1 + f (n + 1) in ignore (f 0); accept", "tack"),
        ('ignore (Reader.int (Reader.of_problem "x")); accept', "the problem's own"),
        ('while true do print_string "accept" done; accept', "output_limit"),
        ("let rec f l = f (Bytes.create 1_000_000 :: l) in f []", "emory"),
    ],
)
def test_a_judge_that_dies_is_the_problems_fault(grader: Grader, body: str, said: str) -> None:
    """Where a good output makes it die, the completion has no reward, not 0; and the next one is judged
    as if nothing had been.
    """
    judge = f"let judge ~input ~expected ~output =\n  ignore (input, expected); {body}\n"
    # What is expected need not be tried again, which takes a while where it loops.
    found = graded(grader, EXPECTED if "while" in body else RIGHT, judge)

    assert (None, "JudgeFault") == (found.reward, found.fault and found.fault.kind)
    assert found.fault is not None
    assert said in found.fault.message
    assert 1.0 == graded(grader, f"(* again *) {RIGHT}").reward


def test_a_judge_that_writes_changes_nothing(grader: Grader) -> None:
    """What it prints is no verdict, files are out of its reach, and nothing of one completion is
    left for the next.
    """
    judge = SPLIT.replace(
        "  ignore expected;\n",
        "  ignore expected;\n"
        '  print_string "\\n0 0x1p+0 \\"\\"\\n";\n'
        '  (try close_out (open_out "/tmp/judge") with Sys_error _ -> ());\n'
        '  incr seen; if !seen > 4 then failwith "seen before";\n',
    )
    judge = f"let seen = ref 0\n{judge}"

    for number in range(3):
        assert 1.0 == graded(grader, f"(* {number} *) {RIGHT}", judge).reward
        assert 0.0 == graded(grader, f'let () = print_string "{number}"', judge).credits.tests


def test_a_judge_that_does_not_compile_is_no_judge(grader: Grader) -> None:
    """It is refused when the problem is prepared, with its line; so is one that fails on the
    reference.
    """
    for judge, said in (
        ("let judge ~input ~expected ~output =\n  1 + accept", "the judge, line 2"),
        ("let decide = 1", "the judge"),
    ):
        with pytest.raises(ProblemError, match=said):
            grader.prepare(replace(PROBLEM, judge=judge))
    dying = "let judge ~input ~expected ~output = ignore (input, expected); failwith output"
    with pytest.raises(ProblemError, match="on the reference"):
        grader.prepare(replace(PROBLEM, judge=dying, reference=RIGHT))


@pytest.mark.parametrize(
    ("how", "expected", "same", "other"),
    [
        ({"float_tolerance": 1e-3}, "1.5 2\n3", ["1.5005 2.0\n3e0", "1.4995 2 \n+3.\n", "1.501\n2 3"],
         ["1.6 2\n3", "1.52 3", "nan 2\n3", "1.5 2\n3 4", "inf 2\n3", "0x1.8 2\n3"]),
        ({"float_relative_tolerance": 0.01}, "1000", ["1009", "991"], ["1011", "-1000"]),
        ({"float_absolute_tolerance": 0.5}, "0.0", ["0.5", "-0.25"], ["0.51", ""]),
        ({"case_sensitive": False}, "YES\nNo", ["yes\nno", "Yes\nNO\n"], ["yes", "no\nyes"]),
        ({"unordered": "lines"}, "a b\nc\nc", ["c\na b\nc"], ["c\nb a\nc", "a b\nc", "a b\nc\nc\nc"]),
        ({"unordered": "lines"}, "1\n\n2  3", ["2 3 \n1"], ["3 2\n1", "1 2 3"]),
        ({"unordered": "lines", "space_change_sensitive": True}, "a  b\nc", ["c\na  b"], ["c\na b"]),
        ({"unordered": "tokens"}, "1 2\n3", ["3 2 1", "3 1\n2\n"], ["1 2", "1 2 3 3", "12 3"]),
        ({"space_change_sensitive": True}, "  *\n ***", ["  *\n ***\n"],
         ["*\n***", "  *\n***", "  *  \n ***", "  * ***", "  *\n\n ***", "  *\n ***\n\n", "  *\n\t***"]),
        ({"space_change_sensitive": True, "float_tolerance": 0.1}, "1  2", ["1.05  2.0\n"],
         ["1.05 2.0", "1.05\n2.0", "1.2  2"]),
    ],
)  # fmt: skip
def test_outputs_may_differ_as_the_problem_says(
    how: dict[str, Any], expected: str, same: list[str], other: list[str]
) -> None:
    """Each way, by itself; the format reads it, and writes it as it was."""
    row = {"id": "x", "tests": [{"input": "", "output": expected}], "comparison": how}
    problem = problem_by_label(row, {}, where="")

    assert problem == problem_by_label(problem_fields(problem), {}, where="")
    assert problem.comparison is not None
    for printed in same:
        assert None is difference(printed, expected, problem.comparison), printed
    for printed in other:
        assert difference(printed, expected, problem.comparison), printed


@given(st.text(alphabet="01 .-e\nxN", max_size=20), st.text(max_size=20))
def test_a_looser_comparison_takes_no_less(printed: str, expected: str) -> None:
    """What is equal in words is equal however words may differ, and nothing raises; what is equal
    with its blanks is equal without.
    """
    exactly = Comparison(space_change_sensitive=True)
    assert None is difference(expected, expected, exactly)
    assert difference(printed, expected, None) is None or difference(printed, expected, exactly)
    for how in (
        Comparison(absolute=0.0),
        Comparison(relative=1e300),
        Comparison(case_sensitive=False),
        Comparison(unordered="tokens"),
        Comparison(unordered="tokens", case_sensitive=False),
    ):
        assert None is difference(expected, expected, how)
        if difference(printed, expected, None) is None:
            assert None is difference(printed, expected, how)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"comparison": {"float_tolerance": -1}}, "a number from 0 on"),
        ({"comparison": {"float_tolerance": True}}, "a number from 0 on"),
        ({"comparison": {"unordered": "words"}}, "no 'unordered' that is 'words'"),
        ({"comparison": {"tolerance": 1}}, "there are float_tolerance"),
        ({"comparison": {"unordered": "lines", "float_tolerance": 1}}, "need an order"),
        (
            {"comparison": {"space_change_sensitive": 1}},
            "no 'space_change_sensitive' that is 1",
        ),
        (
            {"comparison": {"unordered": "tokens", "space_change_sensitive": True}},
            "need an order",
        ),
        ({"comparison": {"case_sensitive": False}, "judge": "x"}, "give one of them"),
        ({"judge": "x", "tests": "assert (f 1)"}, "only cases"),
        (
            {"comparison": {"case_sensitive": False}, "tests": "assert true"},
            "only cases",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(fields: dict[str, Any], said: str) -> None:
    """In one line that says what there is."""
    row = {"id": "x", "tests": [{"input": "", "output": "1"}], **fields}
    with pytest.raises(ProblemError, match=said):
        problem_by_label(row, {}, where="")


COMPLETIONS = (
    RIGHT,
    'let () = Printf.printf "1 %d" (read_int ())',
    'let () = print_string "nan"',
    'let () = if read_int () > 5 then exit 1 else print_string "1 1"',
    "let () = print_int (1 + true)",
)


def test_engines_and_servers_agree(engines: Callable[[str], Engine]) -> None:
    """The record of a judged completion is the same whichever engine ran it, here or elsewhere."""
    compared = replace(PROBLEM, id="compared", judge="", comparison=Comparison(unordered="tokens"))
    with spawned() as server:
        remote = RemoteEngine(server.url)
        found = []
        for running in (engines("warm"), engines("stock"), remote):
            grader = Grader("concise", engine=running, jobs=2, regions=True)
            found.append(
                [
                    breakdown_to_dict(grader.grade(problem, Completion(text=code)))
                    | {"timings_ms": {}, "engine": ""}
                    for problem in (PROBLEM, compared)
                    for code in COMPLETIONS
                ]
            )
        remote.close()

    assert found[0] == found[1] == found[2]
    assert found[0][0]["reward"] > found[0][1]["reward"] > found[0][2]["reward"]


def test_a_judge_that_fails_is_said(tmp_path: Path) -> None:
    """`score` blames the problem for it and not the machine."""
    dying = "let judge ~input ~expected ~output = ignore (input, expected); failwith output"
    row = problem_fields(replace(PROBLEM, judge=dying))
    (tmp_path / "problems.jsonl").write_text(f"{json.dumps(row)}\n", "utf-8")
    row = {"problem_id": "split", "completion": RIGHT}
    (tmp_path / "c.jsonl").write_text(f"{json.dumps(row)}\n", "utf-8")
    words = ["score", str(tmp_path / "c.jsonl"), "-o", str(tmp_path / "o.jsonl")]
    done = CliRunner().invoke(main, words, catch_exceptions=False)

    assert 1 == done.exit_code
    assert "because a problem's own judge failed" in " ".join(done.output.split())
    assert "doctor" not in done.output


def test_a_part_is_explained(tmp_path: Path) -> None:
    """`score` and `explain` show what a judge said, and a label may be the whole problem."""
    problems = tmp_path / "problems.jsonl"
    problems.write_text(f"{json.dumps(problem_fields(PROBLEM))}\n", "utf-8")
    row = {"problem_id": "split", "completion": COMPLETIONS[1]}
    (tmp_path / "c.jsonl").write_text(f"{json.dumps(row)}\n", "utf-8")
    words = ["explain", str(tmp_path / "c.jsonl"), "--scheme", "concise"]
    shown = CliRunner().invoke(main, words, catch_exceptions=False)

    assert 0 == shown.exit_code, shown.output
    assert "0.5 of it: one too many" in shown.output
    assert PROBLEM == problem_by_label(json.dumps(problem_fields(PROBLEM)), {}, where="")


FUNCTIONS = """
let near a b = abs_float (a -. b) <= 1e-6
let sorted l = List.sort compare l
let edges = [ (1, 2); (2, 3); (3, 4); (1, 3) ]
let rec is_path = function
  | a :: (b :: _ as rest) -> List.mem (a, b) edges && is_path rest
  | _ -> true

let () = assert (near (half 7.) 3.5)
let () = assert (sorted (divisors 6) = [ 1; 2; 3; 6 ])
let () = assert (let l = path 1 4 in List.hd l = 1 && is_path l)
"""
ONE = """
let half x = x /. 2.
let divisors n = List.filter (fun d -> n mod d = 0) (List.init n (fun i -> i + 1))
let path _ _ = [ 1; 2; 3; 4 ]
"""
ANOTHER = """
let half x = x *. 0.5000000001
let divisors n = n :: List.filter (fun d -> n mod d = 0) (List.init (n - 1) (fun i -> i + 1))
let path _ _ = [ 1; 3; 4 ]
"""


def test_functions_have_predicates_of_their_tests(grader: Grader) -> None:
    """By tolerance, in any order, or any that satisfies: a predicate takes each right answer and no
    wrong one, and is judged outside of the code's process.
    """
    problem = Problem(id="functions", tests=FUNCTIONS, reference=ONE)
    wrong = (
        ANOTHER.replace("0.5000000001", "0.51")
        .replace("n :: ", "")
        .replace("[ 1; 3; 4 ]", "[ 1; 4 ]")
    )

    assert {} == grader.prepare(problem).in_process
    assert 1.0 == grader.grade(problem, Completion(text=ANOTHER)).reward
    assert 0 == grader.grade(problem, Completion(text=wrong)).tests.passed
