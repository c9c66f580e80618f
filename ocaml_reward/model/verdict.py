"""The verdict: the outcome of a completion in one word."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Verdict(StrEnum):
    """The outcome in one word, from best to worst."""

    PASSED = "passed"
    FAILED_TESTS = "failed_tests"
    RUNTIME_ERROR = "runtime_error"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_LIMIT = "output_limit"
    CRASHED = "crashed"
    COMPILES = "compiles"
    FORBIDDEN = "forbidden"
    LINK_ERROR = "link_error"
    INTERFACE_ERROR = "interface_error"
    TYPE_ERROR = "type_error"
    SYNTAX_ERROR = "syntax_error"
    COMPILER_LIMIT = "compiler_limit"
    NO_CODE = "no_code"
    UNGRADED = "ungraded"

    @property
    def sentence(self) -> str:
        """Return the meaning as a predicate of the program: "parses, but does not type"."""
        return _SENTENCES[self]


_SENTENCES: Final = {
    Verdict.PASSED: "passes every check",
    Verdict.FAILED_TESTS: "runs, but not every check passes",
    Verdict.RUNTIME_ERROR: "runs, but raises, exits or overflows the stack",
    Verdict.TIMED_OUT: "runs, but takes too long",
    Verdict.OUT_OF_MEMORY: "runs, but needs too much memory",
    Verdict.OUTPUT_LIMIT: "runs, but prints too much",
    Verdict.CRASHED: "runs, but dies before its checks are done",
    Verdict.COMPILES: "compiles; its problem has no tests",
    Verdict.FORBIDDEN: "uses what no solution may use, so no check was run",
    Verdict.LINK_ERROR: "types, but does not link",
    Verdict.INTERFACE_ERROR: "types alone, but not with the tests",
    Verdict.TYPE_ERROR: "parses, but does not type",
    Verdict.SYNTAX_ERROR: "does not parse",
    Verdict.COMPILER_LIMIT: "takes the compiler too long, or too much memory",
    Verdict.NO_CODE: "holds no OCaml code",
    Verdict.UNGRADED: "could not be scored on this machine; says nothing about it",
}
