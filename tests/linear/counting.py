"""Counts what our modules do: each turn of a loop, each call, and the length of what a call of Python's
own goes over.  A machine may be busy; these counts are the same each time.

`install` has modules compiled, as they are imported, with a count at each loop, call, slice, sum
and `in`.  Whatever a built-in is given counts with its length, unless it is known to look at less
(`_AT_ONCE`, `_cost`): a new one is taken for the worst.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import re
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

_SIZED = (str, bytes, bytearray, list, tuple, set, frozenset, dict)
_FINDS = frozenset(("find", "index", "count", "rfind", "rindex"))
# These look at a part only, or at nothing yet.
_AT_ONCE = frozenset(
    ("add", "append", "appendleft", "bisect_left", "bisect_right", "callable", "cast", "chr", "delattr",
     "discard", "end", "enumerate", "filter", "get", "getattr", "group", "groups",
     "hasattr", "hash", "id", "isinstance", "issubclass", "islice", "items", "iter", "keys", "len",
     "map", "next", "ord", "popleft", "range", "reversed", "setattr", "setdefault",
     "slice", "span", "start", "takewhile", "type", "values", "zip", "zip_longest",
     "chain", "from_iterable", "groupby", "accumulate", "pairwise", "super", "object",
     "property", "partial", "lru_cache", "cache", "attrgetter", "itemgetter")
)  # fmt: skip


class Counter:
    """Counts operations, and the loops that were run."""

    def __init__(self) -> None:
        self.total = 0
        self.ran: set[tuple[str, int]] = set()

    def turn(self, module: str, line: int) -> bool:
        """Count a turn of a loop."""
        self.total += 1
        self.ran.add((module, line))
        return True

    def call(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Call something, and count what that takes."""
        result = function(*args, **named)
        self.total += 1
        if isinstance(function, types.FunctionType | types.MethodType):
            return result
        owner = getattr(function, "__self__", None)
        if isinstance(owner, re.Pattern):
            return self._matching(function.__name__, args, named, result)
        name = getattr(function, "__name__", "")
        if name not in _AT_ONCE:
            self.total += _cost(owner, name, args, result)
        return result

    def _matching(
        self,
        name: str,
        args: Sequence[Any],
        named: dict[str, Any],
        result: Any,
    ) -> Any:
        text = named.get("string", args[1] if name in {"sub", "subn"} else args[0])
        if name in {"sub", "subn", "split"}:
            self.total += len(text)
            return result
        first = min(args[1] if len(args) > 1 else 0, len(text))
        last = min(args[2] if len(args) > 2 else len(text), len(text))
        if name == "findall":
            self.total += last - first
        elif name == "finditer":
            return self._found(result, first, last)
        elif result is not None:
            self.total += max(0, result.end() - first)
        elif name == "search":
            self.total += max(0, last - first)
        return result

    def _found(
        self, matches: Iterator[re.Match[Any]], place: int, last: int
    ) -> Iterator[re.Match[Any]]:
        for match in matches:
            self.total += max(0, match.end() - place)
            place = match.end()
            yield match
        self.total += max(0, last - place)

    def made(self, value: Any) -> Any:
        """Count a value that was put together."""
        if isinstance(value, _SIZED):
            self.total += len(value)
        return value

    def cut(self, value: Any, part: slice) -> Any:
        """Slice something."""
        return self.made(value[part])

    def holds(self, value: Any, container: Any) -> bool:
        """Look for something in something else."""
        if isinstance(container, str | bytes) and isinstance(value, str | bytes):
            place = container.find(value)  # type: ignore[arg-type]
            self.total += len(container) if place < 0 else place
        elif isinstance(container, list | tuple):
            self.total += len(container)
        self.total += 1
        return value in container


def _cost(owner: Any, name: str, args: Sequence[Any], result: Any) -> int:
    """Say what a call of a built-in takes."""
    text = isinstance(owner, str | bytes)
    if text and name in _FINDS:
        first, last, _ = slice(*[*args[1:3], None, None][:2]).indices(len(owner))
        if name == "count" or result == -1:
            return max(0, last - first)
        return abs(int(result) - (last if name.startswith("r") else first))
    if text and name in {"startswith", "endswith"}:
        return sum(map(len, args[0])) if isinstance(args[0], tuple) else len(args[0])
    if text and name in {"strip", "lstrip", "rstrip"}:
        return 0 if result is owner else len(owner)
    if name in {"append", "extend", "update", "difference_update"}:
        return sum(len(each) for each in args if isinstance(each, _SIZED))
    if name == "pop" and (not args or isinstance(owner, dict)):
        return 0
    if name in {"min", "max"} and len(args) > 1:
        return 0
    if isinstance(owner, str | bytes) and name == "join":
        return len(result)
    taken = [owner, *args] if isinstance(owner, _SIZED) else args
    longest = sum(len(each) for each in taken if isinstance(each, _SIZED))
    return longest + (len(result) if isinstance(result, _SIZED) else 0)


