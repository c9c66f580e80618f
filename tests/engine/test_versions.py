"""
Which files of the engine each version of OCaml is built from.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ocaml_reward.engine.toolchain import Toolchain
from ocaml_reward.engine.versions import place_versions, warm_builds

FOLDER = Path(__file__).parents[2] / "ocaml_reward" / "engine" / "ocaml"
ALWAYS = {
    "closing.ml", "compat.ml", "constants.ml", "driver.ml", "functions.ml", "scopes.ml",
    "views.ml",
}  # fmt: skip
WARM = {"backend.ml"}


def placed(folder: Path, version: str) -> dict[str, str]:
    """
    Return the name and text of each file placed for a version, from files that hold
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
    place_versions(toolchain, folder)
    return {
        file.name: file.read_text()
        for file in folder.iterdir()
        if file.name not in named
    }


@pytest.mark.parametrize(
    ("version", "chosen"),
    [
        # driver, compat, functions, constants, scopes
        ("4.08.1", "408 408 408 408 408"),
        ("4.14.2", "408 408 408 408 408"),
        ("5.0.0", "408 408 408 408 408"),
        ("5.1.1", "501 408 408 408 408"),
        ("5.2.0", "501 408 502 408 408"),
        ("5.3.0", "503 408 502 503 408"),
        ("5.4.1", "503 504 502 503 408"),
        ("5.5.2", "503 504 502 503 505"),
        ("5.12.0", "503 504 502 503 505"),
    ],
)
def test_a_version_gets_the_latest_file_that_is_not_newer(
    tmp_path: Path, version: str, chosen: str
) -> None:
    """
    Minor versions are numbers: 4.08 comes before 4.14, 5.12 after 5.5.
    """
    found = placed(tmp_path, version)
    names = ("driver", "compat", "functions", "constants", "scopes")

    for name, file in zip(names, chosen.split(), strict=True):
        assert found[f"{name}.ml"] == f"{name}_{file}.ml"


@pytest.mark.parametrize(
    ("version", "backend", "views"),
    [
        ("4.13.1", "413", "413"), ("4.14.1", "414", "414"), ("5.1.0", "501", "414"),
        ("5.3.0", "503", "502"), ("5.4.1", "503", "504"), ("5.5.2", "503", "504"),
    ],
)  # fmt: skip
def test_a_version_that_was_tried_has_a_backend(
    tmp_path: Path, version: str, backend: str, views: str
) -> None:
    """
    The warm engine is built there.
    """
    found = placed(tmp_path, version)

    assert found["backend.ml"] == f"backend_{backend}.ml"
    assert found["views.ml"] == f"views_{views}.ml"
    assert found["closing.ml"] == "closing_known.ml"
    assert set(found) == ALWAYS | WARM


@pytest.mark.parametrize("version", ["4.12.0", "5.0.0", "5.2.1", "5.6.0", "6.0.0"])
def test_a_version_that_was_not_tried_has_none(tmp_path: Path, version: str) -> None:
    """
    What lies behind typing may be anything there: the stock engine has to do.
    """
    found = placed(tmp_path, version)

    assert set(found) == ALWAYS
    assert found["closing.ml"] == "closing_other.ml"


def test_the_warm_engine_is_built_here() -> None:
    """
    So that no run of the suite leaves it out unnoticed.
    """
    assert warm_builds()
