"""In a checkout, the name that `problem_sets` is installed under: the same modules, not others."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

import problem_sets

for each in pkgutil.walk_packages(problem_sets.__path__, "problem_sets."):
    sys.modules[__name__ + each.name.removeprefix("problem_sets")] = import_module(each.name)
sys.modules[__name__] = problem_sets
