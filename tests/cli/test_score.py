"""`score`: what it writes, and which exit code says what."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward import EngineFault
from ocaml_reward.model import IMPOSSIBLE
from ocaml_reward.testing import FakeEngine, report

from .conftest import CODE, Invoke, records, row

Write = Callable[[str, Iterable[object]], Path]
WRONG = "let add x y = x - y"
ENGINE_ANSWERS = {WRONG: report("failed", "passed")}


def test_a_record(write: Write, invoke: Invoke) -> None:
    """A record names its completion first, and carries what else stood in its line."""
    path = write("c.jsonl", [row(model="m", temperature=0.5)])

    result = invoke("score", path, "--scheme", "concise")

    (record,) = records(result.stdout)
    assert 0 == result.exit_code
    assert ["schema", "problem_id", "index", "line", "reward"] == list(record)[:5]
    assert ("add", 0, 1, 1.0) == tuple(list(record.values())[1:5])
    assert {"model": "m", "temperature": 0.5} == record["input"]
    assert "passed" == record["verdict"]
    assert "fake" == record["engine"]


def test_index_counts_per_problem(write: Write, invoke: Invoke) -> None:
    """`index` counts the completions of one problem, `line` the lines of the file."""
    path = write("c.jsonl", [row(), "", row(id="x", problem_id="b"), row(WRONG)])

    result = invoke("score", path)

    assert [("add", 0, 1), ("b", 0, 3), ("add", 1, 4)] == [
        (record["problem_id"], record["index"], record["line"]) for record in records(result.stdout)
    ]


def test_bad_lines(write: Write, invoke: Invoke) -> None:
    """Bad lines are named with file and line and counted, the rest is scored: exit code 1."""
    path = write("c.jsonl", [row(), "{", row(3), {"id": "x", "completion": "y"}])

    result = invoke("score", path)

    assert 1 == result.exit_code
    assert 1 == len(records(result.stdout))
    said = result.stderr.splitlines()
    assert f"ocaml-reward: {path}:2: not JSON: Expecting property name" in said[0]
    assert f"ocaml-reward: {path}:3: completion: expected text or" in said[1]
    assert f"ocaml-reward: {path}:4: problem 'x' has no tests; give" in said[2]
    assert "3 lines could not be used" == said[-1]


def test_many_bad_lines_are_counted(write: Write, invoke: Invoke) -> None:
    """Only the first 20 bad lines are listed."""
    path = write("c.jsonl", [row(), *["{"] * 25])

    result = invoke("score", path)

    assert 20 == result.stderr.count("not JSON")
    assert "ocaml-reward: ... and 5 more bad lines" in result.stderr


@pytest.mark.parametrize("rows", [[], ["{"]])
def test_nothing_to_score(write: Write, invoke: Invoke, rows: list[object]) -> None:
    """A file in which nothing can be scored is exit code 2."""
    path = write("c.jsonl", rows)

    result = invoke("score", path)

    assert 2 == result.exit_code
    assert "" == result.stdout
    assert f"ocaml-reward: nothing to score in {path}" in result.stderr


def test_missing_tests_are_told_once(write: Write, invoke: Invoke) -> None:
    """Without a file of problems one line says so, not one for each completion."""
    bare = [{"id": name, "completion": "y"} for name in "aabbc"]
    path = write("c.jsonl", bare)

    alone = invoke("score", path)
    mixed = invoke("score", write("d.jsonl", [row(), *bare]))

    advice = "has no tests; give --problems, or put problems.jsonl beside the file;"
    advice += " --untested grades without"
    assert (2, "") == (alone.exit_code, alone.stdout)
    assert (
        f"ocaml-reward: {path}:1: problem 'a' {advice} (2 other problems likewise)\n"
    ) == alone.stderr
    assert 1 == mixed.exit_code
    assert 1 == mixed.stderr.count(advice)
    assert "5 lines could not be used" in mixed.stderr


def test_a_file_of_problems_that_does_not_fit(write: Write, invoke: Invoke) -> None:
    """An empty one is one line; a problem that is missing is told once."""
    path = write("c.jsonl", [{"id": name, "completion": "y"} for name in "aab"])
    empty = write("empty.jsonl", [])
    other = write("other.jsonl", [{"id": "x", "tests": "let () = assert (y = 1)"}])

    nothing = invoke("score", path, "--problems", empty)
    wrong = invoke("score", path, "--problems", other)

    assert (2, f"ocaml-reward: no problems in {empty}\n") == (nothing.exit_code, nothing.stderr)
    assert [
        f"ocaml-reward: {path}:1: problem 'a' is not in {other}",
        f"ocaml-reward: {path}:3: problem 'b' is not in {other}",
        f"ocaml-reward: nothing to score in {path}",
    ] == wrong.stderr.splitlines()


def test_unscored_completions(write: Write, invoke: Invoke) -> None:
    """What our machine fails to score has no reward and is listed: exit code 3, which goes
    before the 1 of bad lines.
    """
    path = write("c.jsonl", [row(), row(WRONG), "{"])
    engine = FakeEngine({WRONG: EngineFault("it died")})

    result = invoke("score", path, engine=engine)

    first, second = records(result.stdout)
    assert 3 == result.exit_code
    assert first["reward"] is not None
    assert second["reward"] is None
    assert {"kind": "EngineFault", "message": "it died"} == second["fault"]
    assert f"{path}:2: not scored: it died" in result.stderr
    said = "1 completion is not scored because of this machine; ocaml-reward doctor says"
    assert f"{said} more, --resume tries it again" in result.stderr


def test_limit(write: Write, invoke: Invoke) -> None:
    """`--limit` scores the first completions only."""
    path = write("c.jsonl", [row(), "{", row(), row()])

    result = invoke("score", path, "--limit", "2")

    assert [1, 3] == [record["line"] for record in records(result.stdout)]


def test_output_file(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """With `--output` the records go there, and the summary to standard output."""
    path = write("c.jsonl", [row(), row(WRONG)])
    output = tmp_path / "o.jsonl"

    result = invoke(
        "score", path, "-o", output, "--scheme", "concise",
        engine=FakeEngine(ENGINE_ANSWERS),
    )  # fmt: skip

    digest = records(output.read_text())[0]["scheme"]
    assert "" == result.stderr
    assert (
        f"""\
