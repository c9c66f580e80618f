"""Puts the code that a problem gives into a completion's.  (ocaml/ast/given_code.ml)"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...model import CheckReport
from ...reading.source_map import Edit, byte_ranges, edited, inserted_ranges
from .. import CheckRequest
from ..messages.protocol import pack


def completed(
    request: CheckRequest, ask: Callable[[bytes], Sequence[bytes]]
) -> tuple[CheckRequest, tuple[Edit, ...]]:
    """Return a request with the given code in its code, and the edits that put it there.

    `ask` sends a request to the helper, and returns no edits if the code exhausts that.
    """
    given = request.tests.given
    if request.given is not None or not given.code:
        return request, ()
    code = request.code.encode("utf-8", "replace")
    fields = ask(
        pack(
            given.code.encode("utf-8", "replace"),
            " ".join(given.needed),
            str(given.whole).lower(),
            str(request.continues).lower(),
            code,
        )
    )
    edits: list[Edit] = []
    place = done = 0
    for start, stop, new in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        # The helper counts bytes.
        place += len(code[done : int(start)].decode("utf-8", "replace"))
        width = len(code[int(start) : int(stop)].decode("utf-8", "replace"))
        edits.append(Edit(place, place + width, new.decode("utf-8", "replace")))
        place, done = place + width, int(stop)
    text = edited(request.code, edits)
    ranges = byte_ranges(text, inserted_ranges(edits))
    return replace(request, code=text, given=ranges), tuple(edits)


def completed_code(code: str, report: CheckReport) -> str:
    """Return the code that a report is about, with the given code in it."""
    return edited(code, [Edit(*each) for each in report.put_in])
