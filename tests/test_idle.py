"""
What programs that answer nothing keep.
"""

from __future__ import annotations

from dataclasses import replace

from ocaml_reward.model import Answers, Completion, Outcome, Stage
from ocaml_reward.reading.extraction import extract
from ocaml_reward.scheme import with_overrides
from ocaml_reward.scoring import score
from tests.scored_texts import (
    CONCISE,
    END,
    PROGRAM,
    SEED,
    codes,
    graded,
    report,
    seen,
)

STUB = "".join(
    f"let {name} given =\n"
    + "".join(f"  let module {name.title()}{n} = struct end in\n" for n in range(5))
    + "  raise Exit\n"
    for name in ("sum", "average", "double")
)
NOTHING = seen(values=0, distinct=0, idle=True)
ONE_VALUE = seen(values=4, distinct=1, idle=True)


def test_a_stub_keeps_a_tenth() -> None:
    """
    What the scheme pays for types and compiling is multiplied; the evidence says why.
    """
    result = graded(STUB + END, NOTHING)
    (penalty,) = result.penalties

    assert 0.035 == result.reward
    assert ("idle", 0.1) == (penalty.code, penalty.factor)
    assert (
        "no check passes, no value comes back, and no result of average, double, sum is"
        " made of what it is given"
    ) == penalty.evidence


def test_a_constant_is_no_answer() -> None:
    """
    One value for everything is as good as none.
    """
    constant = STUB.replace("raise Exit", "[]")

    assert ["idle"] == codes(graded(constant + END, ONE_VALUE))
    assert [] == codes(graded(constant + END, seen(values=4, distinct=2, idle=True)))


def test_what_is_given_back_as_it_is_is_no_answer() -> None:
    """
    It may answer with many values, and whether it types makes no difference.
    """
    echo = STUB.replace("raise Exit", "if true then given else given")
    many = seen(values=4, distinct=4, untouched=True)
    result = graded(echo + END, many)
    wrong = report(Stage.TYPE_ERROR, errors=1)

    assert 0.035 == result.reward
    assert (
        "no check passes, and average, double, sum give back what is given as it is"
        == result.penalties[0].evidence
    )
    asks = echo.replace("if true", "if given")
    parts = tuple(replace(part, apart=True) for part in many.parts or ())
    assert 0.22 == graded(asks + END, wrong).reward
    assert 0.022 == graded(asks + END, replace(wrong, parts=parts)).reward
    assert [] == codes(graded(echo + END, seen(values=4, distinct=4, idle=True)))


def test_what_is_missing_beside_stubs_is_no_attempt() -> None:
    """
    A name that nothing defines may be misspelt, but not where all that there is are stubs.
    """
    missing = report(Stage.INTERFACE_ERROR, errors=1)
    few = STUB.replace("let double", "let another")
    misspelt = PROGRAM.replace("let double", "let doubel")

    assert 0.022 == graded(few + END, missing).reward
    assert 0.22 == graded(misspelt + END, missing).reward
    assert 0.22 == graded(few.replace("raise Exit", "given + 1") + END, missing).reward


def test_types_and_signatures_alone_are_no_attempt() -> None:
    """
    Nor is a module without a value; one that may have some, or a class, may be.
    """
    missing = report(Stage.INTERFACE_ERROR, errors=1)
    declared = (
        "type t = A | B of int\nexception E\nmodule type S = sig val sum : t end\n"
    )
    may_have = ("include F (M)\n", "class c = object method sum = 1 end\n")

    for code in (
        declared,
        declared + "type sum = int\n",
        "module M = struct type t = int end\n",
    ):
        assert "idle" in codes(graded(code + END, missing))
    for more in may_have:
        assert "idle" not in codes(graded(declared + more + END, missing))
    assert "idle" not in codes(graded("module M = F (X)\n" + END, missing))


def test_a_primitive_is_no_attempt_where_it_is_forbidden() -> None:
    """
    It types for any problem; one that a definition hides, or uses, says nothing.
    """
    declared = "".join(
        f'external\n  {name} :\n  int ->\n  int\n  = "c_{name}"\n'
        for name in ("sum", "average", "double")
    )
    forbidden = replace(report(), results=(), forbidden=("external",))

    assert 0.035 == graded(declared + END, forbidden).reward
    assert 0.35 == graded(declared + PROGRAM + END, forbidden).reward


