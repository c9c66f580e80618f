"""`exit 0` of the tests' own ends them, as in any program, and passes nothing after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport

Check = Callable[..., CheckReport]

HANDED = {
    "calls it": "let f k = k (); 1",
    "catches what it raises": "let f k = (try k () with _ -> ()); 1",
}
REST = "\nlet g x = x"
LATER = "\nlet () = assert (g 2 = 2)"

CALLBACKS = {
    "before a check": "let () = ignore (f (fun () -> exit 0)); assert (g 1 = 1)",
    "in a condition": 'let () = if f (fun () -> exit 0) <> 1 then failwith "no"',
    "in an assertion": "let () = assert (f (fun () -> exit 0) = 1)",
    "by its name": "let stop () = exit 0\nlet () = assert (f stop = 1)",
    "by two names": "let stop () = exit 0\nlet halt () = stop ()\n"
    "let () = assert (f halt = 1)",
    "half applied": "let stop () () = exit 0\nlet () = assert (f (stop ()) = 1)",
    "itself": "let () = assert (f (fun () -> f (fun () -> exit 0) |> ignore) = 1)",
    "in a definition": "let x = f (fun () -> exit 0)\nlet () = assert (x = 1)",
    "lazily": "let s = lazy (exit 0)\nlet () = assert (f (fun () -> Lazy.force s) = 1)",
    "and then itself": "let () = if f (fun () -> exit 0) = 1 then exit 0 else exit 1",
    "with a handler": "let () = try ignore (f (fun () -> exit 0)); failwith {|no|}"
    " with _ -> exit 0",
}


@pytest.mark.parametrize("code", HANDED)
@pytest.mark.parametrize("tests", CALLBACKS)
def test_exit_in_a_callback_passes_neither_this_nor_what_comes_later(
    check: Check, tests: str, code: str
) -> None:
    """Code that calls what would end the tests earns nothing by it, caught or not."""
    report = check(HANDED[code] + REST, CALLBACKS[tests] + LATER)

    assert {"exited", "not_run"} >= {result.outcome for result in report.results}


ENDED = ("and then itself", "with a handler")
"""Those of them that end the tests by an `exit 0` outside of the callback as well."""


@pytest.mark.parametrize("tests", CALLBACKS)
def test_a_callback_that_is_never_called_ends_nothing(check: Check, tests: str) -> None:
    """What the tests hand to the code counts only if it is called."""
    report = check("let f _ = 1" + REST, CALLBACKS[tests] + LATER)

    expected = "not_run" if tests in ENDED else "passed"
    assert expected == report.results[-1].outcome


@pytest.mark.parametrize(
    "tests",
    [
        "let () = match g 1 with 1 -> exit 0 | _ -> exit 1",
        "let () = if g 1 <> 1 then exit 1 else exit 0",
        "let () = exit (if g 1 = 1 then 0 else 1)",
        'let () = try (if g 1 <> 1 then failwith "no"); exit 0 with _ -> exit 1',
        "let finish good = if good then exit 0 else exit 1\nlet () = finish (g 1 = 1)",
        "let finish a b = if a = b then exit 0 else exit 1\n"
        "let main () = finish (g 1) 1\nlet () = main ()",
        "let finish good = exit (if good then 0 else 1)\nlet () = finish @@ (g 1 = 1)",
        "let finish = function true -> exit 0 | _ -> exit 1\nlet () = g 1 = 1 |> finish",
    ],
)
def test_exit_of_the_tests_own_ends_a_check_well(check: Check, tests: str) -> None:
    """A check that the tests themselves leave by `exit 0` has passed, and by `exit 1` not."""
    right = check("let g x = x", tests)
    wrong = check("let g x = x + 1", tests)

    assert ["passed"] == [result.outcome for result in right.results]
    assert ["exited"] == [result.outcome for result in wrong.results]


def test_what_stands_after_exit_has_not_run(check: Check) -> None:
    """Checks behind the tests' own `exit 0` are not credited, those before it are."""
    report = check("let g x = x", "let () = assert (g 1 = 1); exit 0" + LATER)

    assert ["passed", "not_run"] == [result.outcome for result in report.results]


def test_code_that_asks_for_exit_keeps_its_own(check: Check) -> None:
    """Where a problem asks for a function called `exit`, that is what the tests call."""
    tests = "let () = assert (List.map (fun x -> exit x) [0; 1] = [1; 2])"
    report = check("let exit x = x + 1", tests, signature="val exit : int -> int")

    assert ["passed"] == [result.outcome for result in report.results]
