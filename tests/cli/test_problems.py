"""`problems import` and `problems export`, and `score` with files of other tools."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from ocaml_reward.formats import CompletionLine, load_problems, read_completions
from ocaml_reward.formats.parquet import write_parquet
from ocaml_reward.testing import FakeEngine, report

from .conftest import CODE, TESTS, Invoke

WRONG = "let add x y = x - y"
CORPUS = Path(__file__).parents[2] / "test_corpus" / "problems.jsonl"


def run(*words: str | Path) -> Result:
    """Call the command as it is."""
    return CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False)


def imported(tmp_path: Path, *rows: dict[str, Any]) -> tuple[Result, list[Any]]:
    """Import rows of a file."""
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    result = run("problems", "import", source, "-o", output)
    return result, [json.loads(line) for line in output.read_text().splitlines()]


CASES = [{"input": "1\n", "output": "2\n"}]
FOREIGN: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        {
            "name": "neg", "language": "ml", "prompt": "let neg x =",
            "tests": 'assert (neg ((~5)) = ([.5; -1.]) && "~5 (.5" = "")',
        },
        {"tests": 'assert (neg ((-5)) = ([0.5; -1.]) && "~5 (.5" = "")'},
        "numbers of its tests",
    ),
    (
        {
            "id": "1/A", "description": "Add one.", "input_format": "A number.",
            "official_tests": CASES, "official_tests_complete": False,
            "generated_checker": "def check(): ...",
        },
        {"prompt": "Add one.\n\nInput\nA number.", "tests": CASES},
        "its checker is lost",
    ),
    (
        {
            "responses_create_params": {"input": [{"role": "user", "content": "Add one."}]},
            "verifier_metadata": {"unit_tests": {"inputs": ["1\n"], "outputs": ["2\n"]}},
            "hash_id": "h",
        },
        {"id": "h", "prompt": "Add one.", "tests": CASES},
        "as LiveCodeBench does it",
    ),
    (
        {
            "data_source": "lcb", "prompt": [{"role": "user", "content": "Add one."}],
            "reward_spec": {"method": "rule", "ground_truth": json.dumps(CASES)},
            "extra_info": {"index": 3},
        },
        {"id": "lcb-3", "prompt": "Add one.", "tests": CASES},
        "outputs are compared",
    ),
    (
        {
            "id": "p", "prompt": "Add one.", "tests": CASES,
            "solution": "def add(x):\n    return x + 1",
        },
        {"prompt": "Add one.", "tests": CASES},
        "its solution is in Python, and lost",
    ),
    (
        {
            "problem_id": "p", "prompt": "Add one.",
            "verification_info": json.dumps({"language": "python", "test_cases": CASES}),
        },
        {"id": "p", "tests": CASES},
        "was written for python",
    ),
    (
        {
            "data_source": "d", "prompt": [{"role": "user", "content": "Add one."}],
            "reward_model": {
                "style": "rule",
                "ground_truth": json.dumps({"inputs": ["1\n"], "outputs": ["2\n"]}),
            },
            "extra_info": {"index": 3},
        },
        {"id": "d-3", "prompt": "Add one.", "tests": CASES},
        "",
    ),
    (
        {
            "id": 4, "content": "Add one.",
            "test": [{"input": {"stdin": "1\n"}, "output": {"stdout": "2\n"}}],
        },
        {"id": "4", "prompt": "Add one.", "tests": CASES},
        "",
    ),
    (
        {
            "question_id": "q", "question_content": "Add one.",
            "private_test_cases": "eJxrYJ0", "public_test_cases": json.dumps(CASES),
        },
        {"id": "q", "prompt": "Add one.", "tests": CASES},
        "its private tests cannot be read",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("row", "expected", "said"), FOREIGN)
def test_problems_of_other_projects(
    row: dict[str, Any], expected: dict[str, Any], said: str, tmp_path: Path
) -> None:
    """Each shape becomes a problem of ours, and what is lost is said."""
    result, found = imported(tmp_path, row)

    assert 0 == result.exit_code
    assert said in result.stdout
    assert [expected] == [{name: each[name] for name in expected} for each in found]


def test_what_is_no_problem_is_said(tmp_path: Path) -> None:
    """Another language, no tests, an id that comes twice: each with its line, and the others
    are there.
    """
    sound = {"id": "a", "prompt": "p", "tests": "assert true"}
    result, found = imported(
        tmp_path,
        {"name": "b", "language": "lua", "prompt": "p", "tests": "assert(true)"},
        sound,
        {"id": "c", "prompt": "p"},
        {**sound, "tests": "assert false"},
        {"prompt": "q", "tests": "assert true"},
    )

    assert 1 == result.exit_code
    assert ["a", "row-5"] == [each["id"] for each in found]
    for said in (
        "in.jsonl:1: written for lua, not for OCaml",
        "in.jsonl:3: problem 'c': no tests",
        "in.jsonl:4: problem 'a' again: another",
    ):
        assert said in result.stderr


LEAP = {
    "test.ml": "open OUnit2\nopen Leap\nlet tests = [\n"
    '  "four" >:: (fun _ -> assert_equal true (Leap.leap_year 4));\n'
    '  "one" >:: (fun _ -> assert_equal false (leap_year 1));\n]\n'
    'let () = run_test_tt_main ("leap" >::: tests)\n',
    "leap.mli": "val leap_year : int -> bool\n",
    ".meta/example.ml": "let leap_year y = y mod 4 = 0\n",
    ".docs/instructions.md": "# Leap\n\nTell leap years.\n",
    "dune": "(executable (name test) (libraries ounit2))\n",
}


def test_exercises_are_imported_and_validated(tmp_path: Path) -> None:
    """A folder of exercises gives problems that can be graded; one whose example does not pass
    is left out, with the reason.
    """
    for name in ("leap", "broken"):
        for file, text in LEAP.items():
            path = tmp_path / "practice" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text if name == "leap" else text.replace("mod 4", "mod 3"))
    output = tmp_path / "out.jsonl"
    result = run("problems", "import", tmp_path / "practice", "-o", output, "--validate")
    found = json.loads(output.read_text())

    assert 1 == result.exit_code
    assert "broken: the reference does not pass" in result.stderr
    assert "1 problem written" in result.stdout
    assert "leap" == found["id"]
    assert found["prompt"].startswith("# Leap")
    assert "val leap_year : int -> bool" in found["prompt"]


@pytest.mark.parametrize("name", ["p.jsonl", "p.parquet"])
def test_problems_are_exported_whole(name: str, tmp_path: Path) -> None:
    output = tmp_path / name
    result = run("problems", "export", CORPUS, "-o", output)

    assert 0 == result.exit_code
    assert "49 problems written" in result.stdout
    assert load_problems(CORPUS).problems == load_problems(output).problems


def test_scores_are_written_for_other_tools(invoke: Invoke, tmp_path: Path) -> None:
    """`score` reads and writes parquet, says what is lost, and refuses what cannot be."""
    given, output = tmp_path / "in.parquet", tmp_path / "out.csv"
    rows = [{"problem_id": "add", "completion": CODE, "tests": TESTS}] * 2
    write_parquet(given, rows)
    words = ("score", given, "-o", output, "--output-format", "csv")
    result = invoke(*words)
    lines = output.read_text().splitlines()

    assert 0 == result.exit_code
    assert "lists are not there" in result.stderr
    assert lines[0].startswith("problem_id,index,line,reward,verdict")
    assert 2 == sum(line.startswith("add,") for line in lines)
    assert 2 == invoke(*words).exit_code
    assert 0 == invoke(*words, "--overwrite").exit_code
    assert 2 == invoke(*words[:2], "--output-format", "csv").exit_code


def test_outputs_go_by_their_names(invoke: Invoke, tmp_path: Path) -> None:
    """`score` and `rescore` write what a file's name says; packed records are the plain ones."""
    given, plain = tmp_path / "in.jsonl", tmp_path / "plain.jsonl"
    given.write_text(json.dumps({"problem_id": "add", "completion": CODE, "tests": TESTS}) + "\n")
    names = ("out.csv", "out.tsv", "out.parquet", "out.jsonl.gz", "out.csv.xz")
    results = [invoke("score", given, "-o", tmp_path / name) for name in ("plain.jsonl", *names)]
    again = [invoke("rescore", plain, "-o", tmp_path / f"again_{name}") for name in names]
    refused = [
        invoke("score", given, "-o", tmp_path / name, *option)
        for name, option in (
            ("out.jsonl.gz", ["--resume"]),
            ("new.csv", ["--shard", "1/2"]),
            ("new.jsonl.zst", []),
        )
    ]

    assert {0} == {each.exit_code for each in (*results, *again)}
    for name in names:
        if name == "out.jsonl.gz":
            continue
        for path in (tmp_path / name, tmp_path / f"again_{name}"):
            (found,) = read_completions(path)
            assert isinstance(found, CompletionLine)
            assert ("add", CODE) == (found.problem_id, found.completion.text)
    assert "credit_tests\t" in (tmp_path / "out.tsv").read_text()
    packed = [tmp_path / "out.jsonl.gz", tmp_path / "again_out.jsonl.gz"]
    records = [json.loads(plain.read_bytes())]
    records += [json.loads(gzip.decompress(each.read_bytes())) for each in packed]
    assert 1 == len({json.dumps({**each, "timings_ms": None}) for each in records})
    assert [2, 2, 2] == [each.exit_code for each in refused]
    assert "written at the end" in refused[0].stderr


