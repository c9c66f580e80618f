"""
Tools that put grading itself to the test: attacks on a machine, and weak problems.
"""

from .attacking import AttackResult, attack
from .attacks import Attack, load_attacks

__all__ = ["Attack", "AttackResult", "attack", "load_attacks"]
