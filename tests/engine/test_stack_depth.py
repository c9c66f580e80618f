"""Code that overflows its stack takes as many steps with both engines. (stack_depth.c)"""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine

CHECKS = 6
# Each check and each local name is a word or two of the stack, less than a call of `deep`: the last
# call fits, or not, by a single word in some of these.
PROBLEM = Problem(
    id="p",
    tests="".join(f"let () = assert (f {n} = {n})\n" for n in range(CHECKS)),
    reference="let f n = n\n",
)


def overflowing(names: int) -> Completion:
    local = "".join(f"let a{i} = n + {i} in " for i in range(names))
    kept = "".join(f" + (0 * a{i})" for i in range(names))
    return Completion(
        text="let rec deep n = 1 + deep (n + 1)\n"
        f"let f n = {local}(try deep n with Stack_overflow -> n){kept}\n"
    )


def test_both_engines_overflow_after_as_many_steps(engines: Callable[[str], Engine]) -> None:
    graders = [Grader("seed", engine=engines(name), jobs=1) for name in ("stock", "warm")]
    stock, warm = (
        [
            [check.steps for check in grader.grade(PROBLEM, overflowing(n)).tests.results]
            for n in range(4)
        ]
        for grader in graders
    )

    assert stock == warm
    assert len({steps for each in stock for steps in each}) > 1
