"""The installed OCaml toolchain: its location, version and findlib packages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from ...errors import ProblemError, ToolchainError
from .. import OPTIONAL, TESTS_ONLY

# Packages whose interfaces tests need in addition to those of the named package.
_ADDITIONAL: Final = {"alcotest": ("alcotest.engine", "fmt")}


@dataclass(frozen=True, kw_only=True, slots=True)
class Toolchain:
    """One OCaml compiler: native ocamlc, its version ("4.13.1") and standard library folder."""

    ocamlc: Path
    ocamlfind: Path
    version: str
    stdlib: Path
    suffix: str = ""
    """What the names of the compiler's own C libraries end in, from OCaml 5.5 on."""

    @property
    def label(self) -> str:
        """The toolchain as each record names it, "ocaml 4.13.1"."""
        return f"ocaml {self.version}"

    @property
    def number(self) -> tuple[int, int]:
        """Major and minor version, (4, 13)."""
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)


@dataclass(frozen=True, kw_only=True, slots=True)
class Package:
    """A findlib package for bytecode: its folder, and the paths of its archives.

    `use` is "code" if code and tests may use it, "tests" if only the tests may, and "linked" if
    only another package needs it.
    """

    name: str
    folder: Path
    archives: tuple[Path, ...]
    use: Literal["code", "tests", "linked"] = "code"


@cache
def locate() -> Toolchain:
    """Return the compiler that is on PATH.

    Raises ToolchainError if a part is missing; the message has the package to install.
    """
    found = {name: shutil.which(name) for name in ("ocamlfind", "ocamlopt", "gcc")}
    ocamlc = shutil.which("ocamlc.opt") or shutil.which("ocamlc")
    missing = [name for name, path in found.items() if path is None]
    missing += [] if ocamlc else ["ocamlc"]
    if missing or ocamlc is None:
        raise ToolchainError(
            f"missing {', '.join(sorted(missing))}: install OCaml 4.08 or later with"
            " findlib and gcc (Debian, Ubuntu: apt-get install ocaml-nox ocaml-findlib gcc)"
        )
    config = _output([ocamlc, "-config"])
    values = dict(line.split(": ", 1) for line in config.splitlines() if ": " in line)
    runtime = values.get("bytecode_runtime_id")
    with Path(ocamlc).open("rb") as program:
        if program.read(4) != b"\x7fELF":
            raise ToolchainError(
                f"{ocamlc} is not a native program: install ocamlc.opt, which the jail runs"
            )
    return Toolchain(
        ocamlc=Path(ocamlc).resolve(),
        ocamlfind=Path(found["ocamlfind"] or ""),
        version=values["version"].split("+")[0],
        stdlib=Path(values["standard_library"]).resolve(),
        suffix=f"-{values['target']}-{runtime}" if runtime else "",
    )


@cache
def packages(names: tuple[str, ...]) -> tuple[Package, ...]:
    """Return findlib packages with all their dependencies, in link order.

    Raises ProblemError for a package that findlib does not know and that is not optional.
    """
    names = _wanted(names)
    if not names:
        return ()
    own = tuple(name for name in names if not name.startswith(TESTS_ONLY))
    tests = tuple(name[1:] for name in names if name.startswith(TESTS_ONLY))
    codes = {name for name, _, _ in _query(own)}
    needed = {part for name in tests for part in (name, *_ADDITIONAL.get(name, ()))}
    return tuple(
        Package(
            name=name,
            folder=Path(folder),
            archives=tuple(Path(folder) / each for each in archives.split()),
            use="code" if name in codes else "tests" if name in needed else "linked",
        )
        for name, folder, archives in _query(own + tests)
    )


