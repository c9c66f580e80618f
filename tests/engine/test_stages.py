"""How far code gets is told apart: parse, type, type with the tests, link, run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ocaml_reward.engine import BUDGET, CheckReport
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.model import DiagnosticSource, Stage

Check = Callable[..., CheckReport]

TESTS = """let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
"""
GOOD = "let double x = 2 * x\nlet half x = x / 2\n"
# The last unit of every program: the compiler sees its interface, and no unit before it
# can use it.
LINKS_NOWHERE = "include Std_exit"
# The compiler works out a literal that no file can hold.
UNWRITABLE = "let pair = Obj.with_tag 251 (Obj.repr (4, 4))"


def test_code_too_heavy_for_the_compiler_is_a_stage_of_its_own(check: Check) -> None:
    """Code that exhausts ocamlc is the code's fault: a stage, never an exception."""
    heavy = "let l = [" + "1;" * 300_000 + "]\n" + GOOD

    assert Stage.COMPILER_LIMIT == check(heavy, TESTS).stage


def test_linker_diagnostics_come_from_the_linker(check: Check) -> None:
    """What does not link is reported as the linker's, with its message."""
    report = check(GOOD + LINKS_NOWHERE, TESTS)
    sources = {d.source for d in report.diagnostics if d.kind.value == "error"}

    assert {DiagnosticSource.LINKER} == sources


def test_the_errors_after_the_first_are_worded_like_it(check: Check) -> None:
    """The first error is ocamlc's, the rest are found by typing on; it does not show."""
    report = check('let a = 1 + "x"\nlet b = 1 + "x"\nlet c = 1 + "x"\n' + GOOD, TESTS)
    messages = [d.message for d in report.diagnostics]

    assert [messages[0]] * 3 == messages


def test_a_library_that_is_not_asked_for_fails_where_it_goes_missing(
    check: Check,
) -> None:
    """`Str` types wherever its interface lies beside the standard library's, as before
    OCaml 5, and is an unbound module elsewhere.
    """
    types = (locate().stdlib / "str.cmi").exists()
    stage = Stage.LINK_ERROR if types else Stage.TYPE_ERROR

    assert stage == check(GOOD + 'let r = Str.regexp "x"', TESTS).stage


@pytest.mark.parametrize(
    "code", ["\0", "let x = \0", "\ufeff" + GOOD, "let x = '\udcff'", "let é = 1"]
)
def test_odd_bytes_are_data(check: Check, code: str) -> None:
    """NUL, a byte order mark and lone surrogates get a stage like any other text."""
    assert check(code, TESTS).stage in tuple(Stage)


def test_errors_too_many_to_count_are_not_few(check: Check) -> None:
    """Exhausting the counter does not make many errors one."""
    # A name of its own for each: one that is wrong everywhere would be one mistake.
    ten = "(x, x, x, x, x, x, x, x, x, x)"
    code = GOOD + "".join(
        f"let p{n} x = {ten}\nlet e{n} = p{n} (p{n} (p{n} (p{n} (p{n} 1)))) + {n}\n"
        for n in range(15)
    )

    budget = replace(BUDGET, compile_cpu_s=1.0)

    assert check(code, TESTS, budget=budget).type_errors in (None, 15)


def test_hints_name_what_any_engine_knows(check: Check) -> None:
    """A misspelt module of the standard library or of the code's own has a hint; that it may be
    a library's depends on what the compiler has read before, and is in no record.
    """
    code = "module Mine = List\nlet double = Lisp.map\nlet half = Mime.x\nlet s = Strg.x"

    found = check(code, TESTS).diagnostics
    # OCaml 5.3 puts names in quotes.
    hints = {
        each.message.replace('"', ""): each.hint and each.hint.replace('"', "") for each in found
    }

    assert hints == {
        "Unbound module Lisp": "Did you mean List?",
        "Unbound module Mime": "Did you mean Mine?",
        "Unbound module Strg": None,
    }
