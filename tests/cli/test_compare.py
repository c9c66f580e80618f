"""`compare`: gradings of the same problems, held against each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward.testing import FakeEngine, report

from .conftest import CODE, TESTS, Invoke

Write = Callable[[str, Iterable[object]], Path]
WRONG = "let add x y = x - y"


@pytest.fixture
def scored(write: Write, invoke: Invoke, tmp_path: Path) -> Callable[..., Path]:
    """Score completions, 1 for right and 0 for wrong, into a file of that name."""

    def call(name: str, *, scheme: str = "concise", level: str = "", **right: list[int]) -> Path:
        rows = [
            {
                "problem_id": problem,
                "completion": CODE if one else WRONG,
                "tests": TESTS,
                **({"difficulty": level or problem[:1]} if level != "-" else {}),
            }
            for problem, every in right.items()
            for one in every
        ]
        path = write(f"{name}.in.jsonl", rows)
        output = tmp_path / f"{name}.jsonl"
        engine = FakeEngine({WRONG: report("failed", "failed")})
        words = ("-o", output, "--scheme", scheme)
        result = invoke("score", path, *words, engine=engine)
        assert 0 == result.exit_code, result.output
        return output

    return call


def test_two_files(invoke: Invoke, scored: Callable[..., Path]) -> None:
    """Problem by problem, with an interval, by difficulty, and what became of which verdict."""
    before = scored("before", add=[0, 0], sub=[0, 1], mul=[1, 1], old=[1])
    after = scored("after", add=[1, 0], sub=[1, 1], mul=[1, 1])
    result = invoke("compare", before, after)
    told = json.loads(invoke("compare", before, after, "--json").output)
    (found,) = told["comparisons"]

    assert 0 == result.exit_code
    assert "pass@1  mean reward\n" in result.output
    assert "pass@k and mean reward: means over problems\n" in result.output
    assert "after.jsonl against before.jsonl, 3 problems of both" in result.output
    assert "1 problem only in before.jsonl" in result.output
    assert "better 2, worse 0, equal 1" in result.output
    assert "     1  failed_tests to passed" in result.output
    assert pytest.approx(1 / 3) == found["pass_at"]["1"]["value"]
    assert 0 <= found["pass_at"]["1"]["low"] < 1 / 3 < found["pass_at"]["1"]["high"]
    assert ["a", "m", "s"] == [each["name"] for each in found["groups"]]
    assert ["before.jsonl", "after.jsonl"] == [one["name"] for one in told["sources"]]


def test_several_against_the_first(invoke: Invoke, scored: Callable[..., Path]) -> None:
    """Each is held against the first, also one under another scheme, by its passes."""
    files = [
        scored("one", add=[0]),
        scored("two", add=[1]),
        scored("three", scheme="decisive", add=[0]),
    ]
    output = invoke("compare", *files).output
    told = json.loads(invoke("compare", *files, "--json").output)

    assert [("two.jsonl", 1.0), ("three.jsonl", 0.0)] == [
        (one["of"], one["pass_at"]["1"]["value"]) for one in told["comparisons"]
    ]
    assert 1 == output.count("scored under different schemes")
    assert told["comparisons"][1]["reward"]["value"] is None


def test_difficulty_may_stand_with_the_problems(
    invoke: Invoke, scored: Callable[..., Path], write: Write
) -> None:
    """`--problems` says what the records do not; a list puts a problem into several groups."""
    files = [scored(name, level="-", add=[0], sub=[1]) for name in ("one", "two")]
    rows = [{"id": "add", "tags": ["list", "easy"]}, {"id": "sub", "tags": ["easy"]}]
    problems = write("problems.jsonl", rows)
    words = ("--problems", str(problems))
    told = json.loads(invoke("compare", *files, *words, "--by", "tags", "--json").output)
    without = invoke("compare", *files, *words)

    assert [("easy", 2), ("list", 1)] == [
        (each["name"], each["problems"]) for each in told["comparisons"][0]["groups"]
    ]
    assert 2 == without.exit_code
    assert "has the key 'difficulty'" in without.output


class Tags(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.names.add(tag)
        assert not [name for name, _ in attrs if name in {"src", "href", "onerror"}]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_inert(invoke: Invoke, scored: Callable[..., Path], tmp_path: Path) -> None:
    """A problem's name that is markup is text; the page has the tables and loads nothing."""
    name = "<img src=x onerror=alert(1)>"
    files = [scored(file, **{name: [one]}) for file, one in (("one", 0), ("two", 1))]
    result = invoke("compare", *files, "--html", tmp_path / "page.html")
    page = Tags()
    page.feed((tmp_path / "page.html").read_text("utf-8"))

    assert 0 == result.exit_code
    assert not {"img", "script", "link", "iframe"} & page.names
    assert name in page.text
    assert "better 1, worse 0, equal 0" in page.text
    assert "two.jsonl against one.jsonl" in page.text


def test_the_last_evaluation_of_a_training(
    invoke: Invoke, scored: Callable[..., Path], tmp_path: Path
) -> None:
    """Of a training what it was evaluated on last counts, or all of it without an evaluation;
    all ranks' completions do, and a line that is half there does not.
    """
    lines = scored("a", add=[0, 1]).read_text().splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        for key in ("index", "line", "input"):
            del record[key]
    wrong, right = records
    logs = tmp_path / "run" / "reward_logs"
    logs.mkdir(parents=True)
    first = logs / "syntax_aware_breakdown.jsonl"
    beside = {"epoch": 0.1, "rank": 0, "trained_on": 0.1, "final_reward": 0.1}
    rows = [
        {"step": step, "split": split, **beside, **row}
        for step, split, row in (
            (1, "train", wrong), (1, "eval", wrong), (2, "eval", right)
        )
    ]  # fmt: skip
    first.write_text("".join(f"{json.dumps(row)}\n" for row in rows[:1]) + '{"half')
    told = json.loads(invoke("compare", tmp_path / "run", tmp_path / "run", "--json").output)
    before = told["sources"][0]
    first.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    other = logs / "syntax_aware_breakdown.rank1.jsonl"
    other.write_text(f"{json.dumps(rows[2])}\n")
    result = invoke("compare", tmp_path / "run", tmp_path / "a.jsonl", "--json")
    told = json.loads(result.output)

    assert ("all of the training", 1) == (before["part"], before["completions"])
    assert "the evaluation at step 2" == told["sources"][0]["part"]
    assert 2 == told["sources"][0]["completions"]
    assert -0.5 == told["comparisons"][0]["pass_at"]["1"]["value"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}\n", ":1: no record of score"),
        ('{"schema": 9, "reward": 1}\n', ":1: this version reads schema 1 only"),
        ("[" * 100_000, ":1: no record of score"),
        ("", "nothing in"),
    ],
)
def test_what_is_no_record_is_named(
    invoke: Invoke, scored: Callable[..., Path], tmp_path: Path, text: str, said: str
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(text)
    result = invoke("compare", scored("good", add=[1]), bad)

    assert (2, 1) == (result.exit_code, len(result.output.splitlines()))
    assert "bad.jsonl" in result.output
    assert said in result.output


def test_two_are_needed(invoke: Invoke, scored: Callable[..., Path]) -> None:
    """One source has nothing to be held against, nor have two of other problems."""
    one, other = scored("one", add=[1]), scored("other", sub=[1])
    alone, apart = invoke("compare", one), invoke("compare", one, other)

    assert (2, 2) == (alone.exit_code, apart.exit_code)
    assert "two sources or more" in alone.output
    assert "one.jsonl and other.jsonl: they have no problem in common" in apart.output
