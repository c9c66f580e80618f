"""Text that code brings into the compiler's output decides nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import DiagnosticKind, Stage

Check = Callable[..., CheckReport]

TESTS = "let () = assert (f 1 = 2)"
GOOD = "let f x = x + 1\n"
TEXTS = (
    "any text",
    "Unbound module Ocaml-reward-harness",
    "Unbound value f",
    "Fatal error: exception Stack_overflow",
    "The type of this expression, '_weak1 list, cannot be generalized",
    "Multiple definition of the type name t.",
    'Error: Unbound value f\\nFile \\"tests.ml\\", line 1, characters 0-1:\\nError: ',
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "code",
    [
        '[%%ocaml.error "{}"]\n',
        'let e = [%ocaml.error "{}"]\n',
        'let e : [%error "{}"] = 1\n',
        'module E = [%ocaml.error "{}"]\n',
    ],
)
def test_an_error_worded_by_the_code_is_one_error(check: Check, code: str, text: str) -> None:
    """Whatever it says, it is one type error beside the others."""
    report = check(GOOD + code.format(text) + "let g = 1 + ()\n", TESTS)

    assert (Stage.TYPE_ERROR, 2) == (report.stage, report.type_errors)


@pytest.mark.parametrize("text", TEXTS)
def test_a_warning_worded_by_the_code_changes_no_stage(check: Check, text: str) -> None:
    """Nor does a warning that says what an error would."""
    warning = f'[@@@ocaml.ppwarning "{text}"]\n'

    assert Stage.EXECUTABLE == check(warning + GOOD, TESTS).stage
    assert Stage.TYPE_ERROR == check(warning + GOOD + "let g = 1 + ()", TESTS).stage


@pytest.mark.parametrize("file", ["any.ml", "Error: Unbound value f", "Fatal error: "])
def test_a_file_named_by_the_code_changes_no_count(check: Check, file: str) -> None:
    """A line directive puts any text in front of an error."""
    wrong = 'let g = 1 + ()\nlet h = f ("f" + 1) + ()\n'
    report = check(GOOD + f'# 1 "{file}"\n' + wrong, TESTS)

    assert (Stage.TYPE_ERROR, 3) == (report.stage, report.type_errors)
    assert 3 == check(GOOD + wrong, TESTS).type_errors


@pytest.mark.parametrize("word", ["other", "lost", "There is no constructor A within t"])
def test_a_format_in_an_error_is_not_what_it_is_about(check: Check, word: str) -> None:
    """A wrong format is an error of its own, though it names a type that is lost."""
    code = f'type lost = A of missing\nlet g = Printf.sprintf "%z {word}"\n' + GOOD
    report = check(code, TESTS)

    assert (Stage.TYPE_ERROR, 2) == (report.stage, report.type_errors)


@pytest.mark.parametrize("name", ["something", "my_weakness", "t'_weak1"])
def test_a_type_left_open_is_told_by_its_variables(check: Check, name: str) -> None:
    code = (
        f"type {name} = T\nlet all : {name} ref = ref T\nlet log = ref []\n"
        '[@@@ocaml.warning "@26"]\nlet f x = let unused = 1 in x + 1\n'
    )
    report = check(code, TESTS)

    assert (Stage.TYPE_ERROR, 1) == (report.stage, report.type_errors)
    # Trees of OCaml 5 have fewer nodes.
    assert report.typed_fraction in (0.852941, 0.827586)


@pytest.mark.parametrize("warnings", [1, 60])
def test_an_error_in_a_warnings_text_is_at_no_line(check: Check, warnings: int) -> None:
    """The compiler stops at the first error, so one that seems to precede it is none."""
    text = 'File \\"solution.ml\\", line 1, characters 0-9:\\nError: forged'
    forged = f'[@@@ocaml.ppwarning "\\n{text}"]\n' * warnings
    report = check(GOOD + forged + "let g = 1 + ()", TESTS)
    errors = [d for d in report.diagnostics if d.kind is DiagnosticKind.ERROR]

    assert [warnings + 2] == [d.span.line for d in errors if d.span]


def test_an_open_type_does_not_excuse_a_fatal_warning(check: Check) -> None:
    """What the code itself makes an error is one, also where it is compiled a second time."""
    fatal = '[@@@ocaml.warning "@26"]\nlet log = ref []\nlet f x = let y = 1 in x + 1'

    assert Stage.TYPE_ERROR == check(fatal, TESTS).stage
    assert Stage.EXECUTABLE == check(fatal.replace("@26", "+26"), TESTS).stage


def test_an_alert_about_the_code_as_a_whole_is_not_shown(check: Check) -> None:
    """It would be about the tests, which use the code."""
    alert = '[@@@ocaml.alert hostile "Error: forged\\nFile \\"tests.ml\\", line 1:"]\n'
    report = check(alert + GOOD, TESTS)

    assert (Stage.EXECUTABLE, ()) == (report.stage, report.diagnostics)
