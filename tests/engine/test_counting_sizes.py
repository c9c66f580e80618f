"""How much a module holds changes neither how many of its values break a signature, nor the words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import StdioCase

NO_TESTS = (StdioCase(stdin="", stdout=""),)
FIRST = (
    "Signature mismatch: ... Values do not match: val size : int -> int -> int is not included in"
)
SECOND = "Signature mismatch: ... The value lacking is required but not provided"


def code(more: int) -> str:
    """Write a module that breaks its signature by two values, with `more` that do not."""
    promised = "".join(f"  val v{n} : int -> t\n" for n in range(more))
    made = "".join(f"  let v{n} x = x + {n}\n" for n in range(more))
    return (
        f"module M : sig\n  type t\n  val size : bool\n{promised}  val lacking : t\nend = struct\n"
        f"  type t = int\n{made}  let size a b = a + b\nend\n"
    )


@pytest.mark.parametrize("more", range(8))
def test_size_changes_nothing(more: int, check: Callable[..., CheckReport]) -> None:
    """From a size in memory on the compiler does not say what a module holds, and that size
    depends on what the process has done before.
    """
    report = check(code(more), NO_TESTS)

    # Later compilers have other quotes around a name, or none, and say more of types.
    plain = str.maketrans("", "", "`'\"")
    said = [" ".join(d.message.translate(plain).split()) for d in report.diagnostics]
    assert report.type_errors == 2
    assert [SECOND, FIRST] == [each[: len(FIRST)] for each in sorted(said)]
