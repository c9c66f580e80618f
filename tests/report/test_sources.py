"""What can be reported on, and how what cannot is refused."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward.model import IMPOSSIBLE, Fault, Verdict
from tests.report.conftest import Invoke, Page
from tests.report.made import example, passing, scored, training, twin_training
from tests.trainer.health_runs import UNSTABLE
from trainer_plugin.health import RULES

Made = Callable[..., Page]


def test_a_scored_file(made: Made, tmp_path: Path) -> None:
    """The output of `score` is a source, with a row for each completion."""
    page = made(scored(tmp_path / "scored.jsonl"))
    (source,) = page.summary["sources"]

    assert ("scored.jsonl", "scored", 2) == (
        source["label"],
        source["kind"],
        source["completions"],
    )
    assert [0.22, 1.0] == page.summary["rows"]["reward"]
    assert [0, 1] == page.summary["rows"]["index"]


def test_a_folder_of_scored_files(made: Made, tmp_path: Path) -> None:
    """All scored files of a folder are one source, gzipped ones too; others are left alone."""
    folder = tmp_path / "evaluation"
    first = scored(folder / "records.jsonl")
    (folder / "more.jsonl.gz").write_bytes(gzip.compress(first.read_bytes()))
    (folder / "completions.jsonl").write_text('{"completion": "let x = 1"}\n')
    (source,) = made(folder).summary["sources"]

    assert ("evaluation", 4) == (source["label"], source["completions"])


def test_a_training(made: Made, tmp_path: Path) -> None:
    """A training's folder gives its figures by step, validation apart, and its findings."""
    page = made(training(tmp_path / "run", steps=4))
    (source,) = page.summary["sources"]
    rows = page.summary["rows"]

    assert ("run", 18) == (source["kind"], source["completions"])
    assert [1, 2, 3, 4] == source["series"]["reward"]["x"]
    assert [4] == source["series"]["eval_reward"]["x"]
    assert [0.1, 0.1, 0.1, 50.0] == source["series"]["grad_norm"]["y"]
    assert [1, 2, 3, 4] == source["steps"]["x"]
    assert [2, 2, 2, 2] == source["steps"]["verdicts"]["passed"]
    assert [(4, "gradient-instability", "grad_norm")] == [
        (each["at"], each["rule"], each["chart"])
        for each in source["findings"]
        if each["severity"] == "critical"
    ]
    assert [(4, "eval")] * 2 == list(zip(rows["step"], rows["split"], strict=True))[-2:]


def test_impossible_twins_of_a_scored_file(made: Made, tmp_path: Path) -> None:
    """A passed twin counts for a figure of its own; its rewards count for none."""
    twin = f"add{IMPOSSIBLE}"
    records = [passing(), example(problem_id=twin), passing(problem_id=twin)]
    (source,) = made(scored(tmp_path / "s.jsonl", records)).summary["sources"]
    (plain,) = made(scored(tmp_path / "p.jsonl", records[:1])).summary["sources"]

    assert 0.5 == source["figures"].pop("impossible_pass_rate")
    assert plain["figures"].pop("impossible_pass_rate") is None
    assert plain["figures"] | {"problems": 2} == source["figures"]
    assert (plain["bins"], plain["credits"]) == (source["bins"], source["credits"])
    assert (3, 2) == (source["completions"], source["verdicts"]["passed"])


def test_impossible_twins_of_a_training(made: Made, tmp_path: Path) -> None:
    """Their figure stands beside the others of each evaluation, and its finding marks it."""
    logged = twin_training(tmp_path / "run")
    (source,) = made(logged).summary["sources"]

    assert {"x": [1, 2], "y": [0.0, 0.5]} == source["series"]["eval_impossible_pass_rate"]
    assert {"x": [1, 2], "y": [1.0, 1.0]} == source["series"]["eval_pass_at_1"]
    assert [(2, "cheating", "impossible_pass_rate")] == [
        (each["at"], each["rule"], each["chart"]) for each in source["findings"]
    ]


