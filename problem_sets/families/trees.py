"""Trees of several shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..types import Variant
from ..vocabulary.numbers import REDUCTIONS, condition


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """A type of trees: its declaration, and how its cases are written."""

    variant: Variant
    said: str
    leaf: str
    node: str
    orders: Mapping[str, tuple[str, str]]
    fold: str


BINARY: Final = Shape(
    variant=Variant(
        name="tree",
        constructors=(("Leaf", ()), ("Node", ("tree", "int", "tree"))),
    ),
    said="Every `Node` holds a value between its left and its right subtree; a `Leaf` is"
    " empty and holds none.",
    leaf="Leaf",
    node="Node (l, x, r)",
    orders={
        "in order": (
            "| Leaf -> []\n  | Node (l, x, r) -> walk l @ (x :: walk r)",
            "a node stands behind those of its left subtree and before those of its right one",
        ),
        "before": (
            "| Leaf -> []\n  | Node (l, x, r) -> (x :: walk l) @ walk r",
            "a node stands before those of its left subtree, and these before those of"
            " its right one",
        ),
        "after": (
            "| Leaf -> []\n  | Node (l, x, r) -> walk l @ walk r @ [ x ]",
            "a node stands behind those of its left and then its right subtree",
        ),
        "mirrored": (
            "| Leaf -> []\n  | Node (l, x, r) -> walk r @ (x :: walk l)",
            "a node stands behind those of its right subtree and before those of its left one",
        ),
    },
    fold="| Leaf -> {zero}\n  | Node (l, x, r) -> {node}",
)


ROSE: Final = Shape(
    variant=Variant(name="tree", constructors=(("Node", ("int", "tree list")),)),
    said="Every `Node` holds a value and the list of its children.",
    leaf="",
    node="Node (x, children)",
    orders={
        "before": (
            "| Node (x, children) -> x :: List.concat_map walk children",
            "a node stands before its children and what is below them, and children keep"
            " their order",
        ),
        "after": (
            "| Node (x, children) -> List.concat_map walk children @ [ x ]",
            "a node stands behind its children and what is below them, and children keep"
            " their order",
        ),
        "mirrored": (
            "| Node (x, children) -> x :: List.concat_map walk (List.rev children)",
            "a node stands before its children and what is below them, and of children"
            " the last one comes first",
        ),
    },
    fold="",
)


TIPS: Final = Shape(
    variant=Variant(name="tree", constructors=(("Tip", ("int",)), ("Fork", ("tree", "tree")))),
    said="Every `Tip` holds a value; a `Fork` has two subtrees and no value.",
    leaf="Tip x",
    node="Fork (l, r)",
    orders={
        "left": (
            "| Tip x -> [ x ]\n  | Fork (l, r) -> walk l @ walk r",
            "those of a left subtree stand before those of the right one",
        ),
        "right": (
            "| Tip x -> [ x ]\n  | Fork (l, r) -> walk r @ walk l",
            "those of a right subtree stand before those of the left one",
        ),
    },
    fold="",
)


SHAPES: Final = {"binary": BINARY, "rose": ROSE, "tips": TIPS}


def grown(draw: Draw, shape: Shape, size: int) -> str:
    """Draw a tree.

    Args:
        draw: Where it comes from.
        shape: Its kind.
        size: How many values it holds; a tree that cannot be empty holds at least one.

    Returns:
        It as an argument.
    """
    value = str(draw.between(-6, 12))
    if shape is BINARY:
        if size == 0:
            return "Leaf"
        left = draw.below(size)
        below = [grown(draw, shape, each) for each in (left, size - 1 - left)]
        return f"(Node ({bare(below[0])}, {value}, {bare(below[1])}))"
    if shape is TIPS:
        if size <= 1:
            return f"(Tip {value})" if not value.startswith("-") else f"(Tip ({value}))"
        left = draw.between(1, size - 1)
        below = [grown(draw, shape, each) for each in (left, size - left)]
        return f"(Fork ({bare(below[0])}, {bare(below[1])}))"
    children, left = [], size - 1
    while left > 0:
        taken = draw.between(1, left)
        children.append(bare(grown(draw, shape, taken)))
        left -= taken
    return f"(Node ({value}, [{'; '.join(children)}]))"


def bare(text: str) -> str:
    """Return an expression without the parentheses around it."""
    return text[1:-1] if text.startswith("(") else text


SIZES = (0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 5, 10, 12)


def asked(draw: Draw, name: str, shape: Shape) -> list[str]:
    """Draw applications of a function to trees.

    Args:
        draw: Where they come from.
        name: The function.
        shape: The kind of the trees.

    Returns:
        The applications, none twice.
    """
    return list(dict.fromkeys(f"{name} {grown(draw, shape, size)}" for size in SIZES * 2))


def tree_listing(draw: Draw) -> Draft:
    """Values of a tree in some order, filtered and reduced"""
    shape = draw.pick(SHAPES)
    cases, order = draw.pick(shape.orders)
    kept = condition(draw)
    reduction = draw.pick({n: REDUCTIONS[n] for n in ("list", "last", "alternating")})
    tail = "" if reduction.word == "list" else f"\n|> {reduction.ml}"
    return function(
        draw,
        "listing",
        [("t", "tree")],
        reduction.type,
        what=f"{shape.said} List the values of `t` so that {order}; keep those that"
        f" {kept.many}. `listing t` is {reduction.of} of these.",
        also=[f"Where there are none it is {reduction.empty}."],
        body=f"let rec walk = function\n  {cases}\nin\nwalk t\n|> List.filter {kept.fun}{tail}",
        declared=[shape.variant],
        drawn_calls=asked(draw, "listing", shape),
    )


_BOTTOM_UP = {
    "sum": (
        "0",
        "x + {l} + {r}",
        "List.fold_left ( + ) x {c}",
        "the sum of the values",
    ),
    "largest": (
        "min_int",
        "max x (max {l} {r})",
        "List.fold_left max x {c}",
        "the largest value",
    ),
    "longest": (
        "0",
        "1 + max {l} {r}",
        "1 + List.fold_left max 0 {c}",
        "the number of nodes on the longest way from its top downwards",
    ),
    "heaviest": (
        "0",
        "x + max {l} {r}",
        "x + List.fold_left max 0 {c}",
        "",
    ),
    "count": (
        "0",
        "1 + {l} + {r}",
        "List.fold_left ( + ) 1 {c}",
        "the number of nodes",
    ),
}


def tree_counts(draw: Draw) -> Draft:
    """Nodes of a tree counted by what is below them"""
    shape = draw.pick({"binary": BINARY, "rose": ROSE})
    zero, binary, rose, of = draw.pick(
        {n: each for n, each in _BOTTOM_UP.items() if n not in ("heaviest", "largest")}
    )
    test, said = draw.pick(
        {
            "even": ("below mod 2 = 0", "is even"),
            "above value": ("below > x", "is greater than the node's own value"),
            "multiple": ("below mod 3 = 0", "is a multiple of 3"),
            "exceeds": ("below >= 3", "is at least 3"),
        }
    )
    value, start, collected = draw.pick(
        {
            "count": ("found + 1", "0", "how many such nodes there are"),
            "sum": ("found + x", "0", "the sum of the values of such nodes"),
            "largest": (
                "max found below",
                "0",
                "the largest such number of all such nodes, or 0 if that is negative or"
                " there are none",
            ),
            "values": (
                "x :: found",
                "[]",
                "the list of the values of such nodes, a node before those that have"
                " been gone through earlier",
            ),
        }
    )
    if start == "[]":
        collected = "the list of the values of such nodes in rising order"
    if shape is BINARY:
        cases = (
            f"  | Leaf -> {zero}\n  | Node (l, x, r) ->\n"
            "    let left = walk l in\n    let right = walk r in\n"
            f"    let below = {binary.format(l='left', r='right')} in\n"
        )
    else:
        cases = (
            "  | Node (x, children) ->\n    let all = List.map walk children in\n"
            f"    let below = {rose.format(c='all')} in\n"
        )
    finish = "List.sort compare !found" if start == "[]" else "!found"
    return function(
        draw,
        "census",
        [("t", "tree")],
        "int list" if start == "[]" else "int",
        what=f"{shape.said} For each node of `t` consider the subtree that begins with"
        f" it, and {of} in that. `census t` is about the nodes for which that number"
        f" {said}: it is {collected}.",
        body="let found = ref "
        + start
        + " in\nlet rec walk = function\n"
        + cases
        + f"    if {test} then found := {value.replace('found', '!found')};\n    below\nin\n"
        f"ignore (walk t);\n{finish}",
        declared=[shape.variant],
        drawn_calls=asked(draw, "census", shape),
    )


FAMILIES = gather("trees", tree_listing, tree_counts)
