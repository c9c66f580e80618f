"""Graduated, sandboxed rewards for OCaml completions.

`Grader` turns a `Problem` and a `Completion` into a `Breakdown`: a reward between 0 and
1 and the details of its computation.  Importing this package only loads the standard library;
OCaml and the sandbox are looked up when a grader first needs them.
"""

from __future__ import annotations

from .errors import (
    EngineFault,
    FormatError,
    InputError,
    JailFault,
    JudgeFault,
    MachineError,
    OCamlRewardError,
    ProblemError,
    RemoteFault,
    SandboxUnavailable,
    SchemeError,
    ToolchainError,
    WorkerLost,
)
from .formats import load_problems, problem_from_row
from .grader import Grader, grade
from .model import (
    Breakdown,
    Completion,
    FeedbackLevel,
    Ground,
    Mark,
    Problem,
    PublicCheck,
    Region,
    StdioCase,
    Verdict,
)
from .scheme import RewardScheme
from .version import __version__

__all__ = [
    "Breakdown",
    "Completion",
    "EngineFault",
    "FeedbackLevel",
    "FormatError",
    "Grader",
    "Ground",
    "InputError",
    "JailFault",
    "JudgeFault",
    "MachineError",
    "Mark",
    "OCamlRewardError",
    "Problem",
    "ProblemError",
    "PublicCheck",
    "Region",
    "RemoteFault",
    "RewardScheme",
    "SandboxUnavailable",
    "SchemeError",
    "StdioCase",
    "ToolchainError",
    "Verdict",
    "WorkerLost",
    "__version__",
    "grade",
    "load_problems",
    "problem_from_row",
]
