"""Readers of the files that problems and completions come in, one file format a module.

Every reader streams: one line is in memory at a time, and a line that cannot be used is
a `BadLine` among the good ones, so that one bad line never costs the others.  `Joining`
finds each completion its problem.
"""

from .completions import CompletionLine, read_completions
from .joining import Item, Joining
from .lines import BadLine, count_lines, open_bytes
from .problems import (
    ProblemLine,
    ProblemSet,
    load_problems,
    problem_from_row,
    problems_beside,
    read_problems,
)
from .writing import (
    problem_fields,
    problem_lines,
    require_writable,
    write_problems,
    write_rows,
    write_whole,
)

__all__ = [
    "BadLine",
    "CompletionLine",
    "Item",
    "Joining",
    "ProblemLine",
    "ProblemSet",
    "count_lines",
    "load_problems",
    "open_bytes",
    "problem_fields",
    "problem_from_row",
    "problem_lines",
    "problems_beside",
    "read_completions",
    "read_problems",
    "require_writable",
    "write_problems",
    "write_rows",
    "write_whole",
]
