"""Folders that hold a problem each, as exercises and contests keep them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward import Completion, FormatError, Grader, Problem
from ocaml_reward.engine import Engine
from ocaml_reward.formats.importing import Imported, import_problems
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.model import Comparison, StdioCase

Files = Mapping[str, str | bytes]

HALF: Files = {
    "test.ml": "open OUnit2\nopen Half\ntype t = Half.t\nlet twice (x : t) = x + x\n"
    'let () = run_test_tt_main ("half" >::: [\n'
    '  "even" >:: (fun _ -> assert_equal 4 (half 8 : t));\n'
    '  "back" >:: (fun _ -> assert_equal 8 (twice (Half.half 8)))])\n',
    "half.mli": "type t = int\nval half : int -> t\n",
    ".meta/example.ml": "type t = int\nlet half x = x / 2\n",
    ".docs/instructions.md": "# Half\n",
    "dune": "(executable (name test) (libraries ounit2))\n",
}
SUM: Files = {
    "init.yml": "archive: sum.zip\ntest_cases:\n"
    "- {in: sum.1.in, out: sum.1.out, points: 10}\n"
    "- points: 20\n  batched:\n  - {in: sum.2.in, out: sum.2.out}\n",
}
CASES = (StdioCase(stdin="1 2\n", stdout="3\n"), StdioCase(stdin="4 5\n", stdout="9\n"))
PAID = (replace(CASES[0], points=10.0), replace(CASES[1], points=20.0))
PACKAGE: Files = {
    "problem.yaml": "name: Sum\n",
    "problem_statement/problem.en.tex": "Print the sum.\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/b.in": "4 5\n",
    "data/secret/b.ans": "9\n",
    "data/secret/a.in": "1 2\n",
    "data/secret/a.ans": "3\n",
    "submissions/accepted/sum.ml": 'let () = Scanf.scanf " %d %d" (fun a b ->\n'
    '  Printf.printf "%d\\n" (a + b))\n',
}


def packed(files: dict[str, str]) -> bytes:
    """Return an archive."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return held.getvalue()


SUM_ZIP = packed({"sum.1.in": "1 2\n", "sum.1.out": "3\n", "sum.2.in": "4 5\n", "sum.2.out": "9\n"})


def written(folder: Path, files: Files) -> Path:
    """Write a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def imported(folder: Path, files: Files) -> Imported:
    """Import the one problem of a folder."""
    (found,) = import_problems(written(folder, files))
    return found


def problem_of(found: Imported) -> Problem:
    """Return the problem that a folder became."""
    assert not isinstance(found.found, BadLine), found.found.message
    return found.found.problem


def test_each_folder_is_told_and_none_is_lost(tmp_path: Path) -> None:
    """Kinds may stand beside each other; what is of none is said, with where it is."""
    written(tmp_path / "a" / "half", HALF)
    written(tmp_path / "b" / "sum", {**SUM, "sum.zip": SUM_ZIP})
    written(tmp_path / "c" / "pair", PACKAGE)
    written(tmp_path / "d" / "mine", {"test.ml": "let () = assert (f 2 = 4)\n"})
    written(tmp_path / "e" / "odd", {"problem.yaml": "name: odd\n"})
    found = list(import_problems(tmp_path))
    bad = [each.found for each in found if isinstance(each.found, BadLine)]

    assert ["Exercism", "DMOJ", "ICPC", "", ""] == [each.kind for each in found]
    assert ["half", "sum", "pair"] == [problem_of(each).id for each in found[:3]]
    assert ["mine", "odd"] == [Path(each.file).name for each in bad]
    assert all("no kind that is known" in each.message for each in bad)
    with pytest.raises(FormatError, match="no folder of a kind that is known"):
        list(import_problems(written(tmp_path / "f", {"x.ml": "let x = 1"})))


def test_tests_of_an_exercise_stay_as_they_are(
    tmp_path: Path, engines: Callable[[str], Engine]
) -> None:
    """They name the exercise's module."""
    problem = problem_of(imported(tmp_path / "half", HALF))
    grader = Grader("concise", engine=engines("warm"))
    graded = [
        grader.grade(problem, Completion(text=code)).verdict
        for code in (problem.reference or "", "type t = int\nlet half x = x / 3")
    ]

    assert HALF["test.ml"] == problem.tests
    assert ["passed", "failed_tests"] == graded


