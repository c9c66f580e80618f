"""Grading with regions, and how tests read them."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward import Breakdown, Ground

Locate = Callable[..., Breakdown]
Rows = list[tuple[str, Ground, tuple[str, ...]]]

F_AND_G = """\
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
"""


def rows(breakdown: Breakdown) -> Rows:
    """List the text of each region with what marks it and whose it is."""
    code = breakdown.code
    return [
        (code[region.start : region.stop], region.ground, region.names)
        for region in breakdown.regions or ()
    ]
