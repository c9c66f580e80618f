"""`validate`: broken problems are found, each for its reason, and sound ones are not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from ocaml_reward.formats import load_problems

from .broken import BROKEN, REMARKED, SOUND

CORPUS = Path(__file__).parents[2] / "test_corpus" / "problems.jsonl"

Write = Callable[[Iterable[dict[str, object]]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def call(rows: Iterable[dict[str, object]]) -> Path:
        path = tmp_path / "problems.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return path

    return call


def validate(*arguments: str | Path) -> Result:
    words = ["validate", *map(str, arguments)]
    return CliRunner().invoke(main, words, catch_exceptions=False)


def test_broken_problems_are_found_and_named(write: Write, tmp_path: Path) -> None:
    """Each broken problem is found, with what kind of fault it has and the line; what is
    only remarked on breaks none; the others go into the clean file.
    """
    given = {name: each[0] for name, each in BROKEN.items()}
    given |= {name: each[0] for name, each in REMARKED.items()}
    rows: list[dict[str, object]] = [
        # Not one of them is a duplicate.
        {"id": name, **problem, "prompt": f"{problem['prompt']}\n{name}"}
        for name, problem in given.items()
    ]
    rows.append({"id": "sound", **SOUND})
    clean = tmp_path / "clean.jsonl"
    result = validate(write(rows), "--json", "--write-clean", clean)
    answer = json.loads(result.stdout)
    found = {row["id"]: row for row in reversed(answer["findings"]) if row["broken"]}
    remarks = {
        row["id"]: row["kind"]
        for row in answer["findings"]
        if not row["broken"] and row["id"] not in found
    }

    assert 1 == result.exit_code
    assert {name: (kind, line) for name, (_, kind, line) in BROKEN.items()} == {
        name: (row["kind"], row["line"]) for name, row in found.items()
    }
    assert {name: kind for name, (_, kind) in REMARKED.items()} == remarks
    assert {*REMARKED, "sound"} == set(load_problems(clean).problems)


def test_the_corpus_is_sound(tmp_path: Path) -> None:
    """No problem of the corpus is broken, and all of them come through unchanged."""
    clean = tmp_path / "clean.jsonl"
    result = validate(CORPUS, "--write-clean", clean)

    assert 0 == result.exit_code, result.stdout
    assert "49 problems, 0 broken" in result.stdout
    assert load_problems(CORPUS).problems == load_problems(clean).problems


def test_clashes_and_duplicates_are_found(write: Write, tmp_path: Path) -> None:
    """An id with two problems is broken; a problem again is left out, and breaks nothing."""
    other = {**SOUND, "tests": "let () = assert (double 5 = 10)\n"}
    rows: list[dict[str, object]] = [
        {"id": "a", **SOUND},
        {"id": "a", **other},
        {"id": "b", **SOUND},
        {"id": "a", **SOUND},
        {"id": "c"},
    ]
    clean = tmp_path / "clean.jsonl"
    result = validate(write(rows), "--json", "--write-clean", clean)
    findings = json.loads(result.stdout)["findings"]

    assert [
        (2, "id clash", True),
        (3, "duplicate", False),
        (4, "duplicate", False),
        (5, "unreadable", True),
    ] == [(row["file_line"], row["kind"], row["broken"]) for row in findings]
    assert "line 1 has another problem" in findings[0]["message"]
    assert ["a"] == list(load_problems(clean).problems)


def test_nothing_is_overwritten(write: Write, tmp_path: Path) -> None:
    """A file that is there stays, and a file without problems is no valid one."""
    clean = tmp_path / "clean.jsonl"
    clean.write_text("mine")
    refused = validate(write([{"id": "a", **SOUND}]), "--write-clean", clean)
    empty = validate(write([]))

    assert (2, "mine") == (refused.exit_code, clean.read_text())
    assert 2 == empty.exit_code
    assert "no problems" in empty.stderr


def test_the_table_names_line_problem_and_reason(write: Write) -> None:
    """On a terminal or in a pipe, a row says which problem is broken, where and why."""
    problem, kind, _ = BROKEN["wrong-value"]
    result = validate(write([{"id": "wrong-value", **problem}]))
    shown = " ".join(result.stdout.split())

    assert f"1 │ wrong-value │ {kind} │ line 4 │" in shown
    assert "1 problem, 1 broken" in shown


def test_modules_that_may_be_the_codes_file_are_named(write: Write) -> None:
    """Without a reference nobody knows whether they are; with one that is the file all is well, and
    one that is not is refused.
    """
    tests = "open Basics\nlet () = assert (double 2 = 4 && Lib.Basics.double 3 = 6)"
    none: dict[str, object] = {"id": "none", "prompt": "none", "tests": tests}
    rows = [none] + [
        {**none, "id": name, "prompt": name, "reference": f"let {defined} x = 2 * x"}
        for name, defined in (("file", "double"), ("nobody", "twice"))
    ]
    said = json.loads(validate(write(rows), "--json").stdout)["findings"]
    found = {(each["id"], each["kind"]): each["message"] for each in said}

    named = "the tests name the modules Basics, Lib, which neither they"
    assert found.pop(("none", "module of the code")).startswith(named)
    assert "Basics, Lib are modules of neither" in found.pop(("nobody", "tests"))
    assert {("none", "no reference")} == found.keys()


def test_tests_of_a_library_name_ask_for_a_signature(write: Write) -> None:
    """Nobody can tell whether `abs` or `succ` is meant where the tests type with the library's; the
    problem is refused, and the line says what helps. With a signature there is nothing to say.
    """
    row: dict[str, object] = {
        "id": "abs",
        "tests": "let () = assert (abs (-3) = succ 2)",
    }
    said = json.loads(validate(write([row]), "--json").stdout)["findings"]
    told = {**row, "signature": "val abs : int -> int"}
    then = json.loads(validate(write([told]), "--json").stdout)["findings"]

    (refused,) = said
    assert refused["message"].endswith("name it in a signature")
    assert ["no reference"] == [each["kind"] for each in then]


def test_judges_that_die_on_no_output_are_named(write: Write) -> None:
    """It costs only such an output its case, but right ones may be next."""
    judge = (
        "let judge ~input ~expected ~output = ignore (input, expected);\n"
        '  if String.trim output = "1" then accept\n'
        "  else if output.[0] = '2' then exit 3\n"
        '  else reject "it is not 1"\n'
    )
    row: dict[str, object] = {
        "id": "one",
        "tests": [{"input": "", "output": "1"}],
        "reference": "let () = print_int 1",
    }
    said = json.loads(validate(write([row | {"judge": judge}]), "--json").stdout)
    mended = judge.replace("else if output", 'else if output = "" then reject "" else if output')
    then = json.loads(validate(write([row | {"judge": mended}]), "--json").stdout)

    assert ["judge"] == [each["kind"] for each in said["findings"]]
    assert said["findings"][0]["message"].startswith("on no output: the judge died on this output")
    assert [] == then["findings"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("refrence", "reference"), ("signatur", "signature"), ("Reference ", "reference"),
     ("public test", "public_tests"), ("libaries", "libraries"), ("Budget", "budget"), ("references", "reference"),
     ("difficulty", ""), ("question_title", ""), ("public_test_cases", ""), ("canonical", "")],
)  # fmt: skip
def test_a_key_that_nearly_is_ours_is_remarked(write: Write, written: str, meant: str) -> None:
    """By validate and by who loads the problems; not where the right one is there, too."""
    row = {"prompt": "p", "tests": SOUND["tests"], written: "double"}
    both = {name: row | {name: "let double x = 2 * x"} for name in {meant} - {""}}
    rows = [{"id": "one", **row}, *({"id": "two", **each} for each in both.values())]
    path = write(rows)
    found = load_problems(path)
    said = [
        each["message"]
        for each in json.loads(validate(path, "--json").stdout)["findings"]
        if each["kind"] == "key"
    ]
    remark = f"{written!r} is not read; did you mean {meant}?"

    assert ([remark] if meant else []) == said
    assert tuple(f"1 of {len(found.problems)} problems: {each}" for each in said) == (found.remarks)


def test_tests_that_no_code_fits_are_told(write: Write) -> None:
    """Two expressions without `;;` are one; types, labels and constants are the code's to choose."""
    tests = {
        "one": "f 1 = 1\nf 2 = 2",
        "branches": 'let () = assert ((if f 1 then 2 else "3") = "3")',
        "types": "let () = assert (f 1 = A && (f 2).size = 3)",
        "labels": "let () = assert (f ~x:1 = 1)",
        "constant": "let () = assert (f = 1 && g 2 = 2)",
        "any": "let () = assert (f 1 = 1 && f 2 = true)",
        "handed on": "let check f x b = assert (f x = b)\nlet () = check f [1; 2] 3",
        "in a list": "let () = List.iter (fun (f, x) -> assert (f x = x)) [ (f, 1) ]",
        "candidate": "let assertions = let candidate = f in assert (candidate [1; true] = 1)",
    }
    rows: list[dict[str, object]] = [
        {"id": name, "tests": text, "prompt": "let f x =" if name == "candidate" else ""}
        for name, text in tests.items()
    ]
    said = json.loads(validate(write(rows), "--json").stdout)["findings"]
    found = {each["id"]: each["message"] for each in said if each["kind"] != "no reference"}

    assert {"one", "branches", "candidate"} == found.keys()
    assert found["one"].startswith("they do not type, whatever the code is: This expression")
