"""Which programs tests have to catch, and which checks are enough for them."""

from __future__ import annotations

from ocaml_reward.auditing.mutants import mutants
from ocaml_reward.engine.prepare.interfaces import read_interfaces
from problem_sets.strengthening.blinding import blinded
from problem_sets.strengthening.covering import fewest

CLIMB = """let climb xs =
  let rec go best now = function
    | a :: (b :: _ as rest) when b > a -> go (max best (now + 1)) (now + 1) rest
    | _ :: rest -> go best 1 rest
    | [] -> best
  in
  go (min 1 (List.length xs)) 1 xs
"""


def test_few_checks_are_enough() -> None:
    """The check that catches most comes first; of equal ones the shorter."""
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
    """Guards, cases, conditions and steps go, besides what an audit changes."""
    said = {each.what for each in mutants(CLIMB, 999)}

    assert {"a guard taken away", "+ 1 taken away", "a case taken away"} <= said
    assert len(mutants(CLIMB, 5)) <= 5


def test_references_are_made_blind() -> None:
    """A version of the reference loses the sign of a number, equal elements, the order of two
    arguments; labels stay, and a function with an optional argument is left alone.
    """
    (interface,) = read_interfaces(
        ["val f : int -> by:int -> int list -> int\nval g : ?x:int -> int -> int\n"]
    )
    found = blinded("let f = 1\n", interface, ["f", "g", "M.h"])

    assert all(each.code.startswith("let f = 1\n;;\nlet f a0 ~by:a1 a2 = ") for each in found)
    for change in (
        "f (let v = a0 in Stdlib.abs v) ~by:(a1) (a2)",
        "f (a1) ~by:(a0) (a2)",
        "Stdlib.List.map (fun v -> Stdlib.abs v) v)",
        "let v = f a0 ~by:a1 a2 in Stdlib.max 1 v",
    ):
        assert 1 == sum(change in each.code for each in found)
