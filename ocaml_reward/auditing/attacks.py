"""Loads the shipped attacks, one program per file, with their targets and permitted results."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..model import Verdict

_PACKAGE = Path(__file__).parents[1]
# Installed, they are in the package; in a checkout, with the rest of the corpus.
_FOLDERS = (_PACKAGE / "attacks", _PACKAGE.parent / "test_corpus" / "attacks")
# Programs of megabytes are written with repetitions; % is the row number.
_REPEATED = re.compile(r"@(REPEAT|ROW) (\d+) ([^@]*)@")


@dataclass(frozen=True, kw_only=True, slots=True)
class Elsewhere:
    """What a program may get from a version of OCaml on, "4.14", and the `reason`."""

    ocaml: str
    reason: str
    verdicts: tuple[Verdict, ...]
    most: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Attack:
    """One hostile program. (alignmentforum.org R5MdWGKsuvdPwGFBG)

    Attributes:
        against: The protection that it attacks.
        tries: What it attempts.
        verdicts: The permitted verdicts, if checks are decided in its process.
        most: The maximum reward in that case.
        most_outside: The maximum reward if checks are judged outside its process, where any verdict
            is permitted; it is 1 for programs that only break their own process and answer
            correctly.
        code: The program, with placeholders such as `@SECRET@` for targets.
    """

    name: str
    against: str
    tries: str
    verdicts: tuple[Verdict, ...]
    most: float
    code: str
    # The reward of any program that types and compiles, in the scheme `concise`.
    most_outside: float = 0.3
    elsewhere: Elsewhere | None = None

    def under(self, toolchain: str) -> Attack:
        """Return the attack with what it may get under a toolchain, "ocaml 5.3.0"."""
        other = self.elsewhere
        if other is None or _number(toolchain) < _number(other.ocaml):
            return self
        return replace(self, verdicts=other.verdicts, most=other.most)

    def text(self, places: Mapping[str, str]) -> str:
        """Return the program with its placeholders filled in."""
        code = _REPEATED.sub(_written_out, self.code)
        for name, value in places.items():
            code = code.replace(f"@{name}@", value)
        return code


def _number(version: str) -> tuple[int, ...]:
    """Read a version's first two numbers; of no version, none."""
    return tuple(int(digits) for digits in re.findall(r"\d+", version)[:2])


def _written_out(found: re.Match[str]) -> str:
    """Return the text that a placeholder for repeated text stands for."""
    kind, count, text = found.groups()
    if kind == "REPEAT":
        return text * int(count)
    return "".join(text.replace("%", str(number)) for number in range(int(count)))


@cache
def load_attacks() -> tuple[Attack, ...]:
    """Return every attack, by name."""
    folder = next(folder for folder in _FOLDERS if folder.is_dir())
    return tuple(_read(path) for path in sorted(folder.glob("*.toml")))


def _read(path: Path) -> Attack:
    """Read the file of an attack."""
    fields = tomllib.loads(path.read_text(encoding="utf-8"))
    for each in (fields, fields.get("elsewhere", {})):
        if "verdicts" in each:
            each["verdicts"] = tuple(map(Verdict, each["verdicts"]))
    if other := fields.pop("elsewhere", None):
        fields["elsewhere"] = Elsewhere(**({"most": fields["most"]} | other))
    return Attack(name=path.stem, **fields)
