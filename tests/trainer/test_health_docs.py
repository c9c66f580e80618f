"""What docs/training.md says about the reward, its logs and health is what they do."""

from __future__ import annotations

import re
from pathlib import Path

from ocaml_reward.model import IMPOSSIBLE
from ocaml_reward.scheme import load
from tests.trainer.faked import GOOD, batch, reward
from trainer_plugin.environment import VARIABLES
from trainer_plugin.health import RULES, apply_rules
from trainer_plugin.learning import parse_line

PAGE = Path(__file__).parents[2] / "docs" / "training.md"


def page() -> str:
    """Return the page."""
    return PAGE.read_text(encoding="utf-8")


def test_the_patterns_are_what_the_rules_say() -> None:
    """Under the lines of each pattern stand all findings that they give, and no others."""
    found = re.findall(r"^```text\n(\[Epoch \d.*?)^```", page(), re.MULTILINE | re.DOTALL)
    for block in found:
        lines = block.splitlines()
        steps = [step for line in lines if (step := parse_line(line)) is not None]
        told = [f"{each.rule} ({each.severity}): {each.seen}" for _, each in apply_rules(steps)]

        assert lines[len(steps) :] == told
    assert 5 == len(found)


def test_the_table_of_rules_is_whole() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (critical|warning) \|", page(), re.MULTILINE)

    assert {(rule.name, rule.severity.value) for rule in RULES} == set(rows)


def test_the_table_of_metrics_is_whole() -> None:
    logged: dict[str, float] = {}
    # The one that pays for every part.
    scheme = load("decisive")
    batch(
        reward(scheme=scheme),
        *[GOOD] * 5,
        id=["one", "one", "other", "other", f"one{IMPOSSIBLE}"],
        log_metric=logged.__setitem__,
    )
    heading = "### Metrics in the trainer's log\n\n"
    table = page().partition(heading)[2].partition("\n\n")[0]

    assert set(logged) == set(re.findall(r"`(ocaml/[a-z_0-9/]+)`", table))


def test_every_variable_is_named() -> None:
    """The settings of the instance for dotted paths are all there."""
    assert set(VARIABLES) <= set(re.findall(r"`(OCAML_REWARD_[A-Z_]+)`", page()))
