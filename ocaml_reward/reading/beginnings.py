"""
What code begins with, where wrappings around it are looked for.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["CODE", "ITEM", "MARGIN"]

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
