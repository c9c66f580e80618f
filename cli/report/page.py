"""The page itself: its skeleton, style and scripts, and the data between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

from ocaml_reward import MachineError

from .embedding import chunks, packed, packed_text, script_hash

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
