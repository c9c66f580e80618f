"""Problems of a run: every source, every filter, and no problem on both sides of the split."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward import Grader
from ocaml_reward.formats import load_problems
from tests.trainer.made_datasets import load, row, saved
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import ConfigError
from trainer_plugin.data.datasets import dataset_rows
from trainer_plugin.data.prompts import prompting, shipped_problems
from trainer_plugin.data.selection_report import Problems


def left_out(problems: Problems) -> list[tuple[str, str]]:
    """Return who was left out, and by which filter."""
    return [(one.id, one.reason) for one in problems.dropped]


@pytest.mark.parametrize("name", ["p.jsonl", "p.json", "p.csv", "p.tsv", "p.parquet", "p.jsonl.gz"])
def test_local_formats(tmp_path: Path, name: str) -> None:
    """The same rows are the same problems, whatever the file's format: all that `score` reads."""
    path = saved(tmp_path, [row("one"), row("two")], name)
    problems = load(path)

    assert ["one", "two"] == [each.id for each in problems.training]
    assert ["one", "two"] == list(load_problems(path).problems)
    assert {"let one (x : int) : int = x", "let two (x : int) : int = x"} == {
        each.reference for each in problems.training
    }


def test_a_folder_in_the_hubs_format_loads_by_name(tmp_path: Path) -> None:
    """What is no file is loaded as the hub's data sets are."""
    folder = tmp_path / "mine"
    folder.mkdir()
    saved(folder, [row("one")], "train.jsonl")

    assert ["one"] == [each.id for each in load(folder).training]


def test_an_unknown_data_set_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub id that does not load is refused with the hub's reason."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ConfigError, match=r"^dataset\.source: .*nowhere.*") as caught:
        load(tmp_path / "nowhere")

    assert "\n" not in str(caught.value)


def test_rows_that_are_no_problems_are_reported(tmp_path: Path) -> None:
    """Without tests, without a prompt, twice: each is left out and says why."""
    rows = [row("one"), row("bare", tests=""), row("mute", prompt=" "), row("one")]
    rows.append(row("open", tests="", untested=True))
    problems = load(saved(tmp_path, rows))

    assert ["one"] == [each.id for each in problems.training]
    assert [
        ("bare", "unusable row"),
        ("mute", "unusable row"),
        ("one", "unusable row"),
        ("open", "unusable row"),
    ] == left_out(problems)
    assert [
        "problem 'bare': no tests",
        "problem 'mute': no prompt",
        "problem 'one' again",
        "problem 'open': no tests, which training needs",
    ] == [one.detail for one in problems.dropped]


def test_rows_without_an_id_are_named_by_their_place(tmp_path: Path) -> None:
    """A data set needs no ids."""
    rows = [row("one"), row("two")]
    for each in rows:
        del each["id"]

    assert ["row-1", "row-2"] == [each.id for each in load(saved(tmp_path, rows)).training]


def test_the_difficulty_filter(tmp_path: Path) -> None:
    """Only the difficulties asked for stay, numbers and letter case no matter."""
    rows = [row("a", difficulty="Easy"), row("b", difficulty=3), row("c")]
    del rows[2]["difficulty"]
    path = saved(tmp_path, rows)
    problems = load(path, "dataset.difficulty=easy")

    assert ["a"] == [each.id for each in problems.training]
    assert [("b", "difficulty"), ("c", "difficulty")] == left_out(problems)
    assert ["b"] == [each.id for each in load(path, "dataset.difficulty=3").training]


def test_a_difficulty_that_no_row_names_is_refused(tmp_path: Path) -> None:
    """A column that is not there would leave out everything."""
    path = saved(tmp_path, [row("a")])
    with pytest.raises(ConfigError, match="no row names a difficulty"):
        load(path, "dataset.difficulty=easy", "dataset.difficulty_column=level")


def test_the_length_filters(tmp_path: Path) -> None:
    """A long prompt or solution is left out, with its length."""
    long = " ".join(["word"] * 50)
    rows = [row("a"), row("b", prompt=long), row("c", solution=f"(* {long} *)")]
    problems = load(saved(tmp_path, rows), "grpo.max_prompt_length=40", "dataset.max_solution=30")

    assert ["a"] == [each.id for each in problems.training]
    assert [("b", "prompt length"), ("c", "solution length")] == left_out(problems)
    assert "tokens, more than 40" in problems.dropped[0].detail


