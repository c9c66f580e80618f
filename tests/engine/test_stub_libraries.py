"""Libraries with C in them, in the folders that installers put them in."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.engine.build import helpers as build
from ocaml_reward.engine.build import toolchain

CODE = "let f x = Tiny.twice x"
TESTS = "let () = assert (f 3 = 6); assert (f 2 = Tiny.twice 2)"
STUBS = """
#include <caml/mlvalues.h>
value tiny_twice(value n) { return Val_long(2 * Long_val(n)); }
"""
META = 'version = "1"\nrequires = ""\narchive(byte) = "tiny.cma"\n'
# Where the archive's C library lies, and what the user's shell says of it.
LAYOUTS = {
    "opam": ("stublibs", None),
    "beside the archive": ("{package}", None),
    "apart, by the environment": ("elsewhere", "elsewhere"),
}


def run(folder: Path, *command: str) -> None:
    """Run a program of the compiler's."""
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture(params=LAYOUTS)
def library(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Install a library of its own name, and give that name."""
    where, said = LAYOUTS[request.param]
    # What is remembered of one layout is nothing to another.
    name = f"tiny-{list(LAYOUTS).index(request.param)}"
    work, lib = tmp_path / "work", tmp_path / "lib"
    package, stubs = lib / name, lib / where.format(package=name)
    for folder in (work, package, stubs):
        folder.mkdir(parents=True, exist_ok=True)
    (work / "tiny_stubs.c").write_text(STUBS)
    (work / "tiny.ml").write_text('external twice : int -> int = "tiny_twice"\n')
    run(work, "ocamlc", "-c", "tiny.ml")
    run(work, "ocamlc", "-c", "tiny_stubs.c")
    run(
        work,
        "ocamlmklib",
        "-o",
        "tiny",
        "-oc",
        "tiny_stubs",
        "tiny.cmo",
        "tiny_stubs.o",
    )
    for file in ("tiny.cma", "tiny.cmi"):
        (work / file).rename(package / file)
    (work / "dlltiny_stubs.so").rename(stubs / "dlltiny_stubs.so")
    (package / "META").write_text(META)
    monkeypatch.setenv("OCAMLPATH", str(lib))
    if said:
        monkeypatch.setenv("CAML_LD_LIBRARY_PATH", str(lib / said))
    caches = (
        toolchain.packages,
        toolchain._query,
        toolchain.stubs,
        build.runner,
        build.rootfs,
    )
    for each in caches:
        each.cache_clear()
    yield name
    for each in caches:
        each.cache_clear()


def test_a_library_s_c_part_is_found(check: Callable[..., CheckReport], library: str) -> None:
    """Code and tests that call it run, with either engine."""
    report = check(CODE, TESTS, libraries=(library,))

    assert ["passed", "passed"] == [result.outcome for result in report.results]