@pytest.mark.parametrize(
    ("truth", "tests"),
    [
        ({"assert_case": ["assert (f 1 = 2)"]}, "assert (f 1 = 2) ;;"),
        ({"id": "p", "tests": "assert (f 1 = 2)"}, "assert (f 1 = 2)"),
        ("assert (f 1 = 2)", "assert (f 1 = 2)"),
    ],
    ids=["cases", "a problem", "text"],
)
@pytest.mark.parametrize("name", ["reward_model", "reward_spec"])
@pytest.mark.parametrize("as_text", [True, False])
def test_labels_that_hold_ocaml(
    tmp_path: Path, name: str, truth: object, tests: str, *, as_text: bool
) -> None:
    label = json.dumps(truth) if as_text and isinstance(truth, dict) else truth
    result, rows = imported(tmp_path, {"id": "p", "prompt": "f?", name: {"ground_truth": label}})

    assert 0 == result.exit_code
    assert [{"id": "p", "prompt": "f?", "tests": tests}] == rows


@pytest.mark.parametrize("command", ["import", "export", "strengthen"])
def test_no_file_is_replaced_unasked(command: str, tmp_path: Path) -> None:
    """What is there stays, and the line says how to replace it; so for a folder that has files."""
    there = tmp_path / "there.jsonl"
    there.write_text("kept\n")
    one = tmp_path / "one.jsonl"
    one.write_text(CORPUS.read_text(encoding="utf-8").splitlines()[0] + "\n")
    refused = run("problems", command, one, "-o", there)

    assert (2, "kept\n") == (refused.exit_code, there.read_text())
    assert f"{there} exists; replace it with --overwrite" in refused.stderr
    if command != "strengthen":
        assert 2 == run("problems", command, one, "-o", tmp_path).exit_code
    assert 0 == run("problems", command, one, "-o", there, "--overwrite").exit_code
    assert 1 == len(load_problems(there).problems)


