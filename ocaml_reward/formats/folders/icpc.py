"""Problem packages of ICPC and Kattis.

```text
half/problem.yaml                      limits, how outputs are validated
half/problem_statement/problem.en.tex  the prompt, with the samples
half/data/sample/1.in, 1.ans           public tests
half/data/secret/1.in, 1.ans           the tests
half/output_validators/                a checker, in C++
half/submissions/accepted/half.ml      the reference
```
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ...errors import ProblemError
from .cpp import one_source, validator
from .icpc_scores import scored_cases
from .kinds import Kind, Taken, text_of, wanted_text
from .settings import number_of, settings_of

# Those that code is compiled with (Kattis/problemtools problemtools/config/languages.yaml;
# DOMjudge/domjudge sql/files/defaultdata/ocaml/run), but for bigarray: the standard library has it,
# and findlib no longer does from OCaml 5 on.
_LIBRARIES: Final = ["str", "unix"]
_STATEMENTS: Final = ("problem_statement", "statement")
_VALIDATORS: Final = ("output_validators", "output_validator")
_GROUP_FILES: Final = ("testdata.yaml", "test_group.yaml")
_GROUP_FLAGS: Final = ("output_validator_flags", "output_validator_args")
_SWITCHES: Final = ("case_sensitive", "space_change_sensitive")
_TOLERANCES: Final = (
    "float_tolerance", "float_absolute_tolerance", "float_relative_tolerance",
)  # fmt: skip
_TESTLIB: Final = "registerTestlibCmd"


def _package(folder: Path) -> Taken:
    """Return the fields of a problem in an ICPC package, and remarks."""
    said: list[str] = []
    settings = settings_of(folder / "problem.yaml")
    _require_gradable(folder, settings)
    sample, secret = (_cases(folder / "data" / name) for name in ("sample", "secret"))
    fields: dict[str, object] = {"prompt": _prompt(folder, sample, said)}
    if "scoring" in _kinds(settings):
        secret = scored_cases(folder / "data", settings, _cases)
    fields |= {"tests": secret or sample, "libraries": _LIBRARIES}
    if secret and sample:
        fields["public_tests"] = sample
    elif sample:
        said.append("only the samples are tests")
    fields |= _judged(folder, settings)
    if "checker" in fields and "scoring" in _kinds(settings):
        said.append("scores of the output validator are lost: what it accepts has all points")
    fields |= _limits(folder, settings)
    if references := sorted((folder / "submissions" / "accepted").glob("*.ml")):
        fields["reference"] = text_of(references[0])
    return fields, said


ICPC: Final = Kind(
    name="ICPC",
    mark="problem.yaml",
    tells=lambda folder: (folder / "data").is_dir(),
    take=_package,
)
"""Problem packages of ICPC and Kattis, in the legacy format and in the one after it."""


def _require_gradable(folder: Path, settings: dict[str, Any]) -> None:
    """Raise ProblemError for a package that cannot be graded."""
    kinds = _kinds(settings)
    for kind in ("score", "interactive", "multi-pass", "submit-answer"):
        if kind in kinds:
            raise ProblemError(f"a problem that is {kind}")
    if (folder / "include" / "ocaml").is_dir():
        raise ProblemError("code is compiled with files of include/ocaml")


def _kinds(settings: dict[str, Any]) -> list[str]:
    """Return of which kinds a problem and its validation are."""
    return f"{_words(settings.get('type'))} {_words(settings.get('validation'))}".split()


def _words(value: object) -> str:
    """Return what is said in words, of which there may be a list, or an object of those that hold."""
    if isinstance(value, dict):
        value = [name for name, holds in value.items() if holds]
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _cases(folder: Path, *, below: bool = True) -> list[dict[str, object]]:
    """Return the cases in a folder, and in those below it."""
    cases: list[dict[str, object]] = []
    for path in sorted(folder.rglob("*.in") if below else folder.glob("*.in")):
        for other in (".args", ".files"):
            if path.with_suffix(other).exists():
                raise ProblemError(f"programs are given {path.stem}{other}")
        if (answer := path.with_suffix(".ans")).is_file():
            texts = (wanted_text(each, errors="strict") for each in (path, answer))
            cases.append(dict(zip(("input", "output"), texts, strict=True)))
        elif not path.with_suffix(".interaction").exists():
            raise ProblemError(f"no {answer.name} beside {path.name}")
    return cases


def _prompt(folder: Path, sample: Sequence[dict[str, object]], said: list[str]) -> str:
    """Return a package's statement with its samples."""
    found = [
        path
        for place in _STATEMENTS
        for name in ("problem.en", "problem", "problem.*")
        for form in (".md", ".tex")
        for path in sorted((folder / place).glob(f"{name}{form}"))
    ]
    if not found:
        said.append("no statement in Markdown or TeX: the prompt is empty")
        return ""
    text = wanted_text(found[0], errors="strict").strip()
    for number, case in enumerate(sample, 1):
        for title, name in (("Input", "input"), ("Output", "output")):
            text += f"\n\nSample {title} {number}\n\n```text\n{case[name]}```"
    return text


