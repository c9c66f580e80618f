"""A version of TRL that nobody has tried: it runs if its hooks agree on a known group."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator

import pytest
import trl
from trl import GRPOTrainer

from tests.trainer.changed_trl import CHANGES
from trainer_plugin import supported_trl_versions
from trainer_plugin.config.reading import Loaded
from trainer_plugin.config.value import Config, ConfigError, DatasetConfig
from trainer_plugin.located.trainer import LocatedGRPOTrainer
from trainer_plugin.run.dynamic_sampling import check_dynamic_sampling
from trainer_plugin.run.trainer import with_supported_credit
from trainer_plugin.selection import SelectiveGRPOTrainer
from trainer_plugin.supported_trl_versions import check_tested, difference_of
from trainer_plugin.trl_hooks import main

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Install TRL 1.17.0, whose check is that of a changed hook."""

    def install(*check: str) -> None:
        difference_of.cache_clear()
        monkeypatch.setattr(trl, "__version__", "1.17.0")
        if check:
            command = (sys.executable, "-m", *check)
            monkeypatch.setattr(supported_trl_versions, "CHECK", command)

    yield install
    difference_of.cache_clear()


def test_a_version_that_agrees_runs(
    newer: Callable[..., None], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one check, in a process that is no rank of the training."""
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    newer()
    with caplog.at_level(logging.WARNING, "trainer_plugin"):
        check_tested("selection", otherwise="learn from all completions")
        # It is not asked again.
        monkeypatch.setattr(supported_trl_versions, "CHECK", ("no such program",))
        check_tested("located credit", otherwise="-")

    assert ["trl 1.17.0 was not tested here: its hooks agree on a known group"] == caplog.messages


def test_a_version_that_differs_is_refused(newer: Callable[..., None]) -> None:
    """In one line that says how; a run with located credit goes on without it."""
    newer("tests.trainer.changed_trl", "averaged")
    differs = r"inside of trl 1\.16\.\*, found 1\.17\.0, where a known group differs \(.*the loss"

    with pytest.raises(RuntimeError, match=differs + '.*take credit = "sequence"') as caught:
        LocatedGRPOTrainer()
    assert "\n" not in str(caught.value)
    with pytest.raises(RuntimeError, match=differs + ".*learn from all completions"):
        SelectiveGRPOTrainer(best_of_group=True)
    sampling = Config(dataset=DatasetConfig(settled_share=0.5))
    with pytest.raises(ConfigError, match=r"dataset\.settled_share.*" + differs):
        check_dynamic_sampling(sampling)
    loaded, (note,) = with_supported_credit(Loaded(config=Config(), origins={}))
    assert "sequence" == loaded.config.reward.credit
    assert {"reward.credit": "trl 1.17.0"} == loaded.origins
    assert "reward.credit: located relies" in note
    assert note.endswith('credit = "sequence" is used, or install that one')


def test_a_check_that_does_not_run_agrees_with_nothing(newer: Callable[..., None]) -> None:
    newer("no_such_module")
    with pytest.raises(RuntimeError, match=r"a known group differs \(.*no_such_module"):
        check_tested("located credit", otherwise="-")


def test_the_version_that_was_tested_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    difference_of.cache_clear()
    monkeypatch.setattr(supported_trl_versions, "CHECK", ("no such program",))
    check_tested("located credit", otherwise="-")
    same = Loaded(config=Config(), origins={})

    assert (same, ()) == with_supported_credit(same)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("reordered", "ValueError: advantages of tokens: expected"),
        ("renamed", "KeyError: 'completion_mask'"),
        ("averaged", "ValueError: the loss: expected"),
        ("by_group", "TypeError: by_group() takes 1 positional argument"),
        ("doubled", "ValueError: rows that are drawn: expected"),
    ],
)
def test_each_hook_is_checked(
    change: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The installed version agrees, and with one hook changed it does not."""
    monkeypatch.setattr(GRPOTrainer, *CHANGES[change])
    status = main()
    printed = capsys.readouterr().out.splitlines()

    assert 1 == status
    assert printed[-1].startswith(said)
