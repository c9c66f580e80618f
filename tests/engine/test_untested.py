"""Problems without tests: code is compiled and not run, and nothing passes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ocaml_reward import Completion, Grader, Problem, ProblemError, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.formats.problems import problem_from_row
from ocaml_reward.formats.writing import problem_fields
from ocaml_reward.scheme import load

UNTESTED = Problem(id="p", tests="", untested=True)
# It is never run: as a program with tests this would time out.
LOOP = "let () = while true do () done\n"

ENDS = {
    "let f x = x + 1": Verdict.COMPILES,
    f"{LOOP}let f x = x + 1": Verdict.COMPILES,
    "let f : int -> string = Obj.magic": Verdict.COMPILES,
    'external f : int -> int = "no_such_primitive"\nlet g = f 1': Verdict.LINK_ERROR,
    'let f x = x + "a"': Verdict.TYPE_ERROR,
    "let f x = x +": Verdict.SYNTAX_ERROR,
    "I cannot do this.": Verdict.SYNTAX_ERROR,
    "": Verdict.NO_CODE,
}


@pytest.mark.parametrize("regions", [False, True])
@pytest.mark.parametrize(("code", "verdict"), ENDS.items())
def test_compiling_is_the_best_verdict(
    engine: Engine, code: str, verdict: Verdict, *, regions: bool
) -> None:
    """A completion ends where the compiler ends, and earns the scheme's shares for that."""
    grader = Grader("concise", engine=engine, jobs=1, regions=regions)
    found = grader.grade(UNTESTED, Completion(text=code))

    offer = load("concise").available
    most = offer.type + offer.compile
    assert (verdict, 0, 0.0) == (found.verdict, found.tests.total, found.credits.tests)
    assert found.reward is not None
    assert found.reward <= most
    if verdict is Verdict.COMPILES:
        assert pytest.approx(most) == found.credits.total


def test_rules_of_the_problem_hold(engine: Engine) -> None:
    """What a problem forbids or requires is as for one with tests."""
    grader = Grader("concise", engine=engine, jobs=1)
    rules = replace(UNTESTED, forbidden=("List.map",), required=("Fifo",))
    module = "module Fifo = struct let push x s = {} end\n"

    codes = ("x :: s", "List.map x s")
    verdicts = [
        grader.grade(rules, Completion(text=module.replace("{}", code))).verdict for code in codes
    ]
    verdicts.append(grader.grade(rules, Completion(text="let f x = x")).verdict)

    assert [Verdict.COMPILES, Verdict.FORBIDDEN, Verdict.INTERFACE_ERROR] == verdicts


def test_located_blame(engine: Engine) -> None:
    """Where a type error may be is told without tests, too."""
    grader = Grader("concise", engine=engine, jobs=1, regions=True)

    found = grader.grade(UNTESTED, Completion(text='let f x = x + "a"'))

    assert found.blame
    assert 1 == found.type_errors


def test_on_request_only() -> None:
    """A row has tests, or says that it has none; not both, and not neither."""
    refused: tuple[tuple[dict[str, object], str], ...] = (
        ({"id": "p", "tests": ""}, "no tests"),
        ({"id": "p", "tests": "assert true", "untested": True}, "untested: it has tests"),
        ({"id": "p", "untested": "yes"}, "untested: expected true or false"),
    )
    for row, message in refused:
        with pytest.raises(ProblemError, match=message):
            problem_from_row(row)

    read = problem_from_row({"id": "p", "prompt": "Write f.", "untested": True})
    assert replace(UNTESTED, prompt="Write f.") == read
    assert read == problem_from_row(json.loads(json.dumps(problem_fields(read))))
