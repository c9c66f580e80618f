"""Audits grading itself: attacks on the machine, and weak problems."""

from .attacking import AttackResult, attack
from .attacks import Attack, load_attacks
from .complaints import Complaint
from .nearness import Nearness, nearness
from .references import reference_failures
from .validating import Validation, Validator
from .weakness import Audit, Survivor, Weakness, audit

__all__ = [
    "Attack",
    "AttackResult",
    "Audit",
    "Complaint",
    "Nearness",
    "Survivor",
    "Validation",
    "Validator",
    "Weakness",
    "attack",
    "audit",
    "load_attacks",
    "nearness",
    "reference_failures",
]
