"""Schemes: what ships, what a file may say, and what is refused."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from ocaml_reward.engine import BUDGET
from ocaml_reward.errors import SchemeError
from ocaml_reward.model import Budget, Credits
from ocaml_reward.scheme import TypeInput, load, shipped, to_toml, with_overrides


def test_six_schemes_ship() -> None:
    assert (
        "capped",
        "concise",
        "curriculum",
        "decisive",
        "letter",
        "seed",
    ) == shipped()


def test_seed_holds_the_constants_of_the_seeds() -> None:
    seed = load("seed")

    assert Credits(structural=0.05, type=0.2, compile=0.1, tests=0.65) == seed.available
    assert "(* END *)" == seed.end_marker
    assert 8 == seed.penalties.min_lines
    assert 0.3 == seed.penalties.runaway.factor
    assert 0.3 == seed.penalties.degenerate.factor
    assert (0.05, 0.03) == (seed.shaping.improvement, seed.shaping.clean_compile)
    assert not seed.shaping.enabled


def test_an_engine_without_a_scheme_has_the_limits_of_seed() -> None:
    assert load("seed").budget == BUDGET == Budget()


@pytest.mark.parametrize(
    ("errors", "share"),
    [(0, 1), (1, 0.8), (2, 0.6), (5, 0.16), (9, 0.06), (10, 0.04), (999, 0.04)],
)
def test_the_last_rung_holds_for_all_beyond(errors: int, share: float) -> None:
    """The type ladder is read at the number of errors, its last rung for more."""
    assert share == load("seed").type.rung(errors)


def test_a_scheme_chooses_what_the_type_ladder_reads(tmp_path: Path) -> None:
    """The choice is part of a scheme and of its digest; a file from before it reads errors."""
    seed = load("seed")
    finer = with_overrides(seed, ["type.input=typed_fraction"])
    new, old = tmp_path / "new.toml", tmp_path / "old.toml"
    new.write_text(to_toml(finer))
    old.write_text(re.sub("(?m)^input = .*\n", "", to_toml(seed)))

    assert TypeInput.TYPED_FRACTION is finer.type.input
    assert finer.digest() == load(new).digest()
    assert seed.digest() != finer.digest()
    assert seed.digest() == load(old).digest()
    assert seed.digest().startswith("b46755cf")
    with pytest.raises(SchemeError, match="errors, typed_fraction"):
        with_overrides(seed, ["type.input=holes"])


def test_a_short_right_answer_loses_in_letter_alone() -> None:
    """What the documents say of short answers is asked of right ones in no other scheme."""
    asked = {name for name in shipped() if load(name).penalties.min_lines_if_passed}

    assert {"letter"} == asked
    assert load("letter") == with_overrides(
        dataclasses.replace(load("seed"), name="letter"), ["min_lines_if_passed=true"]
    )


def test_a_scheme_from_before_idle_programs_takes_nothing_from_them(
    tmp_path: Path,
) -> None:
    """A file without the table loads, with the digest of one that turns it off."""
    seed = load("letter")
    old = tmp_path / "old.toml"
    old.write_text(re.sub(r"\[idle\]\n.*\n", "", to_toml(seed)))

    assert 0.1 == seed.penalties.idle.factor
    assert 1 == load(old).penalties.idle.factor
    assert load(old).digest().startswith("87a28281")
    assert load(old).digest() == with_overrides(seed, ["idle.factor=1"]).digest()


def test_a_scheme_from_before_a_solved_problem_paid_is_as_it_was(
    tmp_path: Path,
) -> None:
    """A file without the key reads as one that pays nothing for it, with the same digest; so
    do those of the shipped schemes from before there was the key.
    """
    old = tmp_path / "old.toml"
    old.write_text(re.sub("(?m)^solved = .*\n", "", to_toml(load("curriculum"))))
    labels = {load(name).label for name in ("capped", "concise", "curriculum", "seed")}

    assert "solved" not in old.read_text()
    assert 0 == load(old).available.solved
    assert load("curriculum").digest() == load(old).digest()
    assert labels == {
        "capped@5c267a6d", "concise@8e19d1af", "curriculum@f7d89f6b", "seed@b46755cf",
    }  # fmt: skip


def test_a_scheme_may_pay_for_a_solved_problem() -> None:
    """What it pays counts in the digest and in the sum of the parts, also of a phase."""
    seed, decisive = load("seed"), load("decisive")
    moved = with_overrides(seed, ["available.tests=0.6", "available.solved=0.05"])

    assert 0.8 == decisive.available.solved
    assert ("structural", "type", "compile", "tests") == seed.parts
    assert (*seed.parts, "solved") == decisive.parts == moved.parts
    assert [0.2] * 4 == pytest.approx(
        [getattr(decisive.available, p) / getattr(seed.available, p) for p in seed.parts]
    )
    assert 3 == len({each.digest() for each in (seed, decisive, moved)})
    with pytest.raises(SchemeError, match=r"available: must sum to 1, .* to 1\.05"):
        with_overrides(seed, ["available.solved=0.05"])


def test_the_others_differ_from_seed_where_they_say() -> None:
    """The scheme capped adds a cap; concise moves the marker's share to the tests."""
    seed = load("seed")
    concise = load("concise")

    assert 0.05 == load("capped").penalties.runaway.cap
    assert concise.end_marker is None
    assert 1 == concise.penalties.min_lines
    assert (0.0, 0.7) == (concise.available.structural, concise.available.tests)
    assert seed.available == load("curriculum").available
    assert seed.budget == concise.budget


