"""
The helpers' own sources, in OCaml and C: what they are held to.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ocaml_reward.engine.sources import (
    OUTPUTS,
    SERVER,
    SOURCES,
    build_helpers,
    source_texts,
)
from ocaml_reward.engine.toolchain import locate

# Nobody links to the last module of a program.
PROGRAMS = {"server", "tool"}
# In the jail.  Tests name what OUnit offers as they name it in OUnit: all of it.
TRUSTED = {"harness", "rebuild"}
COLUMNS = 100
ITEM = re.compile(r"^(?:val|type|exception|module|external)\b", re.MULTILINE)

TEXTS = {name: text.decode() for name, text in source_texts().items()}


def test_the_helpers_build_without_a_warning(tmp_path: Path) -> None:
    """
    Neither the OCaml compiler nor the C compiler has anything to say of them.
    """
    work, target = tmp_path / "work", tmp_path / "target"
    work.mkdir()
    target.mkdir()

    build_helpers(locate(), source_texts(), work, target, strict=True)

    assert set(OUTPUTS) <= {file.name for file in target.iterdir()}


def test_paths_are_taken_apart_in_one_place() -> None:
    """
    A name's parts have places of their own from OCaml 5.4 on: compat.mli takes them apart and
    puts them together for all versions, and no other file of all versions can be built there.
    """
    parts = re.compile(r"\b(?:Longident\.)?(?:Ldot|Lapply) \(")
    found = {
        name
        for name, text in TEXTS.items()
        if name.endswith(".ml") and parts.search(text)
    }

    assert {"compat_408.ml", "compat_504.ml"} <= found
    assert not {name for name in found if not re.search(r"_\d{3}\.ml$", name)}


def test_a_module_that_others_use_has_an_interface() -> None:
    """
    What it does not show, nobody leans on; of one for each version of OCaml it is the only.
    """
    linked = {*SOURCES, *SERVER, *TRUSTED} - PROGRAMS

    assert sorted(f"{name}.mli" for name in linked) == sorted(
        name for name in TEXTS if name.endswith(".mli")
    )


@pytest.mark.parametrize("name", sorted(n for n in TEXTS if n.endswith(".mli")))
def test_an_interface_says_what_each_item_is_for(name: str) -> None:
    """
    A comment heads the whole, and one stands above each item.
    """
    head, *items = re.split(r"\n\n(?=\(\*\*)", TEXTS[name])
    alone = [
        item for item in items if 1 == len(ITEM.findall(item)) == item.count("(**")
    ]

    assert head.startswith("(* ")
    assert items
    assert alone == items


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_sources_have_one_layout(name: str) -> None:
    """
    As there is no formatter of OCaml here: no tabs, no trailing blanks, no long lines.
    """
    lines = TEXTS[name].split("\n")

    assert not lines[-1]
    assert lines[-2]
    assert [] == [line for line in lines if "\t" in line or line != line.rstrip()]
    assert [] == [line for line in lines if len(line) > COLUMNS]
    assert "\n\n\n" not in TEXTS[name]
