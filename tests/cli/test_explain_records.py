"""`explain` of what `score` wrote."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from ocaml_reward.scheme import load
from trainer_plugin import OCamlReward

from .conftest import Invoke
from .explained import ROWS, TESTS, engine

Write = Callable[[str, Iterable[object]], Path]


def test_a_record_is_shown_as_it_stands(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """The output of `score` is explained without grading, as the completion itself is."""
    path = write("c.jsonl", ROWS)
    output = tmp_path / "o.jsonl"
    invoke("score", path, "-o", output, engine=engine())
    write("problems.jsonl", [{"id": "add", "tests": TESTS}])
    unused = engine()

    live = invoke("explain", path, "--problem", "add", "--index", "1", engine=engine())
    recorded = invoke("explain", output, "--problem", "add", "--index", "1", engine=unused)

    assert [] == unused.requests
    assert live.stdout.splitlines()[1:] == recorded.stdout.splitlines()[1:]
    assert "add, completion 1, as recorded" == recorded.stdout.splitlines()[0]


def test_regions_of_a_record(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """A record that has regions is explained as the completion is; one without shows none."""
    path = write("c.jsonl", ROWS)
    plain, output = tmp_path / "p.jsonl", tmp_path / "o.jsonl"
    invoke("score", path, "-o", plain, engine=engine())
    scored = invoke("score", path, "-o", output, "--regions", engine=engine())
    live = invoke("explain", path, engine=engine())
    row = json.loads(output.read_text().splitlines()[0])
    asked = invoke("explain", output)

    assert 0 == scored.exit_code
    assert ["error"] == [region["ground"] for region in row["regions"]]
    assert '"one"' == row["code"][slice(row["regions"][0]["start"], row["regions"][0]["stop"])]
    assert 'regions\n  ✗ line 3        "one"  ' in live.stdout
    assert 'regions\n  ✗ line 3        "one"  ' in asked.stdout
    assert "regions" not in invoke("explain", plain).stdout


def test_a_record_that_a_training_logged(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """A log of breakdowns keeps the regions, which are shown in colour; its records count by
    problem as they come, and are no output of `score` for other commands.
    """
    answers = [row["completion"] for row in ROWS]
    reward = OCamlReward(engine=engine, log_dir=tmp_path, regions=True)
    reward(completions=answers * 2, tests=[TESTS] * 4, id=["add", "other"] * 2)
    reward.close()
    path = tmp_path / "reward_logs" / "syntax_aware_breakdown.jsonl"

    first = invoke("explain", path)
    second = invoke("explain", path, "--index", "1")
    third = invoke("explain", path, "--problem", "add", "--index", "2")

    assert first.stdout.startswith("add, completion 0, as recorded\n")
    assert 'regions\n  ✗ line 3        "one"  ' in first.stdout
    assert first.stdout.splitlines()[1:] == second.stdout.splitlines()[1:]
    assert "has 2 of problem 'add': --index goes from 0 to 1" in third.stderr
    shards = invoke("join", tmp_path / "all.jsonl", path)
    assert 0 != shards.exit_code


def test_a_record_is_explained_with_its_own_scheme(
    write: Write, invoke: Invoke, tmp_path: Path
) -> None:
    """A record made with a scheme that ships is read with its ladders, whatever is named."""
    output = tmp_path / "o.jsonl"
    invoke(
        "score", write("c.jsonl", ROWS), "-o", output, "--scheme", "concise",
        engine=engine(),
    )  # fmt: skip

    plain = invoke("explain", output, "--problem", "add")
    other = invoke("explain", output, "--problem", "add", "--scheme", "capped")

    assert "type        0.1600 of 0.20  1 type error: 0.80 of it" in plain.stdout
    assert "0.1600 of 0.20" in other.stdout
    assert f"  as recorded, not with {load('capped').label}; --regrade" in other.stdout


def test_a_record_of_an_unknown_scheme(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """Without the scheme of a record its reasons are shown, but never another's ladders."""
    output = tmp_path / "o.jsonl"
    invoke(
        "score", write("c.jsonl", ROWS), "-o", output, "--set", "min_lines=2",
        engine=engine(),
    )  # fmt: skip
    scheme = json.loads(output.read_text().splitlines()[0])["scheme"]

    plain = invoke("explain", output, "--problem", "add")
    right = invoke("explain", output, "--problem", "add", "--set", "min_lines=2")

    assert "  type        0.1600 of 0.20  1 type error: 0.80 of it\n" in plain.stdout
    assert "  structural  0.0000 of 0.05  no end marker after code\n" in plain.stdout
    assert f"  scored with {scheme}; give --scheme FILE for its" in plain.stdout
    assert "1: 0.80" not in plain.stdout
    assert "[1: 0.80]" in right.stdout


