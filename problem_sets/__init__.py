"""Sets of problems made by program: families that draw their own parameters, prompts in several
tones, tests whose expected results the references tell in the jail.
"""

from .endless import endless
from .making import SPLITS, Made, Order, Tally, make
from .measuring import LEVELS
from .oracle import Oracle
from .prompts import TONES
from .registry import Family, all_families
from .reviewing import Inspector
from .rows import row
from .sets import SETS

__all__ = [
    "LEVELS",
    "SETS",
    "SPLITS",
    "TONES",
    "Family",
    "Inspector",
    "Made",
    "Oracle",
    "Order",
    "Tally",
    "all_families",
    "endless",
    "make",
    "row",
]
