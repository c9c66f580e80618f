"""How the reward is reached: by import, and by a dotted path with the environment's settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import trainer_plugin
from trainer_plugin import OCamlReward
from trainer_plugin.environment import VARIABLES, reward_from
from trainer_plugin.scorer import share_of_processors

ROOT = Path(__file__).parents[2]

PROBE = """
import sys
from trainer_plugin import ocaml_reward
heavy = {"torch", "transformers", "trl", "datasets", "numpy"} & set(sys.modules)
print(sorted(heavy), ocaml_reward.__name__, ocaml_reward.scheme.name)
"""


def test_the_dotted_path_is_ready_and_light() -> None:
    """The instance is made on import, of the environment, without any training library."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=ROOT,
        env=os.environ | {"OCAML_REWARD_SCHEME": "concise"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert "[] syntax_aware_reward concise\n" == done.stdout


def test_the_instance_is_one() -> None:
    """Whoever asks gets the same reward, so that one process has one engine."""
    assert isinstance(trainer_plugin.ocaml_reward, OCamlReward)
    assert trainer_plugin.ocaml_reward is trainer_plugin.ocaml_reward


def test_other_names_are_missing() -> None:
    """A mistyped dotted path is an error."""
    with pytest.raises(AttributeError, match="no attribute 'ocaml_rewards'"):
        _ = trainer_plugin.ocaml_rewards


def test_every_variable_is_used() -> None:
    values = ["curriculum", "true", "yes", "stock", "auto", "3", "12.5"]
    made = reward_from(dict(zip(VARIABLES, values, strict=True)))

    assert "curriculum" == made.scheme.name
    assert made.blend
    assert made.rare_checks
    assert ("stock", "auto") == (made._scorer._engine, made._scorer._sandbox)
    assert (3, 12.5) == (made._scorer._jobs, made._scorer._deadline_s)


def test_empty_variables_are_not_set() -> None:
    assert "seed" == reward_from(dict.fromkeys(VARIABLES, "")).scheme.name


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("OCAML_REWARD_JOBS", "two"),
        ("OCAML_REWARD_DEADLINE_S", "soon"),
        ("OCAML_REWARD_BLEND", "maybe"),
    ],
)
def test_what_cannot_be_read_is_named(variable: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"{variable}: cannot use '{text}'"):
        reward_from({variable: text})


def test_each_rank_takes_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processors of a node are divided among its training processes, one at least."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    shares = []
    for ranks in ("", "1", "3", "20"):
        monkeypatch.setenv("LOCAL_WORLD_SIZE", ranks)
        shares.append(share_of_processors())

    assert [8, 8, 2, 1] == shares
