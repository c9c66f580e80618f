"""What is graded and by what: problems, completions, and what one may spend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

# What a reference takes is allowed so many times, though it were the whole budget: no machine is
# as fast each time.
_ROOM: Final = 2.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """What one completion may spend.  CPU seconds decide; wall seconds only catch a process
    that sleeps, and are generous so that a loaded machine changes no reward.

    A check may use `check_factor` times what it takes in the reference, in steps from
    `check_least_s` to `check_cpu_s`, and `check_unmeasured_s`, what a judge allows, where that is
    not known.  Once one has used up its own, each that follows has `check_later_share` of its own,
    where that is not known `check_least_s` at the most, and those that use theirs up may use
    `looping_factor` whole ones together.  Likewise there is `unmeasured_stack_mb` of stack where
    no reference shows that less will do.
    """

    compile_cpu_s: float = 2.0
    compile_wall_s: float = 20.0
    check_cpu_s: float = 2.0
    check_least_s: float = 0.1
    check_unmeasured_s: float = 2.0
    check_factor: float = 20.0
    check_later_share: float = 0.2
    looping_factor: float = 3.0
    tests_cpu_s: float = 5.0
    tests_wall_s: float = 30.0
    memory_mb: int = 256
    stack_mb: int = 8
    unmeasured_stack_mb: int = 64
    output_bytes: int = 4_000_000
    file_bytes: int = 16_000_000
    processes: int = 1

    def flat(self, check_cpu_s: float) -> Budget:
        """Return the same with one budget for every check, whatever the reference takes and
        however many have used theirs up.
        """
        return replace(
            self,
            check_cpu_s=check_cpu_s,
            check_least_s=check_cpu_s,
            check_unmeasured_s=check_cpu_s,
            check_later_share=1.0,
            looping_factor=max(self.tests_cpu_s / check_cpu_s, 1.0),
        )

    def of_reference(self) -> Budget:
        """Return what a reference may spend, whose checks are measured."""
        roomy = replace(self, tests_cpu_s=self.tests_cpu_s * _ROOM)
        return roomy.flat(self.check_cpu_s * _ROOM)

    def with_room(self, check_s: float, all_s: float) -> Budget:
        """Return what others may spend where a reference needs so much for its longest check, and
        for all.
        """
        return replace(
            self,
            check_cpu_s=max(self.check_cpu_s, check_s * _ROOM),
            tests_cpu_s=max(self.tests_cpu_s, all_s * _ROOM),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class StdioCase:
    """One run of a whole program.  Both texts are as judges have them, whoever wrote them: lines
    end with a newline, the last one, too, and with no carriage return.

    Attributes:
        stdin: What it reads.
        stdout: What it must print.
        alternatives: What it may print in its place.
    """

    stdin: str
    stdout: str
    alternatives: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """End the lines."""
        for name in ("stdin", "stdout"):
            object.__setattr__(self, name, _lines_ended(getattr(self, name)))
        others = tuple(map(_lines_ended, self.alternatives))
        object.__setattr__(self, "alternatives", others)


def _lines_ended(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") or not text else f"{text}\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """How what is printed may differ from what is expected, in the terms of ICPC's problem format.
    Without any, words have to be the same; how many blanks or ends of lines stand between them,
    or around them, does not count.

    Attributes:
        absolute: How far a number may be from the expected one.
        relative: The same, as a share of the expected one; either will do.
        case_sensitive: Whether capitals count.
        space_change_sensitive: Whether blanks and ends of lines count.
        unordered: "lines" where lines may come in any order, "tokens" where words may.
    """

    absolute: float | None = None
    relative: float | None = None
    case_sensitive: bool = True
    space_change_sensitive: bool = False
    unordered: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """A prompt and the tests that judge its completions, which are hidden.

    Attributes:
        id: Its identifier, as written in each record.
        tests: OCaml source, or the cases of a program judged on stdin and stdout.
        prompt: What the model is asked; it may hold a signature left open to complete.
        reference: Code that solves it.  With it, tests are tried when they are prepared, and
            each check gets a time limit by what it takes here.
        signature: What the prompt asks for (`val f : int -> int`), where it is known.
        given: OCaml that stands before the code, but for what that defines itself; a prompt
            says as much in its own words.
        libraries: Names of the findlib packages that completions may use.
        budget: What its completions may spend in place of the scheme's: names of Budget's
            fields with their values.
        public_tests: Tests that may be shown, as `tests` are; empty for none.  They decide
            nothing: a model that is told them can write them down.
        comparison: How what a program prints may differ from what a case expects.
        judge: OCaml that judges what a program prints, in place of a comparison; "" for none.
        checker: The same in C++, as testlib has checkers.
    """

    id: str
    tests: str | tuple[StdioCase, ...]
    prompt: str = ""
    reference: str | None = None
    signature: str | None = None
    given: str = ""
    libraries: tuple[str, ...] = ()
    budget: tuple[tuple[str, float], ...] = ()
    public_tests: str | tuple[StdioCase, ...] = ()
    comparison: Comparison | None = None
    judge: str = ""
    checker: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    """What the model wrote.

    Attributes:
        text: The text, as it was generated.
        truncated: Whether it hit its length limit (`finish_reason` is length, or no token
            that ends it), None where nobody knows.
    """

    text: str
    truncated: bool | None = None
