"""Programs in C++ that judge an output, of a folder, as the checker of a problem: one source."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ...errors import ProblemError
from .kinds import is_inside, text_of

_SOURCES: Final = (".cpp", ".cc", ".cxx", ".c++", ".C")
_INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)".*$', re.MULTILINE)
_ONCE: Final = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once\b.*$", re.MULTILINE)

# ICPC's output validators are called with INPUT ANSWER FEEDBACK_DIR [FLAGS], read the output
# from standard input, and exit with 42 or 43.  A checker is called with INPUT OUTPUT ANSWER.
# Whatever ends the validator, its status is translated; what it wrote for judges is said.
_BEFORE: Final = """\
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#define main validator_main
#line 1 "validator.cpp"
"""
_AFTER: Final = """
#undef main
static void validator_ended(int status, void *) {
  std::fflush(nullptr);
  if (FILE *said = std::fopen("/tmp/judgemessage.txt", "r")) {
    for (int c; (c = std::fgetc(said)) != EOF;) std::fputc(c, stderr);
    std::fflush(stderr);
  }
  _exit(status == 42 ? 0 : status == 43 ? 1 : 100);
}
static int validator_call(int (*f)(int, char **), int n, char **v) { return f(n, v); }
static int validator_call(int (*f)(int, const char **), int n, char **v) {
  return f(n, const_cast<const char **>(v));
}
static int validator_call(int (*f)(), int, char **) { return f(); }
int main(int, char **argv) {
  on_exit(validator_ended, nullptr);
  if (!std::freopen(argv[2], "r", stdin)) return 1;
  const char *given[] = {argv[0], argv[1], argv[3], "/tmp/", %s nullptr};
  return validator_call(validator_main, sizeof given / sizeof *given - 1,
                        const_cast<char **>(given));
}
"""


def one_source(files: Sequence[Path]) -> str:
    """Return a program in C++ as one source, with those of its own headers put in that it includes.

    Raises ProblemError for one in another language, or of several sources.
    """
    sources = [path for path in files if path.suffix in _SOURCES]
    if len(sources) != 1:
        names = ", ".join(sorted(path.name for path in files)) or "nothing"
        raise ProblemError(f"outputs are judged by {names}, not by one source in C++")
    return _with_headers(sources[0], set())


def _with_headers(path: Path, seen: set[Path]) -> str:
    """Return a C++ file with the headers of its own folder in place of their includes."""
    folder = path.parent

    def header(found: re.Match[str]) -> str:
        there = Path(os.path.realpath(folder / found[1]))
        if not is_inside(there, folder) or not there.is_file():
            return found[0]
        if there in seen:
            return ""
        seen.add(there)
        return _with_headers(there, seen)

    return _INCLUDE.sub(header, _ONCE.sub("", text_of(path)))


def validator(source: str, flags: Sequence[str]) -> str:
    """Return an output validator of ICPC's, called with these flags, as a checker."""
    # JSON's strings are C's, but for what no flag holds.
    given = "".join(f"{json.dumps(flag)}, " for flag in flags)
    return f"{_BEFORE}{source}{_AFTER.replace('%s', given)}"
