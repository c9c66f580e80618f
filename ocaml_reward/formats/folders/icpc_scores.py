"""What the test groups of an ICPC package pay: `testdata.yaml`, and `test_group.yaml` from 2025 on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ...errors import ProblemError
from .settings import settings_of

Cases = list[dict[str, object]]
CasesIn = Callable[..., Cases]
"""Returns the cases in a folder and below it, or with `below=False` only those in it."""

_TOP: Final = "secret"
# Without these the first failure of a group leaves a submission without points.
_PARTIAL: Final = frozenset({"accept_if_any_accepted", "always_accept"})
_DEEPEST: Final = 20
_MODES: Final = ("sum", "avg", "min", "max")
# The modes of 2025 by the legacy ones that pay the same.
_SHARED: Final = {"pass-fail": "min", "sum": "avg"}


def scored_cases(data: Path, settings: dict[str, Any], cases_in: CasesIn) -> Cases:
    """Return the secret cases of a scoring problem with their groups and points.

    Args:
        data: The package's folder of test data.
        settings: The package's settings.
        cases_in: Reads cases.

    Returns:
        The cases, in their order.

    Raises:
        ProblemError: They are paid in a way that is not known here.
    """
    version = str(settings.get("problem_format_version", ""))
    if version[:1].isdecimal() and version >= "2025":
        found = _of_2025(data / _TOP, cases_in)
    else:
        found = _legacy(data / _TOP, settings_of(data / "testdata.yaml"), cases_in)
    if not found:
        raise ProblemError("a problem that is scoring, without secret cases")
    return found


def _legacy(secret: Path, above: dict[str, Any], cases_in: CasesIn) -> Cases:
    """Return the cases as the legacy format pays them.

    (Kattis/problemtools examples/oddecho)
    """

    def group(folder: Path, above: dict[str, Any]) -> Cases:
        held = above | settings_of(folder / "testdata.yaml")
        _require_known(held)
        mode = next((each for each in reversed(_flags(held)) if each in _MODES), "sum")
        ends = held.get("on_reject", "break") != "continue"
        below = _folders(folder)
        if len(folder.parts) - len(secret.parts) > _DEEPEST:
            raise ProblemError(f"groups of tests are more than {_DEEPEST} deep")
        found = _paid(
            cases_in(folder, below=False), mode, held.get("accept_score", 1), _name(folder, secret)
        )
        if (below and mode != "sum") or (ends and mode != "min" and found[1:]):
            raise ProblemError(f"groups of tests are graded by {mode}")
        for place in below:
            groups = dict.fromkeys(str(each.get("group", "")) for each in found)
            needs = [*groups] if ends else []
            if "" in needs:
                raise ProblemError("groups of tests end after cases that are paid one by one")
            found += [_needing(each, needs) for each in group(place, held)]
        return found

    if _PARTIAL.isdisjoint(_flags(above | settings_of(secret / "testdata.yaml"))):
        return _together(secret, cases_in)
    return group(secret, above)


def _require_known(held: dict[str, Any]) -> None:
    """Raise ProblemError for a group that is graded by a program, or in an unknown way."""
    for key, usual in (("grading", "default"), ("reject_score", 0), ("scoring", None)):
        if held.get(key, usual) != usual:
            raise ProblemError(f"groups of tests have {key}: {held[key]}")


def _of_2025(secret: Path, cases_in: CasesIn) -> Cases:
    """Return the cases as the format of 2025 pays them.

    (Kattis/problem-package-format spec/2025-09.md)
    """
    held = settings_of(secret / "test_group.yaml")
    mode = str(held.get("score_aggregation", "sum"))
    below = _folders(secret)
    if mode == "pass-fail":
        return _together(secret, cases_in)
    if not below:
        return _paid(
            cases_in(secret, below=False), _SHARED.get(mode, mode), held.get("max_score", 100), _TOP
        )
    if mode != "sum":
        raise ProblemError(f"groups of tests are graded by {mode}")
    if cases_in(secret, below=False):
        raise ProblemError("cases beside groups of tests")
    found: Cases = []
    for folder in below:
        held = settings_of(folder / "test_group.yaml")
        mode = str(held.get("score_aggregation", "pass-fail"))
        needs = held.get("require_pass") or []
        listed = [needs] if isinstance(needs, str) else needs
        if not isinstance(listed, list):
            raise ProblemError(f"group {folder.name} requires {needs!r}")
        # Samples are no tests here.
        names = [str(each) for each in listed if each != "sample"]
        paid = _paid(
            cases_in(folder, below=False),
            _SHARED.get(mode, mode),
            held.get("max_score"),
            folder.name,
        )
        found += [_needing(each, names) for each in paid]
    return found


def _paid(cases: Cases, mode: str, points: object, name: str) -> Cases:
    """Return the cases of one group with what they earn."""
    if isinstance(points, bool) or not isinstance(points, int | float):
        raise ProblemError(f"group {name} has no number of points")
    match mode:
        case "min":
            return [{**each, "group": name, "points": points} for each in cases]
        case "sum":
            return [{**each, "points": points} for each in cases]
        case "avg":
            return [{**each, "points": points / len(cases)} for each in cases]
    raise ProblemError(f"groups of tests are graded by {mode}")


def _together(folder: Path, cases_in: CasesIn) -> Cases:
    """Return all cases below a folder, as one group."""
    return [{**each, "group": _TOP} for each in cases_in(folder)]


def _needing(case: dict[str, object], needs: list[str]) -> dict[str, object]:
    """Return a case that needs these groups, too."""
    own = case.get("needs", [])
    return {**case, "needs": [*needs, *own]} if needs and isinstance(own, list) else case


def _folders(folder: Path) -> list[Path]:
    """Return the folders in a folder; a link may lead back to what is above it."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())


def _name(folder: Path, secret: Path) -> str:
    """Return the name of a group: its path below the secret one."""
    return _TOP if folder == secret else folder.relative_to(secret).as_posix()


def _flags(held: dict[str, Any]) -> list[str]:
    return str(held.get("grader_flags") or "").split()