class TestDigest:
    """Every number that shapes reward lives in one frozen scheme with a digest."""

    def test_it_is_stable(self) -> None:
        """The same numbers give the same digest in every process and release."""
        expected = "seed@b46755cf"

        assert expected == load("seed").label
        assert 64 == len(load("seed").digest())

    def test_every_number_counts_but_the_name(self) -> None:
        """Changing a single number changes the digest; renaming does not."""
        seed = load("seed")
        budget = dataclasses.replace(seed.budget, check_cpu_s=2.5)
        slower = dataclasses.replace(seed, budget=budget)

        assert seed.digest() == dataclasses.replace(seed, name="mine").digest()
        assert seed.digest() != slower.digest()
        assert 6 == len({load(name).digest() for name in shipped()})

    def test_whole_numbers_and_floats_are_one(self) -> None:
        """`cap = 1` and `cap = 1.0` are the same scheme."""
        assert load("seed").label == with_overrides(load("seed"), ["runaway.cap=1"]).label


class TestCurriculum:
    """The three phases of the seeds' option A, by training epoch."""

    @pytest.mark.parametrize(
        ("epoch", "tests"),
        [(0, 0.2), (0.49, 0.2), (0.5, 0.5), (0.99, 0.5), (1, 0.65), (7, 0.65)],
    )
    def test_weights_jump_at_the_epochs(self, epoch: float, tests: float) -> None:
        """A phase holds until its epoch, after the last one the scheme's own weights."""
        assert tests == load("curriculum").at_epoch(epoch).available.tests

    @pytest.mark.parametrize(
        ("epoch", "tests"),
        [(0, 0.2), (0.25, 0.35), (0.5, 0.5), (0.75, 0.575), (1, 0.65)],
    )
    def test_weights_can_blend(self, epoch: float, tests: float) -> None:
        """Blended, they move in straight lines and still sum to 1."""
        available = load("curriculum").at_epoch(epoch, blend=True).available

        assert tests == pytest.approx(available.tests)
        assert 1 == pytest.approx(available.total)

    def test_each_phase_has_a_digest_of_its_own(self) -> None:
        """A record of training tells the phases apart."""
        scheme = load("curriculum")

        assert 3 == len({scheme.at_epoch(epoch).digest() for epoch in (0, 0.7, 2)})
        assert load("seed").digest() == scheme.at_epoch(2).digest()

    def test_other_schemes_do_not_change(self) -> None:
        """Without phases every epoch is the same."""
        assert load("seed") == load("seed").at_epoch(0.2, blend=True)


@pytest.mark.parametrize("name", shipped())
def test_a_scheme_survives_its_toml(name: str, tmp_path: Path) -> None:
    """What `scheme show` writes loads back to the same scheme."""
    file = tmp_path / "back.toml"
    file.write_text(to_toml(load(name)))

    assert load(name) == load(file)


def test_a_file_may_extend_another(tmp_path: Path) -> None:
    """A user's file names only what it changes, and extends files beside it too."""
    (tmp_path / "base.toml").write_text('extends = "concise"\nmin_lines = 3\n')
    (tmp_path / "mine.toml").write_text('extends = "base.toml"\n[runaway]\ncap = 0.1\n')
    mine = load(tmp_path / "mine.toml")

    assert "mine" == mine.name
    assert 3 == mine.penalties.min_lines
    assert (0.3, 0.1) == (mine.penalties.runaway.factor, mine.penalties.runaway.cap)


def test_a_marker_survives_any_quoting(tmp_path: Path) -> None:
    """Quotes, backslashes and letters beyond ASCII in the marker are written correctly."""
    marker = '(* "END" \\ ✓ \x07 *)'
    file = tmp_path / "mine.toml"
    file.write_text(to_toml(dataclasses.replace(load("seed"), end_marker=marker)))

    assert marker == load(file).end_marker


def test_one_door_for_names_files_schemes_and_changes(tmp_path: Path) -> None:
    path = tmp_path / "seed.toml"
    path.write_text(to_toml(load("seed")), "utf-8")
    change = "min_lines=3"
    given = ("seed", path, str(path), load("seed"))

    assert {load("seed")} == {load(each) for each in given}
    assert {with_overrides(load("seed"), [change])} == {load(each, [change]) for each in given}
