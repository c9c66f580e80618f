"""Folders of exercises as Exercism has them.

```text
leap/.docs/instructions.md   the prompt
leap/leap.mli                the signature
leap/test.ml                 the tests, OUnit2
leap/.meta/example.ml        the reference
leap/dune                    the libraries
leap/tree.ml, leap/tree.mli  a module beside them: given to the code, or to the tests alone
```
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ...errors import ProblemError
from ...reading.lexing import Source
from ..rows import json_in_text
from .kinds import Kind, Taken, text_of

_LIBRARIES: Final = re.compile(r"\(libraries\s([^()]*)")
_PREPROCESSORS: Final = re.compile(r"\(pps\s([^()]*)")
# Read by the tests' own framework, or ours.
_OWN: Final = frozenset({"ounit2", "oUnit", "ounit"})
_DOCS: Final = ("introduction.md", "instructions.md", "instructions.append.md")
# What a preprocessor has to put something in place of.
_EXTENSION: Final = re.compile(r"\[@@?deriving\b|\[%%?[a-z]|\b(?:let|match|if|try)%[a-z]")


def _is_exercise(folder: Path) -> bool:
    name = _module(folder)
    there = (".meta", ".docs", "example.ml", f"{name}.mli", f"{name}.ml")
    return any((folder / each).exists() for each in there)


def _exercise(folder: Path) -> Taken:
    """Return the fields of a problem in an Exercism folder, and remarks."""
    said: list[str] = []
    name = _module(folder)
    _require_one_file(folder)
    interface = text_of(folder / f"{name}.mli")
    docs = [text_of(folder / ".docs" / part) for part in _DOCS]
    docs = docs if any(docs) else [text_of(folder / "README.md")]
    asked = "\n\n".join(text.strip() for text in docs if text)
    if interface:
        asked += f"\n\nWrite OCaml with this interface:\n\n```ocaml\n{interface.strip()}\n```"
    if not asked:
        said.append("no instructions and no interface: the prompt is empty")
    tests = text_of(folder / "test.ml")
    given, helpers = _beside(folder, name)
    if given:
        asked += f"\n\nYou can use what is given:\n\n```ocaml\n{given.strip()}\n```"
    dune = text_of(folder / "dune")
    if processors := " ".join(_PREPROCESSORS.findall(dune)).split():
        _require_plain({"test.ml": tests, "a module beside": given + helpers}, processors)
        said.append(f"is not preprocessed by {', '.join(processors)}")
    fields: dict[str, object] = {"prompt": asked.strip(), "tests": helpers + tests}
    if interface:
        fields["signature"] = interface
    if given:
        fields["given"] = given
    reference = text_of(folder / ".meta" / "example.ml") or text_of(folder / "example.ml")
    if reference:
        fields["reference"] = reference
    libraries = [
        each
        for found in _LIBRARIES.findall(dune)
        for each in found.split()
        if each not in _OWN and each != name
    ]
    if libraries:
        fields["libraries"] = list(dict.fromkeys(libraries))
    return fields, said


EXERCISM: Final = Kind(name="Exercism", mark="test.ml", tells=_is_exercise, take=_exercise)
"""Exercises as Exercism's track for OCaml has them."""


def _module(folder: Path) -> str:
    """Return the name of the exercise's module."""
    return folder.resolve().name.replace("-", "_")


def _require_one_file(folder: Path) -> None:
    """Raise ProblemError for an exercise whose solution has several files."""
    try:
        settings = json_in_text(text_of(folder / ".meta" / "config.json") or "")
        solution = settings.get("files", {}).get("solution", [])
    except AttributeError:
        return
    if isinstance(solution, list) and len(solution) > 1:
        raise ProblemError(f"its solution has {len(solution)} files")


def _require_plain(texts: dict[str, str], processors: list[str]) -> None:
    """Raise ProblemError for texts that need a preprocessor."""
    for what, text in texts.items():
        found = _EXTENSION.search(Source(text).without_literals)
        if found:
            message = f"{what} needs a preprocessor for {found[0]}: {', '.join(processors)}"
            raise ProblemError(message)


def _beside(folder: Path, name: str) -> tuple[str, str]:
    """Return the modules beside the tests: those that code can use, and those that use it."""
    own = {"test", "example", name}
    modules = {
        path.stem.capitalize(): path for path in sorted(folder.glob("*.ml")) if path.stem not in own
    }
    uses = {each: _words(text_of(path)) for each, path in modules.items()}
    # A module that uses the code is the tests', and so is one that uses such a module.
    testing = {name.capitalize()}
    while more := {each for each in modules if uses[each] & testing} - testing:
        testing |= more
    given, helpers = "", ""
    for each in _in_order(modules, uses):
        if each in testing:
            helpers += _as_module(each, modules[each])
        else:
            given += _as_module(each, modules[each])
    return given, helpers


def _in_order(modules: dict[str, Path], uses: dict[str, frozenset[str]]) -> list[str]:
    """Return modules in an order in which each follows those that it uses."""
    order: list[str] = []
    left = list(modules)
    while left:
        ready = [each for each in left if not uses[each] & ({*left} - {each})]
        if not ready:
            raise ProblemError(f"modules use each other: {', '.join(left)}")
        order += ready
        left = [each for each in left if each not in ready]
    return order


def _words(text: str) -> frozenset[str]:
    """Return the names of modules in OCaml code."""
    code = Source(text).without_literals
    return frozenset(re.findall(r"(?<![\w'.])[A-Z][\w']*+", code))


def _as_module(name: str, path: Path) -> str:
    """Return a file as a module definition, with its interface."""
    interface = text_of(path.with_suffix(".mli"))
    sealed = f" : sig\n{interface.rstrip()}\nend" if interface else ""
    return f"module {name}{sealed} = struct\n{text_of(path).rstrip()}\nend\n\n"
