"""Pages with the lines of logs in them, or a table of epochs, are read as what they tell of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.trainer.health_runs import (
    COLLAPSED,
    EARLY,
    HEALTHY,
    RUNAWAY,
    UNSTABLE,
    through,
)
from tests.trainer.watched_runs import DOCUMENT, found, read, write
from trainer_plugin.health.summary import summaries
from trainer_plugin.learning import format_line


def test_a_page_of_logs_gives_each_its_diagnosis(tmp_path: Path) -> None:
    """The patterns that a guide shows are told one by one, with their lines; the healthy one
    gives none, a table of epochs its own, and a sign that was encoded twice is read.
    """
    text = DOCUMENT.format(
        healthy=HEALTHY,
        collapsed=COLLAPSED,
        runaway=RUNAWAY,
        unstable=UNSTABLE,
        copied=EARLY.replace("±", "Â±"),
    )
    path = tmp_path / "guide.md"
    path.write_text(text, encoding="utf-8")
    lines = text.splitlines()
    following = read(path)
    names = [watched.name for watched in following.logs.values()]
    first, *others = found(following)

    assert [
        "A training",
        "Healthy Training",
        "Mode Collapse Warning",
        "Runaway Completions",
        "Gradient Instability",
        "A copy that went through another encoding",
    ] == names
    assert ("A training", "loss-instability", "guide.md:3", "guide.md:3") == first
    assert [
        ("A training", "plateau"),
        ("A training", "loss-instability"),
        ("A training", "reward-regression"),
        ("Mode Collapse Warning", "mode-collapse"),
        ("Runaway Completions", "runaway"),
        ("Gradient Instability", "gradient-instability"),
        ("A copy that went through another encoding", "high-variance"),
        ("A copy that went through another encoding", "mode-collapse"),
    ] == [(name, rule) for name, rule, *_ in others]
    for name, _, start, end in others:
        low, high = (int(place.rpartition(":")[2]) for place in (start, end))
        shown = lines[low - 1 : high]
        assert shown
        assert all(line.startswith(("[Epoch", "| Metric")) for line in shown), name
    assert 2 == len(
        {start for name, _, start, end in others if name.startswith("Mode")}
        | {end for name, _, start, end in others if name.startswith("Mode")}
    )
    assert "critical" == following.worst


def test_the_epochs_of_a_table(tmp_path: Path) -> None:
    """The summary of four epochs: what rose and fell, by how much, as the table's own author
    worked it out.
    """
    path = tmp_path / "guide.md"
    path.write_text(DOCUMENT, encoding="utf-8")
    *_, last = summaries(read(path).main.examination.history)
    words = {each.figure: each.word for each in last.changes}
    shares = {each.figure: round(each.share or 0, 3) for each in last.changes}

    assert (4, 1, True, 47.6 * 60) == (last.epoch, last.steps, last.whole, last.seconds)
    assert ("falling", -0.09) == (words["reward"], shares["reward"])
    assert ("rising", 0.02) == (words["best_of_n"], shares["best_of_n"])
    assert ("rising", 0.259) == (words["loss"], shares["loss"])
    assert "steady" == words["seconds"]


def test_chance_is_no_change(tmp_path: Path) -> None:
    """Of two epochs whose rewards differ among themselves by more than from each other nothing
    is said to have changed.
    """
    steps = [
        replace(step, reward=0.5 + (0.2 if at % 2 else -0.2) + 0.01 * (at > 9))
        for at, step in enumerate(through(0.05, 2.0, 20))
    ]
    path = write(tmp_path / "learning.log", map(format_line, steps))
    last = list(summaries(read(path).main.examination.history))[-1]

    assert {"steady"} == {each.word for each in last.changes if each.figure == "reward"}
