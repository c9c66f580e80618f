"""Records of homework: a table by file and problem, and JUnit's XML for a continuous integration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any
from xml.etree import ElementTree as ET

from .lines import visible

Record = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Grades:
    """The rewards of each file's completions, by problem; None where it has none, or a fault."""

    problems: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | None, ...]], ...]


def file_of(record: Record) -> str:
    """Return the name of the file that a record's completion came from, else its place."""
    return str(record.get("file") or f"completion {record['index']}")


def grades_of(rewards: Iterable[tuple[str, str, float | None]]) -> Grades:
    """Return a table of grades.

    Args:
        rewards: File, problem and reward of each completion.

    Returns:
        One row for each file, by name without its ending; of several completions of one problem
        the last counts.
    """
    table: dict[str, dict[str, float | None]] = {}
    problems: dict[str, None] = {}
    for file, problem, reward in rewards:
        problems[problem] = None
        table.setdefault(file.removesuffix(".ml"), {})[problem] = reward
    names = tuple(problems)
    return Grades(
        problems=names,
        rows=tuple((file, tuple(map(table[file].get, names))) for file in sorted(table)),
    )


def mean_with_zeros(rewards: Sequence[float | None]) -> float:
    """Return the mean reward over all problems; one that is not handed in counts as 0."""
    return fmean(reward or 0.0 for reward in rewards)


def grade_rows(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Return the table of grades as rows: the file, a reward for each problem, and their mean."""
    grades = grades_of((file_of(each), each["problem_id"], each.get("reward")) for each in records)
    return [
        {
            "file": file,
            **dict(zip(grades.problems, rewards, strict=True)),
            "mean": mean_with_zeros(rewards),
        }
        for file, rewards in grades.rows
    ]


def write_junit(path: Path, records: Iterable[Record]) -> str:
    """Write a test suite for each completion, with a test case for each check.

    Checks that did not run fail with the verdict; a completion that our machine failed to grade is
    an error.  Returns what is lost, in words.
    """
    root = ET.Element("testsuites")
    for record in records:
        _add_suite(root, record)
    ET.indent(root)
    path.write_bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")
    return "rewards, credits and diagnostics but the first are not there"


def _add_suite(root: ET.Element, record: Record) -> None:
    """Add the test suite of a completion."""
    tests, verdict, fault = record["tests"], record["verdict"], record["fault"]
    failed = {each["check"]: each for each in tests["failures"]}
    ran = tests["passed"] + len(failed) == tests["total"]
    name = visible(f"{record['problem_id']} ({file_of(record)})")
    suite = ET.SubElement(
        root, "testsuite", name=name, tests=str(tests["total"]),
        failures=str(0 if fault else tests["total"] - tests["passed"]),
        errors=str(tests["total"] if fault else 0),
    )  # fmt: skip
    said = next((each["message"] for each in record.get("diagnostics") or ()), "")
    for check in range(1, tests["total"] + 1):
        case = ET.SubElement(suite, "testcase", classname=name, name=f"check {check}")
        if fault:
            ET.SubElement(case, "error", message=visible(fault["message"]))
        elif found := failed.get(check):
            ET.SubElement(case, "failure", type=found["outcome"], message=visible(found["detail"]))
        elif not ran:
            ET.SubElement(case, "failure", type=verdict, message=visible(said))
