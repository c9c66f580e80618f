"""
Tools that put grading itself to the test: attacks on a machine, and weak problems.
"""

from .attacking import AttackResult, attack
from .attacks import Attack, load_attacks
from .validating import Complaint, Validation, Validator
from .weakness import Audit, Survivor, Weakness, audit

__all__ = [
    "Attack",
    "AttackResult",
    "Audit",
    "Complaint",
    "Survivor",
    "Validation",
    "Validator",
    "Weakness",
    "attack",
    "audit",
    "load_attacks",
]
