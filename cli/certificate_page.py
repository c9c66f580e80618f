"""Writes certificates as a page: no script, nothing fetched, all text escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Final

from ocaml_reward.comparing.certificate import Certificate, Rate

from .terminal.text import figure_text

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE: Final = """
main { max-width: 1000px; }
.j { position: relative; width: 160px; height: 14px; background: var(--shade); border-radius: 7px; }
.j i { position: absolute; top: 5px; height: 4px; background: var(--muted); border-radius: 2px; }
.j b { position: absolute; top: 1px; width: 4px; height: 12px; border-radius: 2px; background: var(--tone-good); }
.j b.watch { background: var(--tone-watch); } .j b.bad { background: var(--tone-bad); }
td, th { vertical-align: middle; }
.figures tr > :nth-child(6), .figures tr > :nth-child(7) { text-align: left; }
details { margin: 10px 0; } summary { cursor: pointer; overflow-wrap: anywhere; }
pre { background: var(--shade); padding: 10px 12px; border-radius: 8px; overflow-x: auto; font-size: 13px; }
li { margin: 4px 0; }
"""
_HEAD: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>Certificate of {name}</title>
<style>{style}</style></head>
<body><header class="bar"><strong class="brand">ocaml-reward <span>certificate</span></strong></header>
<main><h2>{name}</h2><section class="card"><ul>{sentences}</ul></section>
<h2>Problems</h2><p class="note">How many of the right and of the wrong answers that were tried pass.
J is the share of the right minus that of the wrong ones of the kind that passes most; the line is its
95 % interval.</p>
<div class="card scroll"><table class="figures"><thead><tr><th>problem</th><th>right</th>
<th>nearly right</th><th>empty</th><th>given</th><th>J</th><th></th></tr></thead><tbody>
"""
_GOOD: Final = 0.95
_WATCH: Final = 0.9


def page(name: str, certificates: Sequence[Certificate], sentences: Sequence[str]) -> Iterator[str]:
    """Yield a page in parts.

    Args:
        name: The name of the problems.
        certificates: Their certificates.
        sentences: What they mean.

    Returns:
        Parts of the page.
    """
    style = (
        files(f"{__package__}.report").joinpath("page", "report.css").read_text(encoding="utf-8")
    )
    items = "".join(f"<li>{escape(each)}</li>" for each in sentences)
    yield _HEAD.format(policy=POLICY, name=escape(name), style=style + _STYLE, sentences=items)
    ordered = sorted(certificates, key=lambda each: -2 if each.j is None else each.j)
    for each in ordered:
        yield _row(each)
    yield "</tbody></table></div>\n"
    if any(map(_has_details, ordered)):
        yield "<h2>Answers that are judged wrongly</h2>\n"
    for each in filter(_has_details, ordered):
        yield _details(each)
    first = certificates[0]
    yield f'<p class="note">ocaml-reward {escape(first.tool)}, seed {first.seed}</p></main></body></html>\n'


def _row(each: Certificate) -> str:
    rates = "".join(
        f"<td>{_rate(one)}</td>" for one in (each.right, each.near, each.empty, each.given)
    )
    return (
        f"<tr><th>{escape(each.id)}</th>{rates}<td>{figure_text(each.j)}</td>"
        f"<td>{_picture(each) or escape(each.skipped)}</td></tr>\n"
    )


def _rate(rate: Rate) -> str:
    return f"{rate.passed}/{rate.tried}" if rate.tried else ""


def _picture(each: Certificate) -> str:
    """Return J with its interval on a line from 0 to 1."""
    if each.j is None or each.interval is None:
        return ""
    low, high = (100 * min(max(end, 0.0), 1.0) for end in each.interval)
    place = 97 * min(max(each.j, 0.0), 1.0)
    tone = "good" if each.j >= _GOOD else "watch" if each.j >= _WATCH else "bad"
    return (
        f'<div class="j"><i style="left:{low:.0f}%;width:{high - low:.0f}%"></i>'
        f'<b class="{tone}" style="left:{place:.0f}%"></b></div>'
    )


def _has_details(each: Certificate) -> bool:
    return bool(each.paid or each.lost or each.complaints)


def _details(each: Certificate) -> str:
    parts = [f"<h3>{escape(each.id)}</h3><ul>"]
    parts += [f"<li>cannot be graded fairly: {escape(one)}</li>" for one in each.complaints]
    parts += [f"<li>right, but fails: {escape(one)}</li>" for one in each.lost]
    if each.unfailed:
        numbers = ", ".join(map(str, each.unfailed))
        parts.append(f"<li>no wrong answer fails check {numbers}</li>")
    parts.append("</ul>")
    for one in each.paid:
        where = f"line {one.line}: " if one.line else ""
        on = "".join(f"<li><code>{escape(call)}</code></li>" for call in one.tells)
        tells = f"<p>It differs on</p><ul>{on}</ul>" if on else ""
        parts.append(
            f"<details><summary>passes though wrong: {escape(where + one.what)}</summary>{tells}"
            f"<pre>{escape(one.code)}</pre></details>"
        )
    return f'<section class="card" style="margin-bottom:12px">{"".join(parts)}</section>\n'
