"""Checks that have to be decided beside the code are, and by the assertion itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Problem
from ocaml_reward.engine import (
    BUDGET,
    CheckReport,
    CheckRequest,
    Engine,
    PreparedTests,
)
from ocaml_reward.engine.preparation import prepare_tests
from ocaml_reward.engine.values import ReturnedValue
from ocaml_reward.model import CheckResult, Outcome, Stage

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
# Where the reference passes a check beside the code alone: a function inside a value, and a
# zero that has lost its sign.
DIFFERS = {
    "a function inside": (
        "let () = assert (List.of_seq (nats 3) = [0; 1; 2])\n"
        "let () = assert (match nats 1 () with Seq.Cons (0, _) -> true | _ -> false)",
        "let nats n = Seq.unfold (fun i -> if i < n then Some (i, i + 1) else None) 0",
        "let nats n = Seq.unfold (fun i -> if i < n then Some (i + 9, i + 1) else None) 0",
    ),
    "the sign of zero": (
        "let () = assert (1. /. neg 0. = neg_infinity)\nlet () = assert (neg 2. = -2.)",
        "let neg x = -. x",
        "let neg _ = 5.",
    ),
}
# Where only the first part says whether the second is to be asked.
REACHED = {
    "state": (
        "let s = create ()\n"
        "let () = assert (add s 1 || add s 2)\n"
        "let () = assert (size s = 1)",
        "let create () = ref []\nlet add s x = s := x :: !s; true\n"
        "let size s = List.length !s",
    ),
    "a branch": (
        "let s = create ()\n"
        "let () = assert (if size s = 0 then add s 7 else add s 8 && add s 9)\n"
        "let () = assert (size s = 1)",
        "let create () = ref []\nlet add s x = s := x :: !s; true\n"
        "let size s = List.length !s",
    ),
    "a value that is none": (
        "let () = let x = f 3 in assert (x = 0 || halves x > 0)\n"
        "let () = assert (halves 8 = 3)",
        "let f x = x - 3\n"
        "let halves n = let rec go n a = if n = 1 then a else go (n / 2) (a + 1) in go n 0",
    ),
    "the same call": (
        "let () = assert (f 3 = 0 || halves (f 3) > 0)\nlet () = assert (f 5 = 2)",
        "let f x = x - 3\n"
        "let halves n = let rec go n a = if n = 1 then a else go (n / 2) (a + 1) in go n 0",
    ),
}


def outcomes(
    engine: Engine, tests: str, code: str, reference: str | None
) -> list[Outcome]:
    prepared = engine.prepare(Problem(id="p", tests=tests, reference=reference))
    report = engine.check(CheckRequest(code=code, tests=prepared))
    return [result.outcome for result in report.results]


@pytest.mark.parametrize("name", DIFFERS)
def test_what_the_reference_moves_beside_the_code_is_decided_there(
    engine: Engine, name: str
) -> None:
    """A check that the reference passes beside the code alone fails for wrong code."""
    tests, reference, wrong = DIFFERS[name]

    assert [PASSED, PASSED] == outcomes(engine, tests, reference, reference)
    assert [FAILED, FAILED] == outcomes(engine, tests, wrong, reference)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", REACHED)
def test_what_is_not_reached_is_not_asked(
    engine: Engine, name: str, known: bool
) -> None:
    """Right code passes tests whose second part makes sense behind the first alone."""
    tests, code = REACHED[name]

    assert [PASSED, PASSED] == outcomes(engine, tests, code, code if known else None)


def test_parts_that_stand_for_themselves_stay_outside(engine: Engine) -> None:
    """Calls with what is known when the tests are prepared are asked, all of them."""
    tests = "let () = assert (f 1 = 2 && f 2 = 3 && f 3 = 4)"

    assert {} == dict(engine.prepare(Problem(id="p", tests=tests)).in_process)


LET = "let ( let* ) = Option.bind\n"
AND = "let ( let+ ) o f = Option.map f o\nlet ( and+ ) a b = Option.bind a (fun x ->"
AND += " Option.map (fun y -> x, y) b)\n"
BINDING = {
    "let*": LET + "let r = let* x = f 1 in let* y = f 2 in Some (x + y)\n",
    "and+": AND + "let r = let+ x = f 1 and+ y = f 2 in x + y\n",
}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", BINDING)
def test_binding_operators_of_the_tests_own(
    engine: Engine, name: str, known: bool
) -> None:
    """What defines an operator in use is kept, on every way to judge."""
    tests = (
        BINDING[name] + "let () = assert (r = Some 5)\nlet () = assert (f 0 = Some 1)"
    )
    code = "let f x = Some (x + 1)"
    reference = code if known else None

    assert [PASSED, PASSED] == outcomes(engine, tests, code, reference)
    assert [FAILED, FAILED] == outcomes(engine, tests, "let f _ = None", reference)


REWRITTEN = [
    b"ok", b"whole", b"f", b"false", b"query", b"oracle", b"false", b"",
    b"", b"", b"", b"", b"", b"", b"false", b"",
    b"1 0 1 9", b"f 1 = 1", b"(compare = (returned 0) (expected 0))", b"f",
]  # fmt: skip


def prepared_with(check: Callable[[CheckRequest], CheckReport]) -> PreparedTests:
    return prepare_tests(
        Problem(id="p", tests="let () = assert (f 1 = 1)", reference="let f x = x"),
        rewrite=lambda _: REWRITTEN,
        attempt=lambda *_: (CheckReport(stage=Stage.EXECUTABLE, type_errors=0), ()),
        compute=lambda *_: {0: {0: ReturnedValue("1")}},
        check=check,
        budget=BUDGET,
    )


def reported(outcome: Outcome) -> CheckReport:
    result = CheckResult(index=1, line=1, outcome=outcome)
    return CheckReport(stage=Stage.EXECUTABLE, type_errors=0, results=(result,))


def test_checks_that_cannot_be_asked_are_decided_beside() -> None:
    """A reference that gets nowhere where checks are judged outside agrees with nothing."""

    def check(request: CheckRequest) -> CheckReport:
        if request.tests.outside is None:
            return reported(PASSED)
        return CheckReport(stage=Stage.INTERFACE_ERROR, type_errors=1)

    assert prepared_with(check).outside is None


@pytest.mark.parametrize(
    ("outcome", "tried"), [(PASSED, {True}), (FAILED, {True, False})]
)
def test_only_what_fails_outside_is_tried_beside(
    outcome: Outcome, tried: set[bool]
) -> None:
    """Where a reference passes every check as it will be judged, nothing else needs a run."""
    outside: set[bool] = set()

    def check(request: CheckRequest) -> CheckReport:
        outside.add(request.tests.outside is not None)
        return reported(outcome)

    prepared_with(check)

    assert tried == outside
