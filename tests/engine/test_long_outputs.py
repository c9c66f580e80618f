"""What judges are written with takes outputs as long as contests have them, and counts that no output
could hold.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Completion, Grader, Problem, StdioCase
from ocaml_reward.engine import Engine
from ocaml_reward.model import Outcome

BUDGET = (("output_bytes", 4_000_000), ("check_cpu_s", 3.0))
PERMUTATION = """
let judge ~input ~expected ~output =
  ignore expected;
  let n = Reader.int (Reader.of_problem input) in
  let printed = Reader.of_output output in
  let found = Reader.list (Reader.int printed) Reader.int printed in
  Reader.finish printed;
  if is_permutation n found && same_members found (List.rev found) then accept
  else reject "no permutation"
"""
DESCENDING = """
let () =
  let n = read_int () in
  print_int n;
  for i = n downto 1 do print_char ' '; print_int i done
"""
EVERYTHING = """
let judge ~input ~expected ~output =
  ignore (input, expected);
  let printed = Reader.of_output output in
  let n = Reader.int printed in
  let rows = Reader.array n (Reader.list 2 Reader.int) printed in
  let xs = Array.to_list (Array.map List.hd rows) in
  let graph = Graph.of_edges max_int (List.map (fun x -> (x, x + 1)) xs) in
  let far = Reader.float ~low:0. ~high:1e300 printed in
  Reader.finish printed;
  if is_permutation max_int xs || same_members xs [] then reject "too few for that"
  else if not (Graph.is_path graph [ 1; 2; 3 ]) then reject "no path"
  else if close far 0.5 then accept
  else reject "no half"
"""


@pytest.fixture(scope="module", params=["warm", "stock"])
def grader(request: pytest.FixtureRequest, engines: Callable[[str], Engine]) -> Grader:
    """Grade in each engine."""
    return Grader("concise", engine=engines(request.param), jobs=2)


@pytest.mark.parametrize("count", [1, 140_000, 300_000])
def test_long_lists_are_read(grader: Grader, count: int) -> None:
    """A right answer of hundreds of thousands of numbers passes, and one with a number twice fails."""
    case = StdioCase(stdin=f"{count}\n", stdout="")
    problem = Problem(id="long", tests=(case,), judge=PERMUTATION, budget=BUDGET)
    twice = DESCENDING.replace("print_int i", "print_int (max i 2)")

    assert 1.0 == grader.grade(problem, Completion(text=DESCENDING)).reward
    (result,) = grader.grade(problem, Completion(text=twice)).tests.results
    assert (Outcome.FAILED, "no permutation") == (result.outcome, result.detail)


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ('"2 1 0 2 0 0.5"', ""),
        ('"2 1 0 2 0 0.50001"', "no half"),
        ('"1000000000 6"', "it ends too early"),
        ('"4611686018427387903 1 2 3 4"', "it ends too early"),
        ('"-4 0.5"', "too few for that"),
        ("\"1 1 2 \" ^ String.make 900_000 '1'", "is no number"),
        ("\"1 1 2 0.\" ^ String.make 900_000 '1'", "no path"),
        ('"1 1 2 nan"', '"nan" is no number'),
    ],
)
def test_a_count_takes_no_more_than_there_is(grader: Grader, printed: str, said: str) -> None:
    """Whatever number an output begins with, reading ends where the output does."""
    case = StdioCase(stdin="", stdout="")
    problem = Problem(id="counted", tests=(case,), judge=EVERYTHING)
    code = f"let () = print_string ({printed})"
    (result,) = grader.grade(problem, Completion(text=code)).tests.results

    assert (result.outcome is Outcome.PASSED) == (not said)
    assert said in result.detail
