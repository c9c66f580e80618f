"""Made problems as rows of a file of problems."""

from __future__ import annotations

from dataclasses import asdict

from .certifying.survival import MutantSurvival
from .making import Made


def row(made: Made, survival: MutantSurvival | None = None) -> dict[str, object]:
    """Return a problem as its line in a file has it, with what is known of it beside.

    Args:
        made: The problem.
        survival: What became of its reference's mutants, where that was measured.

    Returns:
        The fields.
    """
    problem, difficulty = made.problem, made.difficulty
    tests: object = problem.tests
    if not isinstance(problem.tests, str):
        tests = [{"input": each.stdin, "output": each.stdout} for each in problem.tests]
    found: dict[str, object] = {
        "id": problem.id,
        "prompt": problem.prompt,
        "tests": tests,
        "reference": problem.reference,
    }
    if problem.signature is not None:
        found["signature"] = problem.signature
    if problem.given:
        found["given"] = problem.given
    if problem.judge:
        found["judge"] = problem.judge
    measured = {} if survival is None else asdict(survival)
    return found | {
        "tags": {
            "family": made.family,
            "topic": made.topic,
            "tone": made.tone,
            "choices": list(made.choices),
        },
        "difficulty": {
            "level": difficulty.level,
            "tokens": difficulty.tokens,
            "depth": difficulty.depth,
            "features": list(difficulty.features),
            **measured,
        },
    }
