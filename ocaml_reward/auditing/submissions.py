"""Checks that the example submissions of a Kattis package end as the package says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..engine import Engine
from ..errors import JudgeFault, MachineError, ProblemError
from ..formats.folders.kinds import text_of
from ..grader import Grader
from ..model import Completion, Problem, Verdict

_CRASHES: Final = (Verdict.RUNTIME_ERROR, Verdict.OUT_OF_MEMORY, Verdict.CRASHED)
_SLOW: Final = (Verdict.TIMED_OUT,)
_WRONG: Final = (Verdict.FAILED_TESTS,)
_ENDS: Final = {
    "accepted": (Verdict.PASSED,),
    "brute_force": (*_SLOW, *_CRASHES),
    "partially_accepted": (*_WRONG, *_SLOW, *_CRASHES),
    "rejected": (*_WRONG, *_SLOW, *_CRASHES),
    "run_time_error": _CRASHES,
    "time_limit_exceeded": _SLOW,
    "wrong_answer": _WRONG,
}
"""The verdicts that the submissions in a folder may have; in other folders they may have any.

(Kattis/problemtools examples/hello/submissions)
"""


def known_answers(folder: Path) -> tuple[list[str], list[str]]:
    """Return the right and the wrong answers in OCaml that lie in a problem's folder.

    They are a Kattis package's submissions, and the `wrong_solution.ml` of a learn-ocaml exercise.
    (Kattis/problemtools examples/different/submissions)
    """
    submissions = sorted((folder / "submissions").glob("*/*.ml"))
    right = [path for path in submissions if path.parent.name == "accepted"]
    wrong = [path for path in submissions if path.parent.name in _ENDS and path not in right]
    wrong += sorted(folder.glob("wrong_solution*.ml"))
    return list(map(text_of, right)), list(map(text_of, wrong))


def disagreements(engine: Engine, problem: Problem, package: Path) -> Iterator[str]:
    """Grade a package's submissions in OCaml.

    (Kattis/problemtools examples/different/submissions)

    Args:
        engine: What runs them; the caller closes it.
        problem: The problem that was read from the package.
        package: The package's folder.

    Yields:
        A line on each that ends otherwise than its folder says.

    Raises:
        MachineError: The machine failed.
    """
    grader = Grader("concise", engine=engine, jobs=1)
    for path in sorted((package / "submissions").glob("*/*.ml")):
        wanted, name = _ENDS.get(path.parent.name), path.relative_to(package).as_posix()
        try:
            code = text_of(path)
        except ProblemError as error:
            yield f"{name}: {error}"
            continue
        # The reference was graded when the problem was validated.
        if wanted is None or code == problem.reference:
            continue
        found = grader.grade(problem, Completion(text=code))
        if found.fault is not None and found.fault.kind != JudgeFault.__name__:
            raise MachineError(found.fault.message)
        if found.verdict not in wanted or _is_unpaid(path, found.credits.tests):
            why = next((each.detail for each in found.tests.results if each.detail), "")
            yield (
                f"{name}: {found.verdict.value}"
                f"{why and f' ({why})'}, expected {' or '.join(wanted)}"
            )


def _is_unpaid(path: Path, credit: float) -> bool:
    """Tell whether a submission that is accepted in part earns nothing.

    (Kattis/problemtools examples/oddecho/submissions/partially_accepted)
    """
    return path.parent.name == "partially_accepted" and not credit
