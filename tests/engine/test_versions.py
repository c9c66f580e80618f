"""Which files of the engine each version of OCaml is built from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ocaml_reward.engine.build.choice import choice
from ocaml_reward.engine.build.toolchain import Toolchain
from ocaml_reward.engine.build.versions import place_versions

FOLDER = Path(__file__).parents[2] / "ocaml_reward" / "engine" / "ocaml" / "versions"
PLACED = {
    "unit_fault.ml", "path_compat.ml", "constant_compat.ml", "typing_compat.ml", "bytecode_compat.ml", "function_compat.ml",
    "kind_compat.ml", "level_compat.ml", "unit_compat.ml", "scope_compat.ml", "type_compat.ml", "implementation_compat.ml",
    "lambda_compat.ml", "object_compat.ml", "ticking_unit.ml",
}  # fmt: skip


def placed(folder: Path, version: str, *, warm: bool = True) -> dict[str, str]:
    """Return the name and text of each file placed for a version, from files that hold
    their own name.
    """
    named = [file.name for file in FOLDER.glob("*_*.ml")]
    for name in named:
        (folder / name).write_text(name)
    toolchain = Toolchain(
        ocamlc=Path("ocamlc"),
        ocamlfind=Path("ocamlfind"),
        version=version,
        stdlib=folder,
    )
    place_versions(toolchain, folder, warm=warm)
    return {file.name: file.read_text() for file in folder.iterdir() if file.name not in named}


# What a version takes of each, from its own number on.
NAMES = (
    "path_compat", "constant_compat", "typing_compat", "bytecode_compat", "function_compat", "kind_compat", "level_compat", "unit_compat",
    "scope_compat", "type_compat", "implementation_compat", "lambda_compat", "object_compat",
)  # fmt: skip


@pytest.mark.parametrize(
    ("version", "chosen"),
    [
        ("4.08.1", "408 408 408 408 408 408 408 408 408 408 408 408 408"),
        ("4.13.1", "408 408 408 408 408 408 408 408 408 408 408 408 408"),
        ("4.14.2", "408 408 408 408 408 408 408 408 408 414 414 414 408"),
        ("5.0.0", "408 408 408 408 408 408 408 408 408 414 414 414 408"),
        ("5.1.1", "408 408 408 501 408 408 501 408 408 414 414 414 408"),
        ("5.2.0", "408 408 408 501 502 502 501 408 408 414 414 502 502"),
        ("5.3.0", "408 503 503 503 502 502 501 503 408 414 503 502 502"),
        ("5.4.1", "504 503 503 503 502 502 501 503 408 414 503 502 502"),
        ("5.5.2", "504 503 503 503 502 502 501 503 505 414 503 502 502"),
        ("5.12.0", "504 503 503 503 502 502 501 503 505 414 503 502 502"),
    ],
)
def test_a_version_gets_the_latest_file_that_is_not_newer(
    tmp_path: Path, version: str, chosen: str
) -> None:
    """Minor versions are numbers: 4.08 comes before 4.14, 5.12 after 5.5."""
    found = placed(tmp_path, version)

    assert set(found) == PLACED
    for name, file in zip(NAMES, chosen.split(), strict=True):
        assert found[f"{name}.ml"] == f"{name}_{file}.ml"


@pytest.mark.parametrize(("warm", "chosen"), [(True, "known"), (False, "other")])
def test_without_the_warm_engine_nothing_is_known_behind_typing(
    tmp_path: Path, warm: bool, chosen: str
) -> None:
    """What lies there may be anything with a version that was not tried."""
    found = placed(tmp_path, "5.6.0", warm=warm)

    assert found["unit_fault.ml"] == f"unit_fault_{chosen}.ml"
    assert found["ticking_unit.ml"] == f"ticking_unit_{chosen}.ml"


def test_the_warm_engine_is_built_here() -> None:
    """So that no run of the suite leaves it out unnoticed."""
    assert choice().warm


# What parsetree.mli of some version from 4.13 to 5.5 has and another has not; and what makes a
# tuple, whose parts have labels from 5.4 on.  (ocaml/ocaml parsing/parsetree.mli)
OF_SOME_VERSIONS = """
    Pexp_fun Pexp_letexception Pexp_letmodule Pexp_open Pexp_struct_item Pfunction_body
    Pfunction_cases Pmod_apply_unit Pparam_newtype Pparam_val Ppat_effect Ptyp_functor Ptyp_open
    Ptype_external pcd_vars pconst_desc pconst_loc pparam_desc pparam_loc ppt_attrs ppt_constraints
    ppt_cstrs ppt_loc ppt_path ptype_constraints ptype_cstrs pvb_constraint
    Exp.tuple Pat.tuple Typ.tuple
"""


def test_only_files_of_versions_use_what_some_versions_lack() -> None:
    """Any machine tells that the engine would not build with another compiler."""
    unportable = re.compile(rf"\b(?:{'|'.join(map(re.escape, OF_SOME_VERSIONS.split()))})\b")
    found = {
        file.relative_to(FOLDER.parent).as_posix(): unportable.findall(file.read_text())
        for file in FOLDER.parent.rglob("*.ml*")
        if file.parent != FOLDER
    }

    assert {} == {name: names for name, names in found.items() if names}
