"""Which names are asked for at the top, where tests open what the code makes."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine
from ocaml_reward.reading.definitions import outermost

FUNCTOR = (
    "module Make (O : Set.OrderedType) = struct\n"
    "  let empty = []\n"
    "  let add x l = List.sort_uniq O.compare (x :: l)\n"
    "end\n"
)
OPENED = (
    "module S = Make (Int)\nopen S\n"
    "let () = assert (add 2 (add 1 empty) = [1; 2])\n"
    "let () = assert (add 1 empty = [1])\n"
)
USES = ("Make", "add", "empty")


def test_what_stands_in_a_module_alone_is_not_asked_for_at_the_top() -> None:
    """A name that the reference has at the top is; where that cannot be told, all are."""
    assert ("Make",) == outermost(USES, FUNCTOR)
    assert ("Make", "empty") == outermost(USES, f"{FUNCTOR}let empty = 0\n")
    assert USES == outermost(USES, None)
    assert USES == outermost(USES, "")
    assert USES == outermost(USES, f"{FUNCTOR}include Make (Int)\n")
    assert USES == outermost(USES, f"{FUNCTOR}module I = Make (Int)\nopen I\n")
    assert ("Make", "other") == outermost(("Make", "other"), FUNCTOR)
    assert ("+", "Make") == outermost(("+", "Make"), FUNCTOR)


def test_a_functor_whose_result_tests_open_passes(
    engines: Callable[[str], Engine],
) -> None:
    """What the tests take out of it is no other name that the code lacks."""
    problem = Problem(id="opened", tests=OPENED, reference=FUNCTOR)
    grader = Grader("concise", engine=engines("warm"))

    assert 1.0 == grader.grade(problem, Completion(text=FUNCTOR)).reward
