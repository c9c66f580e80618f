"""A problem's checker in C++, in the style of testlib.

It is compiled by the installed g++ in one jail, and run in another, once for each case:

    checker INPUT OUTPUT ANSWER

Its exit status is the verdict: 0 right; 1, 2, 4 and 8 wrong; 7 a number of points, which it prints
as "points 0.5"; 3 the jury's answer is wrong, which is a JudgeFault.  Any other end is a death on
the output.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from ...errors import JudgeFault, ProblemError
from ...model import Problem
from ...sandbox import Jail, JailPolicy, JailRun, Limits, Mount, build_rootfs, cache_root, workdir
from ...sandbox.cache import build_once
from ..build.helpers import rootfs
from .outputs import NO_TIME, Died, Judged, Printed, settle_verdicts

HEADER_VARIABLE: Final = "OCAML_REWARD_TESTLIB"
"""The environment variable with the path of testlib.h, if it is in no default folder."""

_HEADER: Final = "testlib.h"
_INCLUDED: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]testlib\.h[>"]', re.MULTILINE)
_POINTS: Final = re.compile(r"points\s+([0-9.eE+-]+)\s*(.*)", re.DOTALL)
_FOLDERS: Final = ("/usr", "/lib", "/lib64")
_WRONG: Final = frozenset({1, 2, 4, 8})
_JURY_IS_WRONG: Final = 3
_GIGABYTE: Final = 1 << 30
_BUILDING: Final = Limits(
    wall_s=120.0, cpu_s=60, memory_bytes=4 * _GIGABYTE, stack_bytes=64 << 20,
    file_bytes=64 << 20, open_files=64, processes=16, output_bytes=1_000_000,
)  # fmt: skip
_CHECKING: Final = Limits(
    wall_s=20.0, cpu_s=5, memory_bytes=_GIGABYTE, stack_bytes=64 << 20,
    file_bytes=1 << 20, open_files=32, processes=1, output_bytes=1_000_000,
)  # fmt: skip
# Limits for all cases of a completion, and again for good outputs, without the start of the jail.
_ALL_CPU_S: Final = 30.0
_ALL_WALL_S: Final = 120.0
_START_S: Final = 0.05
# The limit of each case once one has used up its time: the next ones probably would, too.
_LATER_CPU_S: Final = 1


def compiled_checker(jail: Jail, source: str) -> Path:
    """Return the folder of a compiled checker; compile it on first use.

    Raises ProblemError if it does not compile, or if g++ or testlib.h is missing.
    """
    header = _header(os.environ) if _INCLUDED.search(source) else None
    text = b"" if header is None else header.read_bytes()
    key = hashlib.sha256(source.encode("utf-8", "replace") + b"\0" + text).hexdigest()

    def build(scratch: Path) -> None:
        target = scratch / key[:20]
        target.mkdir()
        with workdir() as folder:
            (folder / "checker.cpp").write_text(source, "utf-8", "replace")
            if text:
                (folder / _HEADER).write_bytes(text)
            run = _build(jail, folder)
            made = folder / "checker"
            if run.exit_code != 0 or not made.is_file():
                raise ProblemError(f"the checker does not compile: {_first_error(run)}")
            shutil.copyfile(made, target / "checker")
            (target / "checker").chmod(0o755)
        target.chmod(0o755)

    return build_once(cache_root() / "checkers" / key[:20], build)


def require_checker(jail: Jail, problem: Problem) -> None:
    """Raise ProblemError if a problem's checker does not compile here."""
    try:
        compiled_checker(jail, problem.checker)
    except ProblemError as error:
        raise ProblemError(f"{problem.id}: {error}") from None


def _build(jail: Jail, folder: Path) -> JailRun:
    """Compile a checker in C++ in the jail; return the compiler's run."""
    gpp = shutil.which("g++")
    if gpp is None:
        raise ProblemError("a checker in C++ needs g++, which is not here")
    there = [path for path in map(Path, _FOLDERS) if path.is_dir()]
    here = Path(__file__)
    # A mount needs a folder in the root, and a root only has the folders of its files.
    root = build_rootfs(cache_root(), {f"{path}/.mounted": here for path in there})
    policy = JailPolicy(
        rootfs=root,
        seccomp="gxx",
        limits=_BUILDING,
        mounts=(
            *(Mount(source=path.resolve(), target=str(path)) for path in there),
            Mount(source=folder, target="/task", writable=True),
        ),
        environment=(
            ("LC_ALL", "C"), ("PATH", str(Path(gpp).parent)), ("TMPDIR", "/task"),
        ),
        cwd="/task",
    )  # fmt: skip
    return jail.run(
        policy,
        (gpp, "-std=c++17", "-O2", "-static", "-w", "checker.cpp", "-o", "checker"),
    )