ZIPPER: Files = {
    "tree.ml": "type t = { value : int; left : t option }\n"
    "let hidden = 3\nlet equal a b = a.value = b.value && hidden = 3\n",
    "tree.mli": "type t = { value : int; left : t option }\nval equal : t -> t -> bool\n",
    "checks.ml": "let is_same a b = Tree.equal (Zipper.to_tree a) b\n",
    "zipper.mli": "type t\nval of_tree : Tree.t -> t\nval to_tree : t -> Tree.t\n",
    ".meta/example.ml": "type t = Tree.t\nlet of_tree t = t\nlet to_tree t = t\n",
    "test.ml": "open OUnit2\nmodule T = Tree\nmodule Z = Zipper\n"
    "let one = { T.value = 1; left = None }\n"
    'let () = run_test_tt_main ("zipper" >::: [\n'
    '  "same" >:: (fun _ -> assert_bool "" (Checks.is_same (Z.of_tree one) one))])\n',
}


WRONG = "of_tree t = { t with Tree.value = 2 }"


def test_modules_beside_tests_are_given(tmp_path: Path, engines: Callable[[str], Engine]) -> None:
    """Code may use them, and shares their types with the tests; those that use the code are the
    tests' alone.
    """
    problem = problem_of(imported(tmp_path / "zipper", ZIPPER))
    grader = Grader("concise", engine=engines("warm"))
    right = problem.reference or ""
    graded = [
        grader.grade(problem, Completion(text=code)).verdict
        for code in (right, right.replace("of_tree t = t", WRONG))
    ]

    assert problem.given.startswith("module Tree : sig")
    assert "Checks" not in problem.given
    assert ["passed", "failed_tests"] == graded


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"dune": "(preprocess (pps ppx_sexp))", "tree.ml": "type t = A [@@deriving sexp]"},
         "a module beside needs a preprocessor for [@@deriving: ppx_sexp"),
        ({".meta/config.json": '{"files": {"solution": ["half.ml", "more.ml"]}}'},
         "its solution has 2 files"),
        ({"a.ml": "let x = B.x", "b.ml": "let x = A.x"}, "modules use each other: A, B"),
    ],
)  # fmt: skip
def test_exercises_that_cannot_be_graded_are_left_out(
    more: Files, why: str, tmp_path: Path
) -> None:
    """The reason is said."""
    found = imported(tmp_path / "half", {**HALF, **more})

    assert isinstance(found.found, BadLine)
    assert why == found.found.message
    assert "Exercism" == found.kind


FLOATS: dict[str, Any] = {"absolute": 1e-4, "relative": 1e-4}


@pytest.mark.parametrize(
    ("checker", "comparison"),
    [
        ("standard", None),
        ("identical", Comparison(space_change_sensitive=True)),
        ("{name: floats, args: {precision: 4}}", Comparison(**FLOATS)),
        ("{name: floats, args: {precision: 4, error_mode: absolute}}",
         Comparison(absolute=1e-4)),
        ("floatsrel", Comparison(relative=1e-6)),
        ("sorted", Comparison(unordered="lines")),
        ("{name: sorted, args: {split_on: whitespace}}", Comparison(unordered="tokens")),
        ("unordered", Comparison(unordered="tokens")),
    ],
)  # fmt: skip
def test_checkers_of_dmoj(checker: str, comparison: Comparison | None, tmp_path: Path) -> None:
    """Each has its comparison."""
    settings = f"{SUM['init.yml']!s}checker: {checker}\n"
    found = imported(tmp_path / "sum", {"init.yml": settings, "sum.zip": SUM_ZIP})
    problem = problem_of(found)

    assert PAID == problem.tests
    assert ("base?", "core?", "stdio?", "str", "zarith?") == problem.libraries
    assert comparison == problem.comparison


def test_cases_of_dmoj_by_their_names(tmp_path: Path) -> None:
    """Without a list inputs and outputs are paired by their numbers, in numerical order."""
    files: Files = {"init.yml": "checker: standard\n"}
    for number in (2, 10, 1):
        files = {
            **files,
            f"t.{number}.in": f"{number}\n",
            f"t.{number}.out": f"{-number}\n",
        }
    tests = problem_of(imported(tmp_path / "t", files)).tests

    assert [
        StdioCase(stdin=f"{n}\n", stdout=f"{-n}\n") for n in (1, 2, 10)
    ] == [*tests]  # fmt: skip


def test_cases_of_dmoj_that_share(tmp_path: Path) -> None:
    """What stands above the cases holds for each of them; pretests come first."""
    files = {
        "init.yml": "out: yes.txt\npretest_test_cases: [{in: a}]\ntest_cases:\n"
        "- {in: b, out: no.txt}\n- batched: [{in: b}]\n  out: no.txt\n- {in: b}\n",
        "yes.txt": "yes\n", "no.txt": "no\n", "a": "1\n", "b": "2\n",
    }  # fmt: skip
    tests = problem_of(imported(tmp_path / "t", files)).tests

    assert ["1 yes", "2 no", "2 no", "2 yes"] == [
        f"{case.stdin}{case.stdout}".replace("\n", " ").strip()
        for case in tests
        if isinstance(case, StdioCase)
    ]


