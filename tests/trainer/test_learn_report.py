"""The learning experiment's report: tables, differences by pairs, curves, and the page."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from experiments.learn.families import ALL_STARTS
from experiments.learn.paired import interval, paired
from experiments.learn.plot import plot
from experiments.learn.report import stages, table
from experiments.learn.stability import stability

ROOT = Path(__file__).parents[2]


def result(variant: str, seed: int, *passes: float) -> dict[str, Any]:
    """Make the result of a run."""
    return {
        "variant": variant,
        "seed": seed,
        "points": [
            {
                "step": 20 * place,
                "reward": share,
                "pass_at_1": share,
                "passed": [8 * share, 0],
                "verdicts": {"passed": 10 * share, "type_error": 10 - 10 * share},
            }
            for place, share in enumerate(passes)
        ],
        "zero_std": [0.0, 0.5],
        "step_seconds": 2.0,
        "score_seconds": 0.1,
        "score_share": 0.05,
    }


def test_the_report_shows_every_seed() -> None:
    """A mean never stands without what it is made of."""
    results = [
        result("graduated", 0, 0.1, 0.6),
        result("graduated", 1, 0.2, 0.4),
        result("shuffled", 0, 0.1, 0.0),
    ]
    text = table(results, steps=20)

    assert "| graduated | 0.15 (0.10, 0.20) | 0.50 (0.60, 0.40) |" in text
    assert "| 0.325 (0.350, 0.300) | 20, never | 0.25 (0.25, 0.25) |" in text
    assert "100 ms, 5% to 5% of the time" in text


def test_many_seeds_are_told_by_their_least_and_most() -> None:
    """Of the steps to the goal, too, which some never come to."""
    ends = (0.2, 0.4, 0.6, 0.8, 0.8)
    results = [result("graduated", seed, 0.1, end) for seed, end in enumerate(ends)]
    text = table(results, steps=20)

    assert "| graduated | 0.10 (0.10 to 0.10) | 0.56 (0.20 to 0.80) |" in text
    assert "| 20 (20 to never) |" in text
    assert "| 20 |" in table(results[2:] + results[3:], steps=20)


def test_variants_are_paired_by_seed() -> None:
    """A difference is of the same problems and the same seed, over the run and at its end; the
    interval holds the mean and narrows to nothing where all are alike.
    """
    results = [
        result("pass or fail", 0, 0.0, 0.2),
        result("graduated", 0, 0.0, 0.4),
        result("pass or fail", 1, 0.0, 0.2),
        result("graduated", 1, 0.0, 0.8),
        result("located", 5, 0.0, 0.9),
    ]
    (row,) = [line for line in paired(results).splitlines() if "graduated" in line]

    # Half of the problems differ, by 0.2 and 0.6.
    assert row.startswith("| graduated | 2 | +0.100 (")
    assert ") | 2 of 2 | +0.200 (" in row
    low, high = interval([[0.4, 0.0], [0.6, 0.2]])
    assert 0.0 <= low < 0.3 < high <= 0.6
    assert (0.5, 0.5) == interval([[0.5, 0.5], [0.5]])
    assert "" == paired(results[-1:])
    # Measured on one problem more, which the other was not.
    for point in results[1]["points"]:
        point["passed"] = [*point["passed"], 8]
    assert row in paired(results).splitlines()


def test_the_stages_are_shares_of_all_completions() -> None:
    """Before is the same for all variants, best verdicts come first."""
    results = [
        result("graduated", 0, 0.1, 0.6),
        result("graduated", 1, 0.1, 0.4),
        result("shuffled", 0, 0.1, 0.0),
    ]

    assert [
        "| verdict | before | graduated | shuffled |",
        "|---|---|---|---|",
        "| passed | 10.0% | 50.0% | 0.0% |",
        "| type_error | 90.0% | 50.0% | 100.0% |",
    ] == stages(results).splitlines()


def test_the_picture_is_sound_and_has_every_line() -> None:
    """A line for each seed and one for their mean, in both panels."""
    results = [result("graduated", 0, 0.1, 0.6), result("graduated", 1, 0.2, 0.4)]
    tree = ET.fromstring(plot(results, steps=20))
    lines = tree.findall("{http://www.w3.org/2000/svg}polyline")

    assert 6 == len(lines)
    # What has run with few of the seeds is in the tables alone.
    assert plot([*results, result("solved", 0, 0.1, 0.2)], steps=20) == plot(results, steps=20)


def test_the_page_shows_what_was_recorded() -> None:
    """Tables and pictures in the pages about learning are made of the recorded runs."""
    recorded = json.loads(
        (ROOT / "experiments" / "learn" / "recorded.json").read_text(encoding="utf-8")
    )
    results = ROOT / "experiments" / "learn" / "results"
    pages = {
        path: path.read_text(encoding="utf-8")
        for path in (ROOT / "docs" / "learning.md", *results.glob("*.md"))
    }
    page = "".join(pages.values())
    counted = Counter(each["start"] for each in recorded["results"])
    fewest = min(counted, key=lambda start: counted[start])
    for start in dict.fromkeys(each["start"] for each in recorded["results"]):
        told = ALL_STARTS[start.removesuffix("-large")]
        runs = [each for each in recorded["results"] if each["start"] == start]
        (shows,) = (at for at in pages if f"(learn-{start}.svg)" in pages[at])
        picture = (shows.parent / f"learn-{start}.svg").read_text(encoding="utf-8")

        seeds = {each["seed"] for each in runs}
        assert told.first in seeds
        assert {(variant, seed) for variant in told.variants for seed in seeds} <= {
            (each["variant"], each["seed"]) for each in runs
        }
        assert table(runs, steps=recorded["steps"]) in page
        assert stages(runs) in page
        # Its intervals take seconds for each start; they change with what they are made of.
        if start == fewest:
            assert paired(runs) in page
        assert plot(runs, steps=recorded["steps"]) == picture


def test_the_page_of_arms_shows_what_was_recorded() -> None:
    """Beside the runs of the same seeds that were recorded before."""
    folder = ROOT / "experiments" / "learn"
    page = (folder / "results" / "arms.md").read_text(encoding="utf-8")
    before, arms = (
        json.loads(path.read_text(encoding="utf-8"))["results"]
        for path in (folder / "recorded.json", folder / "results" / "arms.json")
    )
    for start in dict.fromkeys(each["start"] for each in arms):
        new = [each for each in arms if each["start"] == start]
        old = [
            each
            for variant in ALL_STARTS[start].variants
            for each in before
            if (each["start"], each["variant"]) == (start, variant)
            and each["seed"] in {one["seed"] for one in new}
        ]
        told = [table([*old, *new], steps=80), stages([*old, *new]), paired([*old, *new])]

        assert all(each in page for each in told)
        assert stability([*old, *new]) in page
        for each in new:
            (same,) = {
                tuple(one["points"][0]["passed"]) for one in old if one["seed"] == each["seed"]
            }
            assert same == tuple(each["points"][0]["passed"])