scored 2 completions of 1 problem with {digest}, fake engine, no sandbox, ocaml 4.13.1
warning: without a sandbox the code could read and write all that you can
mean reward     0.825 ± 0.247 (over completions, ± std)
  structural    0.000 of 0.00
  type          0.200 of 0.20
  compile       0.100 of 0.10
  tests         0.525 of 0.70
verdicts
  passed        1 (50%)
  failed_tests  1 (50%)
pass@1          0.500 (mean over problems)
pass@2          1.000 (mean over problems)
best of N       1.000 (mean over problems, N = 2)
frac_zero_std   0.000
CV              0.300
"""
        == result.stdout
    )


MARKED = f"{CODE}\n(* END *)"
UNMARKED = "lack the end marker (* END *): --scheme concise needs none"
SHORT = "have the penalty min_lines (too few lines of code): --set min_lines=1 turns it off"


@pytest.mark.parametrize(
    ("completions", "arguments", "said"),
    [
        ([CODE, CODE, MARKED], (), [f"2 of 3 {UNMARKED}"]),
        ([CODE, MARKED], (), []),
        ([CODE, CODE, MARKED], ("--scheme", "concise"), []),
        ([WRONG, WRONG, MARKED], (), [f"2 of 3 {UNMARKED}", f"2 of 3 {SHORT}"]),
        ([WRONG, WRONG, MARKED], ("--set", "min_lines=1"), [f"2 of 3 {UNMARKED}"]),
        ([WRONG, WRONG, MARKED, MARKED], (), []),
    ],
)
def test_what_most_completions_lose_is_said_with_what_avoids_it(
    write: Write,
    invoke: Invoke,
    completions: list[str],
    arguments: tuple[str, ...],
    said: list[str],
) -> None:
    """A penalty, or the credit for the end marker, that over half of them lose has a line."""
    path = write("c.jsonl", [row(each) for each in completions])
    result = invoke("score", path, *arguments, engine=FakeEngine(ENGINE_ANSWERS))

    assert said == [line for line in result.stderr.splitlines() if line[:1].isdigit()]


def test_records_on_standard_output_leave_the_summary_to_standard_error(
    write: Write, invoke: Invoke
) -> None:
    """The first line of the summary says where either goes."""
    result = invoke("score", write("c.jsonl", [row()]))
    first, second = result.stderr.splitlines()[:2]

    assert "records: standard output; summary: standard error" == first
    assert second.startswith("scored 1 completion ")


def test_the_summary_counts_what_passes_impossible_twins(write: Write, invoke: Invoke) -> None:
    id_ = f"add{IMPOSSIBLE}"
    rows = [row(), row(problem_id=id_), row(problem_id=id_, completion=WRONG)]
    engine = FakeEngine({WRONG: report("failed")})
    result = invoke("score", write("twins.jsonl", rows), "--scheme", "concise", engine=engine)

    assert "scored 1 completion of 1 problem " in result.stderr
    assert "pass@1 1.000 (mean over problems)" in " ".join(result.stderr.split())
    assert "1 of 2 completions of impossible twins passed, which only a cheat does" in result.stderr


def test_the_summary_of_a_scheme_that_pays_for_a_solved_problem(
    write: Write, invoke: Invoke, tmp_path: Path
) -> None:
    """The part has a line of its own, in the summary and in each record."""
    path = write("c.jsonl", [row(), row(WRONG)])
    output = tmp_path / "o.jsonl"

    result = invoke(
        "score", path, "-o", output, "--scheme", "decisive", "--set", "min_lines=1",
        engine=FakeEngine(ENGINE_ANSWERS),
    )  # fmt: skip

    assert "\n  tests         0.098 of 0.13\n  solved        0.400 of 0.80\n" in result.stdout
    assert [0.8, 0.0] == [record["credits"]["solved"] for record in records(output.read_text())]


@pytest.mark.parametrize(
    ("sandbox", "words", "warned"),
    [
        ("nsjail", "fake engine, nsjail, ocaml", False),
        ("rlimits", "fake engine, rlimits without a jail, ocaml", True),
        ("none", "fake engine, no sandbox, ocaml", True),
    ],
)
def test_a_sandbox_that_keeps_no_one_out(
    write: Write, invoke: Invoke, sandbox: str, words: str, warned: bool
) -> None:
    """The summary names the sandbox, and warns of one that is no jail."""
    path = write("c.jsonl", [row()])

    result = invoke("score", path, engine=FakeEngine(sandbox=sandbox))

    assert "\nscored 1 completion of 1 problem with seed@" in result.stderr
    assert words in result.stderr
    assert warned == ("\nwarning: " in result.stderr)


def test_a_penalty_that_takes_everything(write: Write, invoke: Invoke) -> None:
    """A penalty that leaves nothing to completions that pass is named with its knob."""
    path = write("c.jsonl", [row()])

    strict = invoke("score", path, "--scheme", "letter")
    loose = invoke("score", path)

    assert 0.0 == records(strict.stdout)[0]["reward"]
    assert (
        "1 completion earns nothing although every check passes, because of the penalty"
        " min_lines; --set min_lines=1 turns it off"
    ) in strict.stderr
    assert 0.95 == records(loose.stdout)[0]["reward"]


def test_jobs_change_nothing(write: Write, invoke: Invoke) -> None:
    """The records are the same, in the same order, with any number of workers."""
    path = write("c.jsonl", [row(f"let add{n} x y = x + y") for n in range(50)])

    one = invoke("score", path, "--jobs", "1")
    many = invoke("score", path, "--jobs", "8")

    assert records(one.stdout) == records(many.stdout)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--scheme", "none.toml"), "none.toml: no such file, and no scheme of that"),
        (("--set", "nothing=1"), "--set nothing=1: unknown key nothing"),
        (("--problems", "none.jsonl"), "cannot read none.jsonl: No such file"),
        (("--resume",), "--resume needs a file"),
        (("--jobs", "0"), "0 is not in the range x>=1"),
        (("--sandbox", "docker"), "'docker' is not one of"),
    ],
)
def test_bad_options(
    write: Write, invoke: Invoke, arguments: tuple[str, ...], message: str
) -> None:
    """An option that cannot be used is one line and exit code 2."""
    path = write("c.jsonl", [row()])

    result = invoke("score", path, *arguments)

    assert 2 == result.exit_code
    assert message in result.stderr
    assert "" == result.stdout


def test_tests_that_ask_nothing_of_the_code_are_named_once(write: Write, invoke: Invoke) -> None:
    """Where tests use the standard library alone, what the code defines is not looked at."""
    path = write("c.jsonl", [row(signature=None), row(WRONG, signature=None)])

    result = invoke("score", path)

    assert 1 == result.stderr.count("add: its tests use no name that the standard library")
    assert "add a signature" in result.stderr


def test_a_module_that_stands_for_the_code_is_asked_of_it(
    write: Write, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code defines it, or is its file."""
    prepare = FakeEngine.prepare
    monkeypatch.setattr(
        FakeEngine, "prepare", lambda *of: replace(prepare(*of), files=("Describe",))
    )

    result = invoke("score", write("c.jsonl", [row(signature=None)]))

    assert "add a signature" not in result.stderr


