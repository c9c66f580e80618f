"""
Tools that put grading itself to the test: attacks on a machine, and weak problems.
"""

from .attacking import AttackResult, attack
from .attacks import Attack, load_attacks
from .validating import Complaint, Validation, Validator

__all__ = [
    "Attack",
    "AttackResult",
    "Complaint",
    "Validation",
    "Validator",
    "attack",
    "load_attacks",
]
