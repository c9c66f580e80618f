"""Certifies problems: what their tests say of right and of wrong answers; and strengthens them."""

from .certificate import certificate
from .examining import Examination, Examiner, Graded
from .fixing import Question, Strengthened, fixed, strengthen

__all__ = [
    "Examination",
    "Examiner",
    "Graded",
    "Question",
    "Strengthened",
    "certificate",
    "fixed",
    "strengthen",
]
