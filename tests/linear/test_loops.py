"""No loop of ours over a completion, its output or what the compiler says of it takes more than
linear time: in operations that are counted, over texts that are made to take long.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.linear.counting import Counter, loops_of
from tests.linear.loops import FLOOR, GROWTH

ROOT: Final = Path(__file__).parent.parent.parent
# What reads such texts, as files or folders.
READERS: Final = (
    "ocaml_reward/reading", "ocaml_reward/diagnostics", "ocaml_reward/penalties",
    "ocaml_reward/scoring",
    "ocaml_reward/model/feedback.py", "ocaml_reward/record.py", "cli/report/details.py",
    "cli/report/raw.py",
    "cli/explain/listing.py", "trainer_plugin/located/credit.py",
    *(f"ocaml_reward/engine/{name}.py" for name in
      ("judge/formulas", "judge/outputs", "messages/literals", "messages/protocol",
       "messages/reports", "messages/run_outcome", "messages/values", "run/check_results")),
)  # fmt: skip
# Loops that these texts do not reach, by function, and why they are short, or one turn a thing.
PROBLEM: Final = "goes over what the problem's author wrote"
MATCHES: Final = "has a turn for each match of an expression, or each part of one message"
FEW: Final = "goes over a fixed few"
EACH: Final = "has a turn for each part, branch, check, event or record"
BOUNDED: Final = {
    **dict.fromkeys(
        ("ocaml_reward.reading.definitions.outermost", "ocaml_reward.reading.signature.prompt_code",
         "ocaml_reward.reading.signature.code_in", "ocaml_reward.reading.signature._opened",
         "ocaml_reward.reading.signature.requested_names",
         "ocaml_reward.model.feedback.public_checks", "ocaml_reward.model.feedback._shown",
         "ocaml_reward.engine.messages.values.arithmetic", "ocaml_reward.engine.judge.formulas._Evaluator.holds",
         "ocaml_reward.engine.judge.formulas._Evaluator.term", "ocaml_reward.engine.judge.formulas._Evaluator._applied",
         "ocaml_reward.engine.judge.formulas._Description.of", "ocaml_reward.engine.judge.formulas._Description._text",
         "ocaml_reward.engine.judge.formulas._Description._given", "ocaml_reward.engine.judge.formulas._Evaluator._handles", "ocaml_reward.engine.judge.formulas._Evaluator._catches",
         "ocaml_reward.engine.run.check_results.Progress._fail_dependents", "ocaml_reward.engine.run.check_results.with_state",
         "ocaml_reward.scoring.error_spans._blame", "ocaml_reward.scoring.regions._misfits",
         "ocaml_reward.record._groups", "ocaml_reward.scoring.grouped.earned", "ocaml_reward.scoring.grouped.share_of",
         "cli.report.details.problem_details", "cli.explain.listing.line_of_tests"),
        PROBLEM,
    ),
    **dict.fromkeys(
        ( "ocaml_reward.diagnostics.parser._Parser._place",
         "ocaml_reward.scoring.credit._defines",
         "ocaml_reward.scoring.error_spans.read_mismatch", "ocaml_reward.penalties.unrelated.is_related",
         "ocaml_reward.penalties.unrelated._parts", "ocaml_reward.model.feedback._message",
         "ocaml_reward.model.feedback._misfit", "cli.explain.listing.message_lines",
         "cli.explain.listing.wrapped"),
        MATCHES,
    ),
    **dict.fromkeys(
        ("ocaml_reward.scoring.rescoring.RecordedFacts._penalty",
         "ocaml_reward.scoring.rescoring.RecordedFacts.evidence", "ocaml_reward.scoring.rescoring.Rescoring.of",
         "ocaml_reward.scoring.rescoring._check", "ocaml_reward.scoring.error_spans._differing",
         "ocaml_reward.model.feedback._clash", "cli.report.details.completion_details",
         "ocaml_reward.engine.messages.reports._at_home", "ocaml_reward.engine.messages.reports.counted", "ocaml_reward.engine.messages.run_outcome.outcome_of_run"),
        FEW,
    ),
    **dict.fromkeys(
        ("ocaml_reward.scoring.branches._cut", "ocaml_reward.scoring.branches._holding",
         "ocaml_reward.scoring.error_spans._errors", "ocaml_reward.scoring.needs.PartIndex.leads_to",
         "ocaml_reward.scoring.needs.PartIndex.at_the_top", "ocaml_reward.scoring.needs.PartIndex.local_name",
         "ocaml_reward.scoring.needs.PartIndex._root",
         "ocaml_reward.scoring.needs.PartIndex._named", "ocaml_reward.scoring.places.Layout.outwards",
         "ocaml_reward.scoring.rescoring.RecordedFacts.passes", "ocaml_reward.model.feedback._places",
         "ocaml_reward.engine.run.check_results.ReachedHoles.reach",
         "ocaml_reward.engine.run.check_results.ReachedHoles.entered",
         "ocaml_reward.engine.run.check_results.ReachedHoles.apply_to",
         "ocaml_reward.engine.run.check_results.pass_with_the_others",
         "ocaml_reward.engine.messages.run_outcome._timed", "ocaml_reward.engine.messages.run_outcome.RunSummary.passes",
         "ocaml_reward.penalties.efficiency._take", "ocaml_reward.scoring.rescoring.RecordedFacts.results",
         "ocaml_reward.engine.judge.outputs.settle_verdicts", "ocaml_reward.engine.messages.values.read_expected_values", "cli.report.raw.RawTexts.of",
         "cli.report.raw._of_run", "cli.report.raw._beside", "cli.report.raw._good_lines"),
        EACH,
    ),
}  # fmt: skip


def files_of(reader: str) -> list[Path]:
    """Return a file, or the modules of a folder."""
    path = ROOT / reader
    return [path] if path.is_file() else sorted(path.glob("*.py"))


@pytest.fixture(scope="module")
def driven() -> dict[str, Any]:
    """Run all texts through what reads them."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.linear.loops"],
        cwd=ROOT, check=True, capture_output=True, timeout=900,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_no_text_takes_more_than_linear_time(driven: dict[str, Any]) -> None:
    """Four times the text takes about four times the operations, from some size on."""
    slow = {
        name: counts
        for name, counts in driven["counts"].items()
        if counts[-1] > GROWTH * counts[-2] + FLOOR
    }

    assert {} == slow
    assert len(driven["counts"]) > 300


