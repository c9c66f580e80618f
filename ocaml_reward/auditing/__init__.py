"""Audits grading itself: attacks on the machine, faults of problems, and what tests tell apart."""

from .attacking import AttackResult, attack
from .attacks import Attack, load_attacks
from .complaints import Complaint
from .references import reference_failures
from .submissions import disagreements, known_answers
from .validating import Validation, Validator

__all__ = [
    "Attack",
    "AttackResult",
    "Complaint",
    "Validation",
    "Validator",
    "attack",
    "disagreements",
    "known_answers",
    "load_attacks",
    "reference_failures",
]
