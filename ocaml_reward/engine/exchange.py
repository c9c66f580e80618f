"""One completion on one warm server: what is asked of it, and what its answers mean."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from ..errors import EngineFault
from ..model import Budget, CheckReport, MergedError, Stage
from . import CheckRequest, Outside
from .branched import Watched
from .execute import (
    LOCK_FAILED,
    first_skip,
    lock_settings,
    pace_of,
    require_started,
)
from .holed import Holed, is_wanted
from .outside import KnownAnswers, checker_options, payload_of
from .pace import Limits, trusted_limits
from .protocol import Event, netstrings, nonce, read_events
from .reports import (
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
from .server import CheckerDied, Doubtful, Server
from .toolchain import units
from .values import read_answers


class Exhausted(Exception):
    """Code that had compiled has exhausted its checker as it was run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunnerAnswer:
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
    """Read a runner's answer: one line of figures, then three texts.  (ocaml/run/fork_server.c)

    The first figure is the number of the request, by which the checker knows the answer.
    """
    line, _, rest = body.partition(b"\n")
    with suppress(ValueError):
        _, exit_code, number, late, cpu_us, began, *lengths = (
            int(word) for word in line.split()
        )
        events, stdout, stderr = lengths
        if len(rest) == events + stdout + stderr:
            run = RunnerAnswer(
                began=bool(began),
                exit_code=None if number else exit_code,
                signal=number or None,
                wall_exceeded=bool(late),
                output_exceeded=False,
                cpu_s=cpu_us / 1e6,
                stdout=rest[events : events + stdout],
                stderr=rest[events + stdout :],
            )
            return run, rest[:events]
    raise EngineFault("the runner answered nonsense")


# The signals that a process brings upon itself, as OCaml numbers them: SIGABRT, SIGFPE,
# SIGILL, SIGSEGV, SIGBUS, SIGTRAP.
_OWN = (-1, -3, -5, -10, -22, -25)
# An exit status of checker.c.
_TIMED_OUT = 98
# Beyond the budget, before a server counts as hung: it may have to fork a checker.
GRACE_S = 10.0


