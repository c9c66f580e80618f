"""Which libraries of a framework tests are written with: Alcotest, QCheck.

The tests get the real ones, and the code does not: such a package is asked for by its name behind
a `+`, which `toolchain.packages` knows.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ..errors import ProblemError
from ..model import Problem
from ..reading.lexing import Source
from . import TESTS_ONLY, CheckRequest
from .toolchain import packages

# The modules by which tests name them.  Those of QCheck's that run tests are ours: its own are not
# needed.  Terms of Cmdliner are for `Alcotest.run_with_args`.
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
# What problems list for these, as a project's build file does: none of it is the code's.
_LISTED: Final = re.compile(r"(?:alcotest|qcheck)(?:[-.][\w.-]*)?")
_NAMED: Final = re.compile(r"(?<![\w.])(module\s+)?(" + "|".join(_PACKAGES) + r")\b")


def with_frameworks(problem: Problem) -> Problem:
    """Return a problem with the libraries that its tests are written with among its own.

    Raises:
        ProblemError: One of them is not installed; the message says how to install it.
    """
    if not isinstance(problem.tests, str):
        return problem
    found = list(_NAMED.finditer(Source(problem.tests).without_literals))
    # A module of the tests' own may have such a name.
    own = {each[2] for each in found if each[1]}
    named = dict.fromkeys(each[2] for each in found if each[2] not in own)
    if "Alcotest" not in named:
        # Else it would be the tests' own affair.
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
    asked = tuple(TESTS_ONLY + name for name in needed)
    return replace(problem, libraries=_linked(problem.libraries, asked))


def with_libraries(request: CheckRequest) -> CheckRequest:
    """Return a request with the libraries that its tests are written with."""
    frameworks = request.tests.frameworks
    if not frameworks:
        return request
    return replace(request, libraries=_linked(request.libraries, frameworks))


def _linked(libraries: tuple[str, ...], frameworks: tuple[str, ...]) -> tuple[str, ...]:
    if not frameworks:
        return libraries
    own = (name for name in libraries if not _LISTED.fullmatch(name))
    return tuple(dict.fromkeys((*own, *frameworks)))
