"""Values that are compared outside compare as OCaml itself has them."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocaml_reward.engine import CheckReport

Check = Callable[..., CheckReport]

NUMBERS = st.sampled_from([0, 1, -1, 2, 255, 1 << 31, (1 << 62) - 1, -(1 << 62)])
SCALARS = (
    NUMBERS.map(lambda n: f"({n})"),
    NUMBERS.map(lambda n: f"({n}L)"),
    st.sampled_from(["0.", "(-0.)", "1.5", "(-1.5)", "nan", "infinity", "(-1e300)", "1e-300"]),
    st.sampled_from(['""', '"a"', '"ab"', '"b"', '"A"', r'"\255\000"', f'"{"x" * 9000}"']),
    st.sampled_from(["true", "false"]),
    st.sampled_from(["'a'", "'b'", r"'\000'"]),
    st.sampled_from(["(`A)", "(`B 1)", "(`B 2)", "(`C)"]),
)  # fmt: skip

Literals = st.SearchStrategy[str]


def grown(inner: st.SearchStrategy[Literals]) -> st.SearchStrategy[Literals]:
    """Make types of types; a type is the strategy of its literals."""
    return st.one_of(
        inner.map(lambda t: st.lists(t, max_size=3).map(lambda v: f"[{'; '.join(v)}]")),
        inner.map(lambda t: st.lists(t, max_size=3).map(lambda v: f"[|{'; '.join(v)}|]")),
        inner.map(lambda t: st.one_of(st.just("None"), t.map(lambda v: f"(Some {v})"))),
        st.tuples(inner, inner).map(lambda ts: st.tuples(*ts).map(lambda v: f"({', '.join(v)})")),
        st.tuples(inner, inner).map(
            lambda ts: st.one_of(
                ts[0].map(lambda v: f"(Ok {v})"), ts[1].map(lambda v: f"(Error {v})")
            )
        ),
    )


TYPES = st.recursive(st.sampled_from(SCALARS), grown, max_leaves=4)
PAIRS = TYPES.flatmap(lambda literals: st.tuples(literals, literals))
SAYINGS = (
    "{a} = {b}",
    "{a} <> {b}",
    "{a} < {b}",
    "{a} >= {b}",
    "compare {a} {b} = 0",
    "compare {a} {b} < 0",
)


def differing(
    check: Check, pairs: list[tuple[str, str]], sayings: tuple[str, ...]
) -> list[tuple[str, str, str]]:
    """Say things of pairs of values, outside and (in a loop) beside the code, and return
    those that come out differently, with both outcomes.
    """
    code = "".join(f"let a{n} () = {a}\n" for n, (a, _) in enumerate(pairs))
    said = [
        saying.format(a=f"(a{n} ())", b=b) for n, (_, b) in enumerate(pairs) for saying in sayings
    ]
    outside = "".join(f"let () = assert ({each})\n" for each in said)
    beside = "".join(f"let () = for _ = 1 to 1 do assert ({each}) done\n" for each in said)  # fmt: skip
    report = check(code, outside + beside)
    found = [str(result.outcome) for result in report.results]

    assert 2 * len(said) == len(found)
    return [
        (each, there, here)
        for each, there, here in zip(said, found, found[len(said) :], strict=False)
        if there != here
    ]


def of_examples(count: int) -> settings:
    """Return the settings for so many examples, each of which runs a program."""
    return settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=[
            HealthCheck.function_scoped_fixture,
            HealthCheck.too_slow,
        ],
    )


@given(pairs=st.lists(PAIRS, min_size=8, max_size=20))
@of_examples(12)
def test_forms_compare_as_their_values_do(check: Check, pairs: list[tuple[str, str]]) -> None:
    """Each comparison comes out the same outside and beside the code."""
    assert [] == differing(check, pairs, SAYINGS)


FLOATS = st.sampled_from(["0.", "(-0.)", "1.5", "(-2.)", "nan", "infinity", "1e308"])
SUMS = (
    "1. /. {a} = 1. /. {b}",
    "{a} /. {b} = {a}",
    "-. {a} +. {b} >= {b}",
    "1. /. (-. {a}) < {b}",
    "1. /. ({a} *. {b}) > 0.",
    "1. /. abs_float {a} > {b}",
    "1. /. ({a} -. {a}) > 0.",
)


@given(pairs=st.lists(st.tuples(FLOATS, FLOATS), min_size=6, max_size=12))
@of_examples(8)
def test_arithmetic_comes_out_as_it_does_beside(check: Check, pairs: list[tuple[str, str]]) -> None:
    """The sign of zero, infinities and NaN come out of the judge as they do of OCaml."""
    assert [] == differing(check, pairs, SUMS)
