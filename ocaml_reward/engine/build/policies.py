"""Jail policies of the engines: two for the stock engine, one for the warm engine."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

from ...model import Budget
from ...sandbox import JailPolicy, Limits, Mount
from .helpers import rootfs
from .toolchain import locate, stubs, units

# A helper's reply may be as large as the tests.
_ANSWER_BYTES = 64_000_000
_SPARE_BYTES = 1024 * 1024 * 1024


def policy(
    kind: Literal["compile", "run"],
    libraries: tuple[str, ...],
    budget: Budget,
    folder: Path | None = None,
    *,
    allow_unsafe: bool = False,
) -> JailPolicy:
    """Return the policy for one step of the stock engine.

    `folder` is mounted as /task, writable for the compiler.  With `allow_unsafe`, code may break
    type safety in its own process.

    Raises ProblemError for an unknown library, ToolchainError without a toolchain.
    """
    compiling = kind == "compile"
    cpu_s = budget.compile_cpu_s if compiling else budget.tests_cpu_s
    return JailPolicy(
        rootfs=rootfs(libraries, allow_unsafe=allow_unsafe),
        seccomp=kind,
        limits=Limits(
            wall_s=budget.compile_wall_s if compiling else budget.tests_wall_s,
            # A backstop: the runner's own timer is exact and fires first, and a compiler's used CPU
            # time is compared (compilation.py).  It is generous because the kernel of a busy
            # machine enforces this limit up to a third early.
            cpu_s=math.ceil(cpu_s * 1.5) + 1,
            # Address space.  The runner limits its memory itself, more exactly; the compiler may
            # need more than the code it compiles.
            memory_bytes=budget.memory_mb * 1024 * 1024 + _SPARE_BYTES,
            stack_bytes=budget.stack_mb * 1024 * 1024,
            file_bytes=budget.file_bytes if compiling else 0,
            open_files=32,
            processes=budget.processes,
            # The runner limits its output itself.  A compiler may print a warning for each of
            # thousands of lines.
            output_bytes=_ANSWER_BYTES if compiling else budget.output_bytes * 2,
        ),
        mounts=((Mount(source=folder, target="/task", writable=compiling),) if folder else ()),
        environment=_environment(libraries, budget),
        cwd="/task",
        fixed_addresses=not compiling,
    )


def session_policy(libraries: tuple[str, ...], budget: Budget, *, allow_unsafe: bool) -> JailPolicy:
    """Return the policy of a warm server's jail.  Its children limit themselves.

    `allow_unsafe` is as for `policy`.

    Raises ProblemError for an unknown library, ToolchainError without a toolchain.
    """
    return JailPolicy(
        rootfs=rootfs(libraries, allow_unsafe=allow_unsafe),
        seccomp="session",
        limits=Limits(
            wall_s=None,
            cpu_s=None,
            memory_bytes=None,
            stack_bytes=budget.stack_mb * 1024 * 1024,
            file_bytes=0,
            open_files=32,
            processes=None,
            output_bytes=_ANSWER_BYTES,
        ),
        environment=_environment(libraries, budget),
        fixed_addresses=True,
    )


def _environment(libraries: tuple[str, ...], budget: Budget) -> tuple[tuple[str, str], ...]:
    """Return the environment variables of a process in the jail."""
    words = budget.stack_mb * 1024 * 1024 // 8
    folders = dict.fromkeys(str(path.parent) for path in stubs(libraries))
    return (
        ("LC_ALL", "C"),
        ("OCAMLLIB", str(locate().stdlib)),
        ("OCAMLRUNPARAM", f"l={words}"),
        ("CAML_LD_LIBRARY_PATH", ":".join(folders)),
        # Units that the code may not name.  (ocaml/safety/forbidden_features.ml)
        ("OCAML_REWARD_TESTS_ONLY", " ".join(sorted(units(libraries, "tests")))),
    )
