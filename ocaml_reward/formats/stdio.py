"""Cases of programs that are judged by what they read and print.

Shapes in use: `[{"input", "output"}, ...]`, `[{"stdin", "stdout"}, ...]`,
`[{"input": {"stdin"}, "output": {"stdout"}}, ...]`, `{"inputs": [...], "outputs": [...]}`,
and the JSON text of any of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..errors import ProblemError
from ..model import StdioCase, groups_of

INPUTS: Final = ("input", "stdin")
OUTPUTS: Final = ("output", "stdout", "expected_output", "expected")


CALLS: Final = ("fn_name", "func_name")
LAID_OUT: Final = 'blanks do not count: {"space_change_sensitive": true} as comparison counts them'
_LAID_OUT: Final = re.compile(r"^[ \t]+\S|\S(?:\t|[ \t]{2,})\S", re.MULTILINE)


def cases_of(value: object) -> tuple[StdioCase, ...]:
    """Read cases from a JSON value; raises ProblemError naming what is wrong."""
    if isinstance(value, dict):
        return paired_cases(value)
    if not isinstance(value, list):
        raise ProblemError("tests: expected a list of cases")
    cases = tuple(case_of(item, number) for number, item in enumerate(value, 1))
    groups_of(cases)
    return cases


def paired_cases(value: dict[str, object]) -> tuple[StdioCase, ...]:
    """Read `{"inputs": [...], "outputs": [...]}`."""
    inputs, outputs = value.get("inputs"), value.get("outputs")
    if name := next((each for each in CALLS if value.get(each)), None):
        raise ProblemError(f"tests: cases that call {name} are not supported")
    if not isinstance(inputs, list) or not isinstance(outputs, list):
        raise ProblemError('tests: expected "inputs" and "outputs", both lists')
    if len(inputs) != len(outputs):
        message = f"tests: {len(inputs)} inputs but {len(outputs)} outputs"
        raise ProblemError(message)
    return tuple(
        StdioCase(
            stdin=stream_of(stdin, f"input {number}"),
            stdout=stream_of(stdout, f"output {number}"),
        )
        for number, (stdin, stdout) in enumerate(zip(inputs, outputs, strict=True), 1)
    )


def case_of(item: object, number: int) -> StdioCase:
    """Read one `{"input", "output"}`; a program may read nothing, but must print."""
    if isinstance(item, StdioCase):
        return item
    if not isinstance(item, dict):
        raise ProblemError(f"tests: case {number} is not an object")
    if name := next((each for each in CALLS if item.get(each)), None):
        raise ProblemError(f"tests: case {number} calls {name}, which is not supported")
    metadata = item.get("metadata")
    # (NovaSky-AI/SkyRL examples/train/livecodebench/lcb_dataset.py)
    calls = isinstance(metadata, dict) and any(metadata.get(each) for each in CALLS)
    if calls or item.get("testtype") == "functional":
        raise ProblemError(f"tests: case {number} calls a function, which is not supported")
    stdin = next((item[name] for name in INPUTS if name in item), "")
    stdout = next((item[name] for name in OUTPUTS if name in item), None)
    if isinstance(stdin, dict):
        stdin = stdin.get("stdin", "")
    if isinstance(stdout, dict):
        stdout = stdout.get("stdout")
    if stdout is None:
        raise ProblemError(f"tests: case {number} has no output")
    return StdioCase(
        stdin=stream_of(stdin, f"input {number}"),
        stdout=stream_of(stdout, f"output {number}"),
        alternatives=alternatives_of(item.get("alternatives"), number),
        group=_name_of(item.get("group"), f"group {number}"),
        points=_points_of(item.get("points"), number),
        needs=_needs_of(item.get("needs"), number),
    )


def _name_of(value: object, what: str) -> str:
    """Return the name of a group, which may be a whole number; "" for none."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise ProblemError(f"tests: {what}: expected a name")


def _points_of(value: object, number: int) -> float | None:
    """Return the points of a case's group; None if the case does not say them."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ProblemError(f"tests: points {number}: expected a number")
    return float(value)


def _needs_of(value: object, number: int) -> tuple[str, ...]:
    """Return the names of the groups that a case needs: a list of them."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ProblemError(f"tests: needs {number}: expected a list of groups")
    return tuple(_name_of(each, f"needs {number}") for each in value)


def alternatives_of(value: object, number: int) -> tuple[str, ...]:
    """Return what else a case takes for right: a list of outputs."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ProblemError(f"tests: alternatives {number}: expected a list of outputs")
    return tuple(stream_of(each, f"alternatives {number}") for each in value)


def stream_of(value: object, name: str) -> str:
    """Return what is read or printed; a list is its lines, a number its digits."""
    match value:
        case str():
            return value
        case bool() | None:
            pass
        case int() | float():
            return str(value)
        case list() if all(isinstance(line, str) for line in value):
            return "".join(f"{line}\n" for line in value)
    raise ProblemError(f"tests: {name} is not text")


def with_blanks(cases: Sequence[StdioCase]) -> int | None:
    """Return the number, from 1, of the first case whose expected output has blanks before a line or
    several between words, as a picture has; None where there is none.
    """
    found = (n for n, case in enumerate(cases, 1) if _LAID_OUT.search(case.stdout))
    return next(found, None)
