"""Problem folders of DMOJ's judge: `init.yml`, and test data beside it or in an archive."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

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
_SHARED: Final = frozenset({"in", "out", "points"})
_UNPAID: Final = "cases without points that end nothing are left out"
# Those that code is compiled with (DMOJ/judge-server dmoj/executors/OCAML.py); few answers use those
# that do not come with OCaml.
_LIBRARIES: Final = ["base?", "core?", "stdio?", "str", "zarith?"]
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


@dataclass(frozen=True, kw_only=True, slots=True)
class _Case:
    """A case: the files that it reads, "" for none, and prints; its batch, or itself; what that
    earns, and what it needs.
    """

    read: str
    printed: str
    group: str
    points: float
    needs: tuple[str, ...] = ()

    def paid(self, *, alone: bool) -> dict[str, object]:
        """Return the fields that say how it is paid; `alone` leaves out a group of one."""
        group = {} if alone else {"group": self.group}
        return {**group, "points": self.points, "needs": list(self.needs)}


def _problem(folder: Path) -> Taken:
    """Return the fields of a problem in a DMOJ folder, and remarks."""
    said: list[str] = []
    settings = settings_of(folder / "init.yml")
    _require_gradable(settings)
    with _archive(folder, settings.get("archive")) as archive:
        found = _gated(_cases(folder, archive, settings), said)
        paid = _paid(found)
        tests = [
            {
                "input": _read(folder, archive, case.read) if case.read else "",
                "output": _read(folder, archive, case.printed),
                **how,
            }
            for case, how in zip(found, paid, strict=True)
        ]
    if not tests:
        raise ProblemError("no test cases")
    prompt = next((t for name in _STATEMENTS if (t := text_of(folder / name))), "")
    if not prompt:
        said.append("no statement: the prompt is empty")
    fields: dict[str, object] = {"prompt": prompt, "tests": tests, "libraries": _LIBRARIES}
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


def _cases(folder: Path, archive: Archive, settings: dict[str, Any]) -> list[_Case]:
    """Return the cases in their order."""
    listed = settings.get("test_cases")
    # Those that are tried first, in contests alone or as cases that end the rest.
    first = settings.get("pretest_test_cases")
    found = [
        replace(case, points=0.0)
        for case in _listed(first if isinstance(first, list) else [], settings)
    ]
    batches = len({case.group for case in found if case.group.isdigit()})
    if isinstance(listed, list):
        return [*found, *_listed(listed, settings, batches=batches, cases_before=len(found))]
    names = {path.name for path in folder.iterdir() if path.is_file()}
    names.update(archive.namelist() if archive else ())
    forms = listed if isinstance(listed, dict) else {}
    return [*found, *_matched(sorted(names), forms, settings, batches)]


def _gated(cases: Sequence[_Case], said: list[str]) -> list[_Case]:
    """Return the cases with what each needs: groups without points end all that come later.

    (DMOJ/judge-server testsuite/batch_short_circuit)
    """
    gates: dict[str, None] = {}
    found = []
    for case in cases:
        needs = dict.fromkeys((*case.needs, *(gate for gate in gates if gate != case.group)))
        found.append(replace(case, needs=tuple(needs)))
        if not case.points:
            gates[case.group] = None
    while found and not found[-1].points:
        found.pop()
        if _UNPAID not in said:
            said.append(_UNPAID)
    return found


def _paid(cases: Sequence[_Case]) -> list[dict[str, object]]:
    """Return the fields that say how cases are paid; none where each earns the same by itself."""
    sizes = Counter(case.group for case in cases)
    needed = {each for case in cases for each in case.needs}
    if not needed and len({case.points for case in cases}) < 2 and len(sizes) == len(cases):
        return [{} for _ in cases]
    return [case.paid(alone=sizes[case.group] == 1 and case.group not in needed) for case in cases]


def _points(case: dict[str, Any], above: dict[str, Any]) -> float:
    """Return the points of a case or batch, by default those above it, or 1."""
    points = case.get("points", above.get("points", 1))
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points < 1e6:
        raise ProblemError(f"points: expected a number from 0 to a million, not {points!r}")
    return float(points)


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


def _listed(
    cases: list[Any], above: dict[str, Any], *, batches: int = 0, cases_before: int = 0
) -> Iterator[_Case]:
    """Yield listed cases; what one does not say holds as for those above it.

    `batches` and `cases_before` are how many there are already: batches are named by their
    number, other cases by theirs.
    """
    for number, case in enumerate(cases, 1):
        batch = _checked(case, number).get("batched")
        whole = _shared(above) | case
        if not isinstance(batch, list):
            yield _case(whole, number, group=f"case {cases_before + number}")
            continue
        batches += 1
        needs = _dependencies(case.get("dependencies"), batches)
        for place, each in enumerate(batch, 1):
            if isinstance(_checked(each, place).get("batched"), list):
                raise ProblemError(f"test case {number} is a batch of batches")
            inner = _shared(whole) | each | {"points": _points(whole, {})}
            yield _case(inner, place, group=str(batches), needs=needs)


def _shared(above: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in above.items() if name in _SHARED}


def _checked(case: object, number: int) -> dict[str, Any]:
    """Return a case; raise ProblemError for one that cannot be graded."""
    if not isinstance(case, dict):
        raise ProblemError(f"test case {number} is not an object")
    _require_gradable(case)
    if "checker" in case:
        raise ProblemError(f"test case {number} has a checker of its own")
    return case


def _case(held: dict[str, Any], number: int, *, group: str, needs: tuple[str, ...] = ()) -> _Case:
    """Return a case by its fields and those that it shares."""
    if not isinstance(held.get("out"), str):
        raise ProblemError(f"test case {number} has no output")
    return _Case(
        read=str(held.get("in") or ""),
        printed=held["out"],
        group=group,
        points=_points(held, {}),
        needs=needs,
    )


def _dependencies(value: object, batch: int) -> tuple[str, ...]:
    """Return the names of the batches that a batch needs, by their numbers.

    (DMOJ/judge-server testsuite/batch_dependencies)
    """
    numbers = [] if value is None else value
    earlier = range(1, batch)
    if not isinstance(numbers, list) or not all(type(n) is int and n in earlier for n in numbers):
        raise ProblemError(f"batch {batch}: dependencies: expected numbers of earlier batches")
    return tuple(map(str, numbers))


def _matched(
    names: list[str], forms: dict[str, Any], above: dict[str, Any], batches: int
) -> list[_Case]:
    """Return cases by inputs and outputs with the same numbers in their names, in their order;
    `batches` is how many batches there are already.
    """
    found: list[dict[_Place, str]] = []
    for key, usual in zip(("input_format", "output_format"), _FORMS, strict=True):
        matches = _matches(key, str(forms.get(key) or usual), names)
        found.append({_place(held): name for name, held in matches.items()})
    inputs, outputs = found
    if inputs.keys() != outputs.keys():
        raise ProblemError("inputs and outputs have not the same numbers")
    said = forms.get("case_points")
    places = sorted(inputs)
    order = {batch: at for at, batch in enumerate(dict.fromkeys(each.batch for each in places))}
    if said is not None and not (isinstance(said, list) and len(said) >= len(order)):
        raise ProblemError("case_points: expected the points of each case and batch")
    worth = [_points({"points": said[at]} if said else {}, above) for at in order.values()]
    return [
        _Case(
            read=inputs[place],
            printed=outputs[place],
            group=str(batches + order[place.batch] + 1),
            points=worth[order[place.batch]],
        )
        for place in places
    ]


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


_Number = tuple[bool, int, str]


class _Place(NamedTuple):
    """Where a case stands: by its batch, and in that."""

    batch: _Number
    case: _Number


def _place(held: dict[str, str | None]) -> _Place:
    """Return batch and case by a file's name."""
    case = _number(held.get("case"))
    # A case outside of a batch stands where a batch of its number would.
    return _Place(_number(held.get("batch")) if held.get("batch") else case, case)


def _number(text: str | None) -> _Number:
    """Return a number, or a name, which stands before all numbers.

    (DMOJ/judge-server testsuite/mixed_str_int_cases)
    """
    text = text or ""
    is_number = text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS
    return is_number, int(text) if is_number else 0, "" if is_number else text


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
