"""
What each module offers is written down in it, and the package's face is complete.
"""

from __future__ import annotations

import ast
import importlib.util
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


def taken(name: str) -> set[tuple[str, str]]:
    """
    Return what a module takes from others of its package: (module, name) pairs.
    """
    module = importlib.import_module(name)
    package = module.__package__ or name
    found = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.level:
            dotted = "." * node.level + (node.module or "")
            source = importlib.util.resolve_name(dotted, package)
            found |= {(source, alias.name) for alias in node.names}
    return found


@by_module
def test_exports_are_sorted(name: str) -> None:
    """
    `__all__` is in ruff's order, so that two additions rarely touch the same line.
    """
    exported = importlib.import_module(name).__all__

    assert sorted(exported, key=sort_key) == exported


@by_module
def test_exports_exist(name: str) -> None:
    """
    `__all__` names only what is there.
    """
    module = importlib.import_module(name)

    assert [] == [export for export in module.__all__ if not hasattr(module, export)]


@by_module
def test_what_others_take_is_exported(name: str) -> None:
    """
    A module takes from its neighbours only what they export, or a whole module.
    """
    hidden = {
        f"{source}.{taken_name}"
        for source, taken_name in taken(name)
        if taken_name not in importlib.import_module(source).__all__
        and f"{source}.{taken_name}" not in MODULES
    }

    assert set() == hidden


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
