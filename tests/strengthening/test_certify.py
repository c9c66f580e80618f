"""`certify`: right and wrong answers of all kinds are tried, and what passes wrongly is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from ocaml_reward import Problem
from ocaml_reward.engine import Engine
from ocaml_reward.engine.prepare.interfaces import rewrites_of
from problem_sets.certifying import Examiner, certificate, fixed

from .weak import problem

REFERENCE = """let rec sum acc = function
  | [] -> acc
  | x :: rest when x > 0 && x < 9 -> sum (acc + x) rest
  | _ :: rest -> sum acc rest
let total xs = if xs = [] then 0 else sum 0 (List.map (fun x -> x) xs)
let other ys = List.length (ys @ ys)
"""
WEAK = problem(
    "val total : int list -> int\nval other : int list -> int",
    REFERENCE,
    *("total [1; 2] = 3", "total [] = 0", "other [1; 2] = 4"),
)


def certify(*arguments: str | Path) -> Result:
    words = ["certify", *map(str, arguments)]
    return CliRunner().invoke(main, words, catch_exceptions=False)


def row(made: Problem, **more: Any) -> dict[str, Any]:
    return {
        "id": made.id,
        "prompt": made.prompt,
        "tests": made.tests,
        "signature": made.signature,
        "reference": made.reference,
        **more,
    }


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")
    return path


def test_a_reference_in_other_words_passes(engine: Engine) -> None:
    """Each rewrite is another text, types, and passes what the reference passes."""
    found = rewrites_of(REFERENCE)
    examined = Examiner(engine).examine(WEAK, empty=False)

    assert {
        "printed anew", "variables renamed", "conditions as matches", "conditions for operators",
        "functions as matches", "other functions of the library", "loops inside",
        "functions exchanged",
    } == set(found)  # fmt: skip
    assert len(found) == len(set(found.values()))
    assert 1 + len(found) == len(examined.right)
    assert all(each.passes for each in examined.right)


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("open Float\nlet f x = List.rev x\n", "other functions of the library"),
        ("module List = struct let rev x = x end\nlet f x = List.rev x\n", "other functions"),
        ("let f x = x\nlet g x = f x\n", "functions exchanged"),
        ("let x = 1\nlet f y = x + y\n", "loops inside"),
        ("let f x = = x\n", "printed anew"),
    ],
)
def test_what_might_change_a_meaning_is_not_rewritten(code: str, absent: str) -> None:
    assert not any(each.startswith(absent) for each in rewrites_of(code))


def test_wrong_answers_that_pass_are_told(engine: Engine) -> None:
    """Mutants count where a call tells them apart, stubs and cheats where they pass."""
    found = certificate(Examiner(engine).examine(WEAK))

    assert found.right.passed == found.right.tried > 1
    assert found.near.tried > found.near.passed > 0
    assert found.empty.tried > 20
    assert found.j is not None
    assert 0 < found.j < 1
    assert all(each.tells for each in found.paid if each.kind in {"mutant", "blind"})
    assert found.partial_credit is not None


def test_a_cheat_that_passes_is_paid(engine: Engine) -> None:
    weak = problem("val f : int -> int", "let f x = x\n", "f 0 = 0", "f 1 = 1")
    found = certificate(Examiner(engine).examine(weak))

    assert {"argument 1 given back", "casts what it is given"} == {
        each.what for each in found.paid if each.kind in {"identity", "cheat"}
    }
    assert found.worst.share


def test_types_may_have_names_of_the_library(engine: Engine) -> None:
    """(sauravbhattacharya001/Ocaml-sample-code)"""
    own = problem(
        "",
        "type result = Win | Loss of int\nlet f n = if n > 2 then Win else Loss n\n",
        *("f 1 = Loss 1", "f 3 = Win"),
    )
    found = Examiner(engine).examine(own, search=True)

    assert found.search is not None
    assert any("= Win" in each.said for each in found.search.candidates)


def test_answers_of_a_person_count(engine: Engine) -> None:
    right = "let total xs = List.fold_left (fun a x -> if x > 0 && x < 9 then a + x else a) 0 xs\n"
    right += "let other ys = 2 * List.length ys\n"
    wrong = "let total = List.fold_left ( + ) 0\nlet other ys = 2 * List.length ys\n"
    found = certificate(
        Examiner(engine).examine(WEAK, right=[right, wrong], wrong=[wrong, "let x = 1\n"])
    )

    assert (1, 2) == (found.given.passed, found.given.tried)
    assert 10 <= found.right.tried


def test_without_a_reference_nothing_is_known_of_right_answers(engine: Engine) -> None:
    bare = Problem(id="bare", tests="let () = assert (f 1 = 1)\nlet () = assert (f 2 = 1)\n")
    found = certificate(Examiner(engine).examine(bare))

    assert found.j is None
    assert "no reference" == found.skipped
    assert "always 1" in {each.what for each in found.paid}


def test_a_reference_that_fails_is_lost(engine: Engine) -> None:
    broken = problem("val f : int -> int", "let f x = x\n", "f 0 = 1", "f 1 = 1")
    found = certificate(Examiner(engine).examine(broken))

    assert found.lost[0] == "reference"
    assert 0 == found.true_positive_rate
    assert "does not pass its own tests" in found.skipped


def test_added_checks_catch_answers_that_chose_none(engine: Engine) -> None:
    """Of the mutants that pass, most are caught by checks that the others chose; right answers
    pass, and both problem and answers are the same again for the same call.
    """
    examined = Examiner(engine).examine(WEAK, search=True)
    mended, after = fixed(examined)
    again, _ = fixed(Examiner(engine).examine(WEAK, search=True))

    assert mended.problem == again.problem
    assert mended.unseen >= mended.unseen_caught > mended.unseen / 2
    assert all(each.passes for each in after.right)
    assert not any(each.passes for each in after.near)
    found = Examiner(engine).examine(mended.problem, empty=False)
    assert all(each.passes for each in found.right)


def test_a_set_is_certified_and_goes_on_after_a_stop(tmp_path: Path) -> None:
    """The file's records are those of the problems, of which a repeated one is told."""
    path = write(tmp_path / "p.jsonl", row(WEAK), row(WEAK, id="again"))
    output = tmp_path / "p.certificate.jsonl"
    first = certify(path, "-o", output, "--json")
    data = json.loads(first.stdout)
    lines = output.read_text(encoding="utf-8").splitlines(keepends=True)
    output.write_text(lines[0] + lines[1][:40], encoding="utf-8")
    resumed = certify(path, "-o", output, "--resume", "--json")

    assert 1 == first.exit_code
    assert data == json.loads(resumed.stdout)
    assert "".join(lines) == output.read_text(encoding="utf-8")
    assert ["weak", "again"] == [each["id"] for each in data["certificates"]]
    assert "weak" == data["certificates"][1]["repeats"]
    assert any("repeat another problem (again)" in each for each in data["meaning"])
    assert any("pay wrong answers (weak, again)" in each for each in data["meaning"])