def test_help_shows_what_few_need_apart(invoke: Invoke) -> None:
    """The first section has what a newcomer needs, the second the rest."""
    first, _, rest = invoke("score", "--help").stdout.partition("Advanced options:")

    assert "--problems" in first
    assert "--regions" in first
    assert "--shard" not in first
    assert "--shard" in rest


def test_what_has_no_tests(write: Write, invoke: Invoke) -> None:
    """With --untested it is graded without, named after its prompt where it has no id, and neither
    passes nor fails; without that a line says how.
    """
    rows = [
        {"prompt": "Write id.", "completion": "let id x = x"},
        {"prompt": "Write  id.", "completion": "let id x = x + 0"},
        {"problem_id": "two", "completion": "let two = 2"},
    ]
    path = write("c.jsonl", rows)

    refused = invoke("score", path)
    result = invoke("score", path, "--untested", "--scheme", "concise")
    both = invoke(
        "score", write("d.jsonl", [row(), rows[2]]), "--untested", "-o", path.parent / "o"
    )

    assert 2 == refused.exit_code
    assert "--untested grades without" in refused.stderr
    assert 0 == result.exit_code
    one, again, two = records(result.stdout)
    assert one["problem_id"] == again["problem_id"]
    assert one["problem_id"].startswith("prompt-")
    assert "two" == two["problem_id"]
    assert {"compiles"} == {record["verdict"] for record in (one, again, two)}
    assert "pass@" not in result.stderr
    assert "pass@1       1.000" in " ".join(both.stdout.split("  "))


