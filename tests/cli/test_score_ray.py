"""`score --ray` before there is a cluster; clusters are in tests/adapters/with_ray.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ocaml_reward.ray_grader import unlike
from tests.cli.conftest import Invoke


def test_without_ray_it_says_what_to_install(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    source = tmp_path / "completions.jsonl"
    source.write_text('{"problem_id": "a", "completion": "", "tests": "assert true"}\n')
    done = invoke("score", source, "--ray", "auto", "-o", tmp_path / "out.jsonl")

    assert 3 == done.exit_code
    assert "pip install 'ocaml-reward[ray]'" in done.output
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(
    "beside",
    [["--jobs", "2"], ["--processes", "2"], ["--engine", "http://a:8700"]],
    ids=lambda words: words[0],
)
def test_a_cluster_knows_where_to_grade(beside: list[str], invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("score", tmp_path / "none.jsonl", "--ray", "auto", *beside)

    assert 2 == done.exit_code
    assert "--ray excludes" in done.output


def test_nodes_that_differ_are_said_by_kind() -> None:
    """Nodes that failed come first with their reasons, then those of each kind."""
    new, old = ("1", "warm", "nsjail", "5.3"), ("1", "warm", "nsjail", "4.13")
    said = unlike({"a": "no OCaml"}, {"d": new, "c": old, "b": old})

    assert said.endswith("a: no OCaml; d: 1, warm, nsjail, 5.3; b, c: 1, warm, nsjail, 4.13")
