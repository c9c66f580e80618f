"""The completion does not grade itself: whatever it does besides solving the problem, its
checks end exactly as those of the same code without the trick.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport, Engine
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]


def test_obj_is_out_of_reach_even_unscanned(engine: Engine) -> None:
    """The jail holds no interface of Obj or Marshal, so the compiler itself refuses them."""
    from ocaml_reward.engine.build.helpers import rootfs  # noqa: PLC0415

    hidden = {"stdlib__Obj.cmi", "stdlib__Marshal.cmi", "unix.cmi"}
    names = {path.name for path in rootfs().rglob("*.cmi")}

    assert "stdlib__List.cmi" in names
    assert set() == hidden & names


@pytest.mark.parametrize(
    "leave", ["", "let t = Sys.time () in while Sys.time () < t +. 0.9 do () done;"]
)
def test_leaving_in_every_check_holds_no_worker_for_long(check: Check, leave: str) -> None:
    """The time for all checks bounds what a program may spend before it leaves each."""
    asserts = ";".join(f" assert (f {n} = 1)" for n in range(200))
    report = check(f"let f _ = {leave} exit 1", f"let () ={asserts}")
    begun = [each for each in report.results if each.outcome is not Outcome.NOT_RUN]

    # Each start counts as a tenth of a second at least, of five in all; as floats they
    # add up to a little less.
    assert 0 < len(begun) <= 51
    assert Outcome.NOT_RUN == report.results[-1].outcome


def test_the_lock_refuses_to_open_files(check: Check) -> None:
    """The system call itself is refused, whatever file there is and whatever else holds it."""
    code = (
        "let add a b =\n"
        '  try ignore (open_in "/nothing/here"); a + b with Sys_error said -> failwith said\n'
    )
    report = check(code, "let () = assert (add 1 2 = 3)")
    (result,) = report.results

    assert Outcome.RAISED is result.outcome
    assert "Operation not permitted" in result.detail
