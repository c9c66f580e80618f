"""Finds the regular expressions of a module, and how each is used.

Those that a module has as values are taken from it; those that a function makes are read in its
source, with a digit for what only a run knows.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

_SEARCHING = frozenset(("search", "sub", "subn", "split", "findall", "finditer", "scanner"))
# Such a use begins at the text's beginning, or where it is told to.
_FIXED = frozenset(("match", "fullmatch"))
_UNKNOWN = "2"


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression in a module; `searching` where a match may begin anywhere."""

    name: str
    pattern: re.Pattern[Any]
    searching: bool


def expressions(root: Path, path: Path) -> Iterator[Expression]:
    """Find the regular expressions of one file below a root."""
    tree = ast.parse(path.read_text("utf-8"))
    parts = path.relative_to(root).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    if not any(
        isinstance(node, ast.Import) and any(each.name == "re" for each in node.names)
        for node in ast.walk(tree)
    ):
        return
    module = importlib.import_module(name)
    own = {
        name.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    uses = _uses(tree)
    # Of those in a table a local name is used.
    others = {use for each, found in uses.items() if each not in own for use in found}
    others &= (_SEARCHING | _FIXED) - {"split"}
    tabled = {
        node.id
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    for each in sorted(own):
        value = getattr(module, each)
        if isinstance(value, re.Pattern):
            used = uses.get(each, {"passed on"})
            if each in tabled:
                used = (used - {"passed on"}) | others
            yield Expression(f"{name}.{each}", value, not used <= _FIXED)
            continue
        searching = bool(others & _SEARCHING)
        for number, pattern in enumerate(_within(value)):
            yield Expression(f"{name}.{each}[{number}]", pattern, searching)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _made(name, function, module.__dict__)


def _within(value: Any, depth: int = 4) -> Iterator[re.Pattern[Any]]:
    """Find the expressions in a table."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _within(each, depth - 1)
    elif depth and isinstance(value, Mapping):
        yield from _within((*value.keys(), *value.values()), depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        yield from _within([getattr(value, each.name) for each in fields(value)])


def _uses(tree: ast.AST) -> dict[str, set[str]]:
    """Collect what is called of each name; "passed on" for a name that stands alone."""
    called = {
        id(node.func.value): node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    } | {
        id(node.value): "pattern"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "pattern"
    }
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, set()).add(called.get(id(node), "passed on"))
    for uses in found.values():
        uses.discard("pattern")
    return found


def _made(
    module: str,
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    names: Mapping[str, Any],
) -> Iterator[Expression]:
    """Find the expressions that a function makes."""
    uses = _uses(function)
    assigned = {
        id(node.value): target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(function):
        if not (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in {"compile", *_SEARCHING, *_FIXED}
        ):
            continue
        place = {"sub": 4, "subn": 4, "split": 3, "compile": 1}.get(node.func.attr, 2)
        flags = next(
            (each.value for each in node.keywords if each.arg == "flags"),
            node.args[place] if len(node.args) > place else ast.Constant(0),
        )
        yield Expression(
            f"{module}.{function.name}",
            re.compile(_known(node.args[0], names), _known(flags, names)),
            not uses.get(assigned.get(id(node), ""), {node.func.attr}) <= _FIXED,
        )


class _Filled(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        known = set(self.names)
        if all(each.id in known for each in ast.walk(node) if isinstance(each, ast.Name)):
            return node
        return ast.Constant(_UNKNOWN)


def _known(node: ast.expr, names: Mapping[str, Any]) -> Any:
    filled = ast.fix_missing_locations(ast.Expression(_Filled(names).visit(node)))
    return eval(compile(filled, "pattern", "eval"), dict(names))
