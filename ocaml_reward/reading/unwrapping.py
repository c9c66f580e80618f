"""
A completion as a chat writes it in Markdown, whatever form it came in.

Each step finds edits; without any, and that is most texts, it costs a search or two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .dressed import from_dress
from .editing import Edit, edited, origins_of
from .embedded import from_escapes, from_strings
from .json_answers import from_json
from .line_marks import (
    from_cells,
    from_entities,
    from_frames,
    from_numbers,
    from_terminal,
    from_ticks,
)
from .loose_fences import from_glued_tags, from_left_open
from .odd_fences import from_odd_fences
from .origins import Origins, kept
from .tables import from_tables
from .wrappings import (
    from_fences,
    from_highlight,
    from_markup,
    from_prose,
    from_script,
    from_shell,
)

__all__ = ["Unwrapped", "unwrapped"]

# A string of JSON may be JSON, which may be once more; an entity's sign may be one, too.
_STEPS: tuple[Callable[[str], list[Edit]], ...] = (
    from_terminal,
    from_json,
    from_json,
    from_json,
    from_escapes,
    from_dress,
    from_highlight,
    from_markup,
    from_glued_tags,
    from_odd_fences,
    from_fences,
    from_entities,
    from_entities,
    from_script,
    from_shell,
    from_strings,
    from_cells,
    from_frames,
    from_numbers,
    from_ticks,
    from_tables,
    from_left_open,
    from_prose,
)


class Unwrapped(NamedTuple):
    """
    The text, and the edits of each step that made some, with the text before it.
    """

    text: str
    steps: tuple[tuple[str, list[Edit]], ...]

    def origins(self) -> Origins:
        """
        Tell where its characters stand in the text that it was made of.
        """
        found = kept([(0, len(self.text))])
        for before, edits in reversed(self.steps):
            found = found.after(origins_of(before, edits))
        return found


def unwrapped(text: str) -> Unwrapped:
    """
    Take an answer out of JSON, markup, a shell's words or single backticks, and marks off it.
    """
    steps: list[tuple[str, list[Edit]]] = []
    for step in _STEPS:
        if edits := step(text):
            steps.append((text, edits))
            text = edited(text, edits)
    return Unwrapped(text, tuple(steps))
