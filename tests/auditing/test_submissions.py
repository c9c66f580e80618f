"""The example submissions of a Kattis package, which have to end as their folders say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from ocaml_reward.auditing import disagreements
from ocaml_reward.engine import Engine
from tests.formats.test_case_groups import LEGACY
from tests.formats.test_folders import PACKAGE, imported, problem_of, written

RIGHT = str(PACKAGE["submissions/accepted/sum.ml"])
READS = 'let () = Scanf.scanf " %%d %%d" (fun a b -> ignore a; %s)'
WRONG = READS % "print_int (b + 1)"
RAISES = READS % 'if b = 5 then failwith "five"; Printf.printf "%d" (a + b)'
LOOPS = READS % "while b > 0 do () done"
GROWS = "let rec grow l = grow (Bytes.create 1_000_000 :: l)\nlet () = grow []"
ENDS = {
    "accepted": RIGHT + "(* again *)",
    "wrong_answer": WRONG,
    "run_time_error": RAISES,
    "time_limit_exceeded": LOOPS,
    "brute_force": LOOPS,
    "rejected": WRONG,
    "slow_accepted": LOOPS,
}


@pytest.fixture
def told(tmp_path: Path, engines: Callable[[str], Engine]) -> Callable[[str, str], list[str]]:
    """Return what is told of a package with one more submission."""

    def told(folder: str, code: str) -> list[str]:
        package = tmp_path / "p"
        files = {**PACKAGE, f"submissions/{folder}/third.ml": code}
        problem = problem_of(imported(package, files))
        return list(disagreements(engines("warm"), problem, package))

    return told


@pytest.mark.parametrize("folder", ENDS)
def test_those_that_end_so_are_not_told(told: Callable[[str, str], list[str]], folder: str) -> None:
    """Nor is what stands in a folder that means nothing."""
    assert [] == told(folder, ENDS[folder])


def test_memory_is_an_error_at_run_time(told: Callable[[str, str], list[str]]) -> None:
    """(Kattis/problemtools examples/hello/submissions/run_time_error/memory_limit.cc)"""
    assert [] == told("run_time_error", GROWS)


@pytest.mark.parametrize(
    ("folder", "code", "said"),
    [
        ("accepted", WRONG, "failed_tests (line 1: expected '9', got '6'), expected passed"),
        ("wrong_answer", RIGHT + "\n", "passed, expected failed_tests"),
        ("run_time_error", WRONG, "failed_tests (line"),
        ("time_limit_exceeded", RAISES, 'runtime_error (Failure("five")), expected timed_out'),
        ("rejected", RIGHT + "\n", "passed, expected failed_tests"),
        ("accepted", " " * 16_000_001, "third.ml: more than 16,000,000 bytes"),
        ("accepted", "let () = 1 +", "syntax_error, expected passed"),
    ],
)  # fmt: skip
def test_those_that_end_otherwise_are_told(
    told: Callable[[str, str], list[str]], folder: str, code: str, said: str
) -> None:
    """In one line, with how it ended and what the package says."""
    (found,) = told(folder, code)

    assert found.startswith(f"submissions/{folder}/third.ml: {said}")


def test_import_tells_them(tmp_path: Path) -> None:
    """Whoever imports with --validate; the problem is kept."""
    echo = "let () = try while true do print_endline (read_line ()) done with End_of_file -> ()"
    part = 'let () = match read_line () with "a/1" | "a/2" as line -> print_string line | _ -> ()'
    files = {
        **LEGACY,
        "data/sample/1.ans": "1 2\n",
        "submissions/accepted/sum.ml": echo,
        "submissions/partially_accepted/part.ml": part,
        "submissions/partially_accepted/none.ml": "let () = ()",
        "submissions/wrong_answer/echo.ml": echo + "\n",
    }
    written(tmp_path / "p", files)
    words = [
        "problems",
        "import",
        str(tmp_path / "p"),
        "-o",
        str(tmp_path / "o.jsonl"),
        "--validate",
    ]
    found = CliRunner().invoke(main, [*words, "--json"], catch_exceptions=False)
    said = json.loads(found.output.splitlines()[0])["said"]

    assert 0 == found.exit_code
    assert 1 == len((tmp_path / "o.jsonl").read_text().splitlines())
    assert ["partially_accepted/none.ml: failed_tests", "wrong_answer/echo.ml: passed"] == [
        each.partition("submissions/")[2].partition(",")[0].partition(" (")[0]
        for each in said
        if "submissions/" in each
    ]


def test_answers_are_written_for_certify(tmp_path: Path) -> None:
    """Accepted submissions are right, those of folders that mean a fault are wrong."""
    package = tmp_path / "p"
    files = {**PACKAGE, "submissions/wrong_answer/third.ml": WRONG, "submissions/other/x.ml": LOOPS}
    written(package, files)
    names = [tmp_path / name for name in ("p.jsonl", "right.jsonl", "wrong.jsonl")]
    options = ("-o", names[0], "--right", names[1], "--wrong", names[2])
    words = ["problems", "import", str(package), *map(str, options)]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    right, wrong = (
        [json.loads(line) for line in each.read_text().splitlines()] for each in names[1:]
    )

    assert 0 == done.exit_code, done.output
    assert RIGHT in [each["completion"] for each in right]
    assert [WRONG] == [each["completion"] for each in wrong]
    assert {json.loads(names[0].read_text())["id"]} == {each["problem_id"] for each in wrong}
