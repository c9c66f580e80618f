"""The curves as an SVG: two panels, a line a variant, its seeds thin behind it."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import Any, Final

COLOURS: Final = ("#1b6ca8", "#e08e0b", "#3a8f4d", "#999999", "#8e44ad", "#c0392b")
WIDTH: Final = 330
HEIGHT: Final = 230
LEFT: Final = 45
TOP: Final = 40
PANELS: Final = (("reward", "held-out reward"), ("pass_at_1", "held-out pass@1"))


def plot(results: list[dict[str, Any]], *, steps: int) -> str:
    """Draw held-out reward and pass@1 over the steps, of the variants that ran with more than half
    of the seeds, as many as there are colours.
    """
    runs = Counter(each["variant"] for each in results)
    most = max(runs.values())
    variants = [name for name, count in runs.items() if 2 * count > most]
    variants = variants[: len(COLOURS)]
    width, height = 2 * (WIDTH + LEFT) + 20, HEIGHT + TOP + 45
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
    parts = [
        f'{head} font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    x = LEFT
    for place, variant in enumerate(variants):
        colour = COLOURS[place]
        parts.append(f'<rect x="{x}" y="6" width="14" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 19}" y="12">{variant}</text>')
        # Letters are as wide as half of their height, or a little more.
        x += 19 + 6 * len(variant) + 10
    for place, (key, title) in enumerate(PANELS):
        parts += panel(
            results,
            variants,
            key,
            title,
            left=LEFT + place * (WIDTH + LEFT),
            steps=steps,
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def panel(
    results: list[dict[str, Any]],
    variants: list[str],
    key: str,
    title: str,
    *,
    left: int,
    steps: int,
) -> list[str]:
    """Draw one panel."""

    def x(step: float) -> float:
        return left + WIDTH * step / steps

    def y(value: float) -> float:
        return TOP + HEIGHT * (1 - value)

    parts = [f'<text x="{left}" y="{TOP - 10}" font-weight="bold">{title}</text>']
    for tenths in range(0, 11, 2):
        value = tenths / 10
        parts.append(
            f'<line x1="{left}" x2="{left + WIDTH}" y1="{y(value):.1f}"'
            f' y2="{y(value):.1f}" stroke="#ddd"/>'
            f'<text x="{left - 24}" y="{y(value) + 4:.1f}">{value:.1f}</text>'
        )
    for quarter in range(5):
        step = steps * quarter / 4
        parts.append(
            f'<text x="{x(step):.1f}" y="{TOP + HEIGHT + 16}"'
            f' text-anchor="middle">{step:.0f}</text>'
        )
    parts.append(
        f'<text x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 32}" text-anchor="middle">step</text>'
    )
    for place, variant in enumerate(variants):
        colour = COLOURS[place]
        runs = [each["points"] for each in results if each["variant"] == variant]
        lines = [[(x(p["step"]), y(p[key])) for p in points] for points in runs]
        average = [
            (x(points[0]["step"]), y(statistics.fmean(p[key] for p in points)))
            for points in zip(*runs, strict=True)
        ]
        parts += [line(each, colour, 0.8, 0.35) for each in lines]
        parts.append(line(average, colour, 2.2, 1.0))
    return parts


def line(points: list[tuple[float, float]], colour: str, width: float, opacity: float) -> str:
    """Draw one line."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}"'
        f' stroke-width="{width}" stroke-opacity="{opacity}"/>'
    )