def test_every_loop_was_run(driven: dict[str, Any]) -> None:
    """A loop that no text reaches is one that nothing is known of."""
    ran = {(module, line) for module, line in driven["ran"]}
    missed = {}
    for reader in READERS:
        for file in files_of(reader):
            parts = file.relative_to(ROOT).with_suffix("").parts
            module = ".".join(parts).removesuffix(".__init__")
            for function, line in loops_of(file):
                name = f"{module}.{function}"
                if (module, line) not in ran and name not in BOUNDED:
                    missed[f"{name}:{line}"] = file.read_text().split("\n")[line - 1]

    assert {} == missed


def test_no_excuse_is_of_something_else() -> None:
    known = {
        f"{'.'.join(file.relative_to(ROOT).with_suffix('').parts)}.{function}"
        for reader in READERS
        for file in files_of(reader)
        for function, _ in loops_of(file)
    }

    assert set() == BOUNDED.keys() - known


def test_what_is_quadratic_is_counted() -> None:
    """A loop that looks at all of a text in each turn takes sixteen times as much for four times
    the text.
    """
    counter = Counter()

    def lines_before_each(text: str) -> int:
        begin = counter.total
        for place in range(len(text)):
            counter.call(text.count, "\n", 0, place)
        return counter.total - begin

    assert lines_before_each("x" * 400) > 14 * lines_before_each("x" * 100)
