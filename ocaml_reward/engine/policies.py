"""The jails of the engines, as policies: two of the stock one's, and the warm one's."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

from ..model import Budget
from ..sandbox import JailPolicy, Limits, Mount
from .build import rootfs
from .toolchain import locate, stubs, units

# What the helper answers may be as large as the tests it was given.
_ANSWER_BYTES = 64_000_000
_SPARE_BYTES = 1024 * 1024 * 1024


def policy(
    kind: Literal["compile", "run"],
    libraries: tuple[str, ...],
    budget: Budget,
    folder: Path | None = None,
    *,
    free: bool = False,
) -> JailPolicy:
    """Return the jail for one step; `folder` is seen as /task, writable to the compiler, and
    code that is `free` may break type safety in its own process.

    Raises ProblemError for an unknown library, ToolchainError without a toolchain.
    """
    compiling = kind == "compile"
    cpu_s = budget.compile_cpu_s if compiling else budget.tests_cpu_s
    return JailPolicy(
        rootfs=rootfs(libraries, free=free),
        seccomp=kind,
        limits=Limits(
            wall_s=budget.compile_wall_s if compiling else budget.tests_wall_s,
            # A backstop: the runner's own timer is exact, and fires first; of a compiler
            # counts what it has used (compilation.py).  Spare, because a busy machine's
            # kernel enforces this limit up to a third early.
            cpu_s=math.ceil(cpu_s * 1.5) + 1,
            # Address space.  The runner bounds its memory itself, more exactly; and the
            # compiler may need more than the code it compiles.
            memory_bytes=budget.memory_mb * 1024 * 1024 + _SPARE_BYTES,
            stack_bytes=budget.stack_mb * 1024 * 1024,
            file_bytes=budget.file_bytes if compiling else 0,
            open_files=32,
            processes=budget.processes,
            # Likewise: the runner counts what it prints itself.  A compiler has a warning for
            # each of thousands of lines, which the warm engine's has in memory.
            output_bytes=_ANSWER_BYTES if compiling else budget.output_bytes * 2,
        ),
        mounts=(
            (Mount(source=folder, target="/task", writable=compiling),)
            if folder
            else ()
        ),
        environment=_environment(libraries, budget),
        cwd="/task",
        fixed_addresses=not compiling,
    )


def session_policy(
    libraries: tuple[str, ...], budget: Budget, *, free: bool
) -> JailPolicy:
    """Return the policy of the jail that a warm server stays in.  Its children limit themselves;
    `free` is as for `policy`.

    Raises ProblemError for an unknown library, ToolchainError without a toolchain.
    """
    return JailPolicy(
        rootfs=rootfs(libraries, free=free),
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


def _environment(
    libraries: tuple[str, ...], budget: Budget
) -> tuple[tuple[str, str], ...]:
    words = budget.stack_mb * 1024 * 1024 // 8
    folders = dict.fromkeys(str(path.parent) for path in stubs(libraries))
    return (
        ("LC_ALL", "C"),
        ("OCAMLLIB", str(locate().stdlib)),
        ("OCAMLRUNPARAM", f"l={words}"),
        ("CAML_LD_LIBRARY_PATH", ":".join(folders)),
        # What the code may not name.  (ocaml/safety/forbidden_features.ml)
        ("OCAML_REWARD_TESTS_ONLY", " ".join(sorted(units(libraries, "tests")))),
    )
