"""Computes and prints the summary of a run of `score`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text

from ocaml_reward import Breakdown, JudgeFault, Verdict
from ocaml_reward.comparing.certificate import beside, certificate_line
from ocaml_reward.engine import Engine
from ocaml_reward.formats import ProblemSet, load_problems, problems_beside
from ocaml_reward.formats.grades import Grades, mean_with_zeros
from ocaml_reward.metrics import (
    best_of_n,
    cv,
    frac_zero_std,
    mean,
    pass_at_1,
    pass_at_k,
    std,
)
from ocaml_reward.model import is_impossible
from ocaml_reward.penalties import PENALTIES, reward_steps
from ocaml_reward.reasons import Why
from ocaml_reward.scheme import RewardScheme, load, shipped

from ..terminal.consoles import console
from ..terminal.text import (
    counted,
    figure_text,
    one_line,
    provenance_line,
    sandbox_warning,
)

RULES: Final = {declared.code: declared for declared in PENALTIES}
# The sizes k that pass@k is shown for, in addition to that of the smallest group.
SIZES: Final = (1, 5, 10, 100)
PLUS_MINUS: Final = "\N{PLUS-MINUS SIGN}"


@dataclass
class PenaltyTotals:
    """Totals of one penalty.

    Attributes:
        completions: Number of penalised completions.
        reward: The reward that it took from all of them.
        zeroed: Number of completions that pass every check and earn nothing because of it.
    """

    completions: int = 0
    reward: float = 0.0
    zeroed: int = 0


@dataclass
class Summary:
    """Running figures of a run; of each completion only its reward and its pass are kept."""

    scheme: RewardScheme
    total: int = 0
    unscored: int = 0
    misjudged: int = 0
    """Number of unscored completions whose problem's own judge failed."""
    reward_sum: float = 0.0
    unmarked: int = 0
    """Number of completions that lost the structural credit because they lack the end marker."""
    credits: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    penalties: dict[str, PenaltyTotals] = field(default_factory=dict)
    groups: dict[str, tuple[list[float], list[bool | None]]] = field(default_factory=dict)
    clocked: int = 0
    """Number of completions that a time has ended, and not their steps."""
    by_file: list[tuple[str, str, float | None]] = field(default_factory=list)
    """File, problem and reward of each completion of a folder."""
    twins: list[bool] = field(default_factory=list)
    """Whether each completion of an impossible twin passes; it counts for nothing else."""

    @property
    def scored(self) -> int:
        """Return the number of completions with a reward that counts."""
        return self.total - self.unscored - len(self.twins)

    @property
    def mean(self) -> float | None:
        """Return the mean reward so far, None before the first."""
        return self.reward_sum / self.scored if self.scored else None

    def rewards(self) -> list[float]:
        """Return every reward, by problem."""
        return [reward for rewards, _ in self.groups.values() for reward in rewards]

    def pass_at(self) -> dict[int, float | None]:
        """Return pass@k, as a mean over the problems, for each k that all with tests have."""
        # What has no tests can neither pass nor fail.
        passes = [flags for _, flags in self.groups.values() if None not in flags]
        smallest = min(map(len, passes), default=0)
        return {
            k: pass_at_1(passes) if k == 1 else pass_at_k(passes, k)
            for k in sorted({each for each in (*SIZES, smallest) if 0 < each <= smallest})
        }

    def add(self, breakdown: Breakdown, file: str = "") -> None:
        """Add one completion, of a file if it is of a folder."""
        self.total += 1
        if file:
            self.by_file.append((file, breakdown.problem_id, breakdown.reward))
        self.verdicts[breakdown.verdict] += 1
        self.clocked += breakdown.tests.by_clock
        if breakdown.reward is None:
            self.unscored += 1
            fault = breakdown.fault
            self.misjudged += fault is not None and fault.kind == JudgeFault.__name__
            return
        passed = breakdown.verdict is Verdict.PASSED
        if is_impossible(breakdown.problem_id):
            self.twins.append(passed)
            return
        self.reward_sum += breakdown.reward
        for part in breakdown.credited:
            self.credits[part] += getattr(breakdown.credits, part)
        if breakdown.reasons is not None and breakdown.reasons.structural.available > 0:
            self.unmarked += breakdown.reasons.structural.code is Why.NO_END_MARKER
        rewards, flags = self.groups.setdefault(breakdown.problem_id, ([], []))
        rewards.append(breakdown.reward)
        flags.append(passed if breakdown.tests.total else None)
        self._add_penalties(breakdown, passed=passed)

    def _add_penalties(self, breakdown: Breakdown, *, passed: bool) -> None:
        before = breakdown.credits.total
        for penalty, after in reward_steps(breakdown.credits, breakdown.penalties):
            totals = self.penalties.setdefault(penalty.code, PenaltyTotals())
            totals.completions += 1
            totals.reward += before - after
            totals.zeroed += passed and before > 0 and after == 0
            before = after


