"""A run's configuration written down, with where its values came from."""

from __future__ import annotations

import json
from pathlib import Path

from trainer_plugin.config.reading import load_config
from trainer_plugin.config.settings import SETTINGS
from trainer_plugin.config.table import changes, save, settings_page, table

ROOT = Path(__file__).parents[2]


def test_the_table_and_the_saved_file_say_where_values_came_from(
    tmp_path: Path,
) -> None:
    """Both hold every setting with its value and origin."""
    loaded = load_config(overrides=["lora.r=8"], environment={})
    save(loaded, tmp_path / "out")
    told = json.loads((tmp_path / "out" / "config.json").read_text(encoding="utf-8"))
    lines = table(loaded).splitlines()

    assert ["lora.r", "8", "--set"] in [line.split() for line in lines]
    assert len(SETTINGS) == len(lines) - 1
    assert {"value": 8, "from": "--set"} == told["settings"]["lora.r"]
    assert SETTINGS.keys() == told["settings"].keys()
    assert table(loaded) + "\n" == (tmp_path / "out" / "config.txt").read_text()


def test_the_table_fits_a_terminal() -> None:
    """Only a line with a long value is longer than 80 columns, and no default than 100."""
    lines = table(load_config(preset="stabilized", environment={})).splitlines()

    assert ["lora.target_modules"] == [x.split()[0] for x in lines if len(x) > 80]
    assert max(map(len, lines)) <= 100


def test_changes_since_a_run_was_started(tmp_path: Path) -> None:
    """A run that goes on with other settings says which; a folder without a record has none."""
    save(load_config(overrides=["lora.r=8"], environment={}), tmp_path)
    other = load_config(overrides=["grpo.report_to=wandb"], environment={})

    assert [
        "changed since: lora.r was 8, is 32",
        "changed since: grpo.report_to was none, is wandb",
    ] == changes(other, tmp_path)
    assert [] == changes(other, tmp_path / "elsewhere")


def test_the_page_of_settings_is_current() -> None:
    """docs/configuration.md lists every setting as the reader knows it."""
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")

    assert settings_page() in page


def test_options_of_trl_come_and_go(tmp_path: Path) -> None:
    """One that was there, is there now or has changed is told of."""
    before = ["grpo.extra.top_k=1", "grpo.extra.min_p=0.1"]
    save(load_config(overrides=before, environment={}), tmp_path)
    now = load_config(overrides=["grpo.extra.top_k=2", "grpo.extra.delta=3.0"], environment={})

    assert [
        "changed since: grpo.extra.top_k was 1, is 2",
        "changed since: grpo.extra.delta was none, is 3.0",
        "changed since: grpo.extra.min_p was 0.1, is none",
    ] == changes(now, tmp_path)


def test_what_differs_from_the_defaults_is_shown_alone() -> None:
    """A run prints that, and how many settings there are besides."""
    loaded = load_config(overrides=["lora.r=8"], environment={})
    lines = table(loaded, changed=True).splitlines()
    others = len(SETTINGS) - (len(lines) - 2)

    assert ["lora.r", "8", "--set"] in [line.split() for line in lines]
    assert lines[-1].split()[:2] == [str(others), "more"]
    assert len(lines) < 20
