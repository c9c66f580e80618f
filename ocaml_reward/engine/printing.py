"""
What a trusted program prints, run by the user's own ocamlc in the jail: for expected results
that a reference tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..errors import ProblemError
from ..model import Budget, Outcome, Stage
from ..sandbox import choose, workdir
from . import CheckRequest, PreparedTests
from .compilation import Compilation
from .pace import trusted_limits
from .policies import policy
from .run_outcome import outcome_of_run
from .stock import JailedProgram

__all__ = ["Printing"]

# One program tells the results of some dozen references.
_BUDGET: Final = Budget(
    compile_cpu_s=60,
    compile_wall_s=240,
    check_cpu_s=20,
    tests_cpu_s=20,
    tests_wall_s=120,
    output_bytes=16_000_000,
)


class Printing:
    """
    Runs whole programs in the jail of that name, and returns what they print.
    """

    def __init__(self, sandbox: str = "auto") -> None:
        """
        Find a jail.  Raises MachineError where there is none.
        """
        self._jail = choose(sandbox)

    def outputs(self, code: str, inputs: Iterable[str]) -> list[str]:
        """
        Compile a program and run it once per input.

        Args:
            code: The program.
            inputs: What each run reads on standard input.

        Returns:
            What each run printed.

        Raises:
            ProblemError: It does not compile, or a run does not come to its end.
            MachineError: The machine failed.
        """
        with workdir() as folder:
            request = CheckRequest(
                code=code, tests=PreparedTests(checks=()), budget=_BUDGET
            )
            report, _ = Compilation(self._jail, request, folder).report()
            if report.stage is not Stage.EXECUTABLE or report.forbidden:
                first = report.diagnostics[0] if report.diagnostics else None
                where = f" in line {first.span.line}" if first and first.span else ""
                why = first.message if first else ", ".join(report.forbidden)
                said = " ".join(why.split())
                raise ProblemError(f"a {report.stage.value}{where}: {said}")
            program = JailedProgram(
                jail=self._jail,
                policy=policy("run", (), _BUDGET, folder),
                budget=_BUDGET,
            )
            return [_printed(program, each) for each in inputs]


def _printed(program: JailedProgram, stdin: str) -> str:
    budget = program.budget
    run, events = program.start(
        (),
        trusted_limits(budget),
        stdin=stdin.encode(),
        cpu_s=budget.tests_cpu_s,
        wall_s=budget.tests_wall_s,
    )
    ended = outcome_of_run(run, events, budget)
    if run.exit_code != 0 or ended.outcome is not Outcome.EXITED:
        raise ProblemError(f"the reference {ended.outcome.value}: {ended.detail}")
    return run.stdout.decode("utf-8", "replace")
