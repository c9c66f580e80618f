"""Settings and records read strictly: JSON and TOML objects key by key, and values as people
write them in a command (`KEY=VALUE`) or a variable.

`readers` says what a value may be, `fields` reads an object with them, `declared` makes the
readers of a dataclass from its annotations, and `written` reads what was written as text.
"""

from __future__ import annotations

from .declared import keys_of, kinds_of, reader_of
from .fields import Fields, mapping_of, table
from .readers import (
    Place,
    Reader,
    anything,
    boolean,
    integer,
    list_of,
    number,
    one_of,
    optional,
    string,
    word_of,
)
from .written import as_toml, near_to, nearest, read_overrides, value_from_text

__all__ = [
    "Fields",
    "Place",
    "Reader",
    "anything",
    "as_toml",
    "boolean",
    "integer",
    "keys_of",
    "kinds_of",
    "list_of",
    "mapping_of",
    "near_to",
    "nearest",
    "number",
    "one_of",
    "optional",
    "read_overrides",
    "reader_of",
    "string",
    "table",
    "value_from_text",
    "word_of",
]
