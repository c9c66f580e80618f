"""
The architecture, read from the imports: which module may know which.
"""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "ocaml_reward"
SHELLS = {
    "cli": "ocaml_reward_cli",
    "ocaml_reward_env": "ocaml_reward_env",
    "ocaml_reward_server": "ocaml_reward_server",
    "ocaml_reward_trainers": "ocaml_reward_trainers",
    "problem_sets": "problem_sets",
    "trainer_plugin": "trainer_plugin",
}
# What a shell may import of others: commands start the server, make problems and read the logs of
# trainings; other trainers take what ours scores with, and what one of them looks for by its
# name takes it from there.
IMPORTED = {
    "cli": {"ocaml_reward_server", "problem_sets", "trainer_plugin"},
    "ocaml_reward_env": {"ocaml_reward_trainers"},
    "ocaml_reward_trainers": {"trainer_plugin"},
}

# Lowest first; a module imports only from rows above its own in this list.
LAYERS = [
    {"errors", "reasons", "version"},
    {"lanes", "model", "once", "strict"},
    {"reading", "scheme", "diagnostics", "metrics", "sandbox"},
    {"engine", "formats", "processes", "wire"},
    {"checked", "comparing", "scoring"},
    {"grader"},
    {"auditing", "fleet", "shared", "shared_engine"},
    {"strengthening", "testing"},
    {"__init__"},
]
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}

# Functions over strings and frozen values: what they return depends on nothing else.
PURE = {"model", "strict", "reading", "scoring", "diagnostics", "metrics", "wire"}
PURE |= {"reasons", "scheme.value", "scheme.ladders", "scheme.penalty_values"}
PURE |= {"formats.sameness", "fleet.schedule", "fleet.nodes"}
EFFECTS = {
    "os",
    "random",
    "shutil",
    "signal",
    "socket",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
}


def module_name(path: Path) -> str:
    """
    Return the dotted name of a file in the checkout.
    """
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """
    Return the dotted names that a file imports, relative ones resolved.

    `from a import b` counts as `a.b` where that is a module, else as `a`.
    """
    package = path.parent.relative_to(ROOT).parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join((*base, *([node.module] if node.module else [])))
            for alias in node.names:
                whole = f"{start}.{alias.name}"
                found.add(whole if whole in MODULES else start)
    return found


def in_library(name: str) -> bool:
    """
    Tell the library's modules from those of packages whose names begin as its does.
    """
    return name.partition(".")[0] == "ocaml_reward"


def layer(name: str) -> str:
    """
    Return the layer of a dotted name inside the library.
    """
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


FILES = sorted(
    path
    for folder in ("ocaml_reward", *SHELLS)
    for path in (ROOT / folder).rglob("*.py")
)
MODULES = {module_name(path): path for path in FILES}

by_module = pytest.mark.parametrize("name", sorted(MODULES))


@by_module
def test_imports_point_downwards(name: str) -> None:
    """
    A module of the library imports only from lower layers and from its own package.
    """
    if not in_library(name):
        return
    own = layer(name)
    inside = {n for n in imported(MODULES[name]) if in_library(n)}
    upwards = {n for n in inside if layer(n) != own and RANK[layer(n)] >= RANK[own]}

    assert own in RANK, f"{own} has no layer yet"
    assert set() == upwards


@by_module
def test_the_library_knows_no_shell(name: str) -> None:
    """
    The library imports no shell, nor do the shells each other, but for what is listed.
    """
    own = name.partition(".")[0]
    others = {*SHELLS, *SHELLS.values()} - {own} - IMPORTED.get(own, set())

    assert set() == {
        n for n in imported(MODULES[name]) if n.partition(".")[0] in others
    }


@by_module
def test_a_package_names_itself_relatively(name: str) -> None:
    """
    Inside a package its own modules are imported relatively, since `cli` is renamed.
    """
    own = name.partition(".")[0]
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    absolute = {alias for node in ast.walk(tree) for alias in absolute_names(node)}

    assert set() == {
        n for n in absolute if n.partition(".")[0] in {own, SHELLS.get(own)}
    }


def absolute_names(node: ast.AST) -> set[str]:
    """
    Return the names that a statement imports without a leading dot.
    """
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return {node.module}
    return set()


@by_module
def test_the_core_has_no_effects(name: str) -> None:
    """
    Modules that decide about a reward import nothing that touches the machine.
    """
    inside = name.partition(".")[2]
    if not in_library(name) or not {layer(name), inside} & PURE:
        return

    assert set() == imported(MODULES[name]) & EFFECTS


def test_no_import_cycles() -> None:
    """
    No module needs itself, by way of others, to be imported.
    """
    graph = {name: imported(path) & MODULES.keys() for name, path in MODULES.items()}
    order = list(TopologicalSorter(graph).static_order())

    assert sorted(MODULES) == sorted(order)


def test_every_layer_is_in_use() -> None:
    """
    The table above names no module that has gone.
    """
    present = {layer(name) for name in MODULES if in_library(name)}

    assert set() == RANK.keys() - present
