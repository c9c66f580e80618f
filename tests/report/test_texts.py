"""What was asked, answered and checked, beside what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward import Problem, StdioCase
from ocaml_reward.formats import write_problems
from tests.report.browsing import Open
from tests.report.conftest import Invoke, Page, call
from tests.report.made import HOSTILE, example, passing, scored, training
from tests.trainer.faked import BAD, GOOD, TESTS

Made = Callable[..., Page]
CHECKS = "open Fun\n\n\nassert (bad 1 = 2);;\nassert (\n  good 1\n  = 2\n);;\nlet x = 1"


def problem(**changes: Any) -> Problem:
    """Return the problem of the examples."""
    return Problem(**{"id": "sum-list", "prompt": "Write bad.", "tests": CHECKS} | changes)


def lines(path: Path, texts: Iterable[str]) -> Path:
    """Write completions of the examples' problem."""
    rows = [{"problem_id": "sum-list", "completion": text} for text in texts]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("s.jsonl", "named.jsonl"),
        ("s.jsonl", "problems.jsonl"),
        ("reward_logs/s.jsonl", "problems.jsonl"),
    ],
)
def test_problems_of_a_scored_file(made: Made, tmp_path: Path, file: str, place: str) -> None:
    """A file of problems, or the one beside the records, gives prompts and tests, once each; of
    a training it is one folder up.
    """
    records = [example(), passing(), passing(problem_id="other")]
    (tmp_path / file).parent.mkdir(exist_ok=True)
    source = scored(tmp_path / file, records)
    path = tmp_path / place
    named = place == "named.jsonl"
    write_problems(path, [problem(), problem(id="unused", prompt="Unused.")])
    page = made(source, *(("--problems", path) if named else ()))
    texts = {"prompt": "Write bad.", "lines": CHECKS.split("\n")}

    assert [texts, texts, None] == page.problems()
    assert [0, 0, None] == page.summary["rows"]["text"]


def test_cases_are_shown_whole_up_to_a_limit(made: Made, tmp_path: Path) -> None:
    """Cases have their input and output; a prompt and cases that are too long are counted."""
    cases = tuple(StdioCase(stdin="1 2\n", stdout="x" * 8_999 + "\n") for _ in range(3))
    write_problems(tmp_path / "p.jsonl", [problem(prompt="p" * 20_010, tests=cases)])
    page = made(scored(tmp_path / "s.jsonl"), "--problems", tmp_path / "p.jsonl")
    found = page.problems()[0]
    assert found

    assert [["1 2\n", "x" * 8_999 + "\n"]] * 2 == found["cases"]
    assert (10, 1) == (found["promptCut"], found["testsCut"])


def test_completions_beside_records(made: Made, tmp_path: Path) -> None:
    """The file that was scored gives the whole texts, each to its own record; code that the
    problem gave need not be in them.
    """
    records = [example(), passing(), passing()]
    texts = [f"Here:\n```ocaml\n{each.code}```\nDone {n}." for n, each in enumerate(records)]
    given = "type given = A\n"
    records[1] = replace(records[1], code=given + records[1].code, given=((0, len(given)),))
    lines(tmp_path / "completions.jsonl", texts)
    page = made(scored(tmp_path / "s.jsonl", records))

    assert texts == [each["raw"] for each in page.details()]


def test_completions_of_another_file_are_not_shown(made: Made, tmp_path: Path) -> None:
    """Where the code is not in a text, that is of something else."""
    other = "Here:\n```ocaml\nlet bad x = x\n```"
    lines(tmp_path / "completions.jsonl", [other, f"```\n{passing().code}```", other])
    page = made(scored(tmp_path / "s.jsonl", [example(), passing(), passing()]))

    assert [False, True, False] == ["raw" in each for each in page.details()]


def test_texts_of_a_training(made: Made, tmp_path: Path) -> None:
    """The log of completions gives texts and prompts, the run's problems.jsonl tests."""
    run = training(tmp_path / "run", steps=2)
    write_problems(run / "problems.jsonl", [problem(id="add", prompt="Add!", tests=TESTS)])
    page = made(run)
    add = {"prompt": "Add!", "lines": TESTS.split("\n")}

    assert [GOOD, BAD] == [each["raw"] for each in page.details()][:2]
    assert ([add] * 2 + [{"prompt": "Add."}] * 2) * 2 + [add] * 2 == page.problems()


def test_a_log_of_completions_that_begins_later(made: Made, tmp_path: Path) -> None:
    """Records whose texts are gone have none, and the others keep theirs."""
    run = training(tmp_path / "run", steps=3)
    log = run / "reward_logs" / "completions.jsonl"
    kept = [line for line in log.read_text().splitlines() if json.loads(line)["step"] != 2]
    log.write_text("".join(f"{line}\n" for line in kept))
    page = made(run)
    steps = page.summary["rows"]["step"]

    assert [step != 2 for step in steps] == ["raw" in each for each in page.details()]
    assert all(each["raw"].startswith(each["code"]) for each in page.details() if "raw" in each)


def test_a_problem_that_is_none_is_named(invoke: Invoke, tmp_path: Path) -> None:
    """A line of --problems that cannot be used is named, exit code 1."""
    (tmp_path / "p.jsonl").write_text('{"id": "a"}\n')
    done = invoke(
        scored(tmp_path / "s.jsonl"), "--problems", tmp_path / "p.jsonl", "-o", tmp_path / "r.html"
    )

    assert 1 == done.exit_code
    assert f"{tmp_path / 'p.jsonl'}:1: problem 'a': no tests" in done.output


def test_texts_are_shown_as_text(opened: Open, tmp_path: Path) -> None:
    """The panel has the prompt, the whole completion, and the text of each check, all inert."""
    raw = f"{HOSTILE}\n```ocaml\n{example().code}```"
    lines(tmp_path / "completions.jsonl", [raw, passing().code])
    tests = CHECKS.replace("bad 1", HOSTILE)
    write_problems(tmp_path / "problems.jsonl", [problem(prompt=HOSTILE, tests=tests)])
    call(scored(tmp_path / "s.jsonl"), "-o", tmp_path / "r.html")
    tab = opened(tmp_path / "r.html").tab
    tab.click("#completions .body .row >> nth=0")
    panel = tab.locator("#panel")
    panel.locator("summary").click()

    assert HOSTILE == panel.locator(".prompt").inner_text()
    assert raw == panel.locator(".raw pre").inner_text()
    assert [f"assert ({HOSTILE} = 2);;", "assert (\n  good 1\n  = 2\n);;"] == panel.locator(
        ".checks >> nth=0 >> .source"
    ).all_inner_texts()
    assert 0 == tab.locator("img, #panel b").count()
    assert HOSTILE not in (tmp_path / "r.html").read_text()
    tab.keyboard.press("j")
    panel.locator(".about", has_text="passed").wait_for()
    assert 0 == panel.locator(".raw").count(), "it is its code"
