"""Writes the page: its HTML, style and scripts, with the data embedded as text."""

from __future__ import annotations

import base64
import gzip
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from ocaml_reward import MachineError
from ocaml_reward.record import dumps

SCRIPTS: Final = (
    "elements.js",
    "data.js",
    "theme.js",
    "charts.js",
    "pictures.js",
    "code.js",
    "compare.js",
    "texts.js",
    "panel.js",
    "table.js",
    "curves.js",
    "completions.js",
    "main.js",
)
"""The scripts in order; they are joined into one, so that one hash allows it."""
POLICY: Final = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline';"
    " img-src data: blob:; base-uri 'none'; form-action 'none'"
)
"""The page fetches nothing, and runs only the two scripts whose hashes are listed."""


CHUNK: Final = 64
"""Number of completions, or problems, that a browser decompresses at a time."""


def plotting_library() -> str:
    """Return the source of plotly.js; raises MachineError where it is not installed."""
    try:
        from plotly.offline import get_plotlyjs  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MachineError(
            f"a report needs {error.name}, which is not installed:"
            " pip install 'ocaml-reward[report]'"
        ) from None
    source: str = get_plotlyjs()
    return source


def page(
    summary: Mapping[str, Any], details: Iterable[str], problems: Iterable[str], library: str
) -> Iterator[str]:
    """Yield the page in parts.

    Args:
        summary: All data except the details of completions.
        details: One JSON value per row of the table, in order.
        problems: One JSON value per problem whose texts are known.
        library: The source of plotly.js.

    Returns:
        Parts of the page. All text of completions is encoded.
    """
    script = "\n".join(_part(name) for name in SCRIPTS)
    hashes = f"{script_hash(script)} {script_hash(library)}"
    holes: Mapping[str, Sequence[str] | Iterator[str]] = {
        "policy": [POLICY.format(scripts=hashes)],
        "style": [_part("report.css")],
        "summary": [embedded(summary)],
        "library": [embedded_text(library)],
        "details": (f"{each}\n" for each in chunks(details)),
        "problems": (f"{each}\n" for each in chunks(problems)),
        "script": [script],
    }
    rest = _part("report.html")
    while rest:
        before, opened, after = rest.partition("{{")
        yield before
        name, _, rest = after.partition("}}")
        if opened:
            yield from holes[name]


def _part(name: str) -> str:
    return (files(__package__) / "page" / name).read_text(encoding="utf-8")


def embedded(value: Mapping[str, Any]) -> str:
    """Return a value as gzipped JSON in base64; equal values give equal text."""
    return embedded_text(dumps(value))


def embedded_text(text: str) -> str:
    """Return text gzipped, in base64."""
    squeezed = gzip.compress(text.encode(), compresslevel=6, mtime=0)
    return base64.b64encode(squeezed).decode()


def chunks(texts: Iterable[str]) -> Iterator[str]:
    """Yield JSON values in chunks, each gzipped and in base64."""
    rest = iter(texts)
    while some := list(itertools.islice(rest, CHUNK)):
        yield embedded_text(f"[{','.join(some)}]")


def script_hash(script: str) -> str:
    """Return the hash of a script for a Content-Security-Policy."""
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
