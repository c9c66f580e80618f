"""Every penalty is declared in one place, and all else follows from it: the reader of
schemes, the ranges, the digest, `explain`, the page on scoring, and how it is turned off.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.explain.sections import penalty_lines as explained
from ocaml_reward.errors import SchemeError
from ocaml_reward.model import CheckReport, Penalty
from ocaml_reward.penalties import PENALTIES, PenaltyValues, Rule
from ocaml_reward.penalties.values import defaults_for_missing_keys
from ocaml_reward.scheme import RewardScheme, load, to_toml, with_overrides
from ocaml_reward.scoring import Score
from tests.example_breakdown import EXAMPLE
from tests.pages import ROOT
from tests.scored_texts import (
    CAPPED,
    END,
    ONE_TYPE_ERROR,
    PROGRAM,
    SEED,
    codes,
    graded,
    report,
    stubs,
)
from tests.scoring_strategies import SCHEMES, SETTINGS, TEXTS, reports, scored

SHIPPED = ROOT / "ocaml_reward" / "scheme" / "shipped" / "seed.toml"
OTHER = "".join(f"let zebra_{n} gnu = gnu + {n}\n" for n in range(9)) + END

by_penalty = pytest.mark.parametrize("declared", PENALTIES, ids=lambda declared: declared.code)


def shown(scheme: RewardScheme) -> dict[str, Score]:
    """Score, for each penalty, a completion that it is for."""
    return {
        "runaway": graded(PROGRAM, truncated=True, scheme=scheme),
        "runaway_cap": graded(PROGRAM, truncated=True, scheme=scheme),
        "min_lines": graded(f"let sum = 1\n{END}", report(passed=3), scheme=scheme),
        "unrelated": graded(OTHER, ONE_TYPE_ERROR, scheme=scheme),
        "degenerate": graded(f"{PROGRAM}{END}\n" + f"{END}\n" * 9, report(passed=3), scheme=scheme),
        "idle": graded(PROGRAM, stubs("sum", "average", "double"), scheme=scheme),
        "efficiency": graded(PROGRAM, report(steps=90), scheme=scheme),
    }


@pytest.mark.parametrize(
    ("steps", "factor"), [(0, 1), (20, 1), (21, 0.995762), (40, 0.939794), (200, 0.8), (10**9, 0.8)]
)
def test_efficiency_is_by_the_steps_beside_the_references(steps: int, factor: float) -> None:
    """Nothing is taken up to twice the reference's ten steps, most from twenty times on."""
    scheme = with_overrides(load("concise"), ["efficiency.factor=0.8"])

    assert factor == graded(PROGRAM, report(steps=steps), scheme=scheme).reward
    assert graded(PROGRAM, report(steps=steps), scheme=load("concise")).reward == 1


@by_penalty
def test_its_number_stands_in_the_scheme_that_ships(declared: Rule) -> None:
    """The key that it is turned off by is a number of each scheme, written out in seed.toml."""
    raw: Any = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    for key in declared.key.split("."):
        raw = raw[key]

    assert attrgetter(declared.key)(load("seed").penalties) == raw
    assert f"{declared.key}=" in declared.off_switch


def test_every_number_of_the_penalties_is_shipped_and_documented() -> None:
    """Each key of the penalties is written out in seed.toml, and belongs to one of them."""
    raw = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    values = dataclasses.asdict(load("seed").penalties)

    assert values == {key: raw[key] for key in values}
    keys = {each.key.partition(".")[0] for each in PENALTIES}
    assert set(values) == keys | {"min_lines_if_passed"}


@by_penalty
@pytest.mark.parametrize("beyond", [-1, -0.5, 1.5])
def test_its_number_has_a_range(declared: Rule, beyond: float) -> None:
    """A number out of range is refused, and the value that turns it off is none."""
    off = with_overrides(SEED, [declared.off_switch]).penalties

    assert declared.is_off(off)
    with pytest.raises(SchemeError, match=re.escape(f"{declared.key}: ")):
        with_overrides(SEED, [f"{declared.key}={beyond}"])


@by_penalty
def test_explain_says_what_it_is_for(declared: Rule) -> None:
    """`explain` prints the declared text and what turns the penalty off."""
    penalty = Penalty(code=declared.code, factor=0.5, evidence="seen")
    breakdown = dataclasses.replace(EXAMPLE, penalties=(penalty,))
    lines = [text.plain.strip() for text in explained(breakdown, width=80)]

    assert declared.text
    assert f"{declared.code} \N{MULTIPLICATION SIGN} 0.5: seen" == lines[0]
    assert (f"{declared.text}; --set {declared.off_switch} turns it off") == " ".join(lines[1:])


def test_the_page_on_scoring_has_their_table(
    golden: Callable[[Path, str], None],
) -> None:
    page = ROOT / "docs" / "scoring.md"
    text = page.read_text(encoding="utf-8")
    start = text.index("| code | effect |")
    end = text.index("\n\n", start)

    rows = [
        f"| `{rule.code}` | {rule.effect} | {rule.when} | `{rule.off_switch}` |"
        for rule in PENALTIES
    ]
    table = "\n".join(["| code | effect | when | off with |", "|---|---|---|---|", *rows])

    golden(page, f"{text[:start]}{table}{text[end:]}")


@by_penalty
def test_its_off_switch_turns_it_off(declared: Rule) -> None:
    """A completion that it applies to is left alone by it in a scheme with it turned off."""
    on = with_overrides(CAPPED, ["efficiency.factor=0.8"])
    off = with_overrides(on, [declared.off_switch])

    assert declared.code in codes(shown(on)[declared.code])
    assert declared.code not in codes(shown(off)[declared.code])


@given(
    declared=st.sampled_from(PENALTIES),
    text=TEXTS,
    report=reports(),
    scheme=SCHEMES,
    truncated=st.none() | st.booleans(),
)
@SETTINGS
def test_turned_off_it_never_applies(
    declared: Rule,
    text: str,
    report: CheckReport,
    scheme: RewardScheme,
    *,
    truncated: bool | None,
) -> None:
    values = with_overrides(scheme, [declared.off_switch])
    on = codes(scored(text, report, scheme, truncated=truncated))
    off = codes(scored(text, report, values, truncated=truncated))

    assert [code for code in on if code != declared.code] == off


@pytest.mark.parametrize(
    "name",
    [
        each.name
        for each in dataclasses.fields(PenaltyValues)
        if each.name in defaults_for_missing_keys(PenaltyValues)
    ],
)
def test_a_scheme_in_full_from_before_it_reads_as_before(name: str, tmp_path: Any) -> None:
    """A file without the table means the default, and its digest is that of one that says so."""
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    whole = to_toml(SEED)
    old.write_text(re.sub(rf"(?m)^(\[{name}\]\n(?:[a-z].*\n)*|{name} = .*\n)", "", whole))
    default = getattr(load(old).penalties, name)
    asked = dataclasses.replace(SEED.penalties, **{name: default})
    new.write_text(to_toml(dataclasses.replace(SEED, penalties=asked)))

    assert name not in old.read_text()
    assert load(old).digest() == load(new).digest()