def _judged(folder: Path, settings: dict[str, Any]) -> dict[str, object]:
    """Return the fields that say how outputs are judged: a checker, or in which ways they may
    differ.
    """
    flags = _flags(folder, settings)
    places = [folder / name for name in _VALIDATORS if (folder / name).is_dir()]
    is_custom = "custom" in _words(settings.get("validation")).split()
    # The later format has no key for it: there a validator is there to be used.
    if is_custom or (places and places[0].name == "output_validator"):
        if not places:
            raise ProblemError("its output validator is not there")
        return {"checker": _checker(places[0], flags)}
    # What ICPC does without flags.
    ways: dict[str, object] = {"case_sensitive": False}
    left = list(flags)
    while left:
        flag = left.pop(0)
        if flag in _SWITCHES:
            ways[flag] = True
        elif flag in _TOLERANCES and left:
            ways[flag] = number_of(left.pop(0), flag)
        else:
            raise ProblemError(f"outputs are validated with {flag}, which is not known")
    return {"comparison": ways}


def _flags(folder: Path, settings: dict[str, Any]) -> list[str]:
    """Return what the validator of the secret cases is told."""
    data = folder / "data"
    groups = {path.parent for path in data.glob("secret/**/*.in")} or {data / "sample"}
    told = {tuple(_group_flags(each, data, settings)) for each in groups}
    if len(told) > 1:
        raise ProblemError("groups of its tests are validated in different ways")
    return list(told.pop())


def _group_flags(group: Path, data: Path, settings: dict[str, Any]) -> list[str]:
    """Return the validator's flags for a group of cases."""
    for place in (group, *group.parents):
        for name in _GROUP_FILES:
            held = settings_of(place / name)
            for key in _GROUP_FLAGS:
                if key in held:
                    return _split(held[key])
        if place == data:
            break
    return _split(settings.get("validator_flags"))


def _split(flags: object) -> list[str]:
    """Return flags as a list."""
    if isinstance(flags, dict):
        flags = flags.get("flags")
    if isinstance(flags, list):
        return [str(flag) for flag in flags]
    try:
        return shlex.split(str(flags or ""))
    except ValueError as error:
        raise ProblemError(f"flags of the validator: {error}") from None


def _checker(place: Path, flags: Sequence[str]) -> str:
    """Return the source of a package's validator, made into a checker of testlib's kind."""
    folders = [place, *(path for path in sorted(place.iterdir()) if path.is_dir())]
    # The program is a file, or a folder of files.
    files = next((held for each in folders if (held := _files(each))), [])
    if any(path.stem in ("build", "run") and not path.suffix for path in files):
        raise ProblemError("its output validator is built by a script")
    source = one_source(files)
    is_testlib = _TESTLIB in source and "42" not in source
    return source if is_testlib else validator(source, flags)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file())


def _limits(folder: Path, settings: dict[str, Any]) -> dict[str, object]:
    """Return the fields with a package's time and memory limits."""
    held = settings.get("limits")
    limits = held if isinstance(held, dict) else {}
    ini = re.search(
        r"^\s*timelimit\s*=\s*['\"]?([\d.]+)",
        text_of(folder / "domjudge-problem.ini"),
        re.MULTILINE,
    )
    seconds = (
        *(limits.get("time_limit"), limits.get("time")),
        *(text_of(folder / ".timelimit").strip(), ini and ini[1]),
    )
    found: dict[str, object] = {}
    if time := next(filter(None, seconds), None):
        found["time_limit"] = f"{number_of(time, 'time limit'):f} s"
    if "memory" in limits:
        found["memory_limit"] = f"{number_of(limits['memory'], 'memory'):f} MB"
    return found
