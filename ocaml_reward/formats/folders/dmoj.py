"""Problem folders of DMOJ's judge: `init.yml`, and test data beside it or in an archive."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final

from ...errors import ProblemError
from .cpp import one_source
from .kinds import Kind, Taken, is_inside, read_text, text_of
from .settings import settings_of

# Of which an output is judged otherwise than by itself, or which no file holds.
_NO_GRADING: Final = (
    "communication", "custom_judge", "file_io", "generator", "grader", "interactive",
    "io_redirects", "signature_grader",
)  # fmt: skip
_FORMS: Final = tuple(
    rf"^(?=.*?\.{word}|{word}).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$"
    for word in ("in", "out")
)
_MOST_DIGITS: Final = 300
_SHARED: Final = frozenset({"in", "out"})
_BATCHES: Final = "a batch passes or fails by cases here"
_STATEMENTS: Final = ("statement.md", "problem.md", "README.md")
# A pattern may take exponential time: it is matched in a process of its own, with a limit.
_MATCHING: Final = """\
import json, re, sys
form, names = json.load(sys.stdin)
try:
    form = re.compile(form, re.IGNORECASE)
    found = {name: held.groupdict() for name in names if (held := form.match(name))}
except re.error as error:
    found = str(error)
json.dump(found, sys.stdout)
"""
_MATCHING_S: Final = 5
# What the library raises for a member that is damaged, encrypted or packed in some other way.
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError,
)  # fmt: skip
_EASY: Final = """\
let judge ~input ~expected ~output =
  ignore input;
  let letters text =
    String.lowercase_ascii text |> String.to_seq
    |> Seq.filter (fun c -> not (String.contains " \\t\\n\\011\\012\\r" c))
    |> List.of_seq |> List.sort compare
  in
  if letters expected = letters output then accept
  else reject "not the same characters, each as often"
"""
_BY_LINE: Final = """\
let judge ~input ~expected ~output =
  ignore input;
  let lines text =
    String.split_on_char '\\n' text
    |> List.filter (fun line -> line <> "") |> List.map String.trim
  in
  let wanted = lines expected and printed = lines output in
  let rec right = function
    | a :: later, b :: after -> (if String.equal a b then 1 else 0) + right (later, after)
    | _ -> 0
  in
  let good = right (wanted, printed) and all = List.length wanted in
  if List.length printed > all then reject "more lines than expected"
  else if good = all then accept
  else partial (float_of_int good /. float_of_int all)
         (Printf.sprintf "%d of %d lines" good all)
"""

Archive = zipfile.ZipFile | None


def _problem(folder: Path) -> Taken:
    """Return the fields of a problem in a DMOJ folder, and remarks."""
    said: list[str] = []
    settings = settings_of(folder / "init.yml")
    _require_gradable(settings)
    with _archive(folder, settings.get("archive")) as archive:
        found = list(_files(folder, archive, settings, said))
        tests = [
            {
                "input": _read(folder, archive, a) if a else "",
                "output": _read(folder, archive, b),
            }
            for a, b in found
        ]
    if not tests:
        raise ProblemError("no test cases")
    prompt = next((t for name in _STATEMENTS if (t := text_of(folder / name))), "")
    if not prompt:
        said.append("no statement: the prompt is empty")
    fields: dict[str, object] = {"prompt": prompt, "tests": tests}
    return fields | _judged(folder, settings.get("checker")), said


DMOJ: Final = Kind(
    name="DMOJ", mark="init.yml", tells=lambda folder: folder.is_dir(), take=_problem
)
"""Problems of DMOJ's judge."""


def _require_gradable(settings: dict[str, Any]) -> None:
    """Raise ProblemError for settings that cannot be graded."""
    for key in settings:
        if key in _NO_GRADING:
            raise ProblemError(f"init.yml has {key}")
        if str(key).endswith("++"):
            raise ProblemError(f"init.yml has {key}, which is computed by the judge")


def _archive(folder: Path, name: object) -> AbstractContextManager[Archive]:
    """Open the archive of a problem's cases, if it has one."""
    if not name:
        return nullcontext()
    path = _below(folder, str(name))
    if not path.is_file():
        raise ProblemError(f"no {name}, its archive")
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        raise ProblemError(f"{name}: no archive") from None


