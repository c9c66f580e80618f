"""What is like the values that are shown, and what is strange."""

from __future__ import annotations

import pytest

from ocaml_reward.model.types import Constructed, Interface, Tuple
from problem_sets.strengthening.examples import ProblemExamples, breaks, seen_of
from problem_sets.strengthening.literals import strings
from problem_sets.strengthening.texts import breaks_text, text_laws
from problem_sets.strengthening.values import Values

INT, STRING = Constructed("int"), Constructed("string")


@pytest.fixture
def interface() -> Interface:
    """Declare nothing."""
    return Interface()


def test_what_is_like_the_shown_is_not_strange(interface: Interface) -> None:
    """Numbers between those shown, and sequences of which the same holds, are not strange."""
    sources = ["find 3 [| 1; 3; 7; 9 |] = Some 1", "find (-1) [| 2 |] = None"]
    seen = seen_of("find", ProblemExamples(checks=tuple(sources), tests="\n".join(sources)))
    whole = Values(interface, seen[0]).of(INT)
    arrays = Values(interface, seen[1]).of(Constructed("array", (INT,)))
    tame = {each.text for each in whole if not each.strange}

    assert {"-1", "0", "1", "2", "3"} == tame
    assert {"max_int", "4", "-2"} <= {each.text for each in whole if each.strange}
    assert frozenset({"ordered", "distinct"}) == seen[1].laws
    assert any(not each.strange and ";" in each.text for each in arrays)
    for each in arrays:
        assert each.strange or not breaks(seen[1].laws, each.text)
    assert all(each.strange for each in arrays if each.text in {"[||]", "[|2; 1|]"})


def test_strings_of_one_length_stay_so(interface: Interface) -> None:
    """Where all rows of a picture are equally long, others are strange."""
    source = 'step ["#.."; ".#."; "..#"] = [".."; ".."] && step ["##"; ".."] = []'
    seen = seen_of("step", ProblemExamples(checks=(source,)))[0]
    rows = Values(interface, seen).of(Constructed("list", (STRING,)))

    assert frozenset({"even"}) == seen.laws
    assert any(not each.strange and ";" in each.text for each in rows)
    assert all(each.strange for each in rows if breaks(seen.laws, each.text))
    assert breaks(seen.laws, '["a"; "ab"]')
    assert not breaks(seen.laws, '["ba"; "ab"]')


@pytest.mark.parametrize(
    ("shown", "prompt", "like", "unlike"),
    [
        (['"(a)"', '"[()]"', '"x"'], "", '"((b))"', '")("'),
        (['"101"', '"10"', '"0"'], "", '"11"', '"00"'),
        (['"a b"', '"one two"', '""'], "", '"b one"', '"a  b"'),
        (['"a b c"', '"b c d"'], "", '"c a"', '"a b a"'),
        (['"up on"', '"by"', '"in"'], "Words: up, on, by, in.", '"on up"', '"no"'),
    ],
)
def test_strings_are_held_to_what_all_have_in_common(
    shown: list[str], prompt: str, like: str, unlike: str
) -> None:
    """Brackets that never cross, numerals without zeros in front, single blanks, words that
    come once or that the prompt lists: a string that breaks this is strange.
    """
    checks = tuple(f"f {each} = 1" for each in shown)
    seen = seen_of("f", ProblemExamples(checks=checks, prompt=prompt))[0]

    assert not breaks_text(seen.texts, like)
    assert breaks_text(seen.texts, unlike)
    assert all(not breaks_text(seen.texts, each.text) for each in strings(seen) if not each.strange)
    assert not breaks_text(text_laws(shown[:1], prompt), unlike)


def test_keys_stay_distinct(interface: Interface) -> None:
    """Where no list of pairs has two that begin alike, one that has is strange."""
    seen = seen_of("f", ProblemExamples(checks=('f [("a", 1); ("b", 1)] = 1',)))[0]
    pairs = Constructed("list", (Tuple((STRING, INT)),))

    assert frozenset({"keyed"}) == seen.laws
    assert any(
        each.strange and each.text.count('"a"') > 1 for each in Values(interface, seen).of(pairs)
    )
    assert all(
        each.strange for each in Values(interface, seen).of(pairs) if breaks(seen.laws, each.text)
    )
    assert not breaks(seen.laws, '[("x", 1); ("y", 1)]')


def test_short_sequences_are_strange_where_none_is_shown(interface: Interface) -> None:
    """Three sequences tell how few elements there may be."""
    sources = ("f [1; 2; 3] = 1", "f [4; 5; 6; 7] = 1", "f [1; 1; 1] = 1")
    three = seen_of("f", ProblemExamples(checks=sources))[0]
    two = seen_of("f", ProblemExamples(checks=sources[:2]))[0]
    lists = Values(interface, three).of(Constructed("list", (INT,)))

    assert (3, 0) == (three.shortest, two.shortest)
    assert all(each.strange for each in lists if each.text.count(";") < 2)
    assert any(not each.strange for each in lists)
