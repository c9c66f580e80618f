"""Says which part of a completion was graded, where that is not all of it."""

from __future__ import annotations

from collections.abc import Iterator

from ocaml_reward.engine import PreparedTests
from ocaml_reward.reading.definitions import defined_names
from ocaml_reward.reading.extraction import Extraction
from ocaml_reward.reading.thoughts import thought_edits

from .hints import directives


def reading_notes(text: str, found: Extraction, prepared: PreparedTests) -> Iterator[str]:
    """Yield what was left out of a completion's text, and what the code was taken for."""
    if dropped := sum(edit.stop - edit.start for edit in thought_edits(text)):
        yield f"{dropped:,} characters are its thoughts, and left out"
    if found.blocks and found.block_count > 1:
        numbers = " and ".join(map(str, found.blocks))
        blocks = "block" if len(found.blocks) == 1 else "blocks"
        yield f"graded: {blocks} {numbers} of {found.block_count}"
    named, left = directives(text), directives(found.code)
    if named and not left and found.has_code:
        yield f"directives of the toplevel before the code are left out: {named}"
    own = defined_names(found.code)
    asked = dict.fromkeys((*prepared.files, *(name.partition(".")[0] for name in prepared.uses)))
    for module in asked:
        if module[:1].isupper() and module not in own and found.has_code:
            yield f"the whole code counts as the file of module {module}, which the tests name"
