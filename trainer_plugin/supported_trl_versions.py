"""The versions of TRL that our trainers were tested with; they override private methods."""

from __future__ import annotations

from typing import Final

import trl

TESTED: Final = ("1.16.",)


def check_tested(what: str, *, otherwise: str) -> None:
    """Raise RuntimeError, one line, for a version of TRL that `what` was not tested with."""
    if not trl.__version__.startswith(TESTED):
        versions = " or ".join(f"{each}*" for each in TESTED)
        raise RuntimeError(
            f"{what} relies on the inside of trl {versions}, found {trl.__version__}:"
            f" {otherwise}, or install that one"
        )
