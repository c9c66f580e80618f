"""Which branches are right or wrong, from what an engine says of them."""

from __future__ import annotations

from ocaml_reward.model import (
    Branches,
    Check,
    CheckReport,
    CheckResult,
    Ground,
    Outcome,
    Part,
    Stage,
)
from ocaml_reward.scoring import located

CODE = "let f n = if n = 0 then 1 else (if n = 1 then 2 else 3)"
SPANS = tuple(
    (CODE.index(text), CODE.index(text) + len(text))
    for text in ("1 else (", "(if n = 1 then 2 else 3)", "2 else 3)", "3)")
)
WORDS = ((SPANS[0][0], SPANS[0][0] + 1), SPANS[1])
INNER = ((SPANS[2][0], SPANS[2][0] + 1), (SPANS[3][0], SPANS[3][0] + 1))
PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def marked(
    outcomes: tuple[Outcome, ...],
    entered: tuple[tuple[int, ...] | None, ...],
    *,
    needs: tuple[str, ...] = ("f",),
) -> list[tuple[str, Ground]]:
    """Tell the text of each region and what marks it, of branches numbered as they lie: the first
    side, the second, and the two in that.
    """
    report = CheckReport(
        stage=Stage.EXECUTABLE,
        type_errors=0,
        results=tuple(
            CheckResult(index=number, line=1, outcome=outcome)
            for number, outcome in enumerate(outcomes, 1)
        ),
        parts=(Part(names=("f",), span=(0, len(CODE))),),
        branches=Branches(spans=(*WORDS, *INNER), entered=entered),
    )
    checks = [
        Check(index=number, line=1, source="", needs=needs)
        for number in range(1, len(outcomes) + 1)
    ]
    return [
        (CODE[region.start : region.stop], region.ground)
        for region in located(report, CODE, checks)
    ]


def test_of_a_branch_in_another_the_inner_one_is_blamed() -> None:
    """The words of the outer one choose between those in it, and nothing is known of them."""
    found = marked((PASSED, FAILED), ((0,), (1, 3)))

    assert ("1", Ground.PASSING_BRANCH) in found
    assert ("2", Ground.UNTESTED) in found
    assert ("3", Ground.FAILING_BRANCH) in found
    assert ("(if n = 1 then", Ground.BOTH) in found


def test_what_is_entered_by_more_that_fail_is_blamed() -> None:
    found = marked((PASSED, FAILED, FAILED, PASSED), ((0,), (0, 1, 2), (1, 2), (1, 3)))

    assert ("1", Ground.PASSING_BRANCH) in found
    assert ("2", Ground.FAILING_BRANCH) in found
    assert ("3", Ground.PASSING_BRANCH) in found


def test_a_failure_without_a_branch_to_blame_leaves_the_definition_wrong() -> None:
    """Where a check that fails enters none, or nobody knows which, branches explain nothing."""
    for entered in ((), None):
        found = marked((PASSED, FAILED, FAILED), ((0,), (1, 3), entered))

        assert ("let f n = if n = 0 then", Ground.FAILING) in found
        assert ("3", Ground.FAILING_BRANCH) in found


def test_who_enters_what_nobody_needs_blames_nothing() -> None:
    """Checks may come to a definition by another way than its name."""
    found = marked((PASSED, FAILED), ((0,), (1, 3)), needs=("g",))

    assert [(CODE, Ground.UNTESTED)] == found


def test_branches_that_all_enter_tell_nothing() -> None:
    """What fails as often as the whole is no more to blame than that."""
    found = marked((PASSED, FAILED), ((1, 3), (1, 3)))

    assert [(CODE, Ground.FAILING)] == found
