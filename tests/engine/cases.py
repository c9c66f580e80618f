r"""Cases of the engines: OCaml with what is expected of it, as cases/*.ml have them.

A file is a sequence of sections, each headed by a comment at the start of a line; its text may begin
on that line or on the next:

    (* # A title: it begins a group, and ends all sections of the group before it. *)
    (* tests *) (* code *) (* reference *) (* signature *) (* given *) (* prompt *)
    (* input *) (* output *)    one run of a program, by a pair for each
    (* libraries: str unix *)   findlib packages, as the problem lists them
    (* reference or none *)     each case twice, with the reference and without
    (* reference and code *), (* reference or none, and code *)   code that is its own reference
    (* expect KEY: VALUE *)     one KEY a line; EXPECTATIONS in test_cases.py says which there are;
                                a value of several lines has them below, each behind `| `

Each `expect` is one case, made of the sections that hold there.  A section holds until the group
ends or another of its name replaces it; an empty one takes it away; one before the first title
holds in the whole file.  `(* code: NAME *)` names a case.  `(* engines: warm stock *)` runs the
file with both engines, and not with the warm one alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ocaml_reward.model import Problem, StdioCase

FOLDER = Path(__file__).parent / "cases"
TEXTS = ("tests", "code", "reference", "signature", "given", "prompt")
_HEAD = re.compile(
    r"^\(\* (?:(?P<title># )|(?P<expect>expect )|(?P<engines>engines: )|(?P<libraries>libraries: ?)"
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


class CaseError(ValueError):
    """A file of cases does not follow its format."""


@dataclass(frozen=True)
class _Held:
    """The sections that hold at a place."""

    texts: dict[str, str]
    runs: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    also_without: bool = False

    def with_text(self, name: str, text: str) -> _Held:
        if name in ("input", "output"):
            return replace(self, runs=(*self.runs, text))
        names = [each for each in ("reference", "code") if each in name] or [name]
        held = replace(self, texts=self.texts | dict.fromkeys(names, text))
        is_reference = "reference" in names
        return replace(held, also_without="none" in name) if is_reference else held

    def problems(self) -> list[Problem]:
        """Return the problem, and the same without its reference where that is asked for."""
        whole = self._problem()
        return [whole, replace(whole, reference=None)] if self.also_without else [whole]

    def _problem(self) -> Problem:
        texts: dict[str, Any] = {n: text for n, text in self.texts.items() if text}
        texts.pop("code", None)
        tests: str | tuple[StdioCase, ...] = texts.pop("tests", "")
        if self.runs:
            pairs = zip(self.runs[::2], self.runs[1::2], strict=True)
            tests = tuple(StdioCase(stdin=one, stdout=other) for one, other in pairs)
        return Problem(id="p", tests=tests, libraries=self.libraries, **texts)


def _expected(comment: str, place: str) -> dict[str, str]:
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


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file.

    Raises:
        CaseError: A section is out of place, or a group has no expectation.
    """
    text = path.read_bytes().decode()
    heads = [*_HEAD.finditer(text)]
    ends = [head.start() for head in heads[1:]] + [len(text)]
    engines: tuple[str, ...] = ("warm",)
    whole = held = _Held({})
    found: list[Case] = []
    label, is_open, has_title = "", False, False
    for head, end in zip(heads, ends, strict=True):
        line = text.count("\n", 0, head.start()) + 1
        place = f"{path.name}:{line}"
        if head["name"]:
            section = text[head.end() + len(" *) ") : end].removesuffix("\n")
            held = held.with_text(head["name"], section)
            label, is_open = head["label"] or label, True
            continue
        comment, closed, behind = text[head.end() : end].partition("*)\n")
        if not closed or behind.strip():
            raise CaseError(f"{place}: text that belongs to no section")
        if head["libraries"]:
            held = replace(held, libraries=tuple(comment.split()))
        elif head["engines"]:
            engines = tuple(comment.split())
        elif head["expect"]:
            expected = _expected(comment, place)
            name, code = f"{place} {label}".strip(), held.texts.get("code") or None
            found += [
                Case(name + " bare" * number, engines, expected, problem, code)
                for number, problem in enumerate(held.problems())
            ]
            label, is_open = "", False
            continue
        else:
            if is_open and has_title:
                raise CaseError(f"{place}: the case before it has no expectation")
            whole = whole if has_title else held
            held, label, is_open, has_title = whole, "", False, True
    if is_open or not found:
        raise CaseError(f"{path.name}: the last case has no expectation")
    return found
