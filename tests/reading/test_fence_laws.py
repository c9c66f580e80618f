"""However a right answer is fenced and put, it earns the full reward."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.formats import load_problems
from ocaml_reward.reading.definitions import definitions
from ocaml_reward.reading.extraction import extract
from ocaml_reward.reading.lexing import Source

PROBLEMS = load_problems(Path(__file__).parents[2] / "test_corpus" / "problems.jsonl").problems
TAGS = ["", "ML", "haskell", "fsharp", "hack", "sml", "reason", "python", "c++", "txt"]
USAGE = 'let () =\n  print_endline "it works"'
# How chat models and reasoning models put an answer, CODE; CALL is an expression that uses it.
ANSWERS = {
    "a quotation first": "The signature is:\n\n```ocaml\nFIRST\n```\n\nIn full:\n\n```ocaml\nCODE\n```\nIt recurs.\n",
    "an example of use": "Sure!\n\n```ocaml\nCODE\n```\n\n### Usage\n\n```ocaml\nlet () = ignore (CALL)\n```\n",
    "a session": "```ocaml\nCODE\n```\nIn utop:\n\n```\n# CALL;;\n- : int = 4\n```\n",
    "a shell": "```ocaml\nCODE\n```\nRun it:\n\n```bash\nocamlfind ocamlopt main.ml\n./a.out\n```\n",
    "its output": "```ocaml\nCODE\n```\nOutput:\n\n```\n4\n3\n```\n",
    "prose around it": "Here is the function you asked for:\n\nCODE\n\nThis runs in linear time.\n",
    "a list behind it": "CODE\n\nExplanation:\n- The function takes the input.\n- Then it recurs.\n",
    "thoughts": "<think>\nMaybe:\n\n```ocaml\nlet rec f x = f x\n```\nNo.\n</think>\n\n```ocaml\nCODE\n```\n",
    "the end of thoughts": "So I need this.\n```ocaml\nlet f = 1\n```\n</think>\n\n```ocaml\nCODE\n```\n",
    "tags": "<reasoning>\nsimple\n</reasoning>\n<answer>\nCODE\n</answer>",
    "a broken draft": "First:\n\n```ocaml\nlet helper x = x +\n```\nFixed:\n\n```ocaml\nCODE\n```\n",
    "its interface": "```ocaml\nval f : int -> int\n```\nThe code:\n```ocaml\nCODE\n```\n",
    "a special token": "```ocaml\nCODE\n```<|im_end|>",
    "another turn": "CODE\n\nHuman: Now another one.\n\nAssistant: let g x = x\n",
}  # fmt: skip
SETTINGS = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

any_problem = st.sampled_from(sorted(PROBLEMS)).map(PROBLEMS.__getitem__)


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    """Grade under the default scheme, in the real jail."""
    with Grader("seed", jobs=1) as made:
        yield made


def answer(grader: Grader, problem: Problem) -> str:
    """Return a right program, without what its prompt began."""
    uses = grader.prepare(problem).uses
    return extract(problem.reference or "", uses=uses, prompt=problem.prompt).code


def blocks(*codes: str, tag: str = "ocaml") -> str:
    """Write a completion of fenced blocks with prose between."""
    fenced = (f"```{tag}\n{code}\n```\n" for code in codes)
    return "First this:\n\n" + "\nand then that:\n\n".join(fenced) + "\nThat is it."


def reward(grader: Grader, problem: Problem, text: str) -> float | None:
    """Grade a text."""
    return grader.grade(problem, Completion(text=text)).reward


@given(problem=any_problem, tag=st.sampled_from(TAGS))
@SETTINGS
def test_a_fence_may_have_any_tag(grader: Grader, problem: Problem, tag: str) -> None:
    """A right answer in one fence earns 1, whatever language the fence says."""
    code = f"{answer(grader, problem)}\n(* END *)"

    assert 1.0 == reward(grader, problem, blocks(code, tag=tag))


@given(problem=any_problem, tag=st.sampled_from(["ocaml", "fsharp"]), data=st.data())
@SETTINGS
def test_an_answer_may_be_cut_between_definitions(
    grader: Grader, problem: Problem, tag: str, data: st.DataObject
) -> None:
    """A right answer cut in two at its top level earns 1, and so does one in which every
    definition has a block of its own.
    """
    code = f"{answer(grader, problem).strip()}\n(* END *)"
    starts = sorted({item.start for item in definitions(Source(code)).items})[1:]
    assume(starts)
    cut = data.draw(st.sampled_from(starts))
    pieces = [code[a:b] for a, b in pairwise((0, *starts, len(code)))]

    assert 1.0 == reward(grader, problem, blocks(code[:cut], code[cut:], tag=tag))
    assert 1.0 == reward(grader, problem, blocks(*pieces, tag=tag))


@given(problem=any_problem.filter(lambda each: isinstance(each.tests, str)))
@SETTINGS
def test_a_quotation_and_an_example_change_nothing(grader: Grader, problem: Problem) -> None:
    """Behind a right answer the lines that begin it, or an example of its use, are no answer."""
    code = f"{answer(grader, problem)}\n(* END *)"
    quoted = "\n".join(code.split("\n")[:2])

    assert 1.0 == reward(grader, problem, blocks(code, quoted, USAGE))


@pytest.mark.parametrize("put", ANSWERS)
def test_a_right_answer_passes_however_it_is_put(grader: Grader, put: str) -> None:
    """Every reference of the corpus passes in each setting."""
    asked = []
    for problem in PROBLEMS.values():
        code = answer(grader, problem).strip()
        call = (grader.prepare(problem).uses or ("0",))[0]
        text = ANSWERS[put].replace("CALL", call).replace("FIRST", code.partition("\n")[0])
        asked.append((problem, Completion(text=text.replace("CODE", code))))
    graded = zip(asked, grader.grade_many(asked), strict=True)

    assert [] == [pair[0].id for pair, each in graded if each.verdict != "passed"]
