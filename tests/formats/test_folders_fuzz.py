"""Whatever the files of a problem's folder hold: it is read, or left out with a reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocaml_reward.formats.importing import import_problems
from ocaml_reward.formats.lines import BadLine

SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
KEYS = {
    "init.yml": (
        *("archive", "test_cases", "pretest_test_cases", "checker", "name", "args"),
        *(
            "precision",
            "error_mode",
            "split_on",
            "files",
            "type",
            "batched",
            "in",
            "out",
        ),
        *("input_format", "output_format", "points"),
    ),
    "problem.yaml": (
        *("type", "validation", "validator_flags", "limits", "time_limit", "memory"),
        *("output_validator_flags", "flags", "name"),
    ),
}
WORDS = st.sampled_from(
    (*("a", "b", "floats", "sorted", "easy", "bridged", "custom", "default", "(", "'"),
     *("../a", "case_sensitive", "float_tolerance 1e-4", "pass-fail", "lines", "1e400"))
)  # fmt: skip
PIECES = st.sampled_from(
    ("[%ty: ", "int", " -> ", "]", '"f"', "(", ")", "test_function_1_against_solution ",
     "~gen:0 ", "~test:", "lookup_student ", "(*", "*)", " @ ", "[]", "let f x = ", "'",
     "open Test_lib\n", "#install_printer p ;;\n", "\n", "{|", "Message (_, Failure) ->")
)  # fmt: skip


def values(name: str) -> st.SearchStrategy[object]:
    """Draw settings of a file."""
    return st.recursive(
        st.none() | st.booleans() | st.integers(-400, 400) | st.floats() | WORDS,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(KEYS[name]), inner, max_size=4)
        ),
        max_leaves=10,
    )


def held(write: Callable[[Path], object]) -> None:
    """Write a folder and import it: a reason is one line."""
    with TemporaryDirectory() as name:
        write(folder := Path(name, "p"))
        for each in import_problems(folder):
            said = str(each.found) if isinstance(each.found, BadLine) else "read"
            assert 1 == len(said.splitlines()), said
            assert each.kind


def folder_of(name: str, text: str) -> Callable[[Path], object]:
    """Write a folder with a file of settings, and data that it may name."""

    def write(folder: Path) -> None:
        (folder / "data" / "secret").mkdir(parents=True)
        (folder / name).write_text(text, encoding="utf-8")
        for file in ("a", "b", "data/secret/1.in", "data/secret/1.ans"):
            (folder / file).write_text("1\n")

    return write


@SETTINGS
@given(
    st.sampled_from(sorted(KEYS)).flatmap(
        lambda name: st.tuples(st.just(name), values(name) | st.text(max_size=30))
    )
)
def test_settings(found: tuple[str, object]) -> None:
    """JSON is YAML, and other text may be."""
    name, value = found
    text = value if isinstance(value, str) else json.dumps(value)

    held(folder_of(name, text))


@SETTINGS
@given(st.lists(PIECES, max_size=15).map("".join))
def test_tests_of_learn_ocaml(text: str) -> None:
    """Tests may be no OCaml, and break off anywhere."""

    def write(folder: Path) -> None:
        folder.mkdir()
        for name, part in (
            ("test.ml", text),
            ("solution.ml", "let f = 1"),
            ("meta.json", ""),
        ):
            (folder / name).write_text(part)

    held(write)
