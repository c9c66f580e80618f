"""Each defence of the mutation table is where the table says."""

from __future__ import annotations

import pytest

from .mutation import MUTATIONS, Mutation
from .mutations import ROOT


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda each: each.defence)
def test_a_defence_can_be_removed(mutation: Mutation) -> None:
    """Its text is there once, its test exists, and the page names it."""
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    page = (ROOT / "tests" / "attacks" / "mutations.md").read_text(encoding="utf-8")

    assert 1 == text.count(mutation.old)
    assert (ROOT / mutation.test).exists()
    assert f"| {mutation.defence} |" in page
