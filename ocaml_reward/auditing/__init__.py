"""Audits grading itself: attacks on the machine, and weak problems."""

from .attacking import AttackResult, attack
from .attacks import Attack, load_attacks
from .complaints import Complaint
from .mutant_survival import MutantSurvival, mutant_survival
from .references import reference_failures
from .validating import Validation, Validator
from .weakness import Audit, Survivor, Weakness, audit

__all__ = [
    "Attack",
    "AttackResult",
    "Audit",
    "Complaint",
    "MutantSurvival",
    "Survivor",
    "Validation",
    "Validator",
    "Weakness",
    "attack",
    "audit",
    "load_attacks",
    "mutant_survival",
    "reference_failures",
]