@cache
def missing(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the optional packages that findlib does not know."""
    optional = [name.removesuffix(OPTIONAL) for name in names if name.endswith(OPTIONAL)]
    return tuple(name for name in optional if not _is_known(name))


def _is_known(name: str) -> bool:
    """Tell whether findlib knows a package and all that it needs."""
    try:
        return bool(_query((name,)))
    except ProblemError:
        return False


def _wanted(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of packages without the optional ones that findlib does not know."""
    absent = missing(names)
    plain = (name.removesuffix(OPTIONAL) for name in names)
    return tuple(name for name in plain if name not in absent)


@cache
def _query(names: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """Ask ocamlfind for name, folder and archives of these packages and all that they need."""
    if not names:
        return ()
    for name in names:
        # Any other name could be taken for an option.
        if not re.fullmatch(r"[A-Za-z0-9_][\w.+-]*", name):
            raise ProblemError(f"{name!r} is not the name of a findlib package")
    command = [
        str(locate().ocamlfind),
        "query",
        "-r",
        "-predicates",
        "byte",
        "-format",
        "%p|%d|%a",
    ]
    done = subprocess.run([*command, *names], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[:200]
        raise ProblemError(
            f"libraries {', '.join(names)}: {reason}; install what is missing, or take it from the"
            " problem's libraries"
        )
    rows = (line.split("|") for line in done.stdout.splitlines())
    return tuple((name, folder, archives) for name, folder, archives in rows)


@cache
def modules(names: tuple[str, ...]) -> frozenset[str]:
    """Return the modules of these packages, without those of their dependencies.

    Raises ProblemError for a package that findlib does not know.
    """
    named = _wanted(names)
    own = (package for package in packages(named) if package.name in named)
    return frozenset[str]().union(*(_units(package.folder) for package in own))


def include_folders(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the folders of the interfaces that a program with these packages is typed with.

    Raises ProblemError for a package that findlib does not know.
    """
    found = (each.folder for each in packages(names) if each.use != "linked")
    return tuple(dict.fromkeys(found))


@cache
def stubs(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the C libraries that these packages load.

    They are in an archive's folder, in opam's folder `stublibs`, or in a folder that the compiler
    or the environment lists.

    Raises ProblemError for a package that findlib does not know.
    """
    found = packages(names)
    if not found:
        return ()
    folders = [each.folder for each in found]
    # Parents, too, for sub-packages.
    folders += [up / "stublibs" for each in found for up in each.folder.parents]
    folders += map(Path, os.environ.get("CAML_LD_LIBRARY_PATH", "").split(":"))
    listed = locate().stdlib / "ld.conf"
    folders += map(Path, listed.read_text().split()) if listed.exists() else ()
    # An archive contains their names: "-lzarith", and "-lcamlstrbyt" also where that has a suffix.
    names_in_archives = b"".join(path.read_bytes() for each in found for path in each.archives)
    libraries: dict[str, Path] = {}
    for folder in folders:
        if folder.is_absolute() and folder.is_dir():
            for path in sorted(folder.glob("dll*.so")):
                name = path.stem.removeprefix("dll").removesuffix(locate().suffix)
                if name.encode() in names_in_archives:
                    libraries.setdefault(path.name, path)
    return tuple(libraries.values())


@cache
def units(names: tuple[str, ...], use: Literal["code", "tests"] = "code") -> frozenset[str]:
    """Return the compilation units that code with these packages can use, or that only tests can.

    Those of the standard library are left out.

    Raises ProblemError for a package that findlib does not know.
    """
    folders = [
        {each.folder for each in packages(names) if each.use == wanted}
        for wanted in ("code", "tests")
    ]
    own = folders[0] | {locate().stdlib}
    wanted = own if use == "code" else folders[1] - own
    return frozenset[str]().union(*map(_units, wanted))


@cache
def _units(folder: Path) -> frozenset[str]:
    """Return the names of the compiled units in a folder."""
    # Code sees the standard library's modules as parts of one unit, `Stdlib`.
    found = (path.stem for path in folder.glob("*.cmi"))
    return frozenset(name[:1].upper() + name[1:] for name in found if not name.startswith("stdlib"))


def _output(command: list[str]) -> str:
    """Return the output of a command; raise ToolchainError if it does not run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise ToolchainError(f"{command[0]} does not run: {error}") from error
