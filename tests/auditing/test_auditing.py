"""`audit`: weak problems are found with what cheats them, and strong ones are not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from ocaml_reward.auditing.mutants import common_mutants
from ocaml_reward.auditing.trivial import arities, trivial_programs
from ocaml_reward.model import IMPOSSIBLE

from .weak import EVEN, STRONG, UNTESTED, WEAK, problem

CORPUS = Path(__file__).parents[2] / "test_corpus" / "problems.jsonl"
EVEN_CHECKS = ("even 2", "not (even 3)", "even 4", "not (even 9)", "even 0", "not (even 7)")
STRONG_EVEN = [("even", problem("val even : int -> bool", EVEN, *EVEN_CHECKS))]
REFERENCE = "let rec f (x : int) ys = if x <= 0 then [] else 1 :: f (x - 1) ys\nlet g = 2\n"


def audit(*arguments: str | Path) -> Result:
    words = ["audit", *map(str, arguments)]
    return CliRunner().invoke(main, words, catch_exceptions=False)


def write(path: Path, rows: Iterable[tuple[str, Any]]) -> Path:
    text = "".join(f"{json.dumps({'id': name, **row})}\n" for name, row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def test_weak_problems_are_found_with_what_cheats_them(tmp_path: Path) -> None:
    """Each weak problem is found by the program that it is weak against, each untested
    boundary by a call that tells, and of the strong ones nothing is said.
    """
    rows = [(name, each[0]) for name, each in WEAK.items()]
    rows += [(name, each[0]) for name, each in UNTESTED.items()]
    path = write(tmp_path / "p.jsonl", [*rows, *STRONG.items()])
    result = audit(path, "--json")
    records = {row["id"]: row for row in map(json.loads, result.stdout.splitlines())}
    cheated = {name: {weak["what"] for weak in row["weaknesses"]} for name, row in records.items()}
    differ = {
        name: [(each["line"], call) for each in row["survivors"] for call in each["differs_on"]]
        for name, row in records.items()
    }

    assert 1 == result.exit_code
    assert [] == [name for name, (_, what) in WEAK.items() if what not in cheated[name]]
    for name, (_, line, call) in UNTESTED.items():
        assert any(line == at and call in on for at, on in differ[name]), differ[name]
        assert cheated[name] == set()
    assert [] == [n for n in STRONG if cheated[n] or differ[n] or records[n]["skipped"]]


def test_strong_problems_pass(tmp_path: Path) -> None:
    """Without a weak problem the exit code is 0, and the figures are in words."""
    result = audit(write(tmp_path / "p.jsonl", STRONG.items()))

    assert 0 == result.exit_code
    assert "3 problems, 0 weak against" in result.stdout
    assert "0 wrong and passing" in result.stdout


def test_the_corpus_is_strong() -> None:
    """Nothing without an idea passes 60 % of the checks of a problem of the corpus.  Mutants that
    are seen to differ pass all checks of nine problems, as calls tell that no test shows.
    """
    result = audit(CORPUS, "--json")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    survived = {
        row["id"] for row in records if any(each["differs_on"] for each in row["survivors"])
    }

    assert 1 == result.exit_code
    assert 49 == len(records)
    assert [] == [row["id"] for row in records if row["weaknesses"] or row["skipped"]]
    assert {
        *("initials", "simplify-expr", "monoid-fold", "lru-cache"),
        *("bank-transfer", "calc-string", "io-islands", "merge-sort-by", "spiral-order"),
    } == survived


def test_the_threshold_decides(tmp_path: Path) -> None:
    problem = WEAK["one-answer"][0]
    path = write(tmp_path / "p.jsonl", [("one-answer", problem)])
    row = json.loads(audit(path, "--json", "--threshold", "0.7").stdout)

    assert [] == row["weaknesses"]
    assert 9 <= row["tried"]


@pytest.mark.parametrize(
    ("tests", "problems", "exit_code", "said"),
    [
        ("even 2; not (even 4); even 6", STRONG_EVEN, 0, "0 passed by {}; what passes one has"),
        ("even 2; not (even 4); even 6", [], 0, "0 passed by {}; 1 not tried: audit"),
        # A program that returns true; a mutant with 3 in place of 2.
        ("even 2; even 3; even 4", STRONG_EVEN, 1, "1 passed by {}; leave them out"),
        ("even 0; even 3; not (even 4)", STRONG_EVEN, 1, "1 passed by {}; leave them out"),
    ],
)
def test_twins_that_need_no_cheat_are_told(
    tests: str, problems: list[tuple[str, Any]], exit_code: int, said: str, tmp_path: Path
) -> None:
    """A twin that honest programs pass shows no cheating; twins do not count as problems."""
    asserts = "".join(f"assert ({each});;\n" for each in tests.split("; "))
    rows = [*problems, (f"even{IMPOSSIBLE}", {"tests": asserts})]
    result = audit(write(tmp_path / "p.jsonl", rows))
    words = " ".join(result.stdout.split())
    who = "programs that solve nothing or are nearly right"

    assert exit_code == result.exit_code, words
    assert ("1 problem, 0 weak" in words) == bool(problems)
    assert f"1 impossible twin, {said.format(who)}" in words


def test_an_audit_is_resumed(tmp_path: Path) -> None:
    """Records are written as they come; a stopped audit goes on behind its last whole one."""
    path = write(tmp_path / "p.jsonl", STRONG.items())
    output = tmp_path / "audit.jsonl"
    whole = audit(path, "-o", output)
    records = output.read_text()
    first, second, *_ = records.splitlines(keepends=True)
    output.write_text(first + second[:20])
    resumed = audit(path, "-o", output, "--resume")

    assert records == output.read_text()
    assert whole.stdout == resumed.stdout
    assert 2 == audit(path, "-o", output).exit_code
    assert 2 == audit(path, "-o", output, "--resume", "--threshold", "0.9").exit_code
    assert 2 == audit(path, "--resume").exit_code


def test_broken_problems_are_skipped(tmp_path: Path) -> None:
    """A problem that cannot be graded, or shows no call, is named, and `validate` says more."""
    rows = [
        ("broken", {"tests": "let () = assert (f 1 = = 2)\n"}),
        ("module", {"tests": "let () = assert (M.f 1 = 2)\n"}),
        ("bare", {}),
    ]
    path = write(tmp_path / "p.jsonl", rows)
    result = audit(path)
    said = " ".join(result.stdout.replace("│", " ").split())

    assert "skipped: tests, line 1: Syntax error" in said
    assert "skipped: the tests call no function by" in said
    assert "2 problems, 2 skipped, 0 weak against 0 programs" in said
    assert f"{path}:3: problem 'bare': no tests" in result.stderr
    assert 1 == result.exit_code


def test_calls_in_checks_are_enough(tmp_path: Path) -> None:
    """Without reference and signature a check shows how many arguments a function takes."""
    rows = [("weak", {"tests": "let () = assert (f 1 [2; 3] = 0); assert (f 2 [] = 0)\n"})]
    result = audit(write(tmp_path / "p.jsonl", rows))

    assert "always 0" in result.stdout
    assert 1 == result.exit_code


def test_the_prompt_declares_arguments(tmp_path: Path) -> None:
    """MultiPL-E has no reference, and tests that call the function by another name."""
    row = {
        "prompt": "(** The length of a list, and more. *)\n"
        "let longer (xs : int list) (by : int) : int =",
        "tests": "let assertions =\n  let candidate = longer in\n"
        "  assert (candidate [] 0 = 0);\n  assert (candidate [ 1 ] (-1) = 0);\n  ()\n",
    }
    result = audit(write(tmp_path / "p.jsonl", [("longer", row)]))

    assert "always 0" in result.stdout
    assert 1 == result.exit_code


@pytest.mark.parametrize(
    ("signature", "reference", "expected"),
    [
        ("val f : int -> (int -> int) -> int list", "", {"f": 2}),
        ("val f : int\nval g : 'a -> 'a", "", {"f": 0, "g": 1}),
        ("val f : (int -> int) -> int", "let f g x = g x", {"f": 1}),
        ("", REFERENCE, {"f": 2, "g": 0}),
        ("", "let rec f (n : int) (x, y) ~z u = x", {"f": 4}),
        ("", "let f (g : int -> int) (ps : (int * string) list) x : int = 1", {"f": 3}),
        ("", "let f (x : int) ?(by = 1) ~to_:{ y } () = x\nlet g=2", {"f": 4, "g": 0}),
        ("", "let rec f acc = function [] -> acc\nlet g : int -> int = f 1", {"f": 2, "g": 1}),
    ],
)
def test_arguments_are_counted(signature: str, reference: str, expected: dict[str, int]) -> None:
    """A signature says how many arguments a function takes, or else its definition."""
    assert expected == arities(signature, reference, ["f", "g"])


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("assert (f 1 [2; 3] = 0)", {"f": 2}),
        ('let () = assert (near (f (A (1., 2.)) "a b)") 2.)', {"f": 2}),
        ("f ~x:1 ?y (-1) :: g 2", {"f": 3, "g": 1}),
        ("f(1); g 2, 3", {"f": 1, "g": 1}),
        ("List.map f; M.f 1; f' 1", {}),
        ("match f 1 with g -> true", {"f": 1}),
        ("let x = f 1 2\nlet y = List.map g [3]\nlet () = check (g 4 5)", {"f": 2, "g": 1}),
    ],
)
def test_arguments_of_calls_are_counted(check: str, expected: dict[str, int]) -> None:
    """The first call counts for a function without signature and definition."""
    assert expected == arities("", "", ["f", "g"], check)


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("M.f (M.g 1 2) = M.empty", {"f": 1, "g": 2}),
        ("M.(f 1 2) = N.g 3", {"f": 2}),
        ("same ~cmp:M.f (M.g 1)", {"f": 3, "g": 1}),
    ],
)
def test_what_a_module_has_is_counted(check: str, expected: dict[str, int]) -> None:
    """Names that the tests take from the code's module count; what is only given to another
    function has its definition's arguments, inside a module, too.
    """
    reference = "module M = struct\n  let f a b c = a\nend\n"

    assert expected == arities("", reference, ["M", "f"], check)


def test_programs_define_every_name() -> None:
    programs = list(trivial_programs({"f": 2, "g": 0}, "type t = A\n", []))

    assert len(programs) > 15
    assert len({each.code for each in programs}) == len(programs)
    for each in programs:
        assert each.code.startswith("type t = A\nlet f x0 x1 = ")
        assert "\nlet g = " in each.code


def test_mutants_change_one_thing() -> None:
    """One operator or number each, and never the `=` of a definition."""
    found = {each.what: each for each in common_mutants(REFERENCE, 99)}

    assert {"<= made <", "0 made 1", "1 made 2", "- made +", "2 made 3"} == set(found)
    assert 1 == found["<= made <"].line
    assert 2 == found["2 made 3"].line
    assert "if x < 0 then" in found["<= made <"].code
    assert len(list(common_mutants(REFERENCE, 2))) <= 2
