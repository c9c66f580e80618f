"""
The account of a completion that our side could not grade.
"""

from __future__ import annotations

from ..engine import Engine
from ..model import Breakdown, Credits, Fault, Tally, Verdict
from ..scheme.value import RewardScheme

__all__ = ["ungraded"]


def ungraded(
    problem_id: str,
    fault: Fault,
    scheme: RewardScheme,
    engine: Engine | None,
    *,
    code: str = "",
    checks: int = 0,
) -> Breakdown:
    """
    Return a breakdown without a reward; `engine` is None where none started, and `code` and
    the number of `checks` are given as far as it came to them.
    """
    return Breakdown(
        problem_id=problem_id,
        reward=None,
        verdict=Verdict.UNGRADED,
        credits=Credits(),
        penalties=(),
        code=code,
        type_errors=None,
        parsed_share=None,
        diagnostics=(),
        forbidden=(),
        tests=Tally(total=checks),
        fault=fault,
        engine=engine.name if engine else "",
        sandbox=engine.sandbox if engine else "",
        scheme=scheme.label,
        toolchain=engine.toolchain if engine else "",
    )
