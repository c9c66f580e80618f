"""What is said before the helpers are built."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.terminal.building import say_if_building
from ocaml_reward.engine.build.helpers import engine_path


def test_a_build_is_said_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an empty cache one line says that something is built; with helpers there, none."""
    tmp_path.chmod(0o755)
    monkeypatch.setenv("OCAML_REWARD_CACHE", str(tmp_path / "cache"))

    say_if_building()
    first = capsys.readouterr().err
    engine_path().mkdir(parents=True)
    say_if_building()

    assert "ocaml-reward: building helpers, once: up to a minute\n" == first
    assert "" == capsys.readouterr().err
