"""Prepared tests are kept on disk, and are the same the next time."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward.engine import BUDGET, CheckRequest, Engine, PreparedTests
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.formats.problems import load_problems
from ocaml_reward.model import Outcome, Problem
from ocaml_reward.sandbox import cache_root

ROOT = Path(__file__).parents[2]
PROBLEM = Problem(
    id="sum",
    tests="let () = assert (sum [1; 2] = 3); assert (sum [] = 0)",
    reference="let sum = List.fold_left ( + ) 0",
)


class Untouched(Exception):
    """Tests were prepared that should have been found."""


@pytest.fixture(params=["warm", "stock"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Name an engine whose helpers are those of this machine, and its cache empty."""
    built = cache_root()
    own = tmp_path / "cache"
    own.mkdir()
    for folder in ("engine", "runner", "rootfs", "nsjail"):
        if (built / folder).exists():
            (own / folder).symlink_to(built / folder)
    monkeypatch.setattr(
        "ocaml_reward.engine.prepare.prepared_cache.cache_root", lambda: own, raising=True
    )
    name: str = request.param
    return name


def fresh(kind: str) -> Engine:
    """Make an engine as another process would."""
    return engine(kind, cached=True)


def forbid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be prepared any more."""

    def refuse(*_: object, **__: object) -> PreparedTests:
        raise Untouched

    for name in ("warm", "stock"):
        monkeypatch.setattr(f"ocaml_reward.engine.engines.{name}.prepare_tests", refuse)


def kept(folder: Path) -> list[Path]:
    """List the files of the cache."""
    return [path for path in (folder / "cache" / "prepared").rglob("*") if path.is_file()]  # fmt: skip


def test_the_corpus_comes_back_as_it_was(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a second run finds is equal to what the first one prepared, costs and all."""
    corpus = load_problems(ROOT / "test_corpus" / "problems.jsonl").problems
    problems = list(corpus.values())[:: 1 if kind == "warm" else 8]
    with closing(fresh(kind)) as first:
        before = [first.prepare(problem) for problem in problems]
    forbid(monkeypatch)
    with closing(fresh(kind)) as second:
        after = [second.prepare(problem) for problem in problems]

    assert before == after
    assert [each.costs for each in before] == [each.costs for each in after]
    for one, other in zip(before, after, strict=True):
        assert (one.outside is None) == (other.outside is None)
        if one.outside and other.outside:
            assert one.outside.formulas == other.outside.formulas
            assert one.outside.expected == other.outside.expected
            assert one.outside.reference_expected == other.outside.reference_expected


def test_what_decides_about_it_is_in_its_key(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem is prepared anew where anything has changed but its name, and what it says of code."""
    with closing(fresh(kind)) as running:
        running.prepare(PROBLEM)
        forbid(monkeypatch)
        running.prepare(replace(PROBLEM, id="another name"))
        running.prepare(replace(PROBLEM, forbidden=("for",), required=("Sums",)))
        for changed in (
            replace(PROBLEM, tests=f"{PROBLEM.tests}\n"),
            replace(PROBLEM, prompt="let sum xs ="),
            replace(PROBLEM, reference=None),
            replace(PROBLEM, signature="val sum : int list -> int"),
            replace(PROBLEM, libraries=("unix",)),
        ):
            with pytest.raises(Untouched):
                running.prepare(changed)
        with pytest.raises(Untouched):
            running.prepare(PROBLEM, replace(BUDGET, memory_mb=64))


@pytest.mark.parametrize("harm", ["cut", "empty", "changed", "nonsense"])
def test_what_is_broken_is_prepared_again(
    kind: str, harm: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A damaged file is never believed, and a sound one takes its place."""
    with closing(fresh(kind)) as running:
        before = running.prepare(PROBLEM)
        (path,) = kept(tmp_path)
        whole = path.read_bytes()
        path.write_bytes(
            {
                "cut": whole[:-9],
                "empty": b"",
                "changed": whole[:32] + whole[32:].replace(whole[40:41], b"\0"),
                "nonsense": b"\0" * 99,
            }[harm]
        )

        assert before == running.prepare(PROBLEM)
        forbid(monkeypatch)
        assert before == running.prepare(PROBLEM)


def test_a_reference_that_fails_is_tried_again(kind: str, tmp_path: Path) -> None:
    """What may have been a bad moment is not kept."""
    with closing(fresh(kind)) as running:
        running.prepare(replace(PROBLEM, reference="let sum _ = 3"))

    assert [] == kept(tmp_path)


def test_a_folder_that_cannot_be_written_costs_nothing_else(kind: str, tmp_path: Path) -> None:
    """Without a cache everything is prepared as ever."""
    (tmp_path / "cache" / "prepared").write_text("no folder")
    with closing(fresh(kind)) as running:
        tests = running.prepare(PROBLEM)
        report = running.check(CheckRequest(code="let sum _ = 3", tests=tests))

    assert [Outcome.PASSED, Outcome.FAILED] == [each.outcome for each in report.results]


def test_nobody_else_may_read_the_answers(kind: str, tmp_path: Path) -> None:
    """They lie in a folder that is shut to other users, as the jail's is."""
    with closing(fresh(kind)) as running:
        running.prepare(PROBLEM)

    assert kept(tmp_path)
    assert 0o700 == (tmp_path / "cache" / "prepared").stat().st_mode & 0o777
