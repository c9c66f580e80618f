"""
Readers of the files that problems and completions come in, one file format a module.

Every reader streams: one line is in memory at a time, and a line that cannot be used is
a `BadLine` among the good ones, so that one bad line never costs the others.
"""

from .completions import CompletionLine, read_completions
from .lines import BadLine, count_lines
from .problems import ProblemLine, ProblemSet, load_problems, read_problems

__all__ = [
    "BadLine",
    "CompletionLine",
    "ProblemLine",
    "ProblemSet",
    "count_lines",
    "load_problems",
    "read_completions",
    "read_problems",
]