def test_an_attempt_keeps_its_credit_whatever_it_answers() -> None:
    """
    An honest program that raises, loops or is wrong in one way everywhere is an attempt.
    """
    for values, distinct in ((0, 0), (4, 1), (4, 4)):
        given = seen(values=values, distinct=distinct)

        assert 0.35 == graded(PROGRAM + END, given).reward


def test_a_check_passed_is_an_answer() -> None:
    """
    A constant that is right somewhere keeps what it earns.
    """
    lucky = replace(report(passed=1), answers=Answers(values=4, distinct=1))

    assert [] == codes(graded(STUB.replace("raise Exit", "[]") + END, lucky))


def test_where_nobody_watched_nothing_is_taken_from_what_runs() -> None:
    """
    An engine that does not say what it saw leaves the rewards as they were.
    """
    assert 0.35 == graded(STUB + END, report(passed=0)).reward


def test_what_the_tests_did_not_hand_out_needs_a_plainer_text() -> None:
    """
    Of values that only the code's process saw, a question about the argument may be all
    that an attempt consists of.
    """
    asks = STUB.replace("raise Exit", "if given > 1 then true else false")
    unseen = seen(values=0, distinct=0, unseen=4)

    assert [] == codes(graded(asks + END, unseen))
    assert ["idle"] == codes(graded(asks + END, ONE_VALUE))
    assert ["idle"] == codes(graded(STUB + END, replace(unseen, parts=None)))
    shadowed = seen(values=0, distinct=0, unseen=4, untouched=True)
    assert ["idle"] == codes(graded(STUB + END, shadowed))


def test_a_mistake_in_a_stub_does_not_pay() -> None:
    """
    A stub that does not type is one by its text, which may not even ask.
    """
    wrong = report(Stage.TYPE_ERROR, errors=1)

    assert 0.022 == graded(STUB + END, wrong).reward
    assert 0.22 == graded(PROGRAM + END, wrong).reward


def test_a_program_that_reads_nothing_answers_nothing() -> None:
    """
    Judged on what it prints, a program has to read what it is given.
    """
    text = "let () = print_endline (read_line ())\n"
    printed = replace(NOTHING, answers=Answers(values=4, distinct=1, printed=True))

    def reward(code: str) -> float:
        return score(
            printed, extract(code, uses=()), Completion(text=code), 4, CONCISE
        ).reward

    assert 0.3 == reward(text)
    assert 0.03 == reward(text.replace("read_line ()", "string_of_int 1"))


def test_code_that_was_not_run_is_no_program_that_prints() -> None:
    """
    Nothing says so where the tests take no name, and it does not type.
    """
    given = report(Stage.TYPE_ERROR, errors=1)
    extraction = extract("let add x y = x ^ y\n", uses=())
    scored = score(given, extraction, Completion(text=""), 3, CONCISE)

    assert "idle" not in [penalty.code for penalty in scored.penalties]


def test_a_program_with_a_mistake_has_to_mean_to_read() -> None:
    """
    A stub that does not type is no attempt at printing; one that reads, or may mean to, is.
    """
    wrong = report(Stage.TYPE_ERROR, errors=1).of_program()

    def reward(code: str) -> float:
        return score(
            wrong, extract(code, uses=()), Completion(text=code), 4, CONCISE
        ).reward

    assert 0.017 == reward('let () = print_int ("a" + 1)\n')
    assert 0.17 == reward('let () = print_int ("a" + read_int ())\n')
    assert 0.17 == reward("let () = print_int (getLine ())\n")


def test_a_scheme_turns_it_off() -> None:
    """
    With a factor of 1 there is no such penalty.
    """
    off = with_overrides(SEED, ["idle.factor=1"])

    assert [] == codes(graded(STUB + END, NOTHING, scheme=off))


def test_no_outcome_but_passing_is_an_answer() -> None:
    """
    A stub that times out, overflows or leaves is the same stub.
    """
    for outcome in set(Outcome) - {Outcome.PASSED}:
        results = tuple(replace(each, outcome=outcome) for each in NOTHING.results)
        given = replace(NOTHING, results=results)

        assert ["idle"] == codes(graded(STUB + END, given))
