"""Settings that a folder keeps as YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import FormatError, ProblemError
from .kinds import text_of


def settings_of(path: Path) -> dict[str, Any]:
    """Return the object of a YAML file, an empty one for no file.

    Raises:
        FormatError: There is nothing here that reads YAML.
        ProblemError: It is not YAML, or no object.
    """
    try:
        import yaml  # noqa: PLC0415 (only such folders need it)
    except ImportError:
        message = f"{path.name} needs YAML: pip install 'ocaml-reward[yaml]'"
        raise FormatError(message) from None
    try:
        found = yaml.safe_load(text_of(path))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        said = str(error).partition("\n")[0]
        raise ProblemError(f"{path.name}: not YAML: {said}") from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ProblemError(f"{path.name}: expected an object")
    return found


def number_of(value: object, name: str) -> float:
    """Return a number above 0; raises ProblemError for what is none.  YAML reads 1e-6 as text."""
    try:
        number = float(value) if isinstance(value, str | int | float) else 0.0
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ProblemError(f"{name}: expected a number above 0, not {value!r}")
    return number
