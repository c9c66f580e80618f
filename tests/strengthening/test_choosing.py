"""
Which programs tests have to catch, and which checks are enough for them.
"""

from __future__ import annotations

from ocaml_reward.strengthening.covering import fewest
from ocaml_reward.strengthening.mutating import changed

CLIMB = """let climb xs =
  let rec go best now = function
    | a :: (b :: _ as rest) when b > a -> go (max best (now + 1)) (now + 1) rest
    | _ :: rest -> go best 1 rest
    | [] -> best
  in
  go (min 1 (List.length xs)) 1 xs
"""


def test_few_checks_are_enough() -> None:
    """
    The check that catches most comes first; of equal ones the shorter.
    """
    catches = {
        "f 10 = 1": frozenset({1, 2}),
        "f 1 = 1": frozenset({1, 2}),
        "f 2 = 1": frozenset({3}),
        "f 3 = 1": frozenset[int](),
    }

    assert ["f 1 = 1", "f 2 = 1"] == fewest(catches, None)
    assert ["f 1 = 1"] == fewest(catches, 1)
    assert [] == fewest({}, None)


def test_references_are_changed_in_many_ways() -> None:
    """
    Guards, cases, conditions and steps go, besides what an audit changes.
    """
    said = {each.what for each in changed(CLIMB, 999)}

    assert {"a guard taken away", "+ 1 taken away", "a case taken away"} <= said
    assert len(changed(CLIMB, 5)) <= 5