def test_references_are_compiled_and_tested(tmp_path: Path) -> None:
    """A reference that does not type, one that fails and tests that do not parse are
    reported; a problem without a reference stays and is counted.
    """
    rows = [
        row("good"),
        row("typo", solution='let typo (x : int) : int = "x"'),
        row("wrong", solution="let wrong (x : int) : int = x + 1"),
        row("torn", tests="assert (torn 3 = "),
        row("bare", solution=None),
    ]
    with Grader(jobs=1) as grader:
        problems = load(saved(tmp_path, rows), grader=grader)

    assert ["good", "bare"] == [each.id for each in problems.training]
    assert [("torn", "tests"), ("typo", "reference"), ("wrong", "reference")] == sorted(
        left_out(problems)
    )
    details = {one.id: one.detail for one in problems.dropped}
    assert details["typo"].startswith("the reference is a type_error: ")
    assert "the reference does not pass: failed" in details["wrong"]
    assert 1 == problems.unchecked
    assert any("left out: 2 (reference)" in line for line in problems.report_lines())


def test_nothing_left_is_an_error(tmp_path: Path) -> None:
    """The message says which filter took the most."""
    path = saved(tmp_path, [row("a")])
    with pytest.raises(ConfigError, match=r"nothing to train on; 1 left out \(prompt"):
        load(path, "grpo.max_prompt_length=1")


def test_a_validation_file_takes_its_duplicates_out_of_training(
    tmp_path: Path,
) -> None:
    training = saved(tmp_path, [row("one"), row("two")])
    twin = row("twin", prompt=row("two")["prompt"])
    validation = saved(tmp_path, [twin], "validation.jsonl")
    problems = load(training, f"dataset.validation={validation}")

    assert ["one"] == [each.id for each in problems.training]
    assert ["twin"] == [each.id for each in problems.validation]
    assert [("two", "also in validation")] == left_out(problems)


@pytest.mark.parametrize(
    ("count", "asked", "expected"), [(1, 64, 0), (3, 64, 1), (10, 64, 2), (10, 1, 1)]
)
def test_validation_takes_a_fifth_at_most(
    tmp_path: Path, count: int, asked: int, expected: int
) -> None:
    """A small data set keeps enough to train on, whatever the default for large ones is."""
    rows = [row(f"p{number}", prompt=f"Task {number}.") for number in range(count)]
    problems = load(saved(tmp_path, rows), f"dataset.validation_size={asked}")

    assert expected == len(problems.validation)
    assert count - expected == len(problems.training)


def test_the_rows_for_the_trainer_read_back_as_the_problem(tmp_path: Path) -> None:
    """All that decides about a completion survives the trip through flat columns."""
    from ocaml_reward.formats.problems import problem_of  # noqa: PLC0415
    from ocaml_reward.formats.rows import Row as Line  # noqa: PLC0415

    cases = [{"input": "1\n", "output": "2\n"}]
    sent = [
        row("one", signature="val one : int -> int", libraries=["str"]),
        row("two", tests=cases, comparison={"case_sensitive": False}),
        row("three", tests=cases, judge="let judge = 1", budget={"memory_mb": 64}),
        row("four", tests=cases, checker="int main() {}", public_tests=cases),
        row("five", solution=None),
        row("six", forbidden=["List.rev", ":="], required={"module": "One"}),
    ]
    problems = load(saved(tmp_path, sent), "dataset.check_references=false")
    prompts = prompting(
        load_config(overrides=["prompt.few_shot=0"], environment={}).config.prompt,
        end="",
        chat=False,
    )
    for kept, made in zip(
        problems.training,
        dataset_rows(problems.training, prompts, part="x"),
        strict=True,
    ):
        line = Line(file="", line=1, fields=made, repaired=False)
        back = problem_of(line, id_=made["id"], taken=frozenset({"id"}))

        assert replace(kept, prompt="") == replace(back, prompt="")


@pytest.mark.parametrize(("name", "count"), [("examples", 3), ("generated", 12)])
def test_the_shipped_problems_pass_their_tests(name: str, count: int) -> None:
    """Worked examples that do not compile would teach just that."""
    problems = load_problems(shipped_problems(name)).problems

    assert count == len(problems)
    with Grader(jobs=1) as grader:
        assert () == load(name, grader=grader).dropped
