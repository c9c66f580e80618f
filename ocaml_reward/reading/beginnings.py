"""
What code and fences begin with, where wrappings around them are looked for.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["CODE", "FENCE_LINE", "ITEM", "MARGIN"]

ITEM: Final = r"(?:let|type|open|module|exception|external|include|class)(?![\w'])"
"""
The keyword of an item.
"""

CODE: Final = rf"(?:{ITEM}|\(\*)"
"""
The same, or a comment.
"""

MARGIN: Final = re.compile(rf"^{CODE}(?![^=(\n]*[.!?]$)", re.MULTILINE)
"""
Code where a line begins, and no sentence that begins with such a word.
"""

FENCE_LINE: Final = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
"""
The beginning of a line that looks like a fence.
"""