@pytest.fixture
def scored(invoke: Invoke, tmp_path: Path) -> Path:
    """Score ten completions a problem: none, one, nine and ten right, and one of another set."""
    right = {"never": 0, "seldom": 1, "often": 9, "always": 10, "other": 5}
    rows = [
        {"id": name, "completion": CODE if n < count else WRONG, "tests": TESTS}
        for name, count in right.items()
        for n in range(10)
    ]
    source = tmp_path / "completions.jsonl"
    source.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    output = tmp_path / "scored.jsonl"
    engine = FakeEngine({WRONG: report("failed", "failed")})
    assert 0 == invoke("score", source, "-o", output, engine=engine).exit_code
    return output


@pytest.fixture
def unfiltered(tmp_path: Path) -> Path:
    """Write four problems that are scored, and one that is not, with keys of their own."""
    path = tmp_path / "unfiltered.jsonl"
    names = ("never", "seldom", "often", "always", "new")
    rows = [{"id": name, "tests": TESTS, "tags": ["t"], "mine": 1} for name in names]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    return path


@pytest.mark.parametrize(
    ("words", "kept", "said"),
    [
        (
            (),
            ["seldom", "often"],
            ["1 with a pass rate below 0.1 and 1 above 0.9 left out", "1 without records left out"],
        ),
        (
            ("--without-records", "keep"),
            ["seldom", "often", "new"],
            ["1 with a pass rate below 0.1 and 1 above 0.9 left out", "1 without records kept"],
        ),
        (
            ("--min", "0", "--max", "0.5"),
            ["never", "seldom"],
            ["0 with a pass rate below 0 and 2 above 0.5 left out", "1 without records left out"],
        ),
    ],
)
def test_problems_are_filtered_by_their_pass_rate(
    scored: Path,
    unfiltered: Path,
    tmp_path: Path,
    *,
    words: tuple[str, ...],
    kept: list[str],
    said: list[str],
) -> None:
    """Both bounds belong to what is kept; rows keep all their keys, and what went is counted."""
    output = tmp_path / "filtered.jsonl"
    result = run("problems", "filter", unfiltered, "--scored", scored, *words, "-o", output)
    rows = [json.loads(line) for line in output.read_text().splitlines()]

    assert 0 == result.exit_code
    assert [{"id": name, "tests": TESTS, "tags": ["t"], "mine": 1} for name in kept] == rows
    assert [
        f"{len(kept)} of 5 problems written to {output}",
        *said,
        f"1 problem of {scored} not in {unfiltered}",
    ] == result.stdout.splitlines()


