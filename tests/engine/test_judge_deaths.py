"""Judges and checkers that die on an output: the output's failure, in a try that counts, unless they
die on a good one as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from ocaml_reward import Breakdown, Completion, Grader, Problem, ProblemError, StdioCase
from ocaml_reward.engine import Engine
from ocaml_reward.model import FeedbackLevel, Outcome
from ocaml_reward.record import breakdown_to_dict
from ocaml_reward.repair import Repair
from trainer_plugin.repair import Episode
from trainer_plugin.samples import Sample

CASES = tuple(StdioCase(stdin=f"{n}\n", stdout=f"0 {n}\n") for n in (2, 5, 8, 11))
EXPECTED = 'let () = Printf.printf "0 %d\\n" (read_int ())'
RIGHT = 'let () = let n = read_int () in Printf.printf "%d %d" (n / 2) (n - n / 2)'
KILLING = """
let () =
  let n = read_int () in
  if n = 5 then print_string "kill" else Printf.printf "%d %d" (n / 2) (n - n / 2)
"""


def judge(body: str, fatal: str = '"kill"') -> str:
    """Write a judge of sums that does what `body` says to a `fatal` output."""
    return f"""
let judge ~input ~expected ~output =
  ignore expected;
  if output = {fatal} then ({body})
  else
    let n = Reader.int (Reader.of_problem input) in
    let printed = Reader.of_output output in
    let a = Reader.int printed in
    let b = Reader.int printed in
    Reader.finish printed;
    if a + b = n then accept else reject "another sum"
"""


def checker(body: str, fatal: str = "kill") -> str:
    """Write the same in C++, of the output's first word."""
    return f"""
#include <cstdlib>
#include <fstream>
#include <iostream>
int main(int argc, char **argv) {{
  std::ifstream in(argv[1]), out(argv[2]);
  std::string first;
  out >> first;
  if (first == "{fatal}") {{ {body} }}
  long n, b;
  in >> n;
  out >> b;
  if (std::atol(first.c_str()) + b == n) return 0;
  std::cerr << "another sum"; return 1;
}}
"""


DEEP = "let rec f n = 1 + f (n + 1) in ignore (f 0); accept"
# What a record says, by what a judge does on an output.
DEATHS = {
    "let rec f l = f (Bytes.create 1_000_000 :: l) in f []": "out_of_memory",
    DEEP: "stack_overflow",
    "while true do () done; accept": "timed_out",
    "exit 3": "exited exit 3",
    "exit 0": "exited exit 0",
    "while true do print_string output done; accept": "output_limit",
    "failwith output": 'Failure("kill")',
    "raise End_of_file": "End_of_file",
    "partial 1.5 output": "a score that is not between 0 and 1",
    "partial nan output": "a score that is not between 0 and 1",
}
CPP_DEATHS = {
    "for (;;) ;": "timed_out",
    # More than there may be, at once: to fill the memory bit by bit takes time, too.
    "std::cerr << std::string(1ul << 40, 48);": "crashed terminate called after throwing",
    "std::abort();": "crashed",
    "int *none = nullptr; *none = 1;": "crashed",
    'std::cerr << "odd"; return 42;': "exit 42 odd",
    'std::cerr << "points 7"; return 7;': "exit 7 points 7",
    'std::cerr << "points nan"; return 7;': "exit 7 points nan",
}


@pytest.fixture(scope="module", params=["warm", "stock"])
def grader(request: pytest.FixtureRequest, engines: Callable[[str], Engine]) -> Grader:
    """Grade in each engine."""
    return Grader("concise", engine=engines(request.param), jobs=2)


def graded(grader: Grader, code: str, **fields: Any) -> Breakdown:
    """Grade a program for a problem whose fields are these, beside the cases."""
    problem = Problem(**{"id": "split", "tests": CASES} | fields)
    return grader.grade(problem, Completion(text=code))


def outcomes(found: Breakdown) -> list[Outcome]:
    """Return how each case ended, of a completion that was graded."""
    assert found.fault is None, found.fault
    return [each.outcome for each in found.tests.results]


def fault_of(found: Breakdown) -> tuple[float | None, str | None]:
    """Return the reward and what kind of fault there was."""
    return found.reward, found.fault.kind if found.fault else None


ONE_LOST = [Outcome.PASSED, Outcome.FAILED, Outcome.PASSED, Outcome.PASSED]
FAULT = (None, "JudgeFault")


@pytest.mark.usefixtures("brief_judging")
@pytest.mark.parametrize(("body", "how"), DEATHS.items())
def test_a_death_costs_its_own_case(grader: Grader, body: str, how: str) -> None:
    """However a judge ends on an output, the others keep their points, and the try counts."""
    found = graded(grader, KILLING, judge=judge(body))

    assert ONE_LOST == outcomes(found)
    assert f"the judge died on this output: {how}" == found.tests.results[1].detail


@pytest.mark.usefixtures("brief_judging")
@pytest.mark.parametrize(("body", "how"), CPP_DEATHS.items())
def test_a_death_in_cpp_costs_its_own_case(grader: Grader, body: str, how: str) -> None:
    """The same of a checker."""
    found = graded(grader, KILLING, checker=checker(body))

    assert ONE_LOST == outcomes(found)
    assert f"the judge died on this output: {how}" in found.tests.results[1].detail


