"""The helpers' own sources, in OCaml and C, build without a warning."""

from __future__ import annotations

from pathlib import Path

from ocaml_reward.engine.build.sources import OUTPUTS, build_helpers, source_texts
from ocaml_reward.engine.build.toolchain import locate


def test_the_helpers_build_without_a_warning(tmp_path: Path) -> None:
    """Neither the OCaml compiler nor the C compiler has anything to say of them."""
    work, target = tmp_path / "work", tmp_path / "target"
    work.mkdir()
    target.mkdir()

    build_helpers(locate(), source_texts(), work, target, strict=True)

    assert set(OUTPUTS) <= {file.name for file in target.iterdir()}
