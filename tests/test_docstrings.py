"""
Public docstrings have one form: sections for arguments, results and errors.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import ocaml_reward

# What README.md, docs/ and docs/architecture.md name for others to import.
PUBLIC = (
    "ocaml_reward",
    "ocaml_reward.diagnostics",
    "ocaml_reward.engine",
    "ocaml_reward.engine.remote",
    "ocaml_reward.formats",
    "ocaml_reward.metrics",
    "ocaml_reward.sandbox",
    "ocaml_reward.sandbox.selfcheck",
    "ocaml_reward.scheme",
    "ocaml_reward.testing",
    "ocaml_reward.wire",
    "trainer_plugin",
    "trainer_plugin.callbacks",
    "trainer_plugin.health",
    "trainer_plugin.learning",
    "trainer_plugin.located.trainer",
    "trainer_plugin.reading",
    "trainer_plugin.selection",
)
OWN = ("ocaml_reward", "trainer_plugin")
VALUES = [
    name
    for name in ocaml_reward.__all__
    if dataclasses.is_dataclass(getattr(ocaml_reward, name))
]
SECTION = re.compile(r"^(Args|Returns|Raises|Attributes):$", re.MULTILINE)
ENTRY = re.compile(r"^    (\*{0,2}\w+): ", re.MULTILINE)


def sections(text: str) -> dict[str, str]:
    """
    Return the sections of a docstring by their titles.
    """
    parts = SECTION.split(inspect.cleandoc(text))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def parameters(function: Callable[..., Any]) -> list[str]:
    """
    Return the names of a function's parameters, starred as in a docstring.
    """
    marks: dict[object, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*",
        inspect.Parameter.VAR_KEYWORD: "**",
    }
    return [
        f"{marks.get(each.kind, '')}{each.name}"
        for each in inspect.signature(function).parameters.values()
        if each.name != "self"
    ]


def returns_something(function: Callable[..., Any]) -> bool:
    """
    Tell functions with a result from those that return None.
    """
    return inspect.signature(function).return_annotation not in ("None", None)


def callables(module: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """
    Yield the public functions of a module and the public methods of its classes.
    """
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        item = getattr(loaded, name)
        if inspect.isfunction(item):
            yield name, item
        if not inspect.isclass(item):
            continue
        for key, member in vars(item).items():
            made = key == "__init__" and dataclasses.is_dataclass(item)
            shown = not key.startswith("_") or key in ("__call__", "__init__")
            ours = inspect.isfunction(member) and member.__module__.startswith(OWN)
            if shown and ours and not made:
                yield f"{name}.{key}", member


def faults(function: Callable[..., Any]) -> Iterator[str]:
    """
    Yield what a docstring lacks; one parameter needs no sections.
    """
    text = function.__doc__ or ""
    taken = parameters(function)
    if len(taken) < 2:
        return
    there = sections(text)
    if taken != ENTRY.findall(there.get("Args", "")):
        yield f"Args has to have {', '.join(taken)}"
    if returns_something(function) != ("Returns" in there):
        yield "Returns, exactly where something is returned"
    if re.search(r"\b[Rr]aises [A-Z]", text):
        yield "errors belong into a section Raises"


@pytest.mark.parametrize("module", PUBLIC)
def test_public_functions_have_sections(module: str) -> None:
    """
    A public function of more than one parameter says in sections what each is, what is
    returned, and what is raised.
    """
    found = {
        f"{name}: {fault}"
        for name, function in callables(module)
        for fault in faults(function)
    }

    assert set() == found


@pytest.mark.parametrize("name", VALUES)
def test_public_values_list_their_fields(name: str) -> None:
    """
    A value that the package exports says of each of its fields what it is.
    """
    value = getattr(ocaml_reward, name)
    fields = [each.name for each in dataclasses.fields(value)]

    assert fields == ENTRY.findall(sections(value.__doc__ or "").get("Attributes", ""))
