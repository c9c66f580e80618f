"""Runs trusted programs in the jail and returns their output.

Made problems get their expected results this way, from a reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ...errors import ProblemError
from ...model import Budget, Outcome, Stage
from ...sandbox import choose, workdir
from .. import CheckRequest, PreparedTests
from ..build.policies import policy
from ..messages.limits import trusted_limits
from ..messages.run_outcome import outcome_of_run
from .compilation import Compilation
from .stock import JailedProgram

# One program prints the results of some dozen references.
_BUDGET: Final = Budget(
    compile_cpu_s=60,
    compile_wall_s=240,
    check_cpu_s=20,
    tests_cpu_s=20,
    tests_wall_s=120,
    output_bytes=16_000_000,
)

_TRIAL: Final = replace(
    _BUDGET, check_cpu_s=1, tests_cpu_s=1, tests_wall_s=20, output_bytes=100_000
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """The output of one run, and how it `failed` in words; "" if it finished."""

    text: str
    failed: str = ""


class Printing:
    """Runs whole programs in the jail of that name, and returns their output."""

    def __init__(self, sandbox: str = "auto") -> None:
        """Find a jail.  Raises MachineError if there is none."""
        self._jail = choose(sandbox)

    def outputs(self, code: str, inputs: Iterable[str]) -> list[str]:
        """Compile a program and run it once per input.

        Args:
            code: The program.
            inputs: The standard input of each run.

        Returns:
            The output of each run.

        Raises:
            ProblemError: It does not compile, or a run does not finish.
            MachineError: The machine failed.
        """
        found = []
        for printed in self._runs(code, inputs, _BUDGET):
            if printed.failed:
                raise ProblemError(f"the reference {printed.failed}")
            found.append(printed.text)
        return found

    def tried(
        self, code: str, inputs: Iterable[str], *, libraries: tuple[str, ...] = ()
    ) -> list[Printed]:
        """Compile a program and run it once per input; runs may fail.

        Args:
            code: The program.
            inputs: The standard input of each run.
            libraries: The findlib packages that it uses.

        Returns:
            The output of each run within a second of CPU time, and how it failed.

        Raises:
            ProblemError: It does not compile.
            MachineError: The machine failed.
        """
        return list(self._runs(code, inputs, _TRIAL, libraries))

    def _runs(
        self,
        code: str,
        inputs: Iterable[str],
        budget: Budget,
        libraries: tuple[str, ...] = (),
    ) -> Iterator[Printed]:
        """Yield what code prints on each input; raise ProblemError if it does not compile."""
        with workdir() as folder:
            request = CheckRequest(
                code=code,
                tests=PreparedTests(checks=()),
                libraries=libraries,
                budget=budget,
            )
            report, _ = Compilation(self._jail, request, folder).report()
            if report.stage is not Stage.EXECUTABLE or report.forbidden:
                first = report.diagnostics[0] if report.diagnostics else None
                where = f" in line {first.span.line}" if first and first.span else ""
                why = first.message if first else ", ".join(report.forbidden)
                message = " ".join(why.split())
                raise ProblemError(f"a {report.stage.value}{where}: {message}")
            program = JailedProgram(
                jail=self._jail,
                policy=policy("run", libraries, budget, folder),
                budget=budget,
            )
            for each in inputs:
                yield _printed(program, each)


def _printed(program: JailedProgram, stdin: str) -> Printed:
    """Return what a program prints on an input."""
    budget = program.budget
    run, events = program.start(
        (),
        trusted_limits(budget),
        stdin=stdin.encode(),
        cpu_s=budget.tests_cpu_s,
        wall_s=budget.tests_wall_s,
    )
    ended = outcome_of_run(run, events, budget)
    try:
        text = run.stdout.decode()
    except UnicodeDecodeError:
        return Printed(text="", failed="prints what is no UTF-8")
    if run.exit_code != 0 or ended.outcome is not Outcome.EXITED:
        return Printed(text=text, failed=f"{ended.outcome.value}: {ended.detail}")
    return Printed(text=text)
