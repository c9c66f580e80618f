"""Data inside of a page: JSON, compressed, as text in which no character means anything."""

from __future__ import annotations

import base64
import gzip
import itertools
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from ocaml_reward.record import dumps

CHUNK: Final = 64
"""So many completions are read by a browser at once, when one of them is looked at."""


def packed(value: Mapping[str, Any]) -> str:
    """Write a value as gzipped JSON in base64; equal values give equal text."""
    return packed_text(dumps(value))


def packed_text(text: str) -> str:
    """Write text, gzipped, in base64."""
    squeezed = gzip.compress(text.encode(), compresslevel=6, mtime=0)
    return base64.b64encode(squeezed).decode()


def chunks(texts: Iterable[str]) -> Iterator[str]:
    """Pack JSON values, so many at a time."""
    rest = iter(texts)
    while some := list(itertools.islice(rest, CHUNK)):
        yield packed_text(f"[{','.join(some)}]")


def script_hash(script: str) -> str:
    """Name a script in a Content-Security-Policy by what it holds."""
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
