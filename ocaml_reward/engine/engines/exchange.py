"""One completion on one warm server: its requests, and the meaning of the replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...errors import EngineFault
from ...model import Budget, CheckReport, MergedError, Stage
from .. import CheckRequest
from ..build.toolchain import units
from ..judge.answer_leaks import ExpectedValues
from ..messages.limits import QUICK, RunLimits, trusted_limits
from ..messages.protocol import Event, netstrings, nonce, read_events
from ..messages.reports import (
    EXHAUSTED,
    MOST,
    UNCOUNTED,
    Counted,
    blamed,
    counted,
    merged,
    parts,
    readable,
    unparsed,
)
from ..messages.rules import read_broken
from ..messages.values import read_expected_values
from ..run.branch_coverage import CoverageRun
from ..run.execute import LOCK_FAILED, first_skip, limits_of, lock_settings, require_started
from ..run.partial_run import PartialProgram, partial_run_wanted
from .server import CheckerDied, Doubtful, Server


class Exhausted(Exception):
    """The checker died of the code after compiling it, when the code was to be run."""


class RunnerAnswer(NamedTuple):
    """How one run ended, and what it printed."""

    began: bool
    exit_code: int | None
    signal: int | None
    wall_exceeded: bool
    output_exceeded: bool
    cpu_s: float
    stdout: bytes
    stderr: bytes


def read_run(body: bytes) -> tuple[RunnerAnswer, bytes]:
    """Return a runner's reply: one line of numbers, then three texts.  (ocaml/run/fork_server.c)

    The first number is that of the request.
    """
    line, _, rest = body.partition(b"\n")
    try:
        _, exit_code, number, late, cpu_us, began, events, out, err = map(int, line.split())
    except ValueError:
        raise EngineFault("the runner answered nonsense") from None
    if len(rest) != events + out + err:
        raise EngineFault("the runner answered nonsense")
    run = RunnerAnswer(
        began=bool(began),
        exit_code=None if number else exit_code,
        signal=number or None,
        wall_exceeded=bool(late),
        output_exceeded=False,
        cpu_s=cpu_us / 1e6,
        stdout=rest[events : events + out],
        stderr=rest[events + out :],
    )
    return run, rest[:events]


# The signals that a process causes itself, as OCaml numbers them: SIGABRT, SIGFPE, SIGILL, SIGSEGV,
# SIGBUS, SIGTRAP.
_OWN = (-1, -3, -5, -10, -22, -25)
# An exit status of checker.c.
_TIMED_OUT = 98
# A server counts as hung this long after the budget: it may have to fork a checker first.
GRACE_S = 10.0


@dataclass(slots=True)
class Exchange:
    """One request on one server.  Code that compiles is run at once, in the same exchange.

    In a quick attempt the compiler also gets only a share of its time, so that code with
    exponentially growing types does not hold up others.
    """

    server: Server
    request: CheckRequest
    compile_ms: float = 0.0
    types: str = ""
    consists: str = ""
    partial: PartialProgram | None = None
    missing: tuple[str, ...] = ()
    _secret: str = field(default_factory=nonce)
    _linked: int = 0
    _running: bool = False
    _stale: bool = False
    _ended: bool = False
    _cut: bool = False

    @property
    def budget(self) -> Budget:
        """The completion's budget."""
        return self.request.budget

    def compile(self, *, run: bool) -> CheckReport:
        """Compile and link; with `run` the server also runs the program, and replies once to both.

        Code that is to be run with holes has then been run that way.
        """
        tests, budget = self.request.tests, self.budget
        first = tests.stdio[0].stdin if tests.stdio else ""
        limits = limits_of(self.request)
        lines = lock_settings(
            budget,
            self._secret,
            first_skip(self.request),
            limits.case(0) if tests.stdio else limits.next_run(),
            cpu_s=limits.cpu_s(budget.tests_cpu_s),
            wall_s=budget.tests_wall_s,
        )
        self._linked = self.server.send(
            b"k",
            check_ms(budget, QUICK if self.request.quick else 1.0),
            self.request.code.encode("utf-8", "replace"),
            tests.program,
            " ".join(tests.uses).encode(),
            self.request.checker_options.encode(),
            self.request.given_words.encode(),
            *(words.encode("utf-8", "replace") for words in self.request.rules),
            lines if run else b"",
            first.encode("utf-8", "replace"),
        )
        wall_s = budget.compile_wall_s + GRACE_S
        if run:
            wall_s += budget.tests_wall_s
        try:
            body = self.server.receive(b"k", wall_s=wall_s)
        except CheckerDied as death:
            return self._ran_out(death)
        try:
            head, broken, types, consists, text, *rest = netstrings(body)
            name, parsed, total, spent_us, stale = head.decode().split()
        except ValueError:
            raise EngineFault("the engine's server answered nonsense") from None
        self.compile_ms = int(spent_us) / 1e3
        self.types = types.decode()
        stage = Stage(name)
        if stage is Stage.COMPILER_LIMIT:
            return EXHAUSTED
        # Otherwise the server has already replaced its checker.
        self._stale = stage is Stage.EXECUTABLE and stale == "true"
        forbidden, self.missing = read_broken(rest)
        diagnostics = readable(text)
        type_errors: int | None = None
        blame = ""
        found_merged: tuple[MergedError, ...] = ()
        fraction: float | None = None
        share: float | None = None
        if stage in (Stage.EXECUTABLE, Stage.LINK_ERROR):
            type_errors, fraction = 0, 1.0
        elif stage in (Stage.TYPE_ERROR, Stage.INTERFACE_ERROR):
            type_errors, fraction, more, blame, found_merged = self._counted()
            diagnostics = merged(diagnostics, more, units(self.request.libraries))
        elif stage is Stage.SYNTAX_ERROR:
            share = int(parsed) / int(total) if int(total) else 0.0
        is_broken = forbidden or self.missing
        self._running = runs = run and stage is Stage.EXECUTABLE and not is_broken
        self.consists = consists.decode("utf-8", "replace")
        report = CheckReport(
            stage=stage,
            type_errors=type_errors,
            typed_fraction=fraction,
            parsed_share=share,
            unparsed=unparsed(broken.decode()),
            diagnostics=diagnostics,
            forbidden=forbidden[:MOST],
            # Of code that passes every check, which most often is asked for, nobody looks at them.
            parts=None if runs and not self.request.holes else parts(self.consists),
            blame=blamed(blame, self.request.code) if self.request.holes else (),
            merged=found_merged,
        )
        if partial_run_wanted(self.request, report) and not self._ended:
            self._receive_partial()
        return replace(report, cut=True) if self._cut else report

    def _receive_partial(self) -> None:
        """Receive the reply on the program with holes, which the server has then run."""
        try:
            body = self.server.receive(b"h", wall_s=self.budget.compile_wall_s + GRACE_S)
        except CheckerDied as death:
            self._cut = self._ran_out(death).cut
            return
        if not body:
            return
        runs, types, consists, shared, errors, branches, stale = netstrings(body)
        self.partial = PartialProgram(
            runs=runs == b"true",
            errors=unparsed(errors.decode()),
            branches=unparsed(branches.decode()),
            types=types.decode(),
            parts=parts(consists.decode("utf-8", "replace")),
            shared=shared == b"true",
        )
        self._running = self.partial.runs
        # Otherwise the server has already replaced its checker.
        self._stale = self._running and stale == b"true"

    def end(self) -> None:
        """Make the server ready for another completion."""
        if self._stale:
            self.server.renew()
            self._stale = False

    def compile_with_coverage(self, first: CoverageRun) -> tuple[tuple[int, int], ...]:
        """Compile the checked code with branch coverage, and start its `first` run.

        Returns the byte ranges of the branches.
        """
        tests = self.request.tests
        self._secret = nonce()
        lines = lock_settings(
            self.budget,
            self._secret,
            first.skip,
            first.limits,
            cpu_s=first.cpu_s,
            wall_s=first.wall_s,
        )
        self._linked = self.server.send(
            b"b",
            check_ms(self.budget),
            self.request.code.encode("utf-8", "replace"),
            tests.program,
            " ".join(tests.uses).encode(),
            lines,
        )
        wall_s = self.budget.compile_wall_s + GRACE_S + first.wall_s
        try:
            body = self.server.receive(b"b", wall_s=wall_s)
        except CheckerDied as death:
            exhausted_status(death)
            return ()
        self._running = bool(body)
        return unparsed(body.decode())

    def start_as_written(
        self, skip: Sequence[str], limits: RunLimits, *, cpu_s: float, wall_s: float
    ) -> tuple[RunnerAnswer, list[Event]] | None:
        """Link the checked code with the tests as they were written, and run that; None if it does
        not compile.
        """
        tests = self.request.tests
        if tests.written is None:
            return None
        self._secret = nonce()
        wall_s = max(wall_s, 0.1)
        lines = lock_settings(self.budget, self._secret, skip, limits, cpu_s=cpu_s, wall_s=wall_s)
        self._linked = self.server.send(
            b"w",
            check_ms(self.budget),
            self.request.code.encode("utf-8", "replace"),
            tests.written.program,
            " ".join(tests.uses).encode(),
            lines,
        )
        try:
            body = self.server.receive(b"w", wall_s=self.budget.compile_wall_s + GRACE_S + wall_s)
        except CheckerDied as death:
            exhausted_status(death)
            return None
        if body:
            return None
        self._running = True
        return self.start(skip, limits, cpu_s=cpu_s, wall_s=wall_s)

    def _ran_out(self, death: CheckerDied) -> CheckReport:
        """Return the report of code that exhausted the compiler; a quick attempt may only have been
        too short.
        """
        status = exhausted_status(death)
        return replace(EXHAUSTED, cut=self.request.quick and status == _TIMED_OUT)

    def _counted(self) -> Counted:
        """Receive the counted type errors; none are known if the checker died counting."""
        wall_s = self.budget.compile_wall_s + GRACE_S
        try:
            body = self.server.receive(b"c", wall_s=wall_s)
        except CheckerDied as death:
            self._ended, self._cut = True, self._ran_out(death).cut
            return UNCOUNTED
        return counted(netstrings(body))

    def start(
        self,
        skip: Sequence[str],
        limits: RunLimits,
        *,
        stdin: bytes = b"",
        cpu_s: float,
        wall_s: float,
    ) -> tuple[RunnerAnswer, list[Event]]:
        """Run the linked program; the first run was started by `compile`.

        Raises Exhausted if the code leaves its checker no memory for that, and EngineFault.
        """
        if not self._running:
            self._secret = nonce()
            lines = lock_settings(
                self.budget,
                self._secret,
                skip,
                limits,
                cpu_s=cpu_s,
                wall_s=max(wall_s, 0.1),
            )
            self.server.send(b"a", b"%d" % self._linked, lines, stdin)
        self._running = False
        try:
            body = self.server.receive(b"r", wall_s=wall_s + GRACE_S)
        except CheckerDied as death:
            exhausted_status(death)
            raise Exhausted from None
        run, output = read_run(body)
        events = read_events(output, self._secret)
        # Trust only the fork server on whether the run began: the code may overwrite its own
        # output.
        if run.began and not (events and events[0].name == "hello"):
            events.insert(0, Event("hello", "", ""))
        if not run.began:
            events = [event for event in events if event.name != "hello"]
            require_started(run, events)
        return run, events