def test_every_rule_marks_a_chart() -> None:
    page = Path(__file__).parents[2] / "cli" / "report" / "page" / "pictures.js"
    text = page.read_text(encoding="utf-8")
    charts = set(re.findall(r"\b(?:course\(|findingsOf\(|mark: )\"(\w+)\"", text))

    assert set() == {rule.chart for rule in RULES} - charts


def test_each_variant_of_a_rule_marks_its_own_chart(made: Made, tmp_path: Path) -> None:
    folder = training(tmp_path / "run")
    told = [
        {
            "step": 2,
            "rule": rule.name,
            "severity": rule.severity,
            "seen": "s",
            "advice": rule.advice,
        }
        for rule in RULES
        if rule.name == "mode-collapse"
    ]
    (folder / "health.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in told))
    (source,) = made(folder).summary["sources"]

    charts = ["frac_zero_std", "frac_zero_std", "entropy"]
    assert charts == [each["chart"] for each in source["findings"]]


def test_findings_of_the_run_itself_come_first(made: Made, tmp_path: Path) -> None:
    """What a run's own health.jsonl has is shown as it stands there."""
    folder = training(tmp_path / "run")
    told = '{"step":2,"rule":"plateau","severity":"warning","seen":"s","advice":"a"}\n'
    (folder / "health.jsonl").write_text(told)
    (source,) = made(folder).summary["sources"]

    assert [(2, "plateau")] == [(each["at"], each["rule"]) for each in source["findings"]]


def test_the_figures_of_records_stand_in_for_logs(made: Made, tmp_path: Path) -> None:
    """Where only the log of breakdowns is left, its completions give the same figures."""
    folder = training(tmp_path / "run")
    (whole,) = made(folder).summary["sources"]
    log = folder / "reward_logs" / "syntax_aware_breakdown.jsonl"
    (alone,) = made(log).summary["sources"]

    for name in ("reward", "pass_at_1", "best_of_n", "frac_zero_std", "eval_reward"):
        assert whole["series"][name] == alone["series"][name], name


def test_a_learning_log(made: Made, tmp_path: Path) -> None:
    """A lone learning.log is a source, also the documents' own lines, examined by the rules."""
    path = tmp_path / "learning.log"
    path.write_text(f"noise\n{UNSTABLE}", encoding="utf-8")
    (source,) = made(path).summary["sources"]

    assert ("log", "logged line") == (source["kind"], source["places"])
    assert {"x": [1, 2], "y": [15.786, 0.024]} == source["series"]["grad_norm"]
    assert ["gradient-instability"] == [each["rule"] for each in source["findings"]]


def test_everything_that_a_trainer_logs(made: Made, tmp_path: Path) -> None:
    """metrics.jsonl gives steps their numbers, and figures that no other log has."""
    (tmp_path / "run").mkdir()
    rows = (
        '{"step":5,"reward":0.5,"loss":0.1,"grad_norm":0.2,"kl":0.03}\n'
        '{"step":9,"eval_reward":0.7}\n'
    )
    (tmp_path / "run" / "metrics.jsonl").write_text(rows)
    (source,) = made(tmp_path / "run").summary["sources"]

    assert {"x": [5], "y": [0.03]} == source["series"]["kl"]
    assert {"x": [5], "y": [0.5]} == source["series"]["reward"]
    assert {"x": [9], "y": [0.7]} == source["series"]["eval_reward"]


def test_lines_of_some_steps_stand_by_their_epochs(made: Made, tmp_path: Path) -> None:
    """A learning.log that says less than each step is laid beside the steps by its epochs."""
    folder = training(tmp_path / "run", steps=4)
    lines = (folder / "learning.log").read_text().splitlines()
    (folder / "learning.log").write_text(f"{lines[1]}\n{lines[3]}\n")
    (source,) = made(folder).summary["sources"]

    assert {"x": [2, 4], "y": [0.1, 50.0]} == source["series"]["grad_norm"]
    assert [1, 2, 3, 4] == source["series"]["reward"]["x"]


def test_several_sources_have_names_of_their_own(made: Made, tmp_path: Path) -> None:
    """Sources whose last names are equal are told apart by the folders that they lie in."""
    page = made(scored(tmp_path / "a" / "x.jsonl"), scored(tmp_path / "b" / "x.jsonl"))

    assert ["a/x.jsonl", "b/x.jsonl"] == [each["label"] for each in page.summary["sources"]]
    assert [0, 0, 1, 1] == page.summary["rows"]["source"]


def test_a_bad_line_costs_itself(invoke: Invoke, tmp_path: Path) -> None:
    """A line that is no record is named with its place, the rest is reported, exit code 1."""
    path = scored(tmp_path / "scored.jsonl")
    lines = path.read_text().splitlines()
    path.write_text("\n".join(["torn", lines[0], '{"schema": 1}', lines[1][:50], ""]))
    done = invoke(path, "-o", tmp_path / "r.html")

    assert 1 == done.exit_code
    assert f"{path}:1: not a record of this program" in done.output
    assert f"{path}:3: problem_id: missing" in done.output
    assert f"{path}:4: not a record of this program" in done.output
    assert "1 completion\n" in done.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "let x = 1\n",
            "is neither the output of ocaml-reward score nor a learning.log",
        ),
        ("", "is neither the output of ocaml-reward score nor a learning.log"),
        (None, "holds neither the logs of a training nor files that"),
    ],
)
def test_what_is_no_source_is_refused(
    invoke: Invoke, tmp_path: Path, content: str | None, said: str
) -> None:
    """A file or folder of something else is refused in one line, exit code 2, and nothing made."""
    path = tmp_path / "source"
    path.mkdir() if content is None else path.write_text(content)
    done = invoke(path, "-o", tmp_path / "r.html")

    assert 2 == done.exit_code
    assert 1 == done.output.count("\n")
    assert said in done.output
    assert not (tmp_path / "r.html").exists()


