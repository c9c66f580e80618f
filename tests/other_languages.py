"""Programs of other languages: for each the name that a problem may ask for, the tag of its
fence, and what a model writes when it answers in that language.
"""

from __future__ import annotations

import re
from pathlib import Path

_PAGE = Path(__file__).parent / "cases" / "other_languages.md"
_PROGRAM = re.compile(r"^## (.+): `(\w+)`\n\n````(.*)\n((?:.*\n)+?)````$", re.MULTILINE)
PROGRAMS = {
    name: (asked, tag, code.removesuffix("\n"))
    for name, asked, tag, code in _PROGRAM.findall(_PAGE.read_text(encoding="utf-8"))
}
