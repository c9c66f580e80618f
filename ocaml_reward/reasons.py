"""The reasons for the credits of a reward, as data: a code and the numbers that decided it.

They are computed together with the credit; explanations print them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from .codec.typed import SPARSE, Count, Share


class Why(StrEnum):
    """The code of a reason for a credit."""

    END_MARKER = "end_marker"
    NO_END_MARKER = "no_end_marker"
    NOT_ASKED = "not_asked"
    NO_PROGRAM = "no_program"
    DEGENERATE = "degenerate"
    ERRORS = "errors"
    TYPED_FRACTION = "typed_fraction"
    UNCOUNTED = "uncounted"
    EXECUTABLE = "executable"
    LINK_ERROR = "link_error"
    INTERFACE_ERROR = "interface_error"
    TYPE_ERROR = "type_error"
    SYNTAX_ERROR = "syntax_error"
    COMPILER_LIMIT = "compiler_limit"
    NO_CODE = "no_code"
    CHECKS = "checks"
    GROUPS = "groups"
    SOLVED = "solved"
    UNSOLVED = "unsolved"
    FORBIDDEN = "forbidden"
    NO_CHECKS = "no_checks"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """The reason for the credit of one part.

    `available` is the maximal credit, and `share` the share of it that a ladder or groups of cases give.  `errors` is
    the number of errors that count, and `rung` their position on the type ladder, from 0.  The
    other numbers are those of the breakdown's fields of the same names, and of its tally.  None
    stands for numbers that the reason does not use.
    """

    code: Why
    available: Share
    errors: Annotated[Count | None, SPARSE] = None
    rung: Annotated[Count | None, SPARSE] = None
    typed_fraction: Annotated[Share | None, SPARSE] = None
    parsed_share: Annotated[Share | None, SPARSE] = None
    share: Annotated[Share | None, SPARSE] = None
    passed: Annotated[Count | None, SPARSE] = None
    total: Annotated[Count | None, SPARSE] = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reasons:
    """The reason for each part; `solved` is None if the scheme gives no credit for it."""

    structural: Reason
    type: Reason
    compile: Reason
    tests: Reason
    solved: Annotated[Reason | None, SPARSE] = None


FIGURES: Final[Mapping[str, Mapping[Why, tuple[str, ...]]]] = {
    "structural": {
        Why.END_MARKER: (),
        Why.NO_END_MARKER: (),
        Why.NOT_ASKED: (),
        Why.NO_PROGRAM: (),
        Why.DEGENERATE: (),
        Why.COMPILER_LIMIT: (),
    },
    "type": {
        Why.ERRORS: ("errors", "rung", "share"),
        Why.TYPED_FRACTION: ("errors", "rung", "typed_fraction", "share"),
        Why.UNCOUNTED: ("rung", "share"),
        Why.SYNTAX_ERROR: ("parsed_share", "share"),
        Why.COMPILER_LIMIT: (),
        Why.NO_CODE: (),
    },
    "compile": {
        Why.EXECUTABLE: ("share",),
        Why.LINK_ERROR: ("share",),
        Why.INTERFACE_ERROR: ("share",),
        Why.TYPE_ERROR: ("share",),
        Why.SYNTAX_ERROR: ("share",),
        Why.COMPILER_LIMIT: (),
        Why.NO_CODE: (),
    },
    "tests": {
        Why.CHECKS: ("passed", "total"),
        Why.GROUPS: ("passed", "total", "share"),
        Why.NO_CHECKS: (),
        Why.FORBIDDEN: (),
        Why.LINK_ERROR: (),
        Why.INTERFACE_ERROR: (),
        Why.TYPE_ERROR: (),
        Why.SYNTAX_ERROR: (),
        Why.COMPILER_LIMIT: (),
        Why.NO_CODE: (),
    },
    "solved": {
        Why.SOLVED: ("passed", "total"),
        Why.UNSOLVED: ("passed", "total"),
        Why.NO_CHECKS: (),
        Why.FORBIDDEN: (),
        Why.LINK_ERROR: (),
        Why.INTERFACE_ERROR: (),
        Why.TYPE_ERROR: (),
        Why.SYNTAX_ERROR: (),
        Why.COMPILER_LIMIT: (),
        Why.NO_CODE: (),
    },
}
"""The possible codes of each part's reason, and the numbers that each has."""
