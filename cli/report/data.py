"""Collects the data of a page from its sources."""

from __future__ import annotations

import heapq
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from ocaml_reward import InputError, Problem, Verdict
from ocaml_reward.comparing.certificate import certificate_line
from ocaml_reward.formats import ProblemSet, problems_beside
from ocaml_reward.record import dumps
from trainer_plugin.health.thresholds import Thresholds

from .details import completion_details, problem_details, table_row
from .figures import ReportFigures
from .scored import ScoredCompletion, scored_completions
from .sources import Kind, Source, problems_of_source
from .training_logs import TrainingLogs, read_training_logs

GOOD, WATCH, BAD = "good", "watch", "bad"


BLOCK: Final = 64
"""Number of completions of a group that are kept or dropped together."""


class Report:
    """The data of all sources, and a sample of their completions."""

    def __init__(self, *, most: int, problems: ProblemSet | None = None) -> None:
        """Limit the sample to `most` completions, of which `problems` has the problems."""
        self._sample = CompletionSample(most)
        self._sources: list[dict[str, Any]] = []
        self._named = {} if problems is None else problems.problems
        self._problems: dict[tuple[int, str], bytes] = {}
        self._certificates: dict[str, None] = {}

    def add(
        self,
        source: Source,
        *,
        report: Callable[[str], None],
        step: Callable[[float | None], None],
    ) -> None:
        """Read a source.

        Args:
            source: The source.
            report: Called with a message for each line that cannot be used.
            step: Called with the reward of each completion.

        Raises:
            InputError: It is empty.
        """
        figures = ReportFigures()
        logs = read_training_logs(source, report)
        own = problems_of_source(source)
        known = {**own, **self._named}
        if own and (path := problems_beside(source.path)):
            self.add_certificate(path, own)
        if source.kind is not Kind.LOG:
            for scored in scored_completions(source, report):
                figures.add(scored)
                self._add_to_sample(scored, known)
                step(scored.breakdown.reward)
        if not figures.completions and not logs.series:
            raise InputError(f"nothing to report in {source.path}")
        self._sources.append(_source_data(source, figures, logs))

    def add_certificate(self, path: Path, problems: Mapping[str, Problem]) -> None:
        """Show how good the tests of problems are, if a certificate lies beside their file."""
        if line := certificate_line(path, list(problems.values())):
            self._certificates[line] = None

    def summary(self) -> dict[str, Any]:
        """Return all data except the details of completions."""
        rows: dict[str, list[Any]] = defaultdict(list)
        numbers = self._problem_numbers()
        for row in self._rows():
            for name, value in row.items():
                rows[name].append(value)
            packed = self._problem_of(row)
            rows["text"].append(None if packed is None else numbers[packed])
        return {
            "sources": self._sources,
            "certificates": list(self._certificates),
            "verdicts": {each: each.sentence for each in Verdict},
            "bands": _bands(Thresholds()),
            "rows": rows,
            "kept": len(self._sample),
            "total": sum(each["completions"] for each in self._sources),
        }

    def details(self) -> Iterator[str]:
        """Yield the details of each completion in the sample, as JSON."""
        for text in self._sample.texts():
            yield text.partition("\n")[2]

    def problems(self) -> Iterator[str]:
        """Yield the texts of each problem of the sample, as JSON; `text` in a row counts them."""
        for packed in self._problem_numbers():
            yield zlib.decompress(packed).decode()

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of the table."""
        for text in self._sample.texts():
            yield json.loads(text.partition("\n")[0])

    def _problem_of(self, row: Mapping[str, Any]) -> bytes | None:
        """Return the compressed JSON of a row's problem; None if it has none."""
        return self._problems.get((row["source"], row["problem"]))

    def _problem_numbers(self) -> dict[bytes, int]:
        """Return a number for each text of a problem; equal ones, as of several sources, are one."""
        found = dict.fromkeys(map(self._problem_of, self._rows()))
        return {packed: number for number, packed in enumerate(filter(None, found))}

    def _add_to_sample(self, scored: ScoredCompletion, known: Mapping[str, Problem]) -> None:
        number = len(self._sources)
        breakdown = scored.breakdown

        def text() -> str:
            self._keep_problem(number, scored, known.get(breakdown.problem_id))
            return f"{dumps(table_row(number, scored))}\n{dumps(completion_details(scored))}"

        group = (number, scored.split, scored.step, breakdown.problem_id)
        self._sample.add(group, scored.index, text)

    def _keep_problem(self, source: int, scored: ScoredCompletion, problem: Problem | None) -> None:
        """Keep the texts of a completion's problem; without the problem, the logged prompt."""
        key = (source, scored.breakdown.problem_id)
        prompt = (problem and problem.prompt) or (scored.raw.prompt if scored.raw else "")
        found = problem_details(prompt, problem.tests if problem else "")
        if found and key not in self._problems:
            self._problems[key] = _compressed(lambda: dumps(found))