def compute_expected(
    server: Server, oracle: bytes, code: str, budget: Budget, returned: str = ""
) -> ExpectedValues | None:
    """Run a problem's oracle program with the types of some code; return None if that fails.

    `returned` holds the values returned by the code, for predicates to use.
    """
    text = code.encode("utf-8", "replace")
    ran = _run_trusted(server, b"e", budget, text, oracle, stdin=returned.encode())
    return None if ran is None else read_expected_values(ran[1])


def asked(server: Server, kind: bytes, budget: Budget, fields: bytes) -> list[bytes] | None:
    """Return the helper's answer to a request, as fields; None if it was too much for it."""
    server.send(kind, check_ms(budget), *netstrings(fields))
    try:
        return netstrings(server.receive(kind, wall_s=budget.compile_wall_s + GRACE_S))
    except CheckerDied as death:
        exhausted_status(death)
        return None


def run_judge(
    server: Server, code: bytes, budget: Budget, stdin: bytes
) -> tuple[RunnerAnswer, list[Event]] | None:
    """Run a problem's judge; return None if it does not compile."""
    try:
        return _run_trusted(server, b"j", budget, code, stdin=stdin)
    except Doubtful as doubt:
        # The judge failed, not the completion: do not grade the completion again.
        raise EngineFault(f"the problem's judge: {doubt}") from None


