"""Figures of an evaluation: pass@k and mean reward, with intervals over problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from ocaml_reward import Breakdown, InputError, Verdict
from ocaml_reward.comparing import Figure, Graded, SourceCounts, compare, figure_of
from ocaml_reward.metrics import mean, unbiased_pass_at_k
from ocaml_reward.model import is_impossible

from ..score.records import read_records
from ..terminal.consoles import console
from ..terminal.text import counted


@dataclass(frozen=True, kw_only=True, slots=True)
class Evaluation:
    """The figures of an evaluation.

    `cut_off` counts scored completions at their length limit. `impossible_pass_rate` is the share of
    completions of impossible twins that pass, None without twins, which count for no other figure.
    """

    problems: int
    completions: int
    unscored: int
    cut_off: int
    pass_at: dict[int, Figure]
    reward: Figure
    solved: float | None
    verdicts: dict[str, int]
    impossible_pass_rate: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return a representation in JSON types."""
        return asdict(self)


def evaluation_figures(breakdowns: Iterable[Breakdown], *, ks: Sequence[int]) -> Evaluation:
    """Compute the figures of an evaluation; unscored completions are only counted."""
    groups: dict[str, list[Breakdown]] = {}
    twins: list[float] = []
    verdicts: Counter[Verdict] = Counter()
    unscored = cut_off = 0
    for each in breakdowns:
        verdicts[each.verdict] += 1
        if each.reward is None:
            unscored += 1
            continue
        cut_off += each.truncated is True
        if is_impossible(each.problem_id):
            twins.append(float(each.verdict is Verdict.PASSED))
            continue
        groups.setdefault(each.problem_id, []).append(each)
    passed = [
        (len(group), sum(one.verdict is Verdict.PASSED for one in group))
        for group in groups.values()
    ]
    return Evaluation(
        problems=len(groups),
        completions=sum(verdicts.values()),
        unscored=unscored,
        cut_off=cut_off,
        pass_at={k: figure_of(unbiased_pass_at_k(n, c, k) for n, c in passed) for k in ks},
        reward=figure_of(mean(one.reward for one in group) for group in groups.values()),
        solved=mean(float(c > 0) for _, c in passed),
        verdicts={each.value: verdicts[each] for each in Verdict if verdicts[each]},
        impossible_pass_rate=mean(twins),
    )


def pass_by_turn(
    breakdowns: Iterable[Breakdown], turns: Iterable[int], *, most: int
) -> list[Figure]:
    """Compute pass@1 after each turn, without impossible twins.

    Args:
        breakdowns: The last try of each conversation.
        turns: The turn of each of them, from 1.
        most: The number of turns.

    Returns:
        pass@1 after each turn, over problems.
    """
    groups: dict[str, list[int]] = {}
    for each, turn in zip(breakdowns, turns, strict=True):
        if each.reward is not None and not is_impossible(each.problem_id):
            came = turn if each.verdict is Verdict.PASSED else most + 1
            groups.setdefault(each.problem_id, []).append(came)
    return [
        figure_of(mean(float(came <= turn) for came in group) for group in groups.values())
        for turn in range(1, most + 1)
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """The change of pass@1 and of the reward since an earlier evaluation, over common problems."""

    problems: int
    pass_at_1: Figure
    reward: Figure

    def to_dict(self) -> dict[str, Any]:
        """Return a representation in JSON types."""
        return asdict(self)


def earlier_counts(folder: Path, scheme: str) -> SourceCounts:
    """Count an earlier evaluation.

    Raises InputError for a folder without records, or if they are of another scheme.
    """
    found = _source_counts(folder)
    if found.schemes - {scheme}:
        labels = ", ".join(sorted(found.schemes))
        raise InputError(f"{folder} was scored with another scheme: {labels}, not {scheme}")
    return found


def difference(earlier: SourceCounts, after: Path) -> Difference:
    """Compare an evaluation with an earlier one; raises InputError if they share no problem."""
    new = _source_counts(after)
    if not earlier.problems.keys() & new.problems.keys():
        raise InputError(f"the evaluation before has no problem that {after} has")
    found = compare(earlier, new)
    return Difference(problems=found.problems, pass_at_1=found.pass_at[1], reward=found.reward)


def _source_counts(folder: Path) -> SourceCounts:
    """Return the counts of an evaluation's records."""
    path = folder / "records.jsonl"
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    return SourceCounts.counted(Graded.of(each.breakdown) for each in read_records(path, size=size))


def show(found: Evaluation, change: Difference | None, by_turn: Sequence[Figure] = ()) -> None:
    """Print the figures with their intervals."""
    screen = console()
    of = f"{counted(found.problems, 'problem')}, {counted(found.completions, 'completion')}"
    screen.print(Text(f"evaluation of {of}; intervals of 95 % over problems"))
    rows = [(f"pass@{k}", figure_text(one)) for k, one in found.pass_at.items()]
    for turn, figure in enumerate(by_turn, 1):
        rows.append((f"pass@1 after turn {turn}", figure_text(figure)))
    rows.append(("mean reward", figure_text(found.reward)))
    scored = found.completions - found.unscored
    rows.append(("cut off", f"{found.cut_off} of {scored}"))
    if found.impossible_pass_rate is not None:
        rows.append(("impossible twins passed", f"{found.impossible_pass_rate:.1%}"))
    if change is not None:
        of = counted(change.problems, "problem")
        rows.append((f"pass@1 more than before, of {of}", figure_text(change.pass_at_1)))
        rows.append((f"mean reward more than before, of {of}", figure_text(change.reward)))
    margin = max(len(name) for name, _ in rows)
    for name, value in rows:
        screen.print(Text(f"{name:<{margin}}  {value}"))


def figure_text(figure: Figure) -> str:
    """Format a figure with its interval, as far as they are known."""
    if figure.value is None:
        return "-"
    value = f"{figure.value:.3f}"
    if figure.low is None:
        return f"{value}  (all problems alike: no interval)"
    return f"{value}  ({figure.low:.3f} to {figure.high:.3f})"
