"""Compiles one completion's code with its tests, and determines the stage that it reached.

Usually one jail is enough: our helper scans the code, reports, and becomes ocamlc.  For ill-typed
code, a second jail counts the independent type errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...errors import EngineFault
from ...model import CODE_FILE, Budget, CheckReport, MergedError, Stage
from ...sandbox import Jail, JailPolicy, JailRun
from .. import CheckRequest
from ..build.choice import choice
from ..build.policies import policy
from ..build.sources import START, UNITS
from ..build.toolchain import include_folders, locate, packages, units
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
from ..messages.rules import Broken, read_broken
from ..run.partial_run import PartialProgram

# File names in /task: the tests, and the tests with the code in their unit.
TESTS = "ocaml-reward-tests"
_CODE = "solution"
_MERGED = "ocaml-reward-merged"
# Why ocamlc refused a unit: an item is ill-typed, only the whole is, ocamlc itself failed, or did so
# only as it wrote the unit; and the exit status of a helper that misses our own units.  (ocaml/tool.ml)
# A unit that it cannot write has no file from OCaml 5.1 on, as one that it refuses; before, it has
# part of one.
_ITEMS, _WHOLE, _CRASH, _WRITTEN = b"items", b"whole", b"crash", b"written"
_STAGES = {_CRASH: Stage.COMPILER_LIMIT, _WRITTEN: Stage.LINK_ERROR}
_UNITS_MISSING = 3


def used_up(run: JailRun, budget: Budget, *, spent_s: float = 0.0) -> bool:
    """Tell whether a compiler or helper has exceeded its time; `spent_s` was used before.

    The used CPU time decides, as in the warm engine: the kernel's limit has whole seconds, and is
    only a backstop.
    """
    return run.wall_exceeded or run.cpu_s + spent_s > budget.compile_cpu_s


@dataclass(frozen=True, slots=True)
class Compilation:
    """One request, in a folder that the jail mounts as /task."""

    jail: Jail
    request: CheckRequest
    folder: Path

    def report(self) -> tuple[CheckReport, str]:
        """Compile and link; return a report without results, and a key of the declared types.

        Raises EngineFault if the helper did not start.
        """
        report, types = self._compiled()
        runs = report.stage is Stage.EXECUTABLE and not report.forbidden
        merged = (self.folder / f"{_MERGED}.ml").exists()
        if runs and not self._ticks(_MERGED if merged else _CODE):
            return EXHAUSTED, ""
        return report, types

    def _compiled(self) -> tuple[CheckReport, str]:
        """Compile and link with ocamlc, as `report`."""
        tests = self.request.tests
        self._write(tests.program)
        secret = nonce()
        ocamlc = self._ocamlc(*(f"{unit}.ml" for unit in self._units))
        command = ("/engine/tool", "compile", self.request.given_words, *ocamlc)
        run = self.jail.run(self._policy, command, request=f"{secret}\n".encode())
        events = list(read_events(run.result, secret))
        if not any(event.name == "hello" for event in events):
            raise EngineFault(f"the compiler did not start in its jail: {_why(run)}")
        if used_up(run, self.request.budget):
            return EXHAUSTED, ""
        stage, why = self._stage(run, events), b""
        diagnostics = readable(run.stderr)
        type_errors: int | None = None
        fraction: float | None = None
        blame = ""
        found_merged: tuple[MergedError, ...] = ()
        if stage in (Stage.TYPE_ERROR, Stage.INTERFACE_ERROR):
            why, found = self._count(stage)
            stage = _STAGES.get(why, stage)
        if stage is Stage.COMPILER_LIMIT:
            return EXHAUSTED, ""
        if stage in (Stage.TYPE_ERROR, Stage.INTERFACE_ERROR):
            type_errors, fraction, more, blame, found_merged = found
            diagnostics = merged(diagnostics, more, units(self.request.libraries))
            if why == _WHOLE and stage is Stage.TYPE_ERROR:
                # A type variable may be left open that the tests' use of it would close.
                again = self._merged("merge")
                if used_up(again, self.request.budget, spent_s=run.cpu_s):
                    return EXHAUSTED, ""
                if again.exit_code == 0:
                    stage, diagnostics, blame = Stage.EXECUTABLE, (), ""
        if stage in (Stage.EXECUTABLE, Stage.LINK_ERROR):
            type_errors, fraction = 0, 1.0
        forbidden = () if self._is_lenient else _forbidden(events)
        report = CheckReport(
            stage=stage,
            type_errors=type_errors,
            typed_fraction=fraction,
            parsed_share=_share(events) if stage is Stage.SYNTAX_ERROR else None,
            unparsed=unparsed(next((e.detail for e in events if e.name == "items"), "")),
            diagnostics=diagnostics,
            forbidden=forbidden[:MOST],
            parts=parts(next((e.detail for e in events if e.name == "parts"), "")),
            blame=blamed(blame, self.request.code) if self.request.holes else (),
            merged=found_merged,
        )
        return report, next((e.detail for e in events if e.name == "types"), "")

    def broken_rules(self) -> Broken | None:
        """Return what the reported code, which types, uses and lacks against the problem's rules.

        Returns None if that exhausts the helper.
        """
        request = self.request
        if not any(request.rules):
            return Broken()
        folders = ":".join(map(str, include_folders(request.libraries)))
        command = ("/engine/tool", "rules", folders, request.given_words, *request.rules)
        run = self.jail.run(self._policy, command)
        if run.exit_code != 0 or used_up(run, request.budget):
            return None
        return read_broken(netstrings(run.stdout))

    def compile_with_holes(self) -> PartialProgram | None:
        """Compile and link the reported code with holes, overwriting the program in the folder.

        Returns None if that fails.
        """
        secret = nonce()
        how = "lenient" if self._is_lenient else "strict"
        names = " ".join(self.request.tests.uses)
        watched = "watched" if self.request.branches else "unwatched"
        run = self._merged("through", how, watched, names, request=f"{secret}\n".encode())
        if used_up(run, self.request.budget):
            return None
        events = {each.name: each.detail for each in read_events(run.result, secret)}
        if "parts" not in events:
            return None
        return PartialProgram(
            runs=run.exit_code == 0 and self._ticks(_MERGED),
            errors=unparsed(events.get("errors", "")),
            branches=unparsed(events.get("branches", "")),
            types=events.get("types", ""),
            parts=parts(events.get("parts", "")),
            shared="shared" in events,
        )

    def compile_with_coverage(self) -> tuple[tuple[int, int], ...]:
        """Compile and link the code with branch coverage, overwriting the program in the folder.

        Returns the byte ranges of the branches; none if that fails.
        """
        secret = nonce()
        run = self._merged("branched", request=f"{secret}\n".encode())
        if run.exit_code != 0 or used_up(run, self.request.budget):
            return ()
        if not self._ticks(_MERGED):
            return ()
        events = {each.name: each.detail for each in read_events(run.result, secret)}
        return unparsed(events.get("branches", ""))

    def compile_oracle(self, program: bytes) -> bool:
        """Compile an oracle program with the types of the code; return whether that worked."""
        self._write(program)
        run = self._merged("answers")
        return run.exit_code == 0 and not used_up(run, self.request.budget)

    def _write(self, payload: bytes) -> None:
        """Write the code and the tests into the folder."""
        code = self.request.code.encode("utf-8", "replace")
        (self.folder / CODE_FILE).write_bytes(code)
        if payload:
            (self.folder / f"{TESTS}.ml").write_bytes(payload)

    @property
    def _policy(self) -> JailPolicy:
        """Return the policy of the compiler's jail."""
        request = self.request
        return policy(
            "compile",
            request.libraries,
            request.budget,
            self.folder,
            allow_unsafe=request.allow_unsafe,
        )

    @property
    def _units(self) -> tuple[str, ...]:
        """Return the names of the code's and the tests' files, without their endings."""
        return (_CODE, TESTS) if self.request.tests.payload else (_CODE,)

    def _ocamlc(self, *files: str) -> list[str]:
        """Return the command line of ocamlc for the units in `files`, behind our own."""
        # "short" quotes no source: we have it, and of the tests, which ocamlc gets as a tree, it
        # would quote the wrong file.  Warning 24: our own file names are deliberately no module
        # names.
        command = [str(locate().ocamlc), "-use-prims", "/engine/primitives"]
        command += ["-error-style", "short", "-color", "never", "-w", "-24"]
        command += ["-I", "/engine", "-o", "prog"]
        for folder in include_folders(self.request.libraries):
            command += ["-I", str(folder)]
        for package in packages(self.request.libraries):
            command += map(str, package.archives)
        # Our own units come before the lock, as in the runner.
        ours = UNITS if self.request.tests.payload else UNITS[:1]
        return [*command, *(f"{unit}.cmo" for unit in (*ours, START)), *files]

    def _stage(self, run: JailRun, events: list[Event]) -> Stage:
        """Return the stage that the compilation reached."""
        # The files that ocamlc left show the stage it reached.  Its messages do not: a line
        # directive in the code can make an error appear to come from anywhere.
        names = {event.name for event in events}
        if run.exit_code == 0:
            return Stage.EXECUTABLE
        stopped = run.output_exceeded or run.exit_code != 2
        if stopped or "scanned" not in names:
            return Stage.COMPILER_LIMIT
        if "items" in names:
            return Stage.SYNTAX_ERROR
        if not (self.folder / "solution.cmo").exists():
            return Stage.TYPE_ERROR
        tests = self.folder / f"{TESTS}.cmo"
        if self.request.tests.payload and not tests.exists():
            return Stage.INTERFACE_ERROR
        return Stage.LINK_ERROR

    @property
    def _is_lenient(self) -> bool:
        """Tell whether forbidden features are allowed."""
        return self.request.allow_unsafe

    def _merged(self, task: str, *settings: str, request: bytes = b"") -> JailRun:
        """Compile the code as part of the tests' unit, or alone if there are no tests.

        Without tests and settings, ocamlc is run instead of our helper.
        """
        # With an empty interface a unit may have open types.
        is_merged = bool(self.request.tests.payload or settings)
        unit = _MERGED if is_merged else _CODE
        (self.folder / f"{unit}.mli").write_bytes(b"")
        command = self._ocamlc(f"{unit}.mli", f"{unit}.ml")
        if is_merged:
            command = ["/engine/tool", task, *settings, *command]
        return self.jail.run(self._policy, command, request=request)

    def _ticks(self, unit: str) -> bool:
        """Compile a unit that ocamlc has accepted again, so that it ticks, and link the program.

        Returns False if that exhausts the helper.
        """
        if not choice().warm:
            return True
        units = (_MERGED,) if unit == _MERGED else self._units
        linked = self._ocamlc(*(f"{each}.cmo" for each in units))
        run = self.jail.run(self._policy, ("/engine/tool", "tick", unit, *linked))
        return run.exit_code == 0 and not used_up(run, self.request.budget)

    def _count(self, stage: Stage) -> tuple[bytes, Counted]:
        """Return why ocamlc refused the unit, and the count of its type errors.  (ocaml/tool.ml)

        Raises EngineFault if the helper misses our own units.
        """
        request = self.request
        names = request.tests.uses
        includes = [str(folder) for folder in include_folders(request.libraries)]
        where = ":".join(includes), stage.value, request.given_words
        command = ("/engine/tool", "count", *where, *names)
        run = self.jail.run(self._policy, command)
        if run.exit_code == _UNITS_MISSING:
            raise EngineFault("the helper that counts type errors misses our own units")
        if used_up(run, request.budget):
            return _ITEMS, UNCOUNTED
        try:
            why, *answer = netstrings(run.stdout)
        except (EngineFault, ValueError):
            # Typing the code a second time exhausted the helper.
            return _CRASH, UNCOUNTED
        try:
            return why, counted(answer)
        except (EngineFault, ValueError):
            # The code exhausted the counter; ocamlc has found at least one error.
            return why, UNCOUNTED


def _forbidden(events: list[Event]) -> tuple[str, ...]:
    """Return the forbidden features in the code, each with its line."""
    # The detail is text of ours, never of the code.
    return tuple(
        f"{event.detail} (line {event.arguments[0]})"
        for event in events
        if event.name == "forbidden"
    )


def _share(events: list[Event]) -> float:
    """Return the share of the code's items that parse."""
    for event in events:
        if event.name == "items":
            parsed, total = (int(word) for word in event.arguments)
            return parsed / total if total else 0.0
    return 0.0


def _why(run: JailRun) -> str:
    """Return how a run ended, with what it printed."""
    text = run.log or run.stderr.decode("utf-8", "replace")
    ending = f"exit {run.exit_code}" if run.signal is None else f"signal {run.signal}"
    return " ".join(f"{ending} {text}".split())[:300]
