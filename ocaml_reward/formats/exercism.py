"""
Folders of exercises: instructions, an interface, tests and an example, as Exercism has them.

```text
leap/.docs/instructions.md   the prompt
leap/leap.mli                the signature
leap/test.ml                 the tests, OUnit2
leap/.meta/example.ml        the reference
leap/dune                    the libraries
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .lines import BadLine
from .rows import Row

__all__ = ["exercise_rows", "is_exercise"]

_LIBRARIES: Final = re.compile(r"\(libraries\s([^()]*)")
# Read by the tests' own framework, or ours.
_OWN: Final = frozenset({"ounit2", "oUnit", "ounit"})


def is_exercise(folder: Path) -> bool:
    """
    Tell a folder with the tests of one exercise.
    """
    return folder.is_dir() and (folder / "test.ml").is_file()


def exercise_rows(folder: Path) -> Iterator[tuple[Row | BadLine, tuple[str, ...]]]:
    """
    Yield the exercises below a folder by name, as rows of a problem file.

    Args:
        folder: One exercise, or a folder with some anywhere below it.

    Yields:
        The row, or why there is none; and what is changed or lost, in words.
    """
    for tests in sorted(folder.rglob("test.ml")):
        name = tests.parent.name
        try:
            yield _exercise(tests.parent, name)
        except OSError as error:
            message = f"unreadable: {error.strerror}"
            yield BadLine(file=str(tests), line=0, message=message), ()


def _exercise(folder: Path, name: str) -> tuple[Row, tuple[str, ...]]:
    said: list[str] = []
    module = name.replace("-", "_")
    interface = _text(folder / f"{module}.mli")
    docs = [
        _text(folder / ".docs" / part)
        for part in ("introduction.md", "instructions.md", "instructions.append.md")
    ]
    asked = "\n\n".join(text.strip() for text in docs if text)
    if interface:
        asked += f"\n\nWrite OCaml with this interface:\n\n```ocaml\n{interface.strip()}\n```"
    if not asked:
        said.append("no instructions and no interface: the prompt is empty")
    tests, opened = _at_top(_text(folder / "test.ml") or "", module.capitalize())
    said += opened
    fields: dict[str, object] = {"id": name, "prompt": asked.strip(), "tests": tests}
    if interface:
        fields["signature"] = interface
    reference = _text(folder / ".meta" / "example.ml")
    if reference:
        fields["reference"] = reference
    libraries = [
        each
        for found in _LIBRARIES.findall(_text(folder / "dune") or "")
        for each in found.split()
        if each not in _OWN and each != module
    ]
    if libraries:
        fields["libraries"] = list(dict.fromkeys(libraries))
    row = Row(file=str(folder / "test.ml"), line=0, fields=fields, repaired=False)
    return row, tuple(said)


def _at_top(tests: str, module: str) -> tuple[str, list[str]]:
    """
    Let tests find at the top what they look for in the exercise's module.
    """
    tests = re.sub(
        rf"^[ \t]*open!?[ \t]+{module}[ \t]*(?:;;[ \t]*)?$",
        "",
        tests,
        flags=re.MULTILINE,
    )
    alias = re.search(
        rf"^[ \t]*module[ \t]+(\w+)\s*=\s*{module}[ \t]*$", tests, re.MULTILINE
    )
    names = [module, *([alias[1]] if alias else [])]
    if alias:
        tests = tests.replace(alias[0], "")
    for each in names:
        tests, count = re.subn(rf"(?<![\w.]){each}\.(?=[a-z(])", "", tests)
        if count:
            return tests, [f"what the tests take from {each} is looked for at the top"]
    return tests, []


def _text(path: Path) -> str | None:
    return (
        path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None
    )