def _files(
    folder: Path, archive: Archive, settings: dict[str, Any], said: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield the files of each case: what is read, "" for nothing, and what is expected."""
    listed = settings.get("test_cases")
    # Those that are tried first, in contests alone or as cases that end the rest.
    if isinstance(first := settings.get("pretest_test_cases"), list):
        yield from _listed(first, settings, said)
    if isinstance(listed, list):
        yield from _listed(listed, settings, said)
        return
    names = {path.name for path in folder.iterdir() if path.is_file()}
    names.update(archive.namelist() if archive else ())
    yield from _matched(sorted(names), listed if isinstance(listed, dict) else {})


def _read(folder: Path, archive: Archive, name: str) -> str:
    """Return the text of a case's file, in the folder or its archive."""
    path = _below(folder, name)
    if path.is_file():
        return text_of(path, errors="strict")
    if archive and name in archive.namelist():
        try:
            return read_text(archive.open(name), name)
        except _BROKEN as error:
            raise ProblemError(f"{name}, in its archive: {error}") from None
    raise ProblemError(f"no {name}, of its test cases")


def _below(folder: Path, name: str) -> Path:
    """Return the path of a name in a folder; raise ProblemError if it is outside."""
    if not is_inside(folder / name, folder):
        raise ProblemError(f"{name} is outside of its folder")
    return folder / name


def _listed(cases: list[Any], above: dict[str, Any], said: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the files of cases; what one does not say holds as for those above it."""
    for number, case in enumerate(cases, 1):
        if not isinstance(case, dict):
            raise ProblemError(f"test case {number} is not an object")
        _require_gradable(case)
        if "checker" in case:
            raise ProblemError(f"test case {number} has a checker of its own")
        shared = {name: value for name, value in above.items() if name in _SHARED}
        whole = shared | case
        if isinstance(batch := case.get("batched"), list) and "batched" not in above:
            if _BATCHES not in said:
                said.append(_BATCHES)
            yield from _listed(batch, whole, said)
        elif not isinstance(whole.get("out"), str):
            raise ProblemError(f"test case {number} has no output")
        else:
            yield str(whole.get("in") or ""), whole["out"]


def _matched(names: list[str], forms: dict[str, Any]) -> list[tuple[str, str]]:
    """Return pairs of inputs and outputs with the same numbers in their names, in their order."""
    found: list[dict[tuple[int, int], str]] = []
    for key, usual in zip(("input_format", "output_format"), _FORMS, strict=True):
        matches = _matches(key, str(forms.get(key) or usual), names)
        found.append({_place(held): name for name, held in matches.items()})
    inputs, outputs = found
    if inputs.keys() != outputs.keys():
        raise ProblemError("inputs and outputs have not the same numbers")
    return [(inputs[place], outputs[place]) for place in sorted(inputs)]


def _matches(key: str, form: str, names: list[str]) -> dict[str, dict[str, str | None]]:
    """Return the names that a pattern matches, each with its groups."""
    command = (sys.executable, "-I", "-c", _MATCHING)
    try:
        run = subprocess.run(
            command, input=json.dumps([form, names]), capture_output=True, text=True,
            timeout=_MATCHING_S, check=True,
        )  # fmt: skip
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        raise ProblemError(f"{key}: a pattern that takes too long") from None
    found: dict[str, dict[str, str | None]] | str = json.loads(run.stdout)
    if isinstance(found, str):
        raise ProblemError(f"{key}: {found}")
    return found


def _place(held: dict[str, str | None]) -> tuple[int, int]:
    """Return the numbers of batch and case in a file's name."""
    case = int(held.get("case") or 0)
    # A case outside of a batch stands where a batch of its number would.
    return int(held.get("batch") or case), case


def _judged(folder: Path, checker: object) -> dict[str, object]:
    """Return the fields that say how outputs are judged, by the name of DMOJ's checker."""
    held = checker if isinstance(checker, dict) else {"name": checker or "standard"}
    name, given = held.get("name"), held.get("args")
    args: dict[str, Any] = given if isinstance(given, dict) else {}
    match name:
        case "standard" | "rstripped":
            return {}
        case "identical":
            return {"comparison": {"space_change_sensitive": True}}
        case "easy":
            return {"judge": _EASY}
        case "linecount" if "match" not in args:
            return {"judge": _BY_LINE}
        case "floats" | "floatsabs" | "floatsrel":
            return {"comparison": _floats(str(name), args)}
        case "sorted" | "unordered":
            usual = "lines" if name == "sorted" else "whitespace"
            is_lines = args.get("split_on", usual) == "lines"
            return {"comparison": {"unordered": "lines" if is_lines else "tokens"}}
        case "bridged":
            return {"checker": _bridged(folder, args)}
    raise ProblemError(f"outputs are judged by {name}, which cannot be run here")


def _floats(name: str, args: dict[str, Any]) -> dict[str, object]:
    """Return the field with the tolerance of a checker of floats."""
    modes = {"floatsabs": "absolute", "floatsrel": "relative"}
    mode = modes.get(name, args.get("error_mode", "default"))
    way = "float_tolerance" if mode == "default" else f"float_{mode}_tolerance"
    precision = args.get("precision", 6)
    if not isinstance(precision, int) or not 0 <= precision <= _MOST_DIGITS:
        raise ProblemError(f"precision: expected a number of digits, not {precision!r}")
    return {way: 10.0**-precision}


def _bridged(folder: Path, args: dict[str, Any]) -> str:
    """Return the source of a checker in C++."""
    kind = args.get("type", "default")
    if kind not in ("default", "testlib"):
        raise ProblemError(f"outputs are judged by a checker of type {kind}")
    files = args.get("files")
    names = files if isinstance(files, list) else [files]
    return one_source([_below(folder, str(name)) for name in names])
