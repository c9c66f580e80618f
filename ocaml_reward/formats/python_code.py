"""Tells Python from OCaml, which share much: `assert (f(1) == 2)` is both.

Of tests and solutions, which are whole; answers, which may break off, are told in reading/python.py.
"""

from __future__ import annotations

import ast
import textwrap
import warnings
from typing import Final

# What no OCaml has, as tests and solutions write it
# (google-research/google-research mbpp/mbpp.jsonl; openai/human-eval human_eval/execution.py).
_NODES: Final = (
    ast.AsyncFunctionDef, ast.ClassDef, ast.Dict, ast.DictComp, ast.For, ast.FunctionDef,
    ast.GeneratorExp, ast.If, ast.IfExp, ast.Import, ast.ImportFrom, ast.In, ast.Lambda,
    ast.ListComp, ast.NotIn, ast.Return, ast.Set, ast.SetComp, ast.Try, ast.While, ast.With,
)  # fmt: skip
# What OCaml asserts without parentheses.
_SIMPLE: Final = (ast.Attribute, ast.Constant, ast.List, ast.Name)


def may_be_python(text: str) -> bool:
    """Tell whether a text parses as Python, as some OCaml does, too."""
    return _parsed(text) is not None


def is_python(text: str) -> bool:
    """Tell whether a text is Python, and no OCaml."""
    tree = _parsed(text)
    lines = textwrap.dedent(text).encode().splitlines() if tree else []
    return tree is not None and any(_is_only_python(node, lines) for node in ast.walk(tree))


def _parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of a text as Python's; None where it has none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_only_python(node: ast.AST, lines: list[bytes]) -> bool:
    """Tell whether a node of Python's syntax cannot be read as OCaml."""
    if isinstance(node, _NODES):
        return True
    if isinstance(node, ast.Constant):
        is_quoted = lines[node.lineno - 1][node.col_offset :].startswith(b"'")
        return isinstance(node.value, bool) or (
            isinstance(node.value, str) and len(node.value) != 1 and is_quoted
        )
    if isinstance(node, ast.Assert) and not isinstance(node.test, _SIMPLE):
        test = node.test
        is_next = test.lineno == node.lineno
        between = lines[node.lineno - 1][node.col_offset : test.col_offset] if is_next else b"("
        return b"(" not in between
    return False
