"""
What each module offers is written down in it, and the package's face is complete.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import ocaml_reward
from ocaml_reward import errors

ROOT = Path(__file__).parents[1]

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "ocaml_reward").rglob("*.py")
    if path.stat().st_size
)

by_module = pytest.mark.parametrize("name", MODULES)


def sort_key(name: str) -> tuple[int, str]:
    """
    Order names as ruff does: CONSTANTS, then Classes, then functions.
    """
    if name.isupper():
        return 0, name
    return (1 if name[0].isupper() else 2), name


def defined_here(name: str) -> set[str]:
    """
    Return the public functions and classes that a module's own text defines.
    """
    source = inspect.getsource(importlib.import_module(name))
    return {
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
    }


@by_module
def test_exports_are_sorted(name: str) -> None:
    """
    `__all__` is in ruff's order, so that two additions rarely touch the same line.
    """
    exported = importlib.import_module(name).__all__

    assert sorted(exported, key=sort_key) == exported


@by_module
def test_exports_exist_and_are_complete(name: str) -> None:
    """
    `__all__` names only what is there, and every public function and class.
    """
    module = importlib.import_module(name)

    assert [] == [export for export in module.__all__ if not hasattr(module, export)]
    assert set() == defined_here(name) - set(module.__all__)


def test_every_error_can_be_caught_from_the_package() -> None:
    """
    Each exception of the tree is exported at the top, the base included.
    """
    assert set() == set(errors.__all__) - set(ocaml_reward.__all__)


def test_the_face_of_the_package() -> None:
    """
    What a caller needs for one grading comes from the package itself.
    """
    wanted = {"Breakdown", "Completion", "Grader", "Problem", "RewardScheme", "grade"}

    assert set() == wanted - set(ocaml_reward.__all__)