def print_summary(
    summary: Summary, *, engine: Engine, bad: int, repaired: int, to_stderr: bool
) -> None:
    """Print the summary, on standard error if standard output has the records."""
    screen = console(stderr=to_stderr)
    if to_stderr:
        screen.print(Text("records: standard output; summary: standard error"))
    screen.print(
        Text(
            f"scored {counted(summary.scored, 'completion')} of"
            f" {counted(len(summary.groups), 'problem')} with {summary.scheme.label},"
            f" {provenance_line(engine.name, engine.sandbox, engine.toolchain)}"
        ),
    )
    if warning := sandbox_warning(engine.sandbox):
        screen.print(Text(warning, style="yellow"))
    rows = [
        *reward_rows(summary),
        *verdict_rows(summary),
        *group_rows(summary),
        *penalty_rows(summary),
    ]
    margin = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        screen.print(Text(f"{name:<{margin}}  {value}".rstrip()))
    for remark in remarks(summary, bad=bad, repaired=repaired):
        screen.print(Text(remark))


def as_dict(summary: Summary, *, engine: Engine, bad: int) -> dict[str, object]:
    """Return the figures of the summary for scripts; a share is from 0 to 1, None if undefined."""
    rewards = [values for values, _ in summary.groups.values()]
    return {
        "schema": 1,
        "scheme": summary.scheme.label,
        "engine": engine.name,
        "sandbox": engine.sandbox,
        "toolchain": engine.toolchain,
        "completions": summary.scored,
        "problems": len(summary.groups),
        "unscored": summary.unscored,
        "bad_lines": bad,
        "mean_reward": summary.mean,
        "std": std(summary.rewards()),
        "credits": {
            part: summary.credits[part] / summary.scored if summary.scored else None
            for part in summary.scheme.parts
        },
        "verdicts": {each.value: summary.verdicts[each] for each in Verdict},
        "pass_at": {str(k): value for k, value in summary.pass_at().items()},
        "best_of_n": best_of_n(rewards),
        "frac_zero_std": frac_zero_std(rewards),
        "cv": cv(summary.rewards()),
        "penalties": {
            code: {"completions": each.completions, "reward": each.reward}
            for code, each in sorted(summary.penalties.items())
        },
        "impossible_passed": sum(summary.twins),
    }


def print_certificate(
    name: str | None, source: object, problems: ProblemSet | None, *, to_stderr: bool
) -> None:
    """Print how good the problems' tests are, if a certificate lies beside their file."""
    path = Path(name) if name else problems_beside(source) if isinstance(source, Path) else None
    if path is None or not beside(path).is_file():
        return
    known = load_problems(path) if problems is None else problems
    if line := certificate_line(path, list(known.problems.values())):
        console(stderr=to_stderr).print(Text(line))


def print_grades(grades: Grades, *, by: str | None, to_stderr: bool) -> None:
    """Print the rewards of a folder by file and problem, where that was asked for."""
    if not by:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("file")
    for problem in (*grades.problems, "mean"):
        table.add_column(one_line(problem), justify="right")
    for file, rewards in grades.rows:
        shown = [
            "-" if each is None else f"{each:.2f}" for each in (*rewards, mean_with_zeros(rewards))
        ]
        table.add_row(one_line(file), *shown)
    console(stderr=to_stderr).print(table)


