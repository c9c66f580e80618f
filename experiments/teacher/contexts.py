"""What the teacher is shown: TRL's prompt for it, with each level of our feedback, and controls."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any, Final

from ocaml_reward import Breakdown, FeedbackLevel
from trainer_plugin.sdpo.trainer import FeedbackSDPOTrainer

from .planted import Planted

TEMPLATES: Final[dict[str, str]] = {
    each.name: str(each.default)
    for each in fields(FeedbackSDPOTrainer.config_cls)
    if each.name in {"reprompt_template", "solution_template", "feedback_template"}
}
CONTROL: Final = "located, of another program"
CODE: Final = re.compile(r"(?<=\d): .*$", re.MULTILINE)
"""The code behind a place, as in "> line 3, characters 8-9: x"."""
MEANINGS: Final = {
    "verdict": '`feedback = "outcome"`: a sentence',
    "compiler": "and the compiler's message, with its place and the line",
    "located": '`feedback = "located"`: and likely places with their code, and failing tests by number',
    "message alone": "`located` without places and without quoted code",
    "places alone": "`located` without the compiler's message and without quoted code",
    "true place": "`verdict`, and where the mistake is, which nothing in a training knows",
    CONTROL: "that of the next program of its kind",
    "solution": "the reference, as TRL shows a success of the group; no feedback",
}
"""The contexts, in order, and what they hold."""


def contexts(one: Planted, other: Planted, *, question: str) -> dict[str, str]:
    """Return what the teacher is asked in place of the student's question, for each context.

    Args:
        one: The program.
        other: Another program of its kind, whose feedback is a control.
        question: What the student is asked.
    """
    breakdown = one.breakdown
    verdict = breakdown.feedback(FeedbackLevel.VERDICT)
    if one.kind == "types":
        places = replace(breakdown, diagnostics=()).feedback(FeedbackLevel.LOCATED)
        told = {
            "compiler": breakdown.feedback(FeedbackLevel.COMPILER),
            "message alone": placeless(breakdown).feedback(FeedbackLevel.LOCATED),
            "places alone": CODE.sub("", places),
        }
    else:
        # Feedback on a wrong result has no place.
        told = {"true place": f"{verdict}\n\n{place(one)}"}
    told |= {
        "verdict": verdict,
        "located": breakdown.feedback(FeedbackLevel.LOCATED),
        CONTROL: other.breakdown.feedback(FeedbackLevel.LOCATED),
    }
    return {name: shown(question, feedback=text) for name, text in told.items()} | {
        "solution": shown(question, solution=one.problem.reference or "")
    }


def placeless(breakdown: Breakdown) -> Breakdown:
    """Return a grading whose messages have no place."""
    bare = tuple(replace(each, span=None, sub=()) for each in breakdown.diagnostics)
    return replace(breakdown, diagnostics=bare, blame=None, regions=None)


def place(one: Planted) -> str:
    """Say where the mistake is, as feedback does, without the code there."""
    line = one.code.count("\n", 0, one.start) + 1
    column = one.start - (one.code.rfind("\n", 0, one.start) + 1)
    end = column + one.stop - one.start
    return f"The mistake is in this place:\n> line {line}, characters {column}-{end}"


def shown(question: str, *, feedback: str = "", solution: str = "") -> str:
    """Return a question as TRL puts it to the teacher."""
    parts: dict[str, Any] = {"prompt": question, "feedback": "", "solution": ""}
    if feedback:
        parts["feedback"] = TEMPLATES["feedback_template"].format(feedback_raw=feedback)
    if solution:
        parts["solution"] = TEMPLATES["solution_template"].format(
            successful_previous_attempt=solution
        )
    return TEMPLATES["reprompt_template"].format(**parts)