def test_a_filter_of_parquet(scored: Path, unfiltered: Path, tmp_path: Path) -> None:
    """The name of the output says what it is, and it is read again."""
    output = tmp_path / "filtered.parquet"
    again = tmp_path / "again.jsonl"
    assert 0 == run("problems", "filter", unfiltered, "--scored", scored, "-o", output).exit_code
    assert 0 == run("problems", "filter", output, "--scored", scored, "-o", again).exit_code
    assert ["seldom", "often"] == list(load_problems(again).problems)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--min", "0.6", "--max", "0.5"), "--min 0.6 is above --max 0.5"),
        (("--min", "0.5", "--max", "0.5"), "no problem is left: 2 with a pass rate below 0.5, 2"),
    ],
)
def test_a_filter_that_leaves_nothing_writes_nothing(
    scored: Path, unfiltered: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    output = tmp_path / "filtered.jsonl"
    result = run("problems", "filter", unfiltered, "--scored", scored, *words, "-o", output)

    assert (2, False) == (result.exit_code, output.exists())
    assert said in result.stderr


def test_a_filter_by_records_of_other_problems(scored: Path, tmp_path: Path) -> None:
    """It is refused, even if problems without records are kept; lines that are none are named."""
    output, source = tmp_path / "filtered.jsonl", tmp_path / "source.jsonl"
    source.write_text(json.dumps({"id": "new", "tests": TESTS}) + "\n{\n")
    words = ("--scored", scored, "--without-records", "keep", "-o", output)
    result = run("problems", "filter", source, *words)
    with source.open("a") as stream:
        stream.write(json.dumps({"id": "seldom", "tests": TESTS}) + "\n")
    again = run("problems", "filter", source, *words)

    assert (2, 1) == (result.exit_code, again.exit_code)
    assert "has a scored completion in" in result.stderr
    assert f"{source}:2: not JSON" in again.stderr
    assert ["new", "seldom"] == list(load_problems(output).problems)