def test_what_was_certified_is_lost_for_no_mistake(tmp_path: Path) -> None:
    """A certificate is there until all that another needs has been read."""
    path = write(tmp_path / "p.jsonl", row(WEAK))
    output = tmp_path / "p.certificate.jsonl"
    output.write_text("known\n", encoding="utf-8")
    again = certify(path, "-o", output, "--overwrite", "--wrong", tmp_path / "none.jsonl")

    assert 2 == certify(path, "-o", output).exit_code
    assert 2 == again.exit_code
    assert "known\n" == output.read_text(encoding="utf-8")
    certify(path, "-o", output, "--overwrite")
    assert "weak" == json.loads(output.read_text(encoding="utf-8"))["id"]


def test_a_set_is_mended(tmp_path: Path) -> None:
    """The new file has more checks, and its tests a higher J with other draws; the page has all."""
    path = write(tmp_path / "p.jsonl", row(WEAK))
    mended, page = tmp_path / "fixed.jsonl", tmp_path / "c.html"
    first = certify(path, "--fix", mended, "--page", page)
    before = json.loads(certify(path, "--json").stdout)
    after = json.loads(certify(mended, "--seed", "5", "--json").stdout)
    text = page.read_text(encoding="utf-8")

    assert "checks added: J 1.000 of the same answers" in " ".join(first.stdout.split())
    assert before["j"] < after["j"]
    assert "passes though wrong" in text
    assert "<script" not in text
    assert 2 == certify(path, "--fix", mended).exit_code


def test_a_page_shows_no_text_as_html(tmp_path: Path) -> None:
    made = row(WEAK, id="<b>", reference=f"(* </pre><script>x</script> *)\n{REFERENCE}")
    page = tmp_path / "c.html"
    certify(write(tmp_path / "p.jsonl", made), "--page", page)
    text = page.read_text(encoding="utf-8")

    assert "<b>" not in text.replace('<b class="', "")
    assert "<script" not in text
    assert "&lt;script" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--resume"], "--resume needs a file"),
        (["--resume", "-o", "x", "--fix", "y"], "--fix needs all problems"),
        (["--wrong", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_what_does_not_go_is_one_line(arguments: list[str], said: str, tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", row(WEAK))
    result = certify(path, *arguments)

    assert 2 == result.exit_code
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_no_check_is_added_twice(engine: Engine) -> None:
    """What the tests have already would count twice, whatever its line breaks."""
    tests = "let () = assert (twice 4 = 8); assert (twice 0\n  = 0); assert (twice 1 = 2)\n"
    own = Problem(id="twice", prompt="Double it.", tests=tests, reference="let twice n = 2 * n\n")

    found = Examiner(engine).examine(own, search=True)

    assert found.search is not None
    checks = {each.check for each in found.search.candidates}
    assert any(each.startswith("twice ") for each in checks)
    assert checks.isdisjoint({"twice 4 = 8", "twice 0 = 0", "twice 1 = 2"})