EASY = 'let () = print_string "B A"'
CPP = """
#include "near.h"
int main(int argc, char **argv) {
  std::ifstream out(argv[2]), answer(argv[3]);
  int a, b;
  return out >> a && answer >> b && near(a, b) ? 0 : 1;
}
"""
NEAR = "#pragma once\n#include <fstream>\ninline bool near(int a, int b) { return a - b < 2 && b - a < 2; }\n"  # fmt: skip
VALIDATOR = """
#include "said.h"
int main(int argc, char *argv[]) {
  std::ifstream in(argv[1]), answer(argv[2]);
  int a, b, c, expected, limit = argc > 4 ? std::atoi(argv[5]) : 0;
  in >> a >> b; answer >> expected;
  if (!(std::cin >> c)) said(argv[3], "no number", 43);
  if (a + b != expected) return 1;
  if (std::abs(c - expected) > limit) said(argv[3], "too far", 43);
  return 42;
}
"""
SAID = """
#pragma once
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
inline void said(std::string folder, const char *why, int status) {
  std::ofstream(folder + "judgemessage.txt") << why;
  std::exit(status);
}
"""


@pytest.mark.parametrize(
    ("files", "code", "expected"),
    [
        ({"init.yml": "checker: easy\n", "a.1.in": "", "a.1.out": "ab\n"}, EASY, [""]),
        ({"init.yml": "checker: easy\n", "a.1.in": "", "a.1.out": "abb\n"}, EASY,
         ["not the same characters, each as often"]),
        ({"init.yml": "checker: linecount\n", "a.1.in": "", "a.1.out": "B A\nx\n"}, EASY,
         ["0.5 of it: 1 of 2 lines"]),
        ({"init.yml": "checker: {name: bridged, args: {files: [c.cpp, near.h], "
          "lang: CPP17, type: testlib}}\n", "c.cpp": CPP, "near.h": NEAR,
          "a.1.in": "", "a.1.out": "4\n", "a.2.in": "", "a.2.out": "6\n"},
         "let () = print_int 4", ["", ""]),
        ({**PACKAGE, "problem.yaml": "validation: custom\nvalidator_flags: far 1\n",
          "output_validators/v/v.cc": VALIDATOR, "output_validators/v/said.h": SAID},
         "let () = print_int 4", ["", "too far"]),
        ({**PACKAGE, "problem.yaml": "problem_format_version: 2023-07\n",
          "output_validator/v.cpp": VALIDATOR, "output_validator/said.h": SAID,
          "data/secret/test_group.yaml": "output_validator_args: [far, '1']\n"},
         "let () = print_int 4; exit 0", ["", "too far"]),
        ({**PACKAGE, "problem.yaml": "validation: custom\n",
          "output_validators/v.cc": VALIDATOR, "output_validators/said.h": SAID},
         "let () = ()", ["no number", "no number"]),
    ],
)  # fmt: skip
def test_judges_and_checkers_of_folders(
    files: Files,
    code: str,
    expected: list[str],
    tmp_path: Path,
    engines: Callable[[str], Engine],
) -> None:
    """What judges an output there judges it here, and says why."""
    problem = problem_of(imported(tmp_path / "p", files))
    graded = Grader("concise", engine=engines("warm")).grade(problem, Completion(text=code))

    assert graded.fault is None, graded.fault
    assert expected == [each.detail for each in graded.tests.results]


def test_packages_of_icpc(tmp_path: Path) -> None:
    """Samples are public and stand in the prompt; capitals do not count, as ICPC has it."""
    problem = problem_of(imported(tmp_path / "sum", PACKAGE))

    assert CASES == problem.tests
    assert ("str", "unix") == problem.libraries
    assert CASES[:1] == problem.public_tests
    assert Comparison(case_sensitive=False) == problem.comparison
    assert problem.prompt.startswith("Print the sum.")
    assert "Sample Input 1\n\n```text\n1 2\n```" in problem.prompt
    assert PACKAGE["submissions/accepted/sum.ml"] == problem.reference


