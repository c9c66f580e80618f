"""What a record says of parts of the code, where it was asked to."""

from __future__ import annotations

from dataclasses import replace

from ocaml_reward.model import CheckResult, Outcome
from ocaml_reward.record import breakdown_from_dict, breakdown_to_dict
from tests.example_breakdown import EXAMPLE


def test_regions_are_in_records_that_were_asked_for_them() -> None:
    """A record has the key where the breakdown has regions, even none of them."""
    asked = breakdown_to_dict(replace(EXAMPLE, regions=()))

    assert "regions" not in breakdown_to_dict(EXAMPLE)
    assert [] == asked["regions"]
    assert () == breakdown_from_dict(asked).regions


def test_checks_through_holes_are_in_records_that_have_some() -> None:
    """They stand apart from those that are paid for."""
    result = CheckResult(index=1, line=4, outcome=Outcome.MET_HOLE)
    asked = breakdown_to_dict(replace(EXAMPLE, through_holes=(result,)))

    assert "through_holes" not in breakdown_to_dict(EXAMPLE)
    assert [{"check": 1, "line": 4, "outcome": "met_hole", "detail": ""}] == asked.pop(
        "through_holes"
    )
    assert breakdown_to_dict(EXAMPLE) == asked
