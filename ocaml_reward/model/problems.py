"""The inputs of grading: problems, completions and budgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

# CPU time is an order of magnitude above what a limit in steps takes: two million steps take some
# 50 ms, and up to five times that on a busy machine.  It is this many times what the reference
# takes, and this long for each step.
_BACKSTOP: Final = 20.0
_STEP_S: Final = 200e-9
# Wall time on a machine that is busy: this many times the CPU time.
_WALL: Final = 6.0
# The most of each amount, or of its unit, the last word of its name: beyond it, kernels and clocks
# refuse, and the runner has no room for the output (process_lock.h).
_MOST: Final = {
    "s": 100_000,
    "steps": 10**12,
    "factor": 10**6,
    "mb": 2**20,
    "file_bytes": 2**30,
    "output_bytes": 2**26,
    "processes": 10_000,
}


def most_of(name: str) -> int:
    """Return the highest amount that a field of a budget may have."""
    return _MOST.get(name) or _MOST[name.rpartition("_")[2]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """Limits on one completion.

    Steps are the real limit: entries of functions and turns of loops of the code, which are as
    many on every machine. CPU seconds only end what takes no steps, as a long call of the library,
    and wall seconds only a process that waits; both are so generous that a busy machine changes no
    reward.

    A check's limit is `steps_factor` times its steps in the reference, at least `check_steps` and
    at most `most_steps`, or twice those of the reference; without a reference it is `most_steps`.
    Once `looping_factor` checks have reached their limits, no other is run. The stack is
    `unmeasured_stack_mb` if no reference shows that less is enough.
    """

    # For an engine without a scheme: the same as in scheme/shipped/seed.toml.
    compile_cpu_s: float = 2.0
    compile_wall_s: float = 20.0
    check_steps: int = 2_000_000
    steps_factor: float = 20.0
    most_steps: int = 60_000_000
    looping_factor: float = 8.0
    tests_steps: int = 100_000_000
    check_cpu_s: float = 2.0
    tests_cpu_s: float = 20.0
    tests_wall_s: float = 120.0
    memory_mb: int = 256
    stack_mb: int = 8
    unmeasured_stack_mb: int = 64
    output_bytes: int = 4_000_000
    file_bytes: int = 16_000_000
    processes: int = 1

    def flat(self, steps: float) -> Budget:
        """Return a budget with the same limit for every check, measured or not."""
        return replace(self, check_steps=round(steps), most_steps=round(steps))

    def of_reference(self) -> Budget:
        """Return the budget for measuring a reference: each check may take all steps."""
        return self.flat(self.tests_steps).with_backstop(self.tests_steps)

    def with_backstop(self, steps: float, cpu_s: float = 0.0) -> Budget:
        """Return the budget with CPU times that are far above its limits.

        Args:
            steps: The highest limit of a check.
            cpu_s: What the reference takes.
        """
        check_cpu_s = max(self.check_cpu_s, _BACKSTOP * cpu_s, _STEP_S * steps)
        all_s = max(self.tests_cpu_s, check_cpu_s, _STEP_S * self.tests_steps)
        wall_s = max(self.tests_wall_s, _WALL * all_s)
        return replace(self, check_cpu_s=check_cpu_s, tests_cpu_s=all_s, tests_wall_s=wall_s)


@dataclass(frozen=True, kw_only=True, slots=True)
class StdioCase:
    """One run of a whole program.

    Both texts are normalised as judges do: every line ends with a newline, without carriage
    returns.

    Attributes:
        stdin: The input.
        stdout: The expected output.
        alternatives: Other accepted outputs.
        group: The name of the cases that earn their points only together; "" for none.
        points: What the group, or the case without one, earns; None for 1, or as others of the
            group say.
        needs: Earlier groups without which it earns nothing.
    """

    stdin: str
    stdout: str
    alternatives: tuple[str, ...] = ()
    group: str = ""
    points: float | None = None
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Normalise the line ends."""
        for name in ("stdin", "stdout"):
            object.__setattr__(self, name, _lines_ended(getattr(self, name)))
        others = tuple(map(_lines_ended, self.alternatives))
        object.__setattr__(self, "alternatives", others)


