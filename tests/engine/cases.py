r"""Cases of the engines: OCaml with what is expected of it, as cases/*.ml have them.

A file is a sequence of sections, each headed by a comment at the start of a line; its text begins on
that line or on the next:

    (* # A title: it begins a group, and ends all sections of the group before it. *)
    (* tests *) (* code *) (* reference *) (* signature *) (* given *) (* prompt *)
    (* input *) (* output *)    one run of a program, by a pair for each
    (* libraries: str unix *)   findlib packages, as the problem lists them
    (* forbidden: List.concat := *) (* required: Fifo *)   what the problem says of code
    (* steps: 2_000_000 *)      for each check, where code loops; none: the usual budget
    (* reference or none *)     each case twice, with the reference and without
    (* reference and code *), (* reference or none, and code *)   code that is its own reference
    (* expect KEY: VALUE *)     one KEY a line; EXPECTATIONS in test_cases.py says which there are;
                                a value of several lines has them below, each behind `| `
    (* for NAME expect KEY: VALUE *)   the same of the code that is called NAME

Each `expect` is one case, made of the sections that hold there.  A section holds until the group
ends or another of its name replaces it; an empty one takes it away; one before the first title
holds in the whole file.  `(* code: NAME *)` gives code a name, `(* reference: NAME *)` is the code of
that name, `(* tests: NAME *)` names cases.  `(* engines: warm stock *)` runs the file with both
engines, and not with the warm one alone.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ocaml_reward.engine import BUDGET
from ocaml_reward.model import Budget, Problem, StdioCase

FOLDER = Path(__file__).parent / "cases"
_HEAD = re.compile(
    r"^\(\* (?:(?P<title># )|(?P<setting>engines|libraries|forbidden|required|steps): ?|(?:for (?P<of>[^\n]+?) )?(?P<expect>expect )"
    r"|(?P<name>tests|code|reference(?: or none)?(?:,? and code)?|signature|given|prompt|input|output)"
    r"(?:: (?P<label>[^\n]*?))?(?= \*\)[ \n]))",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Case:
    """One `expect` of a file with what it is about; `code` is None where tests are prepared only."""

    place: str
    engines: tuple[str, ...]
    expected: dict[str, str]
    problem: Problem
    code: str | None
    budget: Budget = BUDGET


class CaseError(ValueError):
    """A file of cases does not follow its format."""


@dataclass
class _Sections:
    """The sections that hold at a place."""

    texts: dict[str, str] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    runs: list[str] = field(default_factory=list)
    listed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    also_without: bool = False
    budget: Budget = BUDGET

    def add(self, name: str, label: str | None, text: str) -> None:
        if name in ("input", "output"):
            self.runs.append(text)
            return
        names = [each for each in ("reference", "code") if each in name] or [name]
        if "reference" in names:
            self.also_without = "none" in name
            text = text or (self.codes[label] if label else "")
        if "code" in names and label:
            self.codes[label] = text
        self.texts |= dict.fromkeys(names, text)

    def problems(self) -> list[Problem]:
        """Return the problem, and the same without its reference where that is asked for."""
        texts: dict[str, Any] = {name: text for name, text in self.texts.items() if text}
        texts.pop("code", None)
        if self.runs:
            pairs = zip(self.runs[::2], self.runs[1::2], strict=True)
            texts["tests"] = tuple(StdioCase(stdin=i, stdout=o) for i, o in pairs)
        whole = Problem(id="p", **{"tests": ""} | texts | self.listed)
        return [whole, replace(whole, reference=None)] if self.also_without else [whole]


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file.

    Raises:
        CaseError: Text is in no section, or a section has no expectation.
    """
    text = path.read_bytes().decode()
    heads = [*_HEAD.finditer(text)]
    ends = [head.start() for head in heads[1:]] + [len(text)]
    engines: tuple[str, ...] = ("warm",)
    whole, group = _Sections(), None
    found: list[Case] = []
    label, is_open = "", False
    for head, end in zip(heads, ends, strict=True):
        place = f"{path.name}:{text.count(chr(10), 0, head.start()) + 1}"
        held = group or whole
        if head["name"]:
            section = text[head.end() + len(" *) ") : end].removesuffix("\n")
            held.add(head["name"], head["label"], section)
            label, is_open = head["label"] or label, True
            continue
        comment, closed, behind = text[head.end() : end].partition("*)\n")
        if not closed or behind.strip():
            raise CaseError(f"{place}: text that belongs to no section")
        if head["title"]:
            if is_open and group:
                raise CaseError(f"{place}: the case before it has no expectation")
            group, label, is_open = deepcopy(whole), "", False
        elif head["setting"] == "engines":
            engines = tuple(comment.split())
        elif head["setting"] == "steps":
            held.budget = BUDGET.flat(int(comment)) if comment.strip() else BUDGET
        elif head["setting"]:
            held.listed[head["setting"]] = tuple(comment.split())
        else:
            code = held.codes[head["of"]] if head["of"] else held.texts.get("code")
            name = " ".join(filter(None, (place, label, head["of"])))
            expected, budget = _rows(comment, place), held.budget
            found += [
                Case(name + " bare" * n, engines, expected, each, code or None, budget)
                for n, each in enumerate(held.problems())
            ]
            is_open = False
    if is_open or not found:
        raise CaseError(f"{path.name}: the last case has no expectation")
    return found


def _rows(comment: str, place: str) -> dict[str, str]:
    expected: dict[str, str] = {}
    for row in map(str.strip, comment.strip().split("\n")):
        if row.startswith("| ") and expected:
            expected[[*expected][-1]] += row.removeprefix("| ") + "\n"
            continue
        key, colon, value = row.partition(":")
        if not colon or key in expected:
            raise CaseError(f"{place}: not a new KEY: VALUE: {row}")
        expected[key] = value.strip()
    return expected
