"""
Problems as other projects write them, as rows that this package reads; and what is lost.

| whose | what it has |
|---|---|
| MultiPL-E | `tests` with `(~5)` for a negative number and `.5` for a float, which are repaired |
| Codeforces | `description` with formats apart, `official_tests` or `examples` |
| Prime Intellect | `verification_info` or `info` with `test_cases` or `tests` |
| verl | `reward_model.ground_truth` |
| SandboxFusion | `content`, `test` with `stdin` and `stdout` |
| APPS, TACO | `input_output` with inputs and outputs; solutions in Python are lost |
| CodeContests | `private_tests` and `generated_tests`, each with lists of both, and `public_tests`, which may be shown; without others these are the tests |
| LiveCodeBench, Agnostics | `question_content`, `public_test_cases`; the private ones are pickled and not read |
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from .lines import BadLine
from .rows import Row
from .stdio import cases_in_text

__all__ = ["native"]

_LITERAL: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
_TILDE: Final = re.compile(r"~(?=\d|\.\d)")
_BARE_POINT: Final = re.compile(r"(?<=[(\[;,])(\s?-?)\.(?=\d)")
_FORMATS: Final = (
    ("input_format", "Input"),
    ("output_format", "Output"),
    ("interaction_format", "Interaction"),
    ("note", "Note"),
)
_ASKED: Final = ("prompt", "problem", "question")
_LANGUAGES: Final = frozenset({"ml", "ocaml"})


def native(row: Row) -> tuple[Row | BadLine, tuple[str, ...]]:
    """
    Put a problem of another project into the fields that are read here.

    Args:
        row: A row in any shape; one that is read as it is stays so.

    Returns:
        The row, or why it is no problem; and what was changed or lost, in words.
    """
    fields = dict(row.fields)
    said: list[str] = []
    language = fields.get("language")
    if isinstance(language, str) and language.casefold() not in _LANGUAGES:
        message = f"written for {language[:80]}, not for OCaml"
        return BadLine(file=row.file, line=row.line, message=message), ()
    for take in (
        *(_contests, _codeforces, _input_output),
        *(_verification, _verl, _sandbox_fusion, _question),
    ):
        take(fields, said)
    _repair(fields, said)
    changed = Row(file=row.file, line=row.line, fields=fields, repaired=row.repaired)
    return changed, tuple(said)


def _input_output(fields: dict[str, Any], said: list[str]) -> None:
    """
    Read a row of APPS or TACO.  Cases that call a function are refused with the others.
    """
    held = _object(fields.get("input_output"))
    if held is None or _has(fields, "tests", "test_cases"):
        return
    fields["tests"] = held
    if fields.pop("solutions", None) not in (None, "", "[]", []):
        said.append("its solutions are in Python, and lost")


def _contests(fields: dict[str, Any], said: list[str]) -> None:
    """
    Read a row of CodeContests.
    """
    public, *hidden = (
        _contest_cases(fields.get(name))
        for name in ("public_tests", "private_tests", "generated_tests")
    )
    cases = [each for some in hidden for each in some]
    if public:
        fields["public_tests"] = public if cases else None
    cases = cases or public
    if not cases or _has(fields, "tests", "test_cases"):
        return
    if fields.get("input_file") or fields.get("output_file"):
        said.append("it reads and writes files, where our programs have only streams")
    fields["tests"] = cases
    for name, what in (("solutions", "solutions"), ("time_limit", "limit of time")):
        if fields.pop(name, None):
            said.append(f"its {what} {'are' if what.endswith('s') else 'is'} lost")
    if not _keeps_checker(fields):
        said.append("answers are compared as text, where several may be right")


def _keeps_checker(fields: dict[str, Any]) -> bool:
    """
    Keep a checker in C++, as CodeContests+ has them; one in another language is no checker.
    """
    checker = fields.pop("checker", None)
    kept = isinstance(checker, str) and "#include" in checker
    if kept:
        fields["checker"] = checker
    return kept


def _contest_cases(value: object) -> list[dict[str, object]]:
    held = _object(value) or {}
    inputs, outputs = held.get("input"), held.get("output")
    if not isinstance(inputs, list) or not isinstance(outputs, list):
        return []
    pairs = zip(inputs, outputs, strict=False)
    return [{"input": read, "output": printed} for read, printed in pairs]


def _codeforces(fields: dict[str, Any], said: list[str]) -> None:
    told = fields.get("description")
    if not isinstance(told, str) or _has(fields, *_ASKED):
        return
    parts = [told]
    for name, title in _FORMATS:
        if isinstance(text := fields.get(name), str) and text.strip():
            parts.append(f"{title}\n{text}")
    fields["prompt"] = "\n\n".join(parts)
    if _has(fields, "tests", "test_cases"):
        return
    for name in ("official_tests", "examples"):
        if fields.get(name):
            fields["tests"] = fields[name]
            if name == "examples":
                said.append("only the examples are tests")
            break
    if fields.get("official_tests_complete") is False:
        said.append("the official tests are not complete")
    if fields.get("generated_checker"):
        said.append("its checker is lost: answers are compared as text")


def _verification(fields: dict[str, Any], said: list[str]) -> None:
    for name in ("verification_info", "info"):
        held = _object(fields.get(name))
        if held is None or _has(fields, "tests", "test_cases"):
            continue
        cases = held.get("test_cases", held.get("tests"))
        if isinstance(cases, str):
            cases = _loaded(cases)
        if not cases:
            continue
        fields["tests"] = cases
        fields.pop(name)
        language = held.get("language")
        if isinstance(language, str) and language.casefold() not in _LANGUAGES:
            said.append(f"was written for {language}")


def _verl(fields: dict[str, Any], said: list[str]) -> None:
    held = _object(fields.get("reward_model"))
    if held is None or _has(fields, "tests", "test_cases"):
        return
    truth = held.get("ground_truth")
    cases = _loaded(truth) if isinstance(truth, str) else truth
    fields["tests"] = cases if cases is not None else truth
    extra = _object(fields.get("extra_info")) or {}
    if not _has(fields, "id") and extra.get("index") is not None:
        fields["id"] = f"{fields.get('data_source') or 'row'}-{extra['index']}"
    if held.get("style") not in (None, "rule"):
        said.append(f"its style of reward, {held['style']}, is lost")


def _sandbox_fusion(fields: dict[str, Any], said: list[str]) -> None:
    if not _has(fields, *_ASKED) and isinstance(fields.get("content"), str):
        fields["prompt"] = fields["content"]
    held = fields.get("test")
    if isinstance(held, dict) and isinstance(held.get("code"), str):
        fields["test"] = held["code"]
        if held.get("asset"):
            said.append("the files beside its tests are lost")


def _question(fields: dict[str, Any], said: list[str]) -> None:
    if not _has(fields, *_ASKED) and isinstance(fields.get("question_content"), str):
        fields["prompt"] = fields["question_content"]
    private, public = fields.get("private_test_cases"), fields.get("public_test_cases")
    if _has(fields, "tests", "test", "test_cases"):
        return
    for cases, whose in ((private, "private"), (public, "public")):
        read = cases_in_text(cases) if isinstance(cases, str) else None
        if read:
            fields["tests"] = cases
            if whose == "private" and public:
                fields["public_tests"] = public
            break
        if whose == "private" and cases:
            said.append("its private tests are pickled, and not read")


def _repair(fields: dict[str, Any], said: list[str]) -> None:
    """
    Write numbers as OCaml does: MultiPL-E has `~5` and `.5`.
    """
    tests = fields.get("tests")
    if not isinstance(tests, str) or "assert" not in tests:
        return
    changed, count = "", 0
    place = 0
    for literal in [*_LITERAL.finditer(tests), None]:
        stop = literal.start() if literal else len(tests)
        code, tildes = _TILDE.subn("-", tests[place:stop])
        code, points = _BARE_POINT.subn(r"\g<1>0.", code)
        changed += code + (literal[0] if literal else "")
        count += tildes + points
        place = literal.end() if literal else stop
    if count:
        fields["tests"] = changed
        said.append("numbers of its tests are written as OCaml writes them")


def _has(fields: Mapping[str, Any], *names: str) -> bool:
    return any(fields.get(name) not in (None, "", [], {}) for name in names)


def _object(value: object) -> dict[str, Any] | None:
    if isinstance(value, str):
        value = _loaded(value)
    return value if isinstance(value, dict) else None


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