def _lines_ended(text: str) -> str:
    """Return a text with newlines as line ends, and one at its end."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") or not text else f"{text}\n"


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Permitted differences between output and expected output, in the terms of ICPC's format.

    Without options, words have to be equal; whitespace between and around them does not count.

    Attributes:
        absolute: Maximum absolute difference of a number.
        relative: Maximum relative difference; satisfying either is enough.
        case_sensitive: Whether upper and lower case differ.
        space_change_sensitive: Whether whitespace counts.
        unordered: "lines" if lines may come in any order, "tokens" if words may.
    """

    absolute: float | None = None
    relative: float | None = None
    case_sensitive: bool = True
    space_change_sensitive: bool = False
    unordered: str | None = None


IMPOSSIBLE: Final = "~impossible"
"""The end of the id of an impossible twin, which only a cheat passes."""


def is_impossible(problem_id: str) -> bool:
    """Return whether a problem is an impossible twin, by its id."""
    return problem_id.endswith(IMPOSSIBLE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """A prompt and the hidden tests that judge its completions.

    Attributes:
        id: Its identifier, as written in each record.
        tests: OCaml source, or the cases of a program judged on stdin and stdout.
        prompt: The model's prompt; it may end in a signature to complete.
        reference: Code that solves it. With it, tests are validated when they are prepared, and
            each check's limit follows from its cost here.
        signature: The signature that the prompt requires (`val f : int -> int`), if known.
        given: OCaml that is put before the code, except definitions that the code has itself; the
            prompt mentions it in its own words.
        libraries: Names of the findlib packages that completions may use.
        forbidden: What completions may not use: values ("List.concat", ":="), modules and words of
            the language ("while").
        required: What completions must define: modules ("Fifo"), and values or types ("Fifo.push").
        budget: Overrides of the scheme's budget: names of Budget's fields with their values.
        public_tests: Tests that may be shown, in the format of `tests`; empty for none. They do not
            affect the reward, because a model that sees them could hard-code them.
        comparison: Permitted differences between a program's output and the expected one.
        judge: OCaml that judges a program's output, instead of a comparison; "" for none.
        checker: The same in C++, as a testlib checker.
        untested: Whether completions are graded without tests: only structure, types and compiling
            count, and none passes.
    """

    id: str
    tests: str | tuple[StdioCase, ...]
    prompt: str = ""
    reference: str | None = None
    signature: str | None = None
    given: str = ""
    libraries: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    budget: tuple[tuple[str, float], ...] = ()
    public_tests: str | tuple[StdioCase, ...] = ()
    comparison: Comparison | None = None
    judge: str = ""
    checker: str = ""
    untested: bool = False

    def __post_init__(self) -> None:
        """Take lists of cases; raises TypeError for tests of another form."""
        for name in ("tests", "public_tests"):
            tests = getattr(self, name)
            if isinstance(tests, str):
                continue
            object.__setattr__(self, name, tuple(tests))
            if not all(isinstance(each, StdioCase) for each in tests):
                how = "problem_from_row reads other forms"
                raise TypeError(f"{name}: expected text, or a list of StdioCase; {how}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    """A completion of a model.

    Attributes:
        text: The generated text.
        truncated: Whether it hit its length limit (`finish_reason` is length, or no end token);
            None if unknown.
    """

    text: str
    truncated: bool | None = None

    @classmethod
    def of(cls, given: Completion | str) -> Completion:
        """Return a completion, or the one of a text; raises TypeError for anything else."""
        if isinstance(given, str):
            return cls(text=given)
        if isinstance(given, cls):
            return given
        raise TypeError(f"expected a Completion or its text, found {type(given).__name__}")
