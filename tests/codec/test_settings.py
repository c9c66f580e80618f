"""One way to read settings: what people write in commands and variables, and what keys are."""

from __future__ import annotations

from typing import Any

import pytest

from ocaml_reward import InputError
from ocaml_reward.codec.readers import number, object_of, read, string, whole_number
from ocaml_reward.codec.settings import (
    read_overrides,
    setting_reader,
    value_from_text,
)
from ocaml_reward.scheme import load, with_overrides
from trainer_plugin.config.reading import load_config


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("7", int, 7),
        ("007", int, 7),
        ("1_000", int, 1000),
        (".5", float, 0.5),
        ("1e-6", float, 1e-6),
        ("yes", bool, True),
        ("Off", bool, False),
        ("7", str, "7"),
        ('"a b"', str, "a b"),
        ("a = b", str, "a = b"),
        ('"a"\nb = "c"', str, '"a"\nb = "c"'),
        ("none", str, "none"),
        ("none", str | None, None),
        ("none", int | None, None),
        ("7", int | None, 7),
        ("", tuple[str, ...], []),
        ("a, b", tuple[str, ...], ["a", "b"]),
        ("[1, b]", tuple[str, ...], ["1", "b"]),
        ("['a,b', 'c']", tuple[str, ...], ["a,b", "c"]),
        ("1, .5", tuple[float, ...], [1, 0.5]),
        ("[1, 0.5]", tuple[float, ...], [1, 0.5]),
        ("[1, 2]", Any, [1, 2]),
        ("a", Any, "a"),
    ],
)
def test_values_as_people_write_them(text: str, kind: Any, value: object) -> None:
    """A text is read as a value of the kind that its place has."""
    assert value == value_from_text(text, kind)


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (int, "7", "x: expected a whole number, found a string"),
        (int, True, "x: expected a whole number, found true or false"),
        (int, 0, "x: must be at least 1, found 0"),
        (int, 1_000_001, "x: must be at most 1000000, found 1000001"),
        (float, float("inf"), "x: expected a finite number"),
        (float, 1.5e7, "x: must be at most 1000000, found 1.5e+07"),
        (bool, 1, "x: expected true or false, found a whole number"),
        (tuple[int, ...], [1, 0], "x[1]: must be at least 1, found 0"),
        (int | None, "nome", "x: expected a whole number, found a string"),
    ],
)
def test_a_reader_follows_from_an_annotation(kind: Any, value: object, message: str) -> None:
    """What a field may be is its annotation with the range that was declared beside it."""
    reader = setting_reader(kind, low=1, high=1_000_000)
    with pytest.raises(InputError) as caught:
        read(reader, value, path="x")

    assert message == str(caught.value)


def test_words_are_told_from_what_is_accepted_beside_them() -> None:
    reader = setting_reader(str, words=("auto", "warm"), accepts=str.isdigit)
    with pytest.raises(InputError) as caught:
        read(reader, "wram", path="x")

    assert ["warm", "12"] == [reader("warm"), reader("12")]
    assert "x: 'wram' is not one of auto, warm; did you mean warm?" == str(caught.value)


def test_the_first_wrong_key_of_an_object_is_named() -> None:
    reader = object_of({"a": whole_number, "b": number, "name": string})
    with pytest.raises(InputError) as caught:
        read(reader, {"b": 0.5, "nam": "x", "a": "y"}, path="top")

    assert "top.nam: unknown key; did you mean name?" == str(caught.value)


def test_the_last_of_two_overrides_counts() -> None:
    """A table may be set first and one of its keys after it."""
    written = ["a=1", "a.b=2", "a=3"]
    values = read_overrides(written, kind_of=lambda _: int, suggest=str, error=InputError)

    assert [("a.b", 2), ("a", 3)] == list(values.items())


@pytest.mark.parametrize(
    ("override", "ending"),
    [("nothing", ": expected KEY=VALUE"), ("qwxyz=1", ": unknown key qwxyz")],
)
def test_schemes_and_runs_are_overridden_alike(override: str, ending: str) -> None:
    """What cannot be read of `--set` gets the same message from a scheme and from a run."""
    with pytest.raises(InputError) as scheme:
        with_overrides(load("seed"), [override])
    with pytest.raises(InputError) as run:
        load_config(overrides=[override])

    assert f"--set {override}{ending}" == str(scheme.value) == str(run.value)


def test_a_scheme_takes_the_words_that_a_run_takes() -> None:
    """Lists between commas, yes for true, and whole tables."""
    written = ["type.ladder=1,.5,.2", "shaping.enabled=yes", "idle={ factor = 0.5 }"]
    changed = with_overrides(load("seed"), written)

    assert (1, 0.5, 0.2) == changed.type.ladder
    assert changed.shaping.enabled
    assert 0.5 == changed.penalties.idle.factor


def test_a_key_in_what_is_no_table_is_refused() -> None:
    """A table that was set to a number is named, whatever is set in it afterwards."""
    with pytest.raises(InputError, match="--set: idle: expected an object, found a"):
        with_overrides(load("seed"), ["idle=3", "idle.factor=1"])
