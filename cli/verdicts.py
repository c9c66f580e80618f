"""
Verdicts in a sentence each, for people.
"""

from __future__ import annotations

from typing import Final

from ocaml_reward import Verdict

__all__ = ["SENTENCES", "STYLES"]

SENTENCES: Final = {
    Verdict.PASSED: "every check passes",
    Verdict.FAILED_TESTS: "runs, and some checks fail",
    Verdict.RUNTIME_ERROR: "runs, and some checks end in an exception",
    Verdict.TIMED_OUT: "runs, and some checks take too long",
    Verdict.OUT_OF_MEMORY: "runs, and some checks need too much memory",
    Verdict.OUTPUT_LIMIT: "runs, and prints too much",
    Verdict.CRASHED: "runs, and dies before its checks are done",
    Verdict.FORBIDDEN: "uses what no solution may use, so no check was run",
    Verdict.LINK_ERROR: "types, but does not link",
    Verdict.INTERFACE_ERROR: "types alone, but not in the way the tests use it",
    Verdict.TYPE_ERROR: "parses, but does not type alone",
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
