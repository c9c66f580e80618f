"""Certificates: rates, J and its interval; what lies beside a file is found by its problems."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward import FormatError, Problem
from ocaml_reward.comparing.certificate import (
    Certificate,
    Rate,
    beside,
    certificate_line,
    certified,
    digest_of,
    read_certificates,
)

NONE = Rate(passed=0, tried=0)
PROBLEM = Problem(id="a", tests="let () = assert (f 1 = 2)\n", reference="let f x = x + 1\n")


def made(right: Rate, near: Rate, empty: Rate = NONE, given: Rate = NONE) -> Certificate:
    return Certificate(
        id=PROBLEM.id,
        digest=digest_of(PROBLEM),
        tool="0",
        seed=0,
        right=right,
        near=near,
        empty=empty,
        given=given,
    )


def test_the_kind_that_passes_most_counts() -> None:
    """Many wrong answers that are easily caught do not hide the others."""
    found = made(Rate(passed=9, tried=10), Rate(passed=1, tried=4), Rate(passed=0, tried=96))

    assert 0.9 == found.true_positive_rate
    assert 0.25 == found.false_positive_rate
    assert pytest.approx(0.65) == found.j


def test_intervals_are_those_of_the_tables() -> None:
    """Newcombe's method 10 for 56/70 and 48/80: 0.0524 to 0.3339 (Newcombe, 1998, table II, a)."""
    found = made(Rate(passed=56, tried=70), Rate(passed=48, tried=80))
    interval = found.interval

    assert interval is not None
    assert (0.0524, 0.3339) == pytest.approx(interval, abs=1e-4)
    low, high = Rate(passed=0, tried=10).interval
    assert 0 == low
    assert pytest.approx(0.2775, abs=1e-4) == high


def test_without_right_or_wrong_answers_there_is_no_j() -> None:
    assert made(NONE, Rate(passed=1, tried=2)).j is None
    assert made(Rate(passed=1, tried=1), NONE).interval is None


def test_a_certificate_is_found_beside_its_problems(tmp_path: Path) -> None:
    """It belongs to what the problem is, not to its id; an incomplete last line is left out."""
    path = tmp_path / "p.jsonl"
    first = made(Rate(passed=2, tried=2), Rate(passed=1, tried=2))
    lines = [json.dumps(first.to_record()), json.dumps(replace(first, digest="0").to_record())]
    assert certificate_line(path, [PROBLEM]) is None
    beside(path).write_text(f"{lines[0]}\n{lines[1]}\n{lines[0][:30]}", encoding="utf-8")

    assert tmp_path / "p.certificate.jsonl" == beside(path)
    assert [first] == certified(path, [replace(PROBLEM, id="b")])
    assert [] == certified(path, [replace(PROBLEM, tests="assert (f 1 = 2);;\n")])
    assert "certificate: J 0.500 of 1 of 1 problems, by p.certificate.jsonl" == certificate_line(
        path, [PROBLEM]
    )
    beside(path).write_text("{}\n{}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"p\.certificate\.jsonl:1: no certificate"):
        read_certificates(beside(path))
