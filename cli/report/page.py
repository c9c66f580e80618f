"""The page itself: its skeleton, style and scripts, and the data between them."""

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
    "panel.js",
    "table.js",
    "completions.js",
    "main.js",
)
"""In the order in which they are put together: one script, so that one hash names it."""
POLICY: Final = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline';"
    " img-src data: blob:; base-uri 'none'; form-action 'none'"
)
"""Nothing is fetched from anywhere, and no script runs but the two that are named by hash."""


CHUNK: Final = 64
"""So many completions are read by a browser at once, when one of them is looked at."""


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
    summary: Mapping[str, Any], details: Iterable[str], library: str
) -> Iterator[str]:
    """Yield the page in parts.

    Args:
        summary: All that is shown before a completion is looked at.
        details: One JSON value for each completion of the table, in its order.
        library: The source of plotly.js.

    Returns:
        Parts of the page.  No text of a completion stands in it as text.
    """
    script = "\n".join(_part(name) for name in SCRIPTS)
    hashes = f"{script_hash(script)} {script_hash(library)}"
    holes: Mapping[str, Sequence[str] | Iterator[str]] = {
        "policy": [POLICY.format(scripts=hashes)],
        "style": [_part("report.css")],
        "summary": [packed(summary)],
        "library": [packed_text(library)],
        "details": (f"{each}\n" for each in chunks(details)),
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
