"""Domains, effects and channels as modules: OCaml 5 has them, earlier compilers lack a module."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.model import Outcome, Stage, StdioCase

TESTS = "let () = assert (answer 1 = 2); assert (answer 100 = 101)"
EFFECT = "type _ Effect.t += E : int Effect.t\n"
HANDLED = (
    "open Effect.Deep\n" + EFFECT + "let under (handle : (int, int) continuation -> int) f n ="
    " match_with f n\n  { retc = Fun.id; exnc = raise; effc = (fun (type a) (e : a Effect.t)\n"
    "    -> match e with E -> Some (fun (k : (a, int) continuation) -> handle k)\n"
    "    | _ -> None) }\n"
)
UNHANDLED = "Stdlib.Effect.Unhandled(Solution.E)"
LOOP = "while true do () done"

# Code, and what becomes of both checks; a detail where it is ours or the exception's.
PROGRAMS = {
    "a domain": (
        "let answer n = Domain.join (Domain.spawn (fun () -> n + 1))",
        (Outcome.CRASHED, "SIGSYS"),
    ),
    "a domain, caught": (
        "let answer n = try Domain.join (Domain.spawn (fun () -> n)) with _ -> n + 1",
        (Outcome.CRASHED, "SIGSYS"),
    ),
    "a domain at load": (
        f"let d = Domain.spawn (fun () -> {LOOP})\nlet answer n = n + 1",
        (Outcome.CRASHED, "SIGSYS"),
    ),
    "a domain at exit": (
        f"let () = at_exit (fun () -> ignore (Domain.spawn (fun () -> {LOOP})))\n"
        "let answer n = n",
        (Outcome.FAILED, "got 1, expected 2"),
    ),
    "a domain's exit": (
        "let () = Domain.at_exit (fun () -> exit 0)\nlet answer n = n",
        (Outcome.FAILED, "got 1, expected 2"),
    ),
    "a domain's endless exit": (
        f"let () = Domain.at_exit (fun () -> {LOOP})\nlet () = exit 0\nlet answer n = n",
        (Outcome.TIMED_OUT, None),
    ),
    "a domain's own storage": (
        "let key = Domain.DLS.new_key (fun () -> exit 0)\n"
        "let answer _ = Domain.DLS.get key",
        (Outcome.EXITED, "exit 0"),
    ),
    "a domain's turn": (
        "let answer n = while true do Domain.cpu_relax () done; n",
        (Outcome.TIMED_OUT, None),
    ),
    "a lock taken twice": (
        "let answer n = let m = Mutex.create () in Mutex.lock m; Mutex.lock m; n",
        (Outcome.RAISED, None),
    ),
    "an effect": (
        EFFECT + "let answer _ = Effect.perform E",
        (Outcome.RAISED, UNHANDLED),
    ),
    "an effect at load": (
        EFFECT + "let n = Effect.perform E\nlet answer _ = n",
        (Outcome.RAISED, UNHANDLED),
    ),
    "an effect, caught": (
        EFFECT + "let answer n = try Effect.perform E with Effect.Unhandled E -> n + 1",
        (Outcome.PASSED, ""),
    ),
    "an effect, caught as any exception": (
        "module F = Stdlib.Effect\ntype _ F.t += E : int F.t\n"
        "let answer n = try F.perform E with _ -> n + 1",
        (Outcome.PASSED, ""),
    ),
    "an effect in a printer": (
        EFFECT + "let () = Printexc.register_printer (fun _ ->\n"
        "  ignore (Effect.perform E); None)\nlet answer _ = raise Exit",
        (Outcome.RAISED, "Stdlib.Exit"),
    ),
    "an effect in a finaliser": (
        EFFECT + "let answer n = Gc.finalise (fun _ -> ignore (Effect.perform E)) (ref n);\n"
        "  Gc.full_major (); n + 1",
        (Outcome.PASSED, ""),
    ),
    "an effect at exit": (
        EFFECT + "let () = at_exit (fun () -> ignore (Effect.perform E))\n"
        "let answer n = n",
        (Outcome.FAILED, "got 1, expected 2"),
    ),
    "a handler": (
        HANDLED + "let answer n = under (fun k -> continue k n) (fun _ ->\n"
        "  Effect.perform E + 1) 0",
        (Outcome.PASSED, ""),
    ),
    "a continuation that is dropped": (
        HANDLED + "let answer n = under (fun _ -> n) (fun _ -> Effect.perform E) 0",
        (Outcome.FAILED, "got 1, expected 2"),
    ),
    "a continuation that is taken twice": (
        HANDLED + "let answer n = under (fun k -> continue k 1 + continue k n)\n"
        "  (fun _ -> Effect.perform E) 0",
        (Outcome.RAISED, "Stdlib.Effect.Continuation_already_resumed"),
    ),
    "a continuation of another check": (
        HANDLED + "let kept = ref None\n"
        "let leave k = match !kept with None -> kept := Some k; 0 | Some k -> continue k 1\n"
        "let answer _ = under leave (fun _ -> Effect.perform E) 0",
        (Outcome.FAILED, "got 0, expected 2"),
    ),
    "no end to a stack of its own": (
        HANDLED + "let rec deep n = 1 + deep n\nlet answer n = under (fun _ -> 0) deep n",
        (Outcome.STACK_OVERFLOW, ""),
    ),
    "a file": (
        "let answer _ = ignore (Domain.self ());\n"
        '  In_channel.(with_open_bin "/etc/passwd" input_all) |> int_of_string',
        (Outcome.RAISED, None),
    ),
    "a file to write": (
        'let answer n = Out_channel.(with_open_bin "/tmp/x" flush); ignore (Domain.self ()); n',
        (Outcome.RAISED, None),
    ),
    "a channel that is closed": (
        "let answer n = Out_channel.(close stdout; close stderr);\n"
        "  ignore (Domain.self ()); n",
        (Outcome.FAILED, "got 1, expected 2"),
    ),
}  # fmt: skip


# To a compiler that lacks the modules they are all the same.
HERE = list(PROGRAMS)[: None if locate().number >= (5, 0) else 1]


@pytest.mark.parametrize("name", HERE)
def test_what_comes_with_ocaml_5_is_held(check: Callable[..., CheckReport], name: str) -> None:
    """Both engines say the same of both checks, and nothing leaves the call it stands in."""
    code, (outcome, detail) = PROGRAMS[name]
    report = check(code, TESTS)

    if locate().number < (5, 0):
        assert report.stage is Stage.TYPE_ERROR
        return
    assert [outcome] * 2 == [result.outcome for result in report.results]
    assert detail in (None, *{result.detail for result in report.results})


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ('let () = Domain.at_exit (fun () -> print_string "bye")', "hello bye"),
        (EFFECT + 'let () = ignore (Effect.perform E); print_string "more"', "hello "),
        ('let () = Out_channel.(set_buffered stdout false; output_string stdout "you");\n'
         "  ignore (Domain.self ())", "hello you"),
    ],
)  # fmt: skip
def test_programs_print_what_they_would(
    check: Callable[..., CheckReport], code: str, printed: str
) -> None:
    """What is done on the way out is done here too."""
    case = StdioCase(stdin="", stdout=printed)
    report = check(f'let () = print_string "hello "\n{code}', (case,))

    if locate().number < (5, 0):
        assert report.stage is Stage.TYPE_ERROR
        return
    assert report.stage is Stage.EXECUTABLE
    (result,) = report.results
    expected = Outcome.RAISED if "perform" in code else Outcome.PASSED
    assert expected is result.outcome