def _header(environment: Mapping[str, str]) -> Path:
    """Return the path of testlib's header; raise ProblemError if there is none."""
    places = [Path("/usr/local/include", _HEADER), Path("/usr/include", _HEADER)]
    if named := environment.get(HEADER_VARIABLE):
        places = [Path(named)]
    for path in places:
        if path.is_file():
            return path
    raise ProblemError(
        f"the checker includes {_HEADER}, which is not in {places[0].parent}:"
        f" {HEADER_VARIABLE} says where it is"
    )


def _first_error(run: JailRun) -> str:
    output = run.stderr.decode("utf-8", "replace")
    errors = [line for line in output.splitlines() if "error" in line]
    return " ".join((errors or output.splitlines() or [f"exit {run.exit_code}"])[0].split())


def judge_outputs_in_cpp(jail: Jail, source: str, printed: Sequence[Printed]) -> list[Judged]:
    """Return a checker's verdicts on a program's outputs.

    Args:
        jail: Where it runs.
        source: The checker.
        printed: The outputs of the cases that finished.

    Returns:
        The verdict on each, in order.

    Raises:
        JudgeFault: The checker also dies on good outputs, or reports that the jury is wrong.
    """
    try:
        program = compiled_checker(jail, source)
    except ProblemError as error:
        raise JudgeFault(str(error)) from error
    return settle_verdicts(lambda each: _verdicts(jail, program, each), printed)


def _verdicts(jail: Jail, program: Path, printed: Sequence[Printed]) -> Iterator[Judged | Died]:
    """Yield a checker's verdict on each output, within the limits for all of them."""
    limits, left_s = _CHECKING, _ALL_CPU_S
    deadline = time.monotonic() + _ALL_WALL_S
    for each in printed:
        wall_s = deadline - time.monotonic()
        if left_s <= 0 or wall_s <= 0:
            yield NO_TIME
            continue
        limits = replace(limits, wall_s=min(_CHECKING.wall_s or wall_s, wall_s))
        run = _checked(jail, program, each, limits)
        left_s -= max(run.cpu_s - _START_S, 0.0)
        if _is_late(run):
            limits = replace(limits, cpu_s=_LATER_CPU_S)
        yield _verdict(run)


def _checked(jail: Jail, program: Path, each: Printed, limits: Limits) -> JailRun:
    """Run a checker on one output; return its run."""
    with workdir() as folder:
        shutil.copyfile(program / "checker", folder / "checker")
        (folder / "checker").chmod(0o755)
        for name, text in (
            ("input", each.case.stdin),
            ("output", each.text),
            ("answer", each.case.stdout),
        ):
            (folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        return jail.run(
            JailPolicy(
                rootfs=rootfs(()),
                # ICPC's validators write their message into a folder, /tmp.
                seccomp="compile",
                limits=limits,
                mounts=(Mount(source=folder, target="/task"),),
                environment=(("LC_ALL", "C"),),
                cwd="/task",
                tmp_bytes=_CHECKING.file_bytes,
            ),
            ("/task/checker", "input", "output", "answer"),
        )


def _is_late(run: JailRun) -> bool:
    """Tell whether a checker used up its time."""
    return run.wall_exceeded or run.signal in (signal.SIGKILL, signal.SIGXCPU)


def _verdict(run: JailRun) -> Judged | Died:
    """Return the verdict that a checker's exit status and message mean."""
    output = " ".join((run.stderr + run.stdout).decode("utf-8", "replace").split())[:200]
    if run.exit_code == 0:
        return Judged(score=1.0, message="")
    if run.exit_code in _WRONG:
        return Judged(score=0.0, message=output)
    points = _POINTS.match(output) if run.exit_code == 7 else None
    if points is not None:
        try:
            score = float(points[1])
        except ValueError:
            score = -1.0
        if 0 <= score <= 1:
            return Judged(score=score, message=points[2])
    if _is_late(run):
        return Died(how="timed_out")
    # Leave the signal out: jails report it differently.
    how = "crashed" if run.signal else f"exit {run.exit_code}"
    died = Died(how=f"{how} {output}".rstrip())
    if run.exit_code == _JURY_IS_WRONG:
        raise died.fault
    return died
