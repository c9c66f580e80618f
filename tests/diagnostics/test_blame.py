"""Where the mistake in code that does not type may be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from ocaml_reward import Breakdown, Completion, Grader, Problem
from ocaml_reward.diagnostics.blame import weighed
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.record import breakdown_from_dict, breakdown_to_dict

PROBLEM = Problem(id="f", tests="let () = assert (f 1 = 1)")


@pytest.fixture(scope="module", params=["warm", "stock"])
def grader(request: pytest.FixtureRequest) -> Iterator[Grader]:
    """Grade with regions in each engine."""
    made = Grader("concise", engine=engine(request.param), jobs=1, regions=True)
    with made:
        yield made


def graded(grader: Grader, code: str) -> Breakdown:
    """Grade code."""
    return grader.grade(PROBLEM, Completion(text=code))


def suspects(code: str, breakdown: Breakdown) -> list[str]:
    """Return what stands at the places, each in one line."""
    lines = code.split("\n")
    return [
        lines[place.line - 1][place.column : place.end_column]
        for place in breakdown.blame or ()
        if place.line == place.end_line
    ]


@pytest.mark.parametrize(
    ("code", "mistake"),
    [
        ("let f x =\n  x +. 1", "1"),
        ("let rec f l = match l with\n  | [] -> []\n  | h :: t -> h + f t", "[]"),
        ('let f x = if x then 1 else "no"', '"no"'),
        ("let f x = List.map [ x ] (fun y -> y + 1)", "[ x ]"),
    ],
)
def test_the_mistake_is_among_the_first_three(grader: Grader, code: str, mistake: str) -> None:
    """The place that has to change is told, not only where the types clash."""
    assert mistake in suspects(code, graded(grader, code))[:3]


def test_weights_of_one_error_sum_to_one(grader: Grader) -> None:
    """Each weight is a share, the most likely place comes first, and ten are told at most."""
    found = graded(grader, "let f x =\n  let y = x +. 1 in\n  y / 2").blame or ()
    two = graded(grader, 'let f x = x + "a"\nlet g x = x ^ 1').blame or ()

    assert 1 <= len(found) <= 10
    assert all(0 <= place.weight <= 1 for place in found)
    assert len({place.line for place in two}) == 2


def test_code_that_types_has_no_blame(grader: Grader) -> None:
    assert graded(grader, "let f x = x").blame is None
    assert graded(grader, "let f x = (").blame is None


def test_it_is_in_the_record(grader: Grader) -> None:
    breakdown = graded(grader, "let f x =\n  x +. 1")
    record = breakdown_to_dict(breakdown)

    assert record["blame"][0].keys() == {
        "line",
        "column",
        "end_line",
        "end_column",
        "weight",
    }
    assert breakdown.blame == breakdown_from_dict(record).blame


def test_there_is_an_end_to_the_search(grader: Grader) -> None:
    """A long definition is searched as far as the work goes, and still counted."""
    body = " + ".join(f"(g {n} + {n})" for n in range(3000))
    breakdown = graded(grader, f'let g x = x\nlet f x = {body} + "a"')

    assert 1 == breakdown.type_errors
    assert breakdown.blame


def test_diagnostics_of_a_file_of_code(tmp_path: Path) -> None:
    """The command shows all errors of a program, and where the mistake may be."""
    path = tmp_path / "half.ml"
    path.write_text('let half x =\n  let y = x +. 1 in\n  "a" ^ 2\n', encoding="utf-8")
    shown = CliRunner().invoke(main, ["diagnostics", str(path), "--table"])
    told = CliRunner().invoke(main, ["diagnostics", str(path), "--json"])
    *found, last = [json.loads(line) for line in told.stdout.splitlines()]

    assert 0 == shown.exit_code == told.exit_code
    assert "where the mistake may be" in shown.stdout
    assert [2, 3] == [each["line"] for each in found]
    assert (2, 15) == (last["blame"][0]["line"], last["blame"][0]["column"])


def test_weights_halve_and_errors_share_the_places() -> None:
    """Of one error ten places are told at most; of two errors five each, those of the first
    before those of the second of equal rank.
    """
    first = "\n".join(f"{n} {n + 1}" for n in range(12))
    one = weighed(first)
    two = weighed(f"{first}\n\n20 21")

    assert list(range(10)) == [each.start for each in one]
    assert pytest.approx(1, abs=0.001) == sum(each.weight for each in one)
    assert pytest.approx(2, abs=0.001) == one[0].weight / one[1].weight
    assert [0, 1, 2, 3, 20, 4] == [each.start for each in two]
    assert 1 == two[4].weight


@pytest.mark.parametrize("text", ["x", "1\t2", "1 2 3"])
def test_other_text_is_refused(text: str) -> None:
    """What is not as the engine writes it raises ValueError."""
    with pytest.raises(ValueError, match=r"unpack|invalid literal"):
        weighed(text)
