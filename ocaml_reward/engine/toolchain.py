"""
The user's own OCaml toolchain: where it is, which version, which findlib packages.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..errors import ProblemError, ToolchainError

__all__ = ["Package", "Toolchain", "locate", "packages", "units"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Toolchain:
    """
    One OCaml compiler: native ocamlc, its version ("4.13.1") and standard library folder.
    """

    ocamlc: Path
    ocamlfind: Path
    version: str
    stdlib: Path

    @property
    def label(self) -> str:
        """
        The toolchain as each record names it, "ocaml 4.13.1".
        """
        return f"ocaml {self.version}"

    @property
    def number(self) -> tuple[int, int]:
        """
        Major and minor version, (4, 13).
        """
        major, minor = self.version.split(".")[:2]
        return int(major), int(minor)


@dataclass(frozen=True, kw_only=True, slots=True)
class Package:
    """
    A findlib package as bytecode needs it: its folder and its archives.
    """

    name: str
    folder: Path
    archives: tuple[str, ...]


@cache
def locate() -> Toolchain:
    """
    Find the compiler on PATH.

    Raises ToolchainError, saying which package to install, when a part is missing.
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
    )


@cache
def packages(names: tuple[str, ...]) -> tuple[Package, ...]:
    """
    Resolve findlib package names with all they need, in link order.

    Raises ProblemError for a name that findlib does not know.
    """
    if not names:
        return ()
    for name in names:
        # Anything else could be read as an option.
        if not re.fullmatch(r"[A-Za-z0-9_][\w.+-]*", name):
            raise ProblemError(f"{name!r} is not the name of a findlib package")
    ocamlfind = locate().ocamlfind
    command = [
        str(ocamlfind),
        "query",
        "-r",
        "-predicates",
        "byte",
        "-format",
        "%p|%d|%a",
    ]
    done = subprocess.run(
        [*command, *names], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[:200]
        raise ProblemError(f"libraries {', '.join(names)}: {reason}")
    rows = (line.split("|") for line in done.stdout.splitlines())
    return tuple(
        Package(name=name, folder=Path(folder), archives=tuple(archives.split()))
        for name, folder, archives in rows
    )


@cache
def modules(names: tuple[str, ...]) -> frozenset[str]:
    """
    Name the modules that these packages have, without those of what they need.

    Raises ProblemError for a package that findlib does not know.
    """
    own = (package for package in packages(names) if package.name in names)
    return frozenset[str]().union(*(_units(package.folder) for package in own))


@cache
def units(names: tuple[str, ...]) -> frozenset[str]:
    """
    Name the compilation units that code with these packages can use, without those of the
    standard library.

    Raises ProblemError for a package that findlib does not know.
    """
    folders = [locate().stdlib, *(package.folder for package in packages(names))]
    return frozenset[str]().union(*map(_units, folders))


@cache
def _units(folder: Path) -> frozenset[str]:
    # The standard library's modules are in one unit, `Stdlib`, as far as code can tell.
    found = (path.stem for path in folder.glob("*.cmi"))
    return frozenset(
        name[:1].upper() + name[1:] for name in found if not name.startswith("stdlib")
    )


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise ToolchainError(f"{command[0]} does not run: {error}") from error