@pytest.mark.parametrize(
    "more",
    [
        {"problem.yaml": "limits: {time_limit: 1.5, memory: 512}\n"},
        {"problem.yaml": "limits: {memory: 512}\n", ".timelimit": "1.5\n"},
        {"problem.yaml": "limits: {time: 1.5, memory: 512}\n"},
        {"problem.yaml": "limits: {memory: 512}\n",
         "domjudge-problem.ini": "name='Sum'\ntimelimit='1.5'\n"},
    ],
)  # fmt: skip
def test_limits_of_icpc(more: Files, tmp_path: Path) -> None:
    """They are native code's, and become a budget as those of other sets do."""
    found = imported(tmp_path / "sum", {**PACKAGE, **more})
    budget = dict(problem_of(found).budget)

    assert (150_000_000, 512) == (budget["check_steps"], budget["memory_mb"])
    assert any("its own limit of time" in said for said in found.said)


@pytest.mark.parametrize(
    ("more", "comparison"),
    [
        ({"problem.yaml": "validator_flags: case_sensitive space_change_sensitive\n"},
         Comparison(space_change_sensitive=True)),
        ({"problem.yaml": "validator_flags: float_absolute_tolerance 1e-4\n"},
         Comparison(absolute=1e-4, case_sensitive=False)),
        ({"data/testdata.yaml": "output_validator_flags: float_tolerance 1e-4\n"},
         Comparison(**FLOATS, case_sensitive=False)),
        ({"data/testdata.yaml": "output_validator_flags: float_tolerance 1e-9\n",
          "data/secret/testdata.yaml": "output_validator_flags: case_sensitive\n"},
         Comparison()),
    ],
)  # fmt: skip
def test_flags_of_icpc(more: Files, comparison: Comparison, tmp_path: Path) -> None:
    """Those of the nearest group count."""
    problem = problem_of(imported(tmp_path / "sum", {**PACKAGE, **more}))

    assert comparison == problem.comparison


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({**PACKAGE, "problem.yaml": "validation: custom score\n"}, "a problem that is score"),
        ({**PACKAGE, "problem.yaml": "validation: custom interactive\n"},
         "a problem that is interactive"),
        ({**PACKAGE, "problem.yaml": "validation: {interactive: true}\n"},
         "a problem that is interactive"),
        ({**PACKAGE, "problem.yaml": "type: [pass-fail, multi-pass]\n"},
         "a problem that is multi-pass"),
        ({**PACKAGE, "problem.yaml": "validation: custom\n"},
         "its output validator is not there"),
        ({**PACKAGE, "problem.yaml": "validation: custom\n",
          "output_validators/check.py": "pass"},
         "outputs are judged by check.py, not by one source in C++"),
        ({**PACKAGE, "problem.yaml": "a: [1\n"}, "problem.yaml: not YAML: "),
        ({**PACKAGE, "problem.yaml": "validator_flags: fuzzy\n"},
         "outputs are validated with fuzzy, which is not known"),
        ({**PACKAGE, "data/secret/c.in": "1 2\n"}, "no c.ans beside c.in"),
        ({**PACKAGE, "data/secret/g/c.in": "1\n", "data/secret/g/c.ans": "1\n",
          "data/secret/g/testdata.yaml": "output_validator_flags: case_sensitive\n"},
         "groups of its tests are validated in different ways"),
        (SUM, "no sum.zip, its archive"),
        ({**SUM, "sum.zip": "no"}, "sum.zip: no archive"),
        ({**SUM, "sum.zip": SUM_ZIP.replace(b"3\n", b"4\n", 1)},
         "sum.1.out, in its archive: Bad CRC-32"),
        ({**SUM, "sum.zip": packed({"sum.1.in": ""})},
         "no sum.1.out, of its test cases"),
        ({"init.yml": "interactive: {files: i.cpp}\n"}, "init.yml has interactive"),
        ({"init.yml": "custom_judge: judge.py\n"}, "init.yml has custom_judge"),
        ({"init.yml": "test_cases: [{generator: g.cpp}]\n"}, "init.yml has generator"),
        ({"init.yml": "test_cases++: 'range(3)'\n"},
         "init.yml has test_cases++, which is computed by the judge"),
        ({"init.yml": "checker: check.py\ntest_cases: [{out: a}]\n", "a": "1\n"},
         "outputs are judged by check.py, which cannot be run here"),
        ({"init.yml": "test_cases: [{in: ../a, out: b}]\n"},
         "../a is outside of its folder"),
        ({"init.yml": "points: 3\n"}, "no test cases"),
    ],
)  # fmt: skip
def test_what_cannot_be_graded_is_left_out(files: Files, why: str, tmp_path: Path) -> None:
    """The reason is said, and of which kind the folder is."""
    found = imported(tmp_path / "p", files)

    assert isinstance(found.found, BadLine)
    assert found.found.message.startswith(why), found.found.message
    assert found.kind in ("ICPC", "DMOJ")