def test_recursion_may_be_as_deep_as_an_output_is_long(grader: Grader) -> None:
    """A judge's own recursion over half a million words is no death; over a hundred times as many it
    is, on that output alone.
    """
    source = """
let rec depth n = if n = 0 then 0 else 1 + depth (n - 1)
let judge ~input ~expected ~output =
  let words = String.length output / 2 in
  let times = Reader.int (Reader.of_problem input) in
  ignore (expected, depth (words * times)); accept
"""
    cases = tuple(StdioCase(stdin=n, stdout="1 1") for n in ("1", "100", "2"))
    code = 'let () = for _ = 1 to 400_000 do print_string "1 " done'
    found = graded(grader, code, tests=cases, judge=source)

    assert [Outcome.PASSED, Outcome.FAILED, Outcome.PASSED] == outcomes(found)
    assert found.tests.results[1].detail.endswith(": stack_overflow")


def test_one_that_dies_on_good_output_too_is_the_problems_fault(
    grader: Grader,
) -> None:
    """What is good is what the reference prints, or else what is expected; the completion has no
    reward then.
    """
    fatal = "expected"
    for body in ("exit 3", "failwith output", "partial nan output"):
        assert FAULT == fault_of(graded(grader, EXPECTED, judge=judge(body, fatal)))
        # Another output, on which it dies as well.
        assert FAULT == fault_of(graded(grader, RIGHT, judge=judge(body, "output")))
        with pytest.raises(ProblemError, match="on the reference: the problem's judge"):
            graded(grader, RIGHT, reference=RIGHT, judge=judge(body, '"1 1"'))
    for body in ("std::abort();", "return 42;"):
        assert FAULT == fault_of(graded(grader, EXPECTED, checker=checker(body, "0")))
        with pytest.raises(ProblemError, match="on the reference: the problem's judge"):
            graded(grader, RIGHT, reference=RIGHT, checker=checker(body, "1"))


def test_what_the_problem_gets_wrong_itself_stays_its_fault(grader: Grader) -> None:
    """A judge that misreads the problem's own text, and a checker that calls the jury wrong, say so
    of the problem whatever the output was.
    """
    misread = judge('ignore (Reader.int (Reader.of_problem "x")); accept')

    assert FAULT == fault_of(graded(grader, KILLING, judge=misread))
    assert FAULT == fault_of(graded(grader, KILLING, checker=checker("return 3;")))


def test_where_the_judge_passes_the_reference_it_lives(grader: Grader) -> None:
    """What is expected does not matter then, and where there is nothing good to try a death is the
    output's.
    """
    for fields in (
        {"reference": RIGHT, "judge": judge("exit 3", 'expected || output = "kill"')},
        {"reference": RIGHT, "checker": checker("return 42;")},
        {
            "judge": judge("exit 3"),
            "tests": tuple(replace(case, stdout="") for case in CASES),
        },
    ):
        assert ONE_LOST == outcomes(graded(grader, KILLING, **fields))


@pytest.mark.usefixtures("brief_judging")
def test_many_that_loop_leave_another_its_time(
    engines: Callable[[str], Engine],
) -> None:
    """A judge that loops on all of sixty outputs but the eleventh has time for that, and for as many as
    there is time for: three runs' worth at most.
    """
    cases = tuple(StdioCase(stdin=f"{n}\n", stdout="") for n in range(60))
    code = 'let () = if read_int () = 10 then print_string "0 10" else print_string "kill"'
    found = graded(
        Grader("concise", engine=engines("warm"), jobs=2),
        code,
        tests=cases,
        judge=judge("while true do () done; accept"),
    )
    details = [each.detail for each in found.tests.results]

    assert [10] == [n for n, each in enumerate(outcomes(found)) if each == "passed"]
    assert ["the judge died on this output: timed_out"] * 10 == details[:10]
    assert "the judge had no time left for this output" == details[59]


@pytest.mark.parametrize("kind", ["judge", "checker"])
def test_hidden_input_is_not_asked_for_free(grader: Grader, kind: str) -> None:
    """Code that kills the judge or not by what it reads has used up a try each time: four tries
    tell four digits no more.
    """
    fields: dict[str, Any] = {"judge": judge("exit 3")}
    if kind == "checker":
        fields = {"checker": checker("return 42;")}
    hidden = StdioCase(stdin="4711\n", stdout="0 4711\n")
    problem = Problem(id="hidden", tests=(hidden,), **fields)

    def score(samples: Sequence[Sample]) -> list[Breakdown]:
        return [grader.grade(problem, each.completion) for each in samples]

    rules = Repair(turns=4, level=FeedbackLevel.LOCATED)
    episode = Episode(problem, rules, score)
    said = [
        episode.answer(
            f'let () = print_string (if read_int () land {1 << bit} > 0 then "kill" else "0 0")'
        )
        for bit in range(6)
    ]

    assert [0.0] * 4 == [each.credits.tests for each in episode.tries]
    assert None not in [each.reward for each in episode.tries]
    assert episode.is_over
    assert episode.reward is not None
    # Nor does what is said of a death differ from what is said of a wrong answer.
    assert 1 == len(set(said[:3]))
    assert not any("died" in each or "4711" in each for each in said)


def test_records_of_deaths_are_the_same(engines: Callable[[str], Engine]) -> None:
    """Twice in one engine, and in the other."""
    problems = [
        Problem(id="split", tests=CASES, judge=judge(body))
        for body in ("exit 3", "failwith output", "partial nan output", DEEP)
    ] + [
        Problem(id="split", tests=CASES, checker=checker(body))
        for body in ("std::abort();", "return 42;")
    ]
    found = [
        [
            breakdown_to_dict(
                Grader("concise", engine=engines(name)).grade(problem, Completion(text=KILLING))
            )
            | {"timings_ms": {}, "engine": ""}
            for problem in problems
        ]
        for name in ("warm", "warm", "stock", "stock")
    ]

    assert found[0] == found[1] == found[2] == found[3]
