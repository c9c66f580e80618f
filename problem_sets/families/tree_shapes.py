"""Trees rebuilt, and the ways through them."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import REDUCTIONS, condition, transform
from .trees import BINARY, ROSE, SHAPES, asked

_REBUILT = {
    "mirror": (
        "Node (walk r, {x}, walk l)",
        "Node ({x}, List.rev_map walk children)",
        "Fork (walk r, walk l)",
        " Then mirror it at every node.",
    ),
    "same": (
        "Node (walk l, {x}, walk r)",
        "Node ({x}, List.map walk children)",
        "Fork (walk l, walk r)",
        "",
    ),
}


def tree_rebuilt(draw: Draw) -> Draft:
    """A tree changed in its values and its shape"""
    shape = draw.pick(SHAPES)
    test, changed = condition(draw), transform(draw)
    binary, rose, tips, then = draw.pick(_REBUILT)
    value = f"(if {test.ml} then {changed.ml} else x)"
    cases = {
        "binary": f"  | Leaf -> Leaf\n  | Node (l, x, r) -> {binary}",
        "rose": f"  | Node (x, children) -> {rose}",
        "tips": f"  | Tip x -> Tip {{x}}\n  | Fork (l, r) -> {tips}",
    }[draw.choices[0]].format(x=value)
    pruned = draw.pick({"all": "", "pruned": "pruned"})
    more = ""
    if pruned and shape is BINARY:
        cases = cases.replace("  | Node", "  | Node (Leaf, _, Leaf) -> Leaf\n  | Node", 1)
        more = " Nodes whose two subtrees are both empty in `t` become a `Leaf`."
    elif pruned and shape is ROSE:
        cases = (
            cases.replace("children)", "(_ :: _ as children))", 1)
            + f"\n  | Node (x, []) -> Node ({'x' if value else ''}, [])"
        )
        more = " Values of nodes without children stay as they are."
    elif pruned:
        cases = cases.replace("  | Fork", "  | Fork (Tip a, Tip b) -> Tip (a + b)\n  | Fork", 1)
        more = (
            " A `Fork` that has two tips in `t` becomes a `Tip` of the sum of their values in `t`,"
            " which is not replaced."
        )
    return function(
        draw,
        "rebuild",
        [("t", "tree")],
        "tree",
        what=f"{shape.said} `rebuild t` is `t` with each value that {test.one} replaced"
        f" by {changed.its}.{more}{then}",
        body=f"let rec walk = function\n{cases}\nin\nwalk t",
        declared=[shape.variant],
        drawn_calls=asked(draw, "rebuild", shape),
    )


def tree_paths(draw: Draw) -> Draft:
    """Ways from the top of a tree to its ends"""
    shape = draw.pick({"binary": BINARY, "rose": ROSE})
    kept = condition(draw)
    value, said = draw.pick(
        {
            "sum": ("List.fold_left ( + ) 0 path", "the sum of its values"),
            "largest": (
                "List.fold_left max min_int path",
                "the largest of its values",
            ),
            "length": ("List.length path", "the number of its values"),
            "last": ("List.nth path (List.length path - 1)", "the value at its end"),
            "alternating": (
                "List.fold_right (fun x rest -> x - rest) path 0",
                "its alternating sum from the top on (first minus second plus third, and so on)",
            ),
        }
    )
    reduction = draw.pick({n: REDUCTIONS[n] for n in ("list", "sum", "largest", "smallest")})
    cases = (
        "  | Leaf -> []\n  | Node (Leaf, x, Leaf) -> [ [ x ] ]\n"
        "  | Node (l, x, r) -> List.map (List.cons x) (paths l @ paths r)\n"
        if shape is BINARY
        else "  | Node (x, []) -> [ [ x ] ]\n"
        "  | Node (x, children) ->\n"
        "    List.map (List.cons x) (List.concat_map paths children)\n"
    )
    ends = "both subtrees are `Leaf`" if shape is BINARY else "there are no children"
    tail = "" if reduction.word == "list" else f"\n|> {reduction.ml}"
    return function(
        draw,
        "ways",
        [("t", "tree")],
        reduction.type,
        what=f"{shape.said} A way is the list of the values from the top of `t` down to a"
        f" node where {ends}. Take of each way, from left to right, {said}, and keep the"
        f" numbers that {kept.many}. `ways t` is {reduction.of} of these.",
        also=[f"Where there are none it is {reduction.empty}."],
        body=f"let rec paths = function\n{cases}in\npaths t\n"
        f"|> List.map (fun path -> {value})\n|> List.filter {kept.fun}{tail}",
        declared=[shape.variant],
        drawn_calls=asked(draw, "ways", shape),
    )


FAMILIES = gather("trees", tree_rebuilt, tree_paths)
