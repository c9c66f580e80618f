"""Problems as trainers hand them over: a label of a data set's row."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import ProblemError
from ..model import Problem
from .problems import IDS, problem_of
from .rows import Row, id_of, parse


def problem_by_label(label: object, problems: Mapping[str, Problem], *, where: str) -> Problem:
    """Find the problem that a label stands for, or read it.

    Args:
        label: A problem's id, or an object as files of problems have it, or such an object
            written as JSON.
        problems: The problems that an id may name.
        where: What the user names these by, for the message: `--problems`.

    Returns:
        The problem.

    Raises:
        InputError: There is no such problem, or the object is none.
    """
    if isinstance(label, str) and label.lstrip().startswith("{"):
        label = parse(label)
    if isinstance(label, str):
        problem = problems.get(label)
        if problem is None:
            raise ProblemError(f"no problem {label[:80]!r} here; {where} has them")
        return problem
    if not isinstance(label, Mapping):
        raise ProblemError("problem: expected an id, or an object")
    fields = {str(name): value for name, value in label.items()}
    name, id_ = id_of(fields, IDS) if fields.keys() & set(IDS) else ("", "unnamed")
    row = Row(file="", line=1, fields=fields, repaired=False)
    return problem_of(row, id_=id_, taken=frozenset((name,)))
