"""
`passed` means that plain OCaml agrees: in each form in which OCaml can hold assertions.

All of it, with generated problems, is `python -m benchmarks.truth`.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Completion, Grader, Problem, Verdict
from ocaml_reward.engine import Engine
from tests.generated.assertions import FORMS, OUNIT_FORMS

CODE = (
    "let f x = if x > %d then x + 1 else x\nlet g x = if x = %d then raise Exit else x"
)
# What holds of f and g where they have 0 and -1; and what each other version fails.
CONDITIONS = ("f 1 = 2", "f 2 = 3", "g 5 = 5", "f 3 + g 6 = 10")
RIGHT = CODE % (0, -1)
WRONG = [CODE % numbers for numbers in ((1, -1), (2, -1), (0, 5), (0, 6))]
ALL = {**FORMS, **{f"OUnit2: {name}": form for name, form in OUNIT_FORMS.items()}}


@pytest.mark.parametrize(
    "name", [each for each in ALL if each != "OUnit2: made by code"]
)
def test_no_assertion_is_lost(engine: Engine, name: str) -> None:
    """
    Right code passes, and code passes nowhere that one assertion refuses, whichever it is.
    """
    libraries = ("ounit2",) if name.startswith("OUnit2") else ()
    problem = Problem(id=name, tests=ALL[name](CONDITIONS), libraries=libraries)
    grader = Grader("concise", engine=engine, jobs=1)
    found = [
        grader.grade(problem, Completion(text=code)).verdict for code in (RIGHT, *WRONG)
    ]

    assert [True] + [False] * len(WRONG) == [each is Verdict.PASSED for each in found]


def test_what_cannot_be_numbered_is_refused(engine: Engine) -> None:
    """
    Cases that code makes are counted with a reference; without one the problem is refused.
    """
    tests = OUNIT_FORMS["made by code"](CONDITIONS)
    problem = Problem(id="made", tests=tests, libraries=("ounit2",), reference=RIGHT)
    grader = Grader("concise", engine=engine, jobs=1)
    found = [
        grader.grade(problem, Completion(text=code)).verdict for code in (RIGHT, *WRONG)
    ]

    assert [True] + [False] * len(WRONG) == [each is Verdict.PASSED for each in found]