class _Instrumented(ast.NodeTransformer):
    """Puts counts into a module."""

    def __init__(self, module: str) -> None:
        self.module = module

    def _tick(self, line: int) -> ast.expr:
        call = ast.parse(f"counter__.turn({self.module!r}, {line})", mode="eval")
        return call.body

    def _through(self, name: str, *values: ast.expr) -> ast.expr:
        function = ast.parse(f"counter__.{name}", mode="eval").body
        return ast.Call(func=function, args=list(values), keywords=[])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        # Bases may be called or sliced, and are made once.
        node.body = [self.visit(each) for each in node.body]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(self._tick(node.lineno)))
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(self._tick(node.lineno)))
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, self._tick(node.target.lineno))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in {
            "super",
            "field",
            "TypeVar",
        }:
            return node
        self.generic_visit(node)
        function = ast.parse("counter__.call", mode="eval").body
        return ast.Call(func=function, args=[node.func, *node.args], keywords=node.keywords)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Slice) or not isinstance(node.ctx, ast.Load):
            return node
        ends = [node.slice.lower, node.slice.upper, node.slice.step]
        part = ast.Call(
            func=ast.Name("slice", ast.Load()),
            args=[each or ast.Constant(None) for each in ends],
            keywords=[],
        )
        return self._through("cut", node.value, part)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        joins = isinstance(node.op, ast.Add | ast.Mult | ast.Mod)
        return self._through("made", node) if joins else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
            return node
        whole = ast.Name(node.target.id, ast.Load())
        kind = ast.parse("(str, bytes, tuple)", mode="eval").body
        is_new = ast.Call(func=ast.Name("isinstance", ast.Load()), args=[whole, kind], keywords=[])
        count = ast.IfExp(test=is_new, body=self._through("made", whole), orelse=ast.Constant(0))
        return [node, ast.Expr(count)]

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn):
            return node
        found = self._through("holds", node.left, node.comparators[0])
        negated = isinstance(node.ops[0], ast.NotIn)
        return ast.UnaryOp(op=ast.Not(), operand=found) if negated else found

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                value.value = self.visit(value.value)
        return self._through("made", node)


class _Loader(importlib.machinery.SourceFileLoader):
    counter: Counter

    def get_code(self, fullname: str) -> CodeType | None:
        tree = ast.parse(Path(self.path).read_bytes(), self.path)
        tree = ast.fix_missing_locations(_Instrumented(fullname).visit(tree))
        return compile(tree, self.path, "exec")

    def exec_module(self, module: types.ModuleType) -> None:
        vars(module)["counter__"] = self.counter
        super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, prefixes: Sequence[str], counter: Counter) -> None:
        self.prefixes = tuple(prefixes)
        self.loader = type("_Counting", (_Loader,), {"counter": counter})

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        del target
        inside = (each for each in self.prefixes if f"{fullname}.".startswith(f"{each}."))
        found = importlib.machinery.PathFinder.find_spec(fullname, path) if any(inside) else None
        if found is not None and found.origin and found.origin.endswith(".py"):
            found.loader = self.loader(fullname, found.origin)
        return found


def install(prefixes: Sequence[str]) -> Counter:
    """Have the modules below these packages counted, from their import on."""
    counter = Counter()
    sys.meta_path.insert(0, _Finder(prefixes, counter))
    return counter


def loops_of(path: Path) -> set[tuple[str, int]]:
    """Return the function and the line that each loop of a file begins in."""
    found = set()

    def look(node: ast.AST, function: str) -> None:
        for each in ast.iter_child_nodes(node):
            inner = function
            if isinstance(each, ast.FunctionDef | ast.ClassDef):
                inner = f"{function}.{each.name}".removeprefix(".")
            if isinstance(each, ast.For | ast.While):
                found.add((inner, each.lineno))
            elif isinstance(each, ast.comprehension):
                found.add((inner, each.target.lineno))
            look(each, inner)

    look(ast.parse(path.read_text("utf-8")), "")
    return found