def _source_data(source: Source, figures: ReportFigures, logs: TrainingLogs) -> dict[str, Any]:
    """Return all data of a source."""
    return {
        "label": source.label,
        "kind": source.kind.value,
        "places": logs.places,
        # Logged figures take precedence over those computed from completions.
        "series": {**figures.series(), **logs.series},
        "findings": list(logs.findings),
        "steps": figures.by_step(),
        "problems": figures.problems(),
        "curves": figures.curves(),
        **figures.summary(),
    }


def _bands(at: Thresholds) -> dict[str, list[list[Any]]]:
    """Return the normal and the critical ranges of figures, by the thresholds of health.

    Each is a list of its start, its end, its level and a sentence.
    """
    usual, halt = at.zero_std_usual, at.stop_zero_std
    low, high = at.entropy_low, at.entropy_high
    warning, critical = at.zero_std_warning, at.zero_std_critical
    return {
        "frac_zero_std": [
            [0, usual, GOOD, f"Up to {usual:g} is as it should be."],
            [halt, warning, WATCH, f"Above {halt:g} look closer:"],
            [
                warning,
                critical,
                WATCH,
                f"above {warning:g} a model begins to collapse,",
            ],
            [critical, 1, BAD, f"above {critical:g} it has."],
        ],
        "entropy": [
            [low, high, GOOD, f"{low:g} to {high:g} is as it should be early on."],
        ],
        "grad_norm": [[at.grad_norm, None, BAD, f"Above {at.grad_norm:g} it is unstable."]],
        "loss": [[at.loss, None, BAD, f"Above {at.loss:g} it is unstable."]],
        "taught_groups": [
            [0, at.taught, WATCH, f"Below {at.taught:.0%} the others teach nothing."],
        ],
        "teacher_kl": [[at.teacher_kl, None, WATCH, f"Above {at.teacher_kl:g} it is far."]],
        "impossible_pass_rate": [
            [at.impossible, 1, BAD, f"Above {at.impossible:.0%} the model cheats."],
        ],
    }


class CompletionSample:
    """A sample of completions that is the same each time: the groups with the lowest hashes.

    Whole groups are kept, so that their completions can be compared with each other.
    """

    def __init__(self, most: int) -> None:
        """Limit the sample to `most` completions."""
        self._most = most
        self._offered = 0
        # A heap whose first entry is dropped next, so hashes and numbers are negated.
        self._heap: list[tuple[int, int, bytes]] = []

    def add(self, group: tuple[object, ...], index: int, text: Callable[[], str]) -> None:
        """Add a completion if its group is among those with the lowest hashes so far.

        Args:
            group: The key of its group.
            index: Its index in the group, from 0.
            text: Returns the text to keep; called only if it is needed.
        """
        named = repr((*group, index // BLOCK)).encode()
        number = -self._offered
        self._offered += 1
        place = -int.from_bytes(blake2b(named, digest_size=8).digest())
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, (place, number, _compressed(text)))
        elif self._most and (place, number) > self._heap[0][:2]:
            heapq.heapreplace(self._heap, (place, number, _compressed(text)))

    def __len__(self) -> int:
        """Return the size of the sample."""
        return len(self._heap)

    def texts(self) -> Iterator[str]:
        """Yield the texts, in the order in which they were added."""
        for _, _, packed in sorted(self._heap, key=lambda each: -each[1]):
            yield zlib.decompress(packed).decode()


def _compressed(text: Callable[[], str]) -> bytes:
    return zlib.compress(text().encode(), 1)