def test_a_summary_for_scripts(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """`--json` prints one object, and records go to a file only."""
    path = write("c.jsonl", [row(), row(WRONG), "{"])
    output = tmp_path / "o.jsonl"
    engine = FakeEngine(ENGINE_ANSWERS)

    result = invoke("score", path, "--scheme", "concise", "--json", engine=engine)
    to_file = invoke("score", path, "--json", "-o", output, engine=engine)
    both = invoke("score", path, "--json", "-o", "-", engine=engine)

    found = json.loads(result.stdout)
    assert (1, 2, 1, 1) == (
        result.exit_code,
        found["completions"],
        found["problems"],
        found["bad_lines"],
    )
    assert (0.825, {"1": 0.5, "2": 1.0}) == (found["mean_reward"], found["pass_at"])
    assert {"passed": 1, "failed_tests": 1} == {k: v for k, v in found["verdicts"].items() if v}
    assert 2 == len(records(output.read_text()))
    assert 2 == json.loads(to_file.stdout)["completions"]
    assert (2, True) == (both.exit_code, "--json and --output -" in both.stderr)


def test_quiet(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """`-q` prints what went wrong and nothing else."""
    path = write("c.jsonl", [row(), "{"])

    result = invoke("score", path, "-q", "-o", tmp_path / "o.jsonl")

    assert (1, "") == (result.exit_code, result.stdout)
    assert [f"ocaml-reward: {path}:2: not JSON"] == [
        line.partition(": Expecting")[0] for line in result.stderr.splitlines()
    ]


def test_some_problems_only(write: Write, invoke: Invoke) -> None:
    """`--problem` scores the completions of these, and the first of them with `--limit`."""
    path = write("c.jsonl", [row(problem_id=name) for name in ("a", "b", "c", "b")])

    several = invoke("score", path, "--problem", "b", "--problem", "c")
    first = invoke("score", path, "--problem", "b", "--limit", "1")
    none = invoke("score", path, "--problem", "x")

    assert [2, 3, 4] == [record["line"] for record in records(several.stdout)]
    assert [2] == [record["line"] for record in records(first.stdout)]
    assert (2, f"ocaml-reward: nothing to score in {path} of problem 'x'\n") == (
        none.exit_code,
        none.stderr,
    )


def test_a_log_shows_progress(
    write: Write, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Off a terminal a line says now and then how much is done, how fast and how long it takes."""
    monkeypatch.setattr("cli.terminal.progress.LOGGED_EVERY_S", 0.0)
    path = write("c.jsonl", [row(problem_id=f"p{number}") for number in range(5)])

    result = invoke("score", path)
    quiet = invoke("score", path, "-q")

    lines = [line for line in result.stderr.splitlines() if "scoring: " in line]
    assert [f"ocaml-reward: scoring: {number} of 5" for number in range(1, 6)] == [
        line.partition(",")[0] for line in lines
    ]
    assert re.fullmatch(r".*, [\d.]+/s, 0:00:\d\d left, mean reward \d\.\d{3}", lines[3])
    assert "" == quiet.stderr


def test_other_problems_are_not_spoken_of(write: Write, invoke: Invoke) -> None:
    """With `--problem` nobody hears of a line of another, and a lone file of code answers the one."""
    problems = write("p.jsonl", [{"id": each, "tests": "assert (add 1 2 = 3)"} for each in "ab"])
    bare = [{"problem_id": each, "completion": CODE} for each in ("a", "gone", "b")]
    lone = problems.with_name("anna.ml")
    lone.write_text(CODE, encoding="utf-8")

    result = invoke(
        "score", write("c.jsonl", bare), "--problems", problems, "--problem", "a", "-o", "-"
    )
    alone = invoke("score", lone, "--problems", problems, "--problem", "b", "-o", "-")

    assert (0, ["a"]) == (
        result.exit_code,
        [record["problem_id"] for record in records(result.stdout)],
    )
    assert "gone" not in result.stderr
    assert ["b"] == [record["problem_id"] for record in records(alone.stdout)]


def test_records_are_no_completions(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """Whoever scores what was scored is told which commands read it."""
    scored = tmp_path / "scored.jsonl"
    invoke("score", write("c.jsonl", [row()]), "-o", scored)

    result = invoke("score", scored)

    assert 2 == result.exit_code
    assert "a record of score, no completion: rescore, explain and report read it" in result.stderr


def test_a_folder_by_student_is_told_how_to_be_named(
    write: Write, invoke: Invoke, tmp_path: Path
) -> None:
    """Its files are PROBLEM/STUDENT.ml; whoever has them the other way round reads the new name."""
    homework = tmp_path / "homework" / "anna" / "sum.ml"
    homework.parent.mkdir(parents=True)
    homework.write_text(CODE, encoding="utf-8")
    problems = write("p.jsonl", [{"id": "sum", "tests": "assert (add 1 2 = 3)"}])

    result = invoke("score", homework.parents[1], "--problems", problems)

    assert 2 == result.exit_code
    assert "but 'sum' is: name the files PROBLEM/STUDENT.ml, as sum/anna.ml" in result.stderr