ALTERED = {
    "structural": (
        {"code": "degenerate", "available": 0.31},
        "0.0000 of 0.31  (* END *) stands, but is not paid to a degenerate",
    ),
    "type": (
        {"code": "errors", "available": 0.32, "errors": 7, "rung": 6, "share": 0.77},
        "0.1600 of 0.32  7 type errors: 0.77 of it",
    ),
    "compile": (
        {"code": "link_error", "available": 0.33, "share": 0.44},
        "0.0100 of 0.33  link error: 0.44 of it",
    ),
    "tests": (
        {"code": "checks", "available": 0.34, "passed": 5, "total": 9},
        "0.0000 of 0.34  5 of 9 checks passed",
    ),
}


@pytest.mark.parametrize("part", ALTERED)
def test_the_reason_shown_is_the_one_on_record(
    write: Write, invoke: Invoke, tmp_path: Path, part: str
) -> None:
    """`explain` prints a part's recorded reason, and works none out: an altered one is shown."""
    output = tmp_path / "o.jsonl"
    invoke("score", write("c.jsonl", ROWS), "-o", output, engine=engine())
    record = json.loads(output.read_text().splitlines()[0])
    record["reasons"][part], expected = ALTERED[part]
    shown = invoke("explain", write("altered.jsonl", [record])).stdout

    assert f"  {part:<10}  {expected}" in shown
    assert ("[6: 0.12]" in shown) == (part == "type")


def test_a_record_from_before_there_were_reasons(
    write: Write, invoke: Invoke, tmp_path: Path
) -> None:
    """A record without reasons shows its credits, and says where the reasons can be had."""
    output = tmp_path / "o.jsonl"
    invoke("score", write("c.jsonl", ROWS), "-o", output, engine=engine())
    record = json.loads(output.read_text().splitlines()[0])
    del record["reasons"]
    shown = invoke("explain", write("old.jsonl", [record])).stdout

    assert "  type        0.1600 of 0.20\n" in shown
    assert "  recorded before records said why; --regrade says it\n" in shown


def test_regrading_a_record(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """`--regrade` grades the code of a record with the engine and scheme of now."""
    output = tmp_path / "o.jsonl"
    invoke("score", write("c.jsonl", ROWS), "-o", output, engine=engine())
    problems = write("p.jsonl", [{"id": "add", "tests": TESTS}])
    running = engine()

    result = invoke(
        "explain", output, "--problem", "add", "--problems", problems, "--regrade",
        "--scheme", "concise", engine=running,
    )  # fmt: skip
    bare = invoke("explain", output, "--problem", "add", "--regrade")

    assert "add, completion 0, its recorded code graded anew" in result.stdout
    assert "only the recorded code is graded: what stood around it" in result.stdout
    assert "credits, scheme concise@" in result.stdout
    assert 1 == len(running.requests)
    assert 2 == bare.exit_code
    assert "--regrade needs --problems" in bare.stderr


def test_records_without_their_tests(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """Where the tests were in the completions, a record cannot show them, and says so."""
    output = tmp_path / "o.jsonl"
    invoke("score", write("c.jsonl", ROWS), "-o", output, engine=engine())
    problems = write("p.jsonl", [{"id": "add", "tests": TESTS}])

    bare = invoke("explain", output, "--index", "1")
    full = invoke("explain", output, "--index", "1", "--problems", problems)

    assert "  --problems shows their source\n" in bare.stdout
    assert "--problems" not in full.stdout
    assert "assert (add 0 0 = 0)" in full.stdout
