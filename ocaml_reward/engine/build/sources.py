"""The sources of the engine's helpers, and their build.

The results, by their path in the jail:

* /engine/tool: scans and compiles code, prepares tests, counts type errors (native)
* /engine/server: the fork server of the processes that do the same in memory (native)
* /engine/run: the bytecode runtime, with the lock and the reporting of events
* /engine/runner: the fork server that forks a child for each program (bytecode for run)
* /engine/primitives: the names of that runtime's primitives, for the linker
* /engine/ocaml-reward-*.cm[io]: trusted units linked around the code
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from ...errors import ToolchainError
from .toolchain import Toolchain
from .versions import place_versions

# The code under test cannot name these: an OCaml module name has no dash.
UNITS = (
    "ocaml-reward-harness", "ocaml-reward-pristine", "ocaml-reward-suites",
    "ocaml-reward-ounit", "ocaml-reward-rebuild",
)  # fmt: skip
START = "ocaml-reward-start"
RUNNER = "ocaml-reward-runner"
OUTPUTS = ("tool", "run", "primitives", "runner")
# Functions of the native runtime that overflow.c wraps.
_TO_OVERFLOW_C = "-Wl,--wrap=caml_raise_out_of_memory,--wrap=caml_try_realloc_stack,--wrap=abort"
# C files in the runtime.
_OBJECTS = (
    "process_lock", "fork_server", "value_encode", "zero_memory", "fixed_environment", "absent",
    "no_finalisers", "stack_depth", "array_steps",
)  # fmt: skip

# Warnings for our sources.  The disabled ones concern deliberate style: wildcard matches, type-
# directed labels and constructors, broad opens; and file names that are no module names.
WARNINGS = "+a-4-9-24-40-41-42-44-45-48-70"


_ENGINE: Final = Path(__file__).parents[1]
OCAML: Final = _ENGINE / "ocaml"
"""The folder of the helpers' sources."""
KNOWN_PROGRAMS: Final = _ENGINE / "known_programs.jsonl"
"""Programs and what is right for them, by problem.  (agreement.py)"""

# Python sources that a grading engine consists of.
_PACKAGES = ("codec", "model", "engine", "reading", "diagnostics", "sandbox")


def engine_key(toolchain: Toolchain, texts: dict[str, bytes], *, warm: bool) -> str:
    """Return a name for what is built from these sources with this toolchain."""
    digest = hashlib.sha256()
    for name, text in sorted(texts.items()):
        digest.update(name.encode() + b"\0" + text + b"\0")
    digest.update(f"{toolchain.ocamlc}\0{toolchain.stdlib}\0{warm}".encode())
    return f"{toolchain.version}-{digest.hexdigest()[:16]}"


@cache
def sources_digest() -> str:
    """Return a digest of the engines' Python sources, and of the known programs."""
    digest = hashlib.sha256()
    for name in _PACKAGES:
        for source in sorted((_ENGINE.parent / name).rglob("*.py")):
            digest.update(source.read_bytes())
    digest.update(KNOWN_PROGRAMS.read_bytes())
    return digest.hexdigest()[:16]


def source_texts() -> dict[str, bytes]:
    """Return the helpers' sources by file name; no two folders have files of one name."""
    return {
        source.name: source.read_bytes()
        for source in OCAML.rglob("*")
        if source.suffix in {".ml", ".mli", ".c", ".h"}
    }


def link_order(toolchain: Toolchain, work: Path, program: str) -> list[str]:
    """Return the files to compile and link for a program, in order.

    These are the modules that it needs, directly or indirectly, each after its interface; a module
    that is already compiled is given as its .cmx.

    Raises ToolchainError.
    """
    sources = sorted(p.name for p in work.iterdir() if p.suffix in {".ml", ".mli"})
    known = {Path(name).stem for name in sources}
    find = toolchain.ocamlfind
    output = _run(toolchain, work, find, "ocamldep", "-modules", *sources)
    needs: dict[str, set[str]] = {}
    for line in output.splitlines():
        name, _, modules = line.partition(":")
        used = {module[0].lower() + module[1:] for module in modules.split()}
        needs.setdefault(Path(name).stem, set()).update(used & known)
    order = TopologicalSorter(_reached(needs, program)).static_order()
    return [file for name in order for file in _to_compile(work, name)]


def _reached(needs: dict[str, set[str]], program: str) -> dict[str, set[str]]:
    """Return the sources that a program needs, with the needs of each."""
    found: dict[str, set[str]] = {}
    left = [program]
    while left:
        name = left.pop()
        if name not in found:
            found[name] = needs[name] - {name}
            # Sorted, as the order of a set differs between runs.
            left += sorted(found[name])
    return {name: found[name] for name in sorted(found)}