def _run_trusted(
    server: Server, kind: bytes, budget: Budget, *items: bytes, stdin: bytes
) -> tuple[RunnerAnswer, list[Event]] | None:
    """Compile and run a trusted program; return None if it does not compile."""
    secret = nonce()
    lines = lock_settings(
        budget,
        secret,
        (),
        trusted_limits(budget),
        cpu_s=budget.tests_cpu_s,
        wall_s=budget.tests_wall_s,
    )
    server.send(kind, check_ms(budget), *items, lines, stdin)
    try:
        body = server.receive(kind, wall_s=budget.compile_wall_s + GRACE_S)
        if any(netstrings(body)):
            return None
        ran = server.receive(b"r", wall_s=budget.tests_wall_s + GRACE_S)
    except CheckerDied as death:
        exhausted_status(death)
        return None
    run, output = read_run(ran)
    return run, read_events(output, secret)


def check_ms(budget: Budget, share: float = 1.0) -> bytes:
    """Return the checker's time limit in milliseconds: a share of the budget."""
    # 0 would turn its timer off.
    return b"%d" % max(round(budget.compile_cpu_s * share * 1000), 1)


def exhausted_status(death: CheckerDied) -> int:
    """Return the exit status of a checker that code has exhausted.

    Its limits, and its runtime when out of memory, end it with an exit status; these deaths are
    the code's fault.  Raises EngineFault if the machine refused its lock.  Raises Doubtful for a
    signal from outside or from the system call filter: the cause may be the code, or a machine
    short of memory.
    """
    if death.status == LOCK_FAILED:
        raise EngineFault("this machine refused the checker's lock (seccomp)")
    if death.status < 0 and death.signal not in _OWN:
        raise Doubtful(f"the checker was killed (OCaml's signal {death.signal})")
    return death.status
