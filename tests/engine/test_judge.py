"""Checks that are judged outside: from forms, which may be any text, to an outcome."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward import EngineFault
from ocaml_reward.engine.judge.formulas import decide, read_formula
from ocaml_reward.engine.messages.values import ReturnedValue, compared, equal, readable_names
from ocaml_reward.model import Outcome

FAILED = (Outcome.FAILED, "")
FORMULAS = (
    "(is (returned 0))",
    "(not (is (returned 0)))",
    "(compare = (returned 0) (expected 0))",
    "(compare < (returned 0) (expected 0))",
    "(order >= (expected 0) (returned 0))",
    "(raises 0 (expected 0))",
    "(handles 0 (((_)) (true)))",
    "(handles 0 (((expected 0) _ (expected 1))) (compare = (argument 0 1) (expected 1)))",
    "(compare = (apply - (returned 0) (returned 1)) (expected 0))",
    "(compare < (apply abs. (apply -. (returned 0) (expected 0))) (expected 1))",
)
# Words as value_encode.c writes them, and such as only somebody else would.
WORDS = st.one_of(
    st.sampled_from(
        ["i0", "i1", "i-1", "n", "f", "a", "o", "!", "(0:2", "(0:-2", "(0:99999999999"]
    ),
    st.sampled_from(["d3ff0000000000000", "d", "dxyz", "d7ff8000000000000", "D2", "D-1"]),
    st.sampled_from(["s1:61", "s9:", "s", "l5", "L5", "N5", "z", "z00", "b1:1", "x41"]),
    st.sampled_from(["h:", "h00:1:n", "h00:1:f!", "x!4e", "x4", "i" + "9" * 5000]),
    st.text("in!x(:09z \u0660\xa0\0", max_size=6),
)
FORMS = st.lists(WORDS, max_size=6).map(" ".join)
HANDED = st.builds(ReturnedValue, FORMS, st.sampled_from([None, *Outcome]))
VALUES = st.dictionaries(st.integers(0, 2), HANDED, max_size=3)


@given(text=st.sampled_from(FORMULAS), returned=VALUES, expected=VALUES)
def test_deciding_is_total(
    text: str, returned: dict[int, ReturnedValue], expected: dict[int, ReturnedValue]
) -> None:
    """Whatever a process handed out, its check has an outcome."""
    outcome, detail = decide(read_formula(text), returned, expected, FAILED)

    assert outcome in Outcome
    assert isinstance(detail, str)


@given(text=st.sampled_from(FORMULAS), expected=VALUES)
def test_what_was_not_handed_out_is_missing(text: str, expected: dict[int, ReturnedValue]) -> None:
    """A check without its values ends as the process did, and never passes."""
    expected = {number: ReturnedValue(value.form) for number, value in expected.items()}
    missing = (Outcome.EXITED, "exit 3")

    assert decide(read_formula(text), {}, expected, missing)[0] is not Outcome.PASSED


@given(a=FORMS, b=FORMS)
def test_reading_forms_is_total(a: str, b: str) -> None:
    """Every text has its names, and no text makes reading them fail."""
    assert isinstance(readable_names(a + b), str)


@pytest.mark.parametrize(
    "word", ["i" + "9" * 32_000, "z" + "f" * 32_000, "(0:9 " * 8_000, ":n" * 16_000]
)
def test_long_forms_take_little_time(word: str) -> None:
    """The longest form that is listened to is compared at once."""
    started = time.process_time()
    equal(word, word + "0")
    compared(word + "1", word + "0", total=True)
    readable_names(word)

    assert time.process_time() - started < 0.5


@pytest.mark.parametrize("kind", ["and", "or"])
def test_assertions_in_a_row_are_as_many_as_they_like(kind: str) -> None:
    """A check of ten thousand assertions is decided as one of two."""
    deep = "(is (returned 0))"
    text = f"({kind} {deep} " * 10_000 + deep + ")" * 10_000
    values = {0: ReturnedValue("i1")}

    assert (Outcome.PASSED, "") == decide(read_formula(text), values, {})


@given(st.recursive(st.booleans(), lambda inner: st.tuples(st.sampled_from(["and", "or", "not"]), inner, inner)))  # fmt: skip
def test_connectives_mean_what_python_makes_of_them(
    tree: bool | tuple[str, object, object],
) -> None:
    """`and`, `or` and `not` of values that are there."""
    expected = Outcome.PASSED if truth(tree) else Outcome.FAILED

    assert (expected, "") == decide(read_formula(written(tree)), {}, {})


def truth(tree: object) -> bool:
    match tree:
        case ("and", a, b):
            return truth(a) and truth(b)
        case ("or", a, b):
            return truth(a) or truth(b)
        case ("not", a, _):
            return not truth(a)
    return bool(tree)


def written(tree: object) -> str:
    match tree:
        case ("not", a, _):
            return f"(not {written(a)})"
        case (kind, a, b):
            return f"({kind} {written(a)} {written(b)})"
    return "(true)" if tree else "(false)"


@pytest.mark.parametrize("text", ["", "(", ")", "(a", "word", "(a) (b)", "(a))"])
def test_nonsense_of_the_helper_is_a_fault(text: str) -> None:
    """Only our own helper writes formulas."""
    with pytest.raises(EngineFault):
        read_formula(text)


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("(00:2 n", "(0:2 i1 i2"),
        ("(0:02 i7 n", "(0:2 i1 i2"),
        ("(0:2 i01 i7 n", "(0:2 i1 i2"),
        ("(0:2 i1 i2 n", "(0:2 i1 i2"),
        ("s03:616263 n", "s3:616263"),
        ("(0:2 d8000000000000000 i7", "(0:2 d0000000000000000 i2"),
        ("(0:2 d8000000000000000 n", "(0:2 d0000000000000000 i2"),
        ("D02 n", "D2 d3ff0000000000000 d4000000000000000"),
        ("l01 n", "l1"),
    ],
)
def test_what_is_written_in_another_way_is_not_equal(said: str, true: str) -> None:
    """A process that lies gains nothing by forms that ours never writes."""
    assert not equal(said, true)
    assert not equal(true, said)
    assert 0 != compared(said, true, total=True)
    assert 0 != compared(true, said, total=True)


def test_zeros_are_equal() -> None:
    """The sign that a float keeps by itself is nothing to a comparison."""
    zero, negative = "d0000000000000000", "d8000000000000000"

    assert equal(zero, negative)
    assert 0 == compared(negative, zero, total=False)


def test_without_a_value_a_predicate_says_nothing() -> None:
    """The check ends as what was asked for has ended, whatever came of the predicate."""
    says = read_formula("(is (applied 0 0))")
    thrown = {0: ReturnedValue("n", Outcome.STACK_OVERFLOW, "")}
    refused = {0: ReturnedValue("n", Outcome.RAISED, "Invalid_argument")}

    assert (Outcome.STACK_OVERFLOW, "") == decide(says, thrown, refused)
    assert (Outcome.RAISED, "Invalid_argument") == decide(says, {0: ReturnedValue("i1")}, refused)
    assert FAILED == decide(says, {}, refused)