@dataclass(slots=True)
class Exchange:
    """One request on one server.  Code that compiles is run at once, in the same exchange.

    In a quick look the compiler, too, has `check_later_share` of its time only: types that
    grow with each line hold up nobody else.
    """

    server: Server
    request: CheckRequest
    outside: Outside | None = None
    compile_ms: float = 0.0
    types: str = ""
    holed: Holed | None = None
    _secret: str = field(default_factory=nonce)
    _linked: int = 0
    _running: bool = False
    _stale: bool = False
    _ended: bool = False
    _cut: bool = False

    @property
    def budget(self) -> Budget:
        """What the completion may spend."""
        return self.request.budget

    def checked(self, *, run: bool) -> CheckReport:
        """Compile and link; where `run` is wanted it has then been run, too: both answers
        come as one.  What has to be `holed` has been run that way.
        """
        tests, budget = self.request.tests, self.budget
        first = tests.stdio[0].stdin if tests.stdio else ""
        pace = pace_of(self.request)
        lines = lock_settings(
            budget,
            self._secret,
            first_skip(self.request),
            pace.case(0) if tests.stdio else pace.limits(()),
            cpu_s=budget.tests_cpu_s,
            wall_s=budget.tests_wall_s,
        )
        self._linked = self.server.send(
            b"k",
            check_ms(budget, budget.check_later_share if self.request.quick else 1.0),
            self.request.code.encode("utf-8", "replace"),
            payload_of(tests, self.outside),
            " ".join(tests.uses),
            self._options(),
            self.request.given_words,
            lines if run else "",
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
            (
                name,
                parsed,
                total,
                broken,
                spent_us,
                stale,
                types,
                consists,
                text,
                *rest,
            ) = netstrings(body)
        except ValueError:
            raise EngineFault("the engine's server answered nonsense") from None
        self.compile_ms = int(spent_us) / 1e3
        self.types = types.decode()
        stage = Stage(name.decode())
        if stage is Stage.COMPILER_LIMIT:
            return EXHAUSTED
        # Else the server has seen to that itself.
        self._stale = stage is Stage.EXECUTABLE and stale == b"true"
        forbidden = tuple(
            f"{what.decode('utf-8', 'replace')} (line {int(line)})"
            for line, what in zip(rest[::2], rest[1::2], strict=True)
        )
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
        self._running = run and stage is Stage.EXECUTABLE and not forbidden
        report = CheckReport(
            stage=stage,
            type_errors=type_errors,
            typed_fraction=fraction,
            parsed_share=share,
            unparsed=unparsed(broken.decode()),
            diagnostics=diagnostics,
            forbidden=forbidden[:MOST],
            parts=parts(consists.decode("utf-8", "replace")),
            blame=blamed(blame, self.request.code) if self.request.holes else (),
            merged=found_merged,
        )
        if is_wanted(self.request, report) and not self._ended:
            self._take_holed()
        return replace(report, cut=True) if self._cut else report

    def _options(self) -> str:
        # Of regions: code with holes, and which branches it enters then.
        asked = "h" * self.request.holes + "b" * self.request.branches
        return checker_options(self.request.tests, self.outside) + asked

    def _take_holed(self) -> None:
        """Receive what code is with holes, which then has been run."""
        try:
            body = self.server.receive(
                b"h", wall_s=self.budget.compile_wall_s + GRACE_S
            )
        except CheckerDied as death:
            self._cut = self._ran_out(death).cut
            return
        if not body:
            return
        runs, types, consists, shared, errors, branches, stale = netstrings(body)
        self.holed = Holed(
            runs=runs == b"true",
            errors=unparsed(errors.decode()),
            branches=unparsed(branches.decode()),
            types=types.decode(),
            parts=parts(consists.decode("utf-8", "replace")),
            shared=shared == b"true",
        )
        self._running = self.holed.runs
        # Else the server has seen to that itself.
        self._stale = self._running and stale == b"true"

    def end(self) -> None:
        """Leave the server as one that may take any other completion."""
        if self._stale:
            self.server.renew()
            self._stale = False

    def branched(self, first: Watched) -> tuple[tuple[int, int], ...]:
        """Have the code that was checked say which branches it enters, and return where they lie:
        the `first` run of it has then been, too.
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
            payload_of(tests, self.outside),
            " ".join(tests.uses),
            lines,
        )
        wall_s = self.budget.compile_wall_s + GRACE_S + first.wall_s
        try:
            body = self.server.receive(b"b", wall_s=wall_s)
        except CheckerDied as death:
            limit_met(death)
            return ()
        self._running = bool(body)
        return unparsed(body.decode())

    def _ran_out(self, death: CheckerDied) -> CheckReport:
        """Report code that exhausted the compiler; in a quick look only its time was short."""
        status = limit_met(death)
        return replace(EXHAUSTED, cut=self.request.quick and status == _TIMED_OUT)

    def _counted(self) -> Counted:
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
        limits: Limits,
        *,
        stdin: bytes = b"",
        cpu_s: float,
        wall_s: float,
    ) -> tuple[RunnerAnswer, list[Event]]:
        """Run what was linked; the first run is the one that `checked` has begun.

        Raises Exhausted where the code leaves its checker no room for that, and EngineFault.
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
            self.server.send(b"a", str(self._linked), lines, stdin)
        self._running = False
        try:
            body = self.server.receive(b"r", wall_s=wall_s + GRACE_S)
        except CheckerDied as death:
            limit_met(death)
            raise Exhausted from None
        run, told = read_run(body)
        # The zygote's word on it: what a child said lies in memory that its code may reach.
        hello = [Event("hello", (), "")] if run.began else []
        said = read_events(told, self._secret)
        events = hello + [event for event in said if event.name != "hello"]
        require_started(run, events)
        return run, events


def tell(
    server: Server, answers: bytes, code: str, budget: Budget, handed: str = ""
) -> KnownAnswers | None:
    """Run a problem's answers beside the types of some code; None where that cannot be done.
    What that code has `handed` out is there for predicates.
    """
    text = code.encode("utf-8", "replace")
    ran = _run_beside(server, b"e", budget, text, answers, stdin=handed)
    return None if ran is None else read_answers(ran[1])


def run_judge(
    server: Server, code: bytes, budget: Budget, stdin: bytes
) -> tuple[RunnerAnswer, list[Event]] | None:
    """Run a problem's own judge; None where it does not compile."""
    try:
        return _run_beside(server, b"j", budget, code, stdin=stdin)
    except Doubtful as doubt:
        # Nothing to doubt the completion for, which is another process' affair.
        raise EngineFault(f"the problem's judge: {doubt}") from None


def _run_beside(
    server: Server, kind: bytes, budget: Budget, *items: bytes, stdin: str | bytes
) -> tuple[RunnerAnswer, list[Event]] | None:
    """Have a trusted program compiled and run; None where it does not compile."""
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
        limit_met(death)
        return None
    run, told = read_run(ran)
    return run, read_events(told, secret)


def check_ms(budget: Budget, share: float = 1.0) -> str:
    """Write how long the checker may compute, in milliseconds: a share of what there is."""
    # 0 would disarm its timer.
    return str(max(round(budget.compile_cpu_s * share * 1000), 1))


def limit_met(death: CheckerDied) -> int:
    """Return the exit status of a checker that code has exhausted.

    Whatever the checker has done itself it has done at this code: its limits end it with an
    exit status, and so does its runtime where it gives up.  Raises EngineFault where the
    machine refused its lock, and Doubtful for a signal that it was sent or that the lock has
    answered a system call with: a short machine may be behind that, or code.
    """
    if death.status == LOCK_FAILED:
        raise EngineFault("this machine refused the checker's lock (seccomp)")
    if death.status < 0 and death.signal not in _OWN:
        raise Doubtful(f"the checker was killed (OCaml's signal {death.signal})")
    return death.status
