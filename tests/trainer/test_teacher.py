"""The measure of blame: what can be told without a pretrained model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch

from experiments.teacher.__main__ import rows
from experiments.teacher.contexts import CODE, CONTROL, MEANINGS, contexts
from experiments.teacher.figures import area, is_first
from experiments.teacher.planted import KINDS, Planted, lexemes, planted
from experiments.teacher.reading import Reader
from experiments.teacher.report import Row, report

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def programs() -> list[Planted]:
    """Plant mistakes of both kinds in turn, the same ones each time."""
    return list(planted(6))


def test_each_program_has_its_mistake_where_it_is_said(programs: list[Planted]) -> None:
    assert [*KINDS] * 3 == [each.kind for each in programs]
    for each in programs:
        before, after = each.code[: each.start], each.code[each.stop :]
        reference = (each.problem.reference or "").rstrip()
        assert reference != each.code
        assert reference.startswith(before)
        assert reference.endswith(after)
        assert KINDS[each.kind] is each.breakdown.verdict


def test_contexts_differ_in_what_they_are_to(programs: list[Planted]) -> None:
    """A message alone has no place, and a place no code; the control is another program's."""
    one, other = programs[0], programs[2]
    shown = contexts(one, other, question="The question.")
    message = one.breakdown.diagnostics[0].message.splitlines()[0]

    assert shown.keys() | contexts(programs[1], programs[3], question="").keys() == MEANINGS.keys()
    assert all(each.startswith("The question.") for each in shown.values())
    assert message in shown["message alone"]
    assert not re.search(r"line \d|\^|likely", shown["message alone"])
    assert "line " in shown["places alone"]
    assert not CODE.search(shown["places alone"])
    assert CODE.search(shown["located"])
    assert len(shown["verdict"]) < len(shown["compiler"]) < len(shown["located"])
    assert message not in shown[CONTROL]
    assert (one.problem.reference or "") in shown["solution"]
    assert "feedback" not in shown["solution"]


@pytest.mark.parametrize(
    ("code", "span", "expected"),
    [
        ("let f x = x +. 1", (13, 14), "+."),
        ("List.revs xs", (8, 9), "List.revs"),
        ("a (b) c", (3, 4), "b"),
        ("a  b", (1, 2), " "),
    ],
)
def test_a_mistake_is_whole_words(code: str, span: tuple[int, int], expected: str) -> None:
    start, stop = lexemes(code, *span)
    assert expected == code[start:stop]


def test_the_area_is_how_often_a_token_of_the_mistake_comes_first() -> None:
    wrong = [False, True, False, True]

    assert 1.0 == area([0.0, 2.0, 1.0, 3.0], wrong)
    assert 0.0 == area([2.0, 0.0, 3.0, 1.0], wrong)
    assert 0.5 == area([1.0] * 4, wrong)
    assert 0.75 == area([0.0, 1.0, 2.0, 3.0], wrong)
    assert is_first([0.0, 1.0, 2.0, 3.0], wrong)
    assert not is_first([0.0, 1.0, 4.0, 3.0], wrong)


def test_reading_together_is_reading_alone(tiny_model: Path) -> None:
    """What questions have in common is read once, and changes nothing."""
    reader = Reader(tiny_model)
    ids = reader.tokenizer("let f x = x + 1")["input_ids"]
    questions = ["Write f.", "Write f. It fails.", "Another"]
    together = reader.read(questions, ids)

    for each in questions:
        alone = reader.read([each], ids)[each]
        assert (len(ids), len(reader.tokenizer)) == alone.shape
        assert torch.allclose(together[each], alone, atol=0.02)
        assert torch.allclose(alone.exp().sum(dim=1), torch.ones(len(ids)), atol=1e-3)
    assert not torch.allclose(together[questions[0]], together[questions[1]], atol=1e-4)


def made(kind: str, blamed: list[float]) -> Row:
    """Make a row of a program of four tokens, whose third is the mistake."""
    names = [each for each in MEANINGS if each != "true place"]
    teacher = [-1.0 - each for each in blamed]
    return {
        "id": "p",
        "kind": kind,
        "wrong": [False, False, True, False],
        "logps": {"": [-1.0] * 4} | dict.fromkeys(names, teacher) | {CONTROL: [-1.0] * 4},
        "divergence": dict.fromkeys(names, 0.25),
    }


def test_the_report_says_where_blame_falls() -> None:
    """The right token blamed has 1, praised 0; beside another program's feedback, which does
    nothing.
    """
    right, wrong = [0.0, 0.0, 3.0, 0.0], [0.0, 0.0, -3.0, 0.0]
    text = report([made("types", right), made("types", right), made("tests", wrong)])
    ill_typed, wrong_results = text.split("## Wrong results")

    assert "2 programs, 8 tokens, 2 of them in the mistake." in ill_typed
    assert "| located | 1.000 | +0.500 | 1.000 | 0.250 |" in ill_typed
    assert f"| {CONTROL} | 0.500 |  | 0.000 | 0.250 |" in ill_typed
    assert "| located | 0.000 | -0.500 | 0.000 | 0.250 |" in wrong_results


def test_a_row_that_was_cut_off_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1}\n{"id": 2}\n{"id"', encoding="utf-8")

    assert [{"id": 1}, {"id": 2}] == rows(path)
    assert '{"id": 1}\n{"id": 2}\n' == path.read_text(encoding="utf-8")