def test_a_training_without_a_line_yet(invoke: Invoke, tmp_path: Path) -> None:
    """A run that has logged nothing is refused."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "learning.log").write_text("")
    done = invoke(tmp_path / "run", "-o", tmp_path / "r.html")

    assert (2, f"ocaml-reward: nothing to report in {tmp_path / 'run'}\n") == (
        done.exit_code,
        done.output,
    )


def test_the_same_source_twice(invoke: Invoke, tmp_path: Path) -> None:
    """A source that is named twice is refused: nobody could tell the two apart."""
    path = scored(tmp_path / "scored.jsonl")
    done = invoke(path, path, "-o", tmp_path / "r.html")

    assert (2, "ocaml-reward: the same source is named twice\n") == (
        done.exit_code,
        done.output,
    )


def test_a_log_of_something_else_costs_itself(invoke: Invoke, tmp_path: Path) -> None:
    """Where rows of batches lack what they should have, one line says so, exit code 1, and the
    completions give the figures.
    """
    folder = training(tmp_path / "run")
    (folder / "batch_metrics.jsonl").write_text('{"step": 1, "split": "train"}\n')
    done = invoke(folder, "-o", tmp_path / "r.html")
    (source,) = Page(tmp_path / "r.html").summary["sources"]

    assert 1 == done.exit_code
    assert "batch_metrics.jsonl: left out" in done.output
    assert [1, 2, 3, 4] == source["series"]["reward"]["x"]


def test_what_is_no_number_is_left_out(made: Made, tmp_path: Path) -> None:
    """NaN, which some trainers log, is no point of a curve."""
    (tmp_path / "run").mkdir()
    rows = '{"step":1,"reward":0.5,"kl":NaN}\n{"step":2,"reward":0.5,"kl":0.1}\n'
    (tmp_path / "run" / "metrics.jsonl").write_text(rows)
    (source,) = made(tmp_path / "run").summary["sources"]

    assert {"x": [2], "y": [0.1]} == source["series"]["kl"]


def test_an_evaluation_of_nothing_scored(made: Made, tmp_path: Path) -> None:
    """What the machine could not score has no reward, and is counted apart."""
    fault = Fault(kind="engine", message="it died")
    lost = example(reward=None, fault=fault, verdict=Verdict.UNGRADED)
    (source,) = made(scored(tmp_path / "s.jsonl", [lost])).summary["sources"]

    assert (1, None) == (source["unscored"], source["figures"]["reward"])
