"""Finds the test frameworks that tests use: Alcotest, QCheck.

The tests may use these libraries and the code may not.  Such a package is requested by its name
with the prefix `+`, which `toolchain.packages` understands.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ...errors import ProblemError
from ...model import Problem
from ...reading.lexing import Source
from .. import TESTS_ONLY, CheckRequest
from ..build.toolchain import packages
from .optional_libraries import require_named

# Modules that tests name, and their packages.  QCheck's runners are our own modules.  Cmdliner is
# needed for `Alcotest.run_with_args`.
_PACKAGES: Final = {
    "Alcotest": ("alcotest",),
    "Cmdliner": ("cmdliner",),
    "QCheck": ("qcheck-core",),
    "QCheck2": ("qcheck-core",),
    "QCheck_alcotest": ("alcotest", "qcheck-core"),
    "QCheck_base_runner": ("qcheck-core",),
    "QCheck_ounit": ("qcheck-core",),
    "QCheck_runner": ("qcheck-core",),
}
_DEBIAN: Final = {
    "alcotest": "libalcotest-ocaml-dev",
    "cmdliner": "libcmdliner-ocaml-dev",
    "qcheck-core": "libqcheck-core-ocaml-dev",
}
# Packages that problems list for the tests, as a project's build file does; the code may not use
# them.
_LISTED: Final = re.compile(r"(?:alcotest|qcheck)(?:[-.][\w.-]*)?")
_NAMED: Final = re.compile(r"(?<![\w.])(module\s+)?(" + "|".join(_PACKAGES) + r")\b")


def with_frameworks(problem: Problem) -> Problem:
    """Return a problem whose libraries include those of the test frameworks that its tests use.

    Raises:
        ProblemError: One of them is not installed; the message has the command to install it.
    """
    if not isinstance(problem.tests, str):
        return problem
    found = list(_NAMED.finditer(Source(problem.tests).without_literals))
    # The tests may define a module of such a name.
    own = {each[2] for each in found if each[1]}
    named = dict.fromkeys(each[2] for each in found if each[2] not in own)
    if "Alcotest" not in named:
        # Without Alcotest, tests have to list cmdliner themselves.
        named.pop("Cmdliner", None)
    needed = dict.fromkeys(name for each in named for name in _PACKAGES[each])
    for name in needed:
        try:
            packages((TESTS_ONLY + name,))
        except ProblemError:
            user = next(each for each in named if name in _PACKAGES[each])
            raise ProblemError(
                f"{problem.id}: the tests use {user}, which is not installed: apt-get"
                f" install {_DEBIAN[name]}, or opam install {name}"
            ) from None
    frameworks = tuple(TESTS_ONLY + name for name in needed)
    return replace(problem, libraries=_linked(problem.libraries, frameworks))


def with_libraries(request: CheckRequest) -> CheckRequest:
    """Return a request whose libraries include those of its tests' frameworks.

    Raises ToolchainError for code that uses a library which is missing here.
    """
    require_named(request)
    frameworks = request.tests.frameworks
    if not frameworks:
        return request
    return replace(request, libraries=_linked(request.libraries, frameworks))


def _linked(libraries: tuple[str, ...], frameworks: tuple[str, ...]) -> tuple[str, ...]:
    """Return the libraries with those of these frameworks."""
    if not frameworks:
        return libraries
    own = (name for name in libraries if not _LISTED.fullmatch(name))
    return tuple(dict.fromkeys((*own, *frameworks)))
