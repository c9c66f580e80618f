"""The compiler's text is read without what depends on its own history."""

from __future__ import annotations

import pytest

from ocaml_reward.engine.messages.reports import readable


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("type ('_weak12, '_weak7) t, '_weak12", "type ('_weak1, '_weak2) t, '_weak1"),
        ("type 'weak4 list, '_weak4", "type 'weak1 list, '_weak1"),
        ("type t'_weak7 and a'weak7", "type t'_weak7 and a'weak7"),
        ("type hidden/8241 or M.t/84.u", "type hidden/1 or M.t/1.u"),
        ("type t/5012, t/5044, t/5012", "type t/1, t/2, t/1"),
        ("type t/2 is not t/1 or t/39", "type t/2 is not t/1 or t/39"),
        ("value x/100a, 1/1000", "value x/100a, 1/1000"),
    ],
)
def test_names_are_numbered_by_appearance(printed: str, read: str) -> None:
    """Numbers of types left open, and stamps, begin anew with each text; others stay."""
    text = f'File "solution.ml", line 1, characters 0-1:\nError: {printed}\n'

    assert [read] == [each.message for each in readable(text.encode())]


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("type\n  'a {}Type option.option = 'a option", "type\n  'a option"),
        (
            "type\n  ('a, 'b) {}Type result.result =\n    ('a, 'b) Stdlib.result\nbut",
            "type\n  ('a, 'b) result\nbut",
        ),
        (
            "type\n  (account * account)\n  {}Type option.option =\n    (account * account) option",
            "type\n  (account * account) option",
        ),
        ("type int {}Type option.option list", "type int option list"),
        ("type int t = int but {}Type ref.ref", "type int t = int but ref"),
        ("type {}Exception Exit.Exit or Exit", "type Exit or Exit"),
    ],
)
@pytest.mark.parametrize("home", ["{}", "( {}).("])
def test_types_of_the_library_have_their_own_names(home: str, printed: str, read: str) -> None:
    """Where tests name a type that code might hide, the message says what the library says."""
    whole = printed.format("Ocaml-reward-pristine.")
    if home != "{}":
        whole = printed.format("( Ocaml-reward-pristine ).( ")
        for name in ("Type option", "Type result", "Type ref", "Exception Exit"):
            whole = whole.replace(f"{name}.", f"{name} ).")
    indented = whole.replace("\n", "\n       ")
    text = f'File "tests.ml", line 1, characters 0-1:\nError: {indented}\n'

    assert [read] == [each.message for each in readable(text.encode())]
