"""What the runtime itself prints counts as what the code prints, in both engines alike."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

VERBOSE = """let () = Gc.set { (Gc.get ()) with Gc.verbose = 0x3ff; minor_heap_size = 256 }
let f x = if x > 0 then while true do ignore (Sys.opaque_identity (ref x)) done; x
"""
EIGHT = "let () = " + "; ".join(f"assert (f {n} = {n})" for n in range(1, 9))


def test_a_collector_that_talks_is_an_output_limit(check: Check) -> None:
    """A flood by way of the collector's own messages ends where one by printing does."""
    report = check(VERBOSE, EIGHT)
    printing = check('let f x = while true do print_string "much" done; x', EIGHT)

    assert Outcome.OUTPUT_LIMIT is printing.results[0].outcome
    first, second = printing.results[0], report.results[0]
    assert (first.outcome, first.detail) == (second.outcome, second.detail)


def test_a_fatal_errors_words_are_read(check: Check) -> None:
    """What the runtime says last still names how the code ended."""
    report = check('let () = failwith "no"\nlet f x = x', EIGHT)

    assert (Outcome.RAISED, 'Failure("no")') == (
        report.results[0].outcome,
        report.results[0].detail,
    )
