"""Which versions of TRL our trainers were tested with, as they override private methods."""

from __future__ import annotations

from typing import Final

import trl

TESTED: Final = ("1.16.",)


def check_tested(what: str, *, otherwise: str) -> None:
    """Raise RuntimeError, one line, for a version of TRL whose inside may differ from that
    which `what` relies on.
    """
    if not trl.__version__.startswith(TESTED):
        versions = " or ".join(f"{each}*" for each in TESTED)
        raise RuntimeError(
            f"{what} relies on the inside of trl {versions}, found {trl.__version__}:"
            f" {otherwise}, or install that one"
        )