def _to_compile(work: Path, name: str) -> list[str]:
    """Return the files by which a module is compiled or linked."""
    if (work / f"{name}.cmx").exists():
        return [f"{name}.cmx"]
    both = (f"{name}.mli", f"{name}.ml")
    return [file for file in both if (work / file).exists()]


def _run(toolchain: Toolchain, work: Path, *command: str | Path) -> str:
    """Run a command of the build and return its output; raise ToolchainError if it fails."""
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = " ".join((done.stderr or done.stdout).split())[-500:]
        raise ToolchainError(f"the engine does not build with OCaml {toolchain.version}: {reason}")
    return done.stdout


def build_helpers(
    toolchain: Toolchain,
    texts: dict[str, bytes],
    work: Path,
    target: Path,
    *,
    warm: bool = True,
    strict: bool = False,
) -> None:
    """Build the helpers from `texts` (by file name) in the folder `work`, into `target`.

    With `warm` they include the warm engine's server.  In a `strict` build a warning is an error.  Otherwise warnings are off, as a newer compiler may
    have new ones.  Raises ToolchainError.
    """
    ocamlc, find = toolchain.ocamlc, toolchain.ocamlfind
    silent = ("-w", "-a")
    checked = ("-w", WARNINGS, "-warn-error", "+a") if strict else silent
    in_c = ("-ccopt", "-O2 -Wall -Wextra -Werror" if strict else "-O2")
    native = (*in_c, "-ccopt", _TO_OVERFLOW_C)
    harness, pristine, suites, ounit, rebuild = UNITS

    def run(*command: str | Path) -> str:
        return _run(toolchain, work, *command)

    def compiled(source: str, unit: str) -> None:
        if f"{source}.mli" in texts:
            shutil.copy(work / f"{source}.mli", work / f"{unit}.mli")
        run(ocamlc, *checked, "-c", *_to_compile(work, unit))

    def bound(source: str, unit: str, *more: str) -> None:
        names = ("Harness", harness.capitalize(), *more)
        run("./tool", "bind", f"{source}.ml", f"{unit}.ml", *names)
        compiled(source, unit)

    for name, text in texts.items():
        (work / name).write_bytes(text)
    place_versions(toolchain, work, warm=warm)
    libraries = "compiler-libs.bytecomp" if warm else "compiler-libs.common"
    run(
        find, "ocamlopt", *checked, "-package", f"{libraries},unix",
        "-linkpkg", *link_order(toolchain, work, "tool"), *native, "overflow.c", "-o", "tool",
    )  # fmt: skip
    if warm:
        run(
            find, "ocamlopt", *checked, "-package", "compiler-libs.bytecomp,unix",
            "-linkpkg", *link_order(toolchain, work, "server"), *native, "overflow.c",
            "checker.c", "-cclib", "-lrt", "-o", "server",
        )  # fmt: skip
    shutil.copy(work / "harness.ml", work / f"{harness}.ml")
    for name in _OBJECTS:
        run(ocamlc, *in_c, "-c", f"{name}.c")
    compiled("harness", harness)
    bound("start", START)
    bound("runner", RUNNER)
    run(
        ocamlc, *silent, "-make-runtime", "-o", "run",
        f"{harness}.cmo", f"{START}.cmo", f"{RUNNER}.cmo",
        *(f"{name}.o" for name in _OBJECTS),
        "-ccopt", "-include table.h -Wl,--wrap=caml_stat_free",
        "-cclib", "-lrt", "-ccopt", "-Dcaml_byte_program_mode=mode_of_an_executable",
    )  # fmt: skip
    (work / "primitives").write_text(run("./run", "-p"))
    run("./tool", "pristine", f"{pristine}.ml")
    # Generated from the library's interfaces, so its warnings are not ours.
    run(ocamlc, *silent, "-c", f"{pristine}.ml")
    bound("suites", suites)
    bound("ounit", ounit, "Suites", suites.capitalize())
    bound("rebuild", rebuild)
    run(*link_command(toolchain, work), "-o", "runner")
    units = (*UNITS, START, RUNNER)
    outputs = (*OUTPUTS, "server") if warm else OUTPUTS
    for name in outputs + tuple(f"{unit}.cm{x}" for unit in units for x in "io"):
        shutil.copy(work / name, target / name)
        (target / name).chmod(0o644 if name == "primitives" or "." in name else 0o755)


def link_command(toolchain: Toolchain, folder: Path, *archives: str) -> tuple[str | Path, ...]:
    """Return the command that links a runner, all but `-o`, with the helpers in `folder`.

    It takes the whole standard library, since the code may use any of it.
    """
    units = (f"{folder}/{unit}.cmo" for unit in UNITS)
    return (
        toolchain.ocamlc, "-w", "-a", "-linkall", "-use-runtime", "/engine/run",
        "-use-prims", folder / "primitives", *archives, *units,
        folder / f"{RUNNER}.cmo",
    )  # fmt: skip
