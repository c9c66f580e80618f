"""
Builds the engine's helpers with the user's own toolchain, once, into the cache.

What comes out, and where the jail sees it:

* /engine/tool: scans and compiles code, prepares tests, counts type errors (native)
* /engine/server: the zygote of the processes that do so in memory (native)
* /engine/run: the bytecode runtime with the lock and the tally in it
* /engine/runner: the zygote that forks a child for each program (bytecode for run)
* /engine/primitives: what that runtime offers, for the linker
* /engine/ocaml-reward-*.cm[io]: trusted units linked around the code
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path

from ..errors import ProblemError, ToolchainError
from ..sandbox import build_rootfs, cache_root
from ..sandbox.cache import build_once
from .toolchain import Toolchain, locate, packages
from .versions import place_versions, warm_builds

__all__ = [
    "RUNNER", "SERVER", "SOURCES", "START", "UNITS", "engine_folder", "engine_path",
    "rootfs", "runner",
]  # fmt: skip

# Link order: each uses only what stands before it.
SOURCES = (
    "compat", "functions", "constants", "scopes", "driver", "views", "units",
    "netstring", "silence", "names", "gadts", "forgetting", "matches", "twins",
    "scoping", "scope_walk", "injective", "scan", "stillness", "standing", "parts",
    "naming", "outline", "lines", "items", "syntax", "keeping",
    "statements", "exits", "opens", "suites", "trees",
    "typing", "shapes", "functors", "binding_time", "judgement", "asking", "inlining",
    "booleans", "judging", "splitting", "erasing", "meaning", "reaching", "prepare",
    "nodes",
    "signatures", "cascade", "suspects", "holes", "loosening", "remedies", "repair",
    "mentions", "blame", "independent", "counting", "pristine", "closing", "tool",
)  # fmt: skip
# What "closing" takes besides where the server is built, too.
_BEHIND_TYPING = ("objects", "backend")
# The server's: those before "pristine", then these.
SERVER = (
    "objects", "interface", "backend", "linking", "reuse", "checking",
    "warm_up", "loading", "channel", "server",
)  # fmt: skip
# A dash cannot be written in an OCaml module name: the code under test cannot name these.
UNITS = (
    "ocaml-reward-harness", "ocaml-reward-pristine", "ocaml-reward-ounit",
    "ocaml-reward-rebuild",
)  # fmt: skip
START = "ocaml-reward-start"
RUNNER = "ocaml-reward-runner"
OUTPUTS = ("tool", "run", "primitives", "runner")

# Interfaces that open holes in type safety.  Without them the code cannot name what is
# inside, however it tries; the scan only gives the better message.
UNSAFE = ("stdlib__Obj.", "stdlib__Marshal.", "stdlib__Callback.")
# What a problem has to list as a library, though it lies in the standard library's folder.
ABSENT = ("unix", "threads")


def engine_folder() -> Path:
    """
    Return the folder with the built helpers, building them on first use (about 1 s).

    Raises ToolchainError when the toolchain is missing or refuses our sources.
    """
    return _engine_folder(locate())


def engine_path() -> Path:
    """
    Return where the built helpers are, or would be; builds nothing.

    Raises ToolchainError when the toolchain is missing.
    """
    toolchain = locate()
    return cache_root() / "engine" / _key(toolchain, _sources())


def _sources() -> dict[str, bytes]:
    sources = files(__package__) / "ocaml"
    return {
        entry.name: entry.read_bytes()
        for entry in sources.iterdir()
        if entry.name.endswith((".ml", ".c", ".h"))
    }


def _key(toolchain: Toolchain, texts: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, text in sorted(texts.items()):
        digest.update(name.encode() + b"\0" + text + b"\0")
    digest.update(f"{toolchain.ocamlc}\0{toolchain.stdlib}".encode())
    return f"{toolchain.version}-{digest.hexdigest()[:16]}"


@cache
def _engine_folder(toolchain: Toolchain) -> Path:
    texts = _sources()
    key = _key(toolchain, texts)

    def build(scratch: Path) -> None:
        target = scratch / key
        target.mkdir()
        work = scratch / "sources"
        work.mkdir()
        for name, text in texts.items():
            (work / name).write_bytes(text)
        _build(toolchain, work, target)

    return build_once(cache_root() / "engine" / key, build)


def _build(toolchain: Toolchain, work: Path, target: Path) -> None:
    def run(*command: str | Path) -> str:
        done = subprocess.run(
            command, cwd=work, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            reason = " ".join((done.stderr or done.stdout).split())[-500:]
            raise ToolchainError(
                f"the engine does not build with OCaml {toolchain.version}: {reason}"
            )
        return done.stdout

    ocamlc, find = toolchain.ocamlc, toolchain.ocamlfind
    place_versions(toolchain, work)
    warm = warm_builds()
    own = (*SOURCES[:-2], *(_BEHIND_TYPING if warm else ()), *SOURCES[-2:])
    libraries = "compiler-libs.bytecomp" if warm else "compiler-libs.common"
    run(
        find, "ocamlopt", "-w", "-a", "-package", f"{libraries},unix",
        "-linkpkg", *(f"{name}.ml" for name in own), "-o", "tool",
    )  # fmt: skip
    if warm:
        shared = SOURCES[: SOURCES.index("pristine")]
        run(
            find, "ocamlopt", "-w", "-a", "-package", "compiler-libs.bytecomp,unix",
            "-linkpkg", *(f"{name}.cmx" for name in shared),
            *(f"{name}.ml" for name in SERVER), "checker.c",
            "-cclib", "-lrt", "-o", "server",
        )  # fmt: skip
    harness, pristine, ounit, rebuild = UNITS
    shutil.copy(work / "harness.ml", work / f"{harness}.ml")
    for source in ("lock.c", "zygote.c", "value.c", "clear.c", "same.c"):
        run(ocamlc, "-ccopt", "-O2", "-c", source)
    run(ocamlc, "-w", "-24", "-c", f"{harness}.ml")
    for source, unit in (("start", START), ("runner", RUNNER)):
        run(
            "./tool",
            "bind",
            "Harness",
            harness.capitalize(),
            f"{source}.ml",
            f"{unit}.ml",
        )
        run(ocamlc, "-w", "-24", "-c", f"{unit}.ml")
    run(
        ocamlc, "-w", "-24", "-make-runtime", "-o", "run",
        f"{harness}.cmo", f"{START}.cmo", f"{RUNNER}.cmo", "lock.o", "zygote.o",
        "value.o", "clear.o", "same.o",
        "-ccopt", "-include table.h -Wl,--wrap=caml_stat_free",
        "-cclib", "-lrt", "-ccopt", "-Dcaml_byte_program_mode=mode_of_an_executable",
    )  # fmt: skip
    (work / "primitives").write_text(run("./run", "-p"))
    run("./tool", "pristine", f"{pristine}.ml")
    run(ocamlc, "-w", "-a", "-c", f"{pristine}.ml")
    for source, unit in (("ounit", ounit), ("rebuild", rebuild)):
        bound = ("Harness", harness.capitalize(), f"{source}.ml", f"{unit}.ml")
        run("./tool", "bind", *bound)
        run(ocamlc, "-w", "-a", "-c", f"{unit}.ml")
    run(*_link(toolchain, work), "-o", "runner")
    units = (*UNITS, START, RUNNER)
    outputs = (*OUTPUTS, "server") if warm else OUTPUTS
    for name in outputs + tuple(f"{unit}.cm{x}" for unit in units for x in "io"):
        shutil.copy(work / name, target / name)
        (target / name).chmod(0o644 if name == "primitives" or "." in name else 0o755)


def _link(toolchain: Toolchain, folder: Path, *archives: str) -> tuple[str | Path, ...]:
    # All but `-o`: the whole standard library, since the code may use any of it.
    units = (f"{folder}/{unit}.cmo" for unit in UNITS)
    return (
        toolchain.ocamlc, "-w", "-a", "-linkall", "-use-runtime", "/engine/run",
        "-use-prims", folder / "primitives", *archives, *units,
        folder / f"{RUNNER}.cmo",
    )  # fmt: skip


@cache
def runner(libraries: tuple[str, ...] = ()) -> Path:
    """
    Return the runner zygote with `libraries` linked into it, building it on first use.

    Raises ToolchainError, or ProblemError for a library that cannot be linked.
    """
    engine = engine_folder()
    if not libraries:
        return engine / "runner"
    toolchain, found = locate(), packages(libraries)
    archives = [str(p.folder / a) for p in found for a in p.archives]
    include = [part for p in found for part in ("-I", str(p.folder))]
    digest = hashlib.sha256("\0".join((engine.name, *archives)).encode())
    for archive in archives:
        digest.update(Path(archive).read_bytes())

    def build(scratch: Path) -> None:
        command = _link(toolchain, engine, *include, *archives)
        done = subprocess.run(
            [*command, "-o", scratch / digest.hexdigest()[:16]],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            reason = " ".join((done.stderr or done.stdout).split())[-300:]
            raise ProblemError(
                f"libraries {', '.join(libraries)} cannot be linked: {reason}"
            )

    return build_once(cache_root() / "runner" / digest.hexdigest()[:16], build)


@cache
def rootfs(libraries: tuple[str, ...] = (), *, free: bool = False) -> Path:
    """
    Return the read-only root of a jail that can compile and run code with `libraries`;
    code that is `free` may break type safety in its own process.

    Raises ToolchainError or ProblemError (an unknown library).
    """
    toolchain = locate()
    found = {str(toolchain.ocamlc): toolchain.ocamlc}
    for path in engine_folder().iterdir():
        found[f"/engine/{path.name}"] = path
    found["/engine/runner"] = runner(libraries)
    hidden = ABSENT if free else (*ABSENT, *UNSAFE)
    found.update(_library_files(toolchain.stdlib, hidden))
    for package in packages(libraries):
        # A package that lives in the standard library's folder (str on Debian) is there
        # already, all but its C stubs; one that is hidden by default is wanted now.
        found.update(
            _library_files(
                package.folder, hidden if package.folder == toolchain.stdlib else ()
            )
        )
        if package.folder == toolchain.stdlib:
            wanted = (f"{package.name}.cmi", *package.archives)
            files_ = (package.folder / name for name in wanted)
            found.update({str(f): f for f in files_ if f.exists()})
    for folder in _stub_folders(toolchain, libraries):
        found.update({str(path): path for path in folder.glob("dll*.so")})
    return build_rootfs(cache_root(), found)


def _stub_folders(toolchain: Toolchain, libraries: tuple[str, ...]) -> list[Path]:
    if not libraries:
        return []
    listed = (toolchain.stdlib / "ld.conf").read_text().split()
    folders = [Path(line) for line in listed]
    folders += [package.folder for package in packages(libraries)]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def _library_files(folder: Path, hidden: tuple[str, ...]) -> dict[str, Path]:
    return {
        str(path): path
        for path in sorted(folder.iterdir())
        if (
            path.suffix in (".cmi", ".cmo", ".cma")
            or path.name in ("camlheader", "runtime-launch-info", "ld.conf")
        )
        and not path.name.startswith(hidden)
    }
