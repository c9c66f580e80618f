"""The figures of an evaluation, printed."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ocaml_reward.comparing import Figure

from ..terminal.consoles import console
from ..terminal.text import counted
from .difference import Difference
from .figures import Found


def show(
    found: Found, change: Difference | None, by_turn: Sequence[Figure] = ()
) -> None:
    """Print the figures with their intervals."""
    screen = console()
    of = f"{counted(found.problems, 'problem')}, {counted(found.completions, 'completion')}"
    screen.print(Text(f"evaluation of {of}; intervals of 95 % over problems"))
    rows = [(f"pass@{k}", written(one)) for k, one in found.pass_at.items()]
    for turn, figure in enumerate(by_turn, 1):
        rows.append((f"pass@1 after turn {turn}", written(figure)))
    rows.append(("reward", written(found.reward)))
    scored = found.completions - found.unscored
    rows.append(("cut off", f"{found.cut_off} of {scored}"))
    if change is not None:
        of = counted(change.problems, "problem")
        rows.append((f"pass@1 more than before, of {of}", written(change.pass_at_1)))
        rows.append((f"reward more than before, of {of}", written(change.reward)))
    margin = max(len(name) for name, _ in rows)
    for name, value in rows:
        screen.print(Text(f"{name:<{margin}}  {value}"))


def written(figure: Figure) -> str:
    """Write a figure with its interval, as far as they are known."""
    if figure.value is None:
        return "-"
    value = f"{figure.value:.3f}"
    if figure.low is None:
        return f"{value}  (all problems alike: no interval)"
    return f"{value}  ({figure.low:.3f} to {figure.high:.3f})"