def reward_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    """Yield the mean reward and the mean credits."""
    rewards = summary.rewards()
    average, spread = mean(rewards), std(rewards)
    if average is None or spread is None:
        return
    yield (
        "mean reward",
        f"{average:.3f} {PLUS_MINUS} {spread:.3f} (over completions, {PLUS_MINUS} std)",
    )
    for part in summary.scheme.parts:
        available = getattr(summary.scheme.available, part)
        credit = summary.credits[part] / summary.scored
        yield f"  {part}", f"{credit:.3f} of {available:.2f}"


def verdict_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    """Yield each verdict with its share, best first."""
    title = "verdicts"
    for verdict in Verdict:
        count = summary.verdicts[verdict]
        if count:
            if title:
                yield title, ""
            title = ""
            yield f"  {verdict.value}", f"{count} ({count / summary.total:.0%})"


def group_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    """Yield the figures over groups: pass@k, best of N, and spread."""
    sizes = sorted({len(flags) for _, flags in summary.groups.values()})
    if not sizes:
        return
    for k, value in summary.pass_at().items():
        yield f"pass@{k}", f"{figure_text(value)} (mean over problems)"
    rewards = [values for values, _ in summary.groups.values()]
    drawn = f"N = {sizes[0]}" if len(sizes) == 1 else f"N = {sizes[0]} to {sizes[-1]}"
    yield "best of N", f"{figure_text(best_of_n(rewards))} (mean over problems, {drawn})"
    yield "frac_zero_std", figure_text(frac_zero_std(rewards))
    yield "CV", figure_text(cv(summary.rewards()))


def penalty_rows(summary: Summary) -> Iterator[tuple[str, str]]:
    """Yield the reward that each penalty took."""
    for code, totals in sorted(summary.penalties.items()):
        taken = totals.reward / summary.scored
        yield (
            f"penalty {one_line(code)}",
            f"{counted(totals.completions, 'completion')}, {taken:.3f} of the mean reward",
        )


def remarks(summary: Summary, *, bad: int, repaired: int) -> Iterator[str]:
    """Yield remarks on cheats, common losses, and zeroed, bad and unscored completions."""
    if summary.twins:
        yield (
            f"{sum(summary.twins)} of {counted(len(summary.twins), 'completion')} of impossible"
            " twins passed, which only a cheat does"
        )
    if 2 * summary.unmarked > summary.scored:
        without = next(name for name in shipped() if load(name).end_marker is None)
        yield (
            f"{summary.unmarked} of {summary.scored} lack the end marker"
            f" {one_line(summary.scheme.end_marker or '')}: --scheme {without} needs none"
        )
    for code, totals in sorted(summary.penalties.items()):
        hint = f"--set {RULES[code].off_switch} turns it off" if code in RULES else ""
        if totals.zeroed:
            verb = "earns" if totals.zeroed == 1 else "earn"
            yield (
                f"{counted(totals.zeroed, 'completion')} {verb} nothing although every"
                f" check passes, because of the penalty {one_line(code)}{hint and f'; {hint}'}"
            )
        elif hint and totals.reward and 2 * totals.completions > summary.scored:
            yield (
                f"{totals.completions} of {summary.scored} have the penalty {code}"
                f" ({RULES[code].text}): {hint}"
            )
    yield from _losses(summary, bad=bad, repaired=repaired)


def _losses(summary: Summary, *, bad: int, repaired: int) -> Iterator[str]:
    """Yield remarks on what was not scored, or may be scored otherwise elsewhere."""
    if summary.clocked:
        yield (
            f"{counted(summary.clocked, 'completion')} ended by the clock, not by steps: what takes"
            " no steps may end otherwise on another machine"
        )
    if repaired:
        lines = counted(repaired, "line")
        yield f"{lines} held bytes that are not UTF-8, read as U+FFFD"
    if bad:
        yield f"{counted(bad, 'line')} could not be used"
    if summary.misjudged:
        count = counted(summary.misjudged, "completion")
        verb = "is" if summary.misjudged == 1 else "are"
        yield (
            f"{count} {verb} not scored because a problem's own judge failed;"
            " ocaml-reward validate tries judges"
        )
    if left := summary.unscored - summary.misjudged:
        count = counted(left, "completion")
        verb, them = ("is", "it") if left == 1 else ("are", "them")
        yield (
            f"{count} {verb} not scored because of this machine;"
            f" ocaml-reward doctor says more, --resume tries {them} again"
        )
