"""Libraries that a judge has and this machine may lack: code is graded unless it uses one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Completion, Grader, Problem, StdioCase
from ocaml_reward.engine import Engine
from ocaml_reward.errors import ProblemError

CASES = (StdioCase(stdin="3\n", stdout="6\n"),)
DOUBLE = "let () = print_int (2 * read_int ())"


def grade(problem: Problem, code: str, engine: Engine) -> tuple[float | None, str]:
    found = Grader("concise", engine=engine).grade(problem, Completion(text=code))
    return found.reward, found.fault.message if found.fault else ""


@pytest.mark.parametrize("name", ["warm", "stock"])
def test_code_that_uses_what_is_missing_has_no_reward(
    engines: Callable[[str], Engine], name: str
) -> None:
    """Neither a zero nor the end of the others: what uses none, or has its own, is graded."""
    engine = engines(name)
    problem = Problem(id="p", tests=CASES, libraries=("str?", "nowhere?", "zarith"))
    own = f"module Nowhere = struct let twice n = 2 * n end\nopen Nowhere\n{DOUBLE}"
    regexp = f"let _ = Str.regexp {{|a|}}\n{DOUBLE} (* open Nowhere *)"
    whole = [grade(problem, code, engine) for code in (DOUBLE, own, regexp)]
    faults = [
        grade(problem, f"{use}\n{DOUBLE}", engine)
        for use in ("open Nowhere", "let f = Nowhere.f", "module N = Nowhere")
    ]

    assert [(1.0, "")] * 3 == whole
    said = (
        "the code uses Nowhere, of the library nowhere, which findlib does not have here:"
        " opam install nowhere"
    )
    assert [(None, said)] * 3 == faults


def test_what_is_not_optional_is_needed(engines: Callable[[str], Engine]) -> None:
    with pytest.raises(ProblemError, match="not found; install what is missing, or take it from"):
        engines("warm").prepare(Problem(id="p", tests=CASES, libraries=("nowhere",)))
