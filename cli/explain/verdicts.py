"""
Verdicts in a sentence each, for people.
"""

from __future__ import annotations

from typing import Final

from ocaml_reward import Verdict

__all__ = ["SENTENCES", "STYLES"]

SENTENCES: Final = {
    Verdict.PASSED: "every check passes",
    Verdict.FAILED_TESTS: "runs, but not every check passes",
    Verdict.RUNTIME_ERROR: "runs, but raises, exits or overflows the stack",
    Verdict.TIMED_OUT: "runs, but takes too long",
    Verdict.OUT_OF_MEMORY: "runs, but needs too much memory",
    Verdict.OUTPUT_LIMIT: "runs, but prints too much",
    Verdict.CRASHED: "runs, but dies before its checks are done",
    Verdict.FORBIDDEN: "uses what no solution may use, so no check was run",
    Verdict.LINK_ERROR: "types, but does not link",
    Verdict.INTERFACE_ERROR: "types alone, but not with the tests",
    Verdict.TYPE_ERROR: "parses, but does not type",
    Verdict.SYNTAX_ERROR: "does not parse",
    Verdict.COMPILER_LIMIT: "takes the compiler too long, or too much memory",
    Verdict.NO_CODE: "holds no OCaml code",
    Verdict.UNGRADED: "could not be scored on this machine; says nothing about it",
}

STYLES: Final = {
    Verdict.PASSED: "green",
    Verdict.FORBIDDEN: "red",
    Verdict.UNGRADED: "magenta",
}
