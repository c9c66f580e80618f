"""Graphs with numbered nodes."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition

_SIZES = (1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 6, 5, 7)


def _edges(draw: Draw, nodes: int, *, weighted: bool, rising: bool = False) -> str:
    """Return drawn edges as an OCaml list."""
    edges: dict[tuple[int, int], str] = {}
    for _ in range(draw.between(0, 2 * nodes)):
        a, b = draw.below(nodes), draw.below(nodes)
        if rising and a == b:
            continue
        a, b = (min(a, b), max(a, b)) if rising else (a, b)
        weight = f", {draw.between(0, 9)}" if weighted else ""
        edges.setdefault((a, b), f"({a}, {b}{weight})")
    return f"[{'; '.join(edges.values())}]"


_STEPS = {
    "forwards": ("a = x then Some b", "", "An edge `(a, b, w)` leads from a to b."),
    "both": (
        "a = x then Some b",
        " else if b = x then Some a",
        "An edge `(a, b, w)` leads from a to b and from b to a.",
    ),
    "backwards": ("b = x then Some a", "", "An edge `(a, b, w)` leads from b to a."),
}
_REACHED = {
    "list": (
        "int list",
        "the list of these nodes in rising order",
        "List.sort compare seen",
    ),
    "count": ("int", "how many nodes these are", "List.length seen"),
    "missing": (
        "int list",
        "the list of the other nodes in rising order",
        "List.filter (fun x -> not (List.mem x seen)) (List.init n Fun.id)",
    ),
    "largest": ("int", "the largest of these nodes", "List.fold_left max start seen"),
    "visit": (
        "int list",
        "the list of these nodes in the order in which a walk meets them: from each node"
        " it goes on to those that it leads to, in the order of `edges`, and follows each"
        " of them to its end before the next; no node is met twice",
        "List.rev seen",
    ),
    "even": (
        "int",
        "how many of these nodes have an even number",
        "List.length (List.filter (fun x -> x mod 2 = 0) seen)",
    ),
}


def reachable(draw: Draw) -> Draft:
    """What can be reached in a graph along some of its edges"""
    test, more, lead = draw.pick(_STEPS)
    kept = condition(draw, "negative", "positive")
    kind, of, tail = draw.pick(_REACHED)
    asked = [f"reach {n} {_edges(draw, n, weighted=True)} {draw.below(n)}" for n in _SIZES * 2]
    return function(
        draw,
        "reach",
        [("n", "int"), ("edges", "(int * int * int) list"), ("start", "int")],
        kind,
        what=f"The nodes of a graph are 0 to `n` - 1; {lead[0].lower()}{lead[1:]} Only edges"
        f" whose weight w {kept.one} may be used. Consider the nodes that can be reached"
        f" from `start`, `start` among them. `reach n edges start` is {of}.",
        body=f"let next x =\n  edges\n  |> List.filter (fun (_, _, x) -> {kept.ml})\n"
        f"  |> List.filter_map (fun (a, b, _) -> if {test}{more} else None)\nin\n"
        "let rec visit seen x =\n  if List.mem x seen then seen\n"
        "  else List.fold_left visit (x :: seen) (next x)\nin\n"
        f"let seen = visit [] start in\n{tail}",
        drawn_calls=list(
            dict.fromkeys(
                [
                    "reach 3 [] 1",
                    "reach 5 [(0, 1, 5); (1, 2, 4); (2, 3, 3); (0, 4, 8); (4, 0, 6)] 0",
                    "reach 5 [(4, 0, 0); (0, 1, 9); (1, 2, 2); (3, 1, 1); (2, 4, 7)] 1",
                    *asked,
                ]
            )
        ),
        total=False,
    )


_GROUPS = {
    "sizes": (
        "int list",
        "the list of their sizes in falling order",
        "List.sort (fun a b -> compare b a) (List.map List.length parts)",
    ),
    "count": ("int", "how many there are", "List.length parts"),
    "largest": (
        "int",
        "the size of the largest one",
        "List.fold_left (fun m p -> max m (List.length p)) 0 parts",
    ),
    "lists": (
        "int list list",
        "the list of them, each as the list of its nodes in rising order, sorted as `compare` does",
        "List.sort compare (List.map (List.sort compare) parts)",
    ),
    "alone": (
        "int",
        "how many of them have a single node",
        "List.length (List.filter (fun p -> List.length p = 1) parts)",
    ),
    "leaders": (
        "int list",
        "the list of the smallest nodes of all of them, in rising order",
        "List.sort compare (List.map (List.fold_left min max_int) parts)",
    ),
}
_JOINS = {
    "all": ("true", "all edges"),
    "rising": ("a < b", "the edges `(a, b)` with a smaller than b"),
    "odd": ("(a + b) mod 2 = 1", "the edges `(a, b)` between an even and an odd node"),
    "far": ("abs (a - b) > 1", "the edges `(a, b)` whose nodes are more than 1 apart"),
    "mutual": (
        "List.mem (b, a) edges",
        "the edges `(a, b)` for which `(b, a)` is in `edges`"
        " too (an edge from a node to itself is its own counterpart)",
    ),
    "not zero": ("a > 0 && b > 0", "the edges that do not touch node 0"),
}


def components(draw: Draw) -> Draft:
    """Connected parts of a graph"""
    test, said = draw.pick(_JOINS)
    kind, of, tail = draw.pick(_GROUPS)
    return function(
        draw,
        "parts",
        [("n", "int"), ("edges", "(int * int) list")],
        kind,
        what=f"The nodes of a graph are 0 to `n` - 1, and {said} join their two nodes. Nodes"
        " that are joined, directly or by way of others, are in one part; a node that is"
        f" joined to no other is a part of its own. `parts n edges` is about the parts: it"
        f" is {of}.",
        also=["Where `n` is 0 there are no parts, and a number that is asked for is 0."],
        body=(
            "let edges_used = edges in\n"
            if test == "true"
            else "let edges_used = List.filter (fun (a, b) -> " + test + ") edges in\n"
        )
        + "let join parts (a, b) =\n"
        "  let touched, others = List.partition (fun p -> List.mem a p || List.mem b p) parts in\n"
        "  List.concat touched :: others\nin\n"
        "let single = List.init n (fun x -> [ x ]) in\n"
        f"let parts = List.fold_left join single edges_used in\n{tail}",
        drawn_calls=list(
            dict.fromkeys(
                [
                    "parts 1 []",
                    "parts 0 []",
                    "parts 4 []",
                    "parts 5 [(0, 1); (1, 0); (2, 3); (4, 4)]",
                    "parts 6 [(1, 3); (3, 5); (5, 1); (2, 0); (0, 2)]",
                    *(f"parts {n} {_edges(draw, n, weighted=False)}" for n in _SIZES * 2),
                ]
            )
        ),
        total=False,
    )


_LONG = {
    "heaviest": (
        "max best (w + from b)",
        "0",
        "the largest sum of the weights of the edges on a way (0 for the way without edges)",
    ),
    "longest": ("max best (1 + from b)", "0", "the largest number of edges on a way"),
    "ways": ("best + from b", "1", "the number of ways (the way without edges counts)"),
    "capacity": (
        "max best (w + (2 * from b))",
        "0",
        "the largest value of a way, where the"
        " value of the way without edges is 0, and that of any other is the weight"
        " of its first edge plus twice the value of what follows",
    ),
    "ends": (
        "best + from b",
        "if is_end a then 1 else 0",
        "the number of ways to a node that no edge, allowed or not, leads away from"
        " (the way without edges counts where it ends in such a node)",
    ),
}
_ASKED_NODES = {
    "list": (
        "int list",
        "the list of these numbers for the nodes 0 to `n` - 1",
        "List.init n from",
    ),
    "best": (
        "int",
        "the largest of these numbers over all nodes",
        "List.fold_left max 0 (List.init n from)",
    ),
    "where": (
        "int",
        "the smallest node for which this number is largest",
        "let all = List.init n (fun x -> (from x, -x)) in\n"
        "-snd (List.fold_left max (List.hd all) all)",
    ),
    "sum": (
        "int",
        "the sum of these numbers over all nodes",
        "List.fold_left ( + ) 0 (List.init n from)",
    ),
}


def acyclic(draw: Draw) -> Draft:
    """Ways in a graph without cycles"""
    step, start, of = draw.pick(_LONG)
    kind, asked, tail = draw.pick(_ASKED_NODES)
    kept = condition(draw, "negative", "positive")
    weight = "w" if "w " in step else "_"
    is_end = (
        "let is_end a = not (List.exists (fun (b, _, _) -> b = a) edges) in\n"
        if "is_end" in start
        else ""
    )
    return function(
        draw,
        "plan",
        [("n", "int"), ("edges", "(int * int * int) list")],
        kind,
        what="The nodes of a graph are 0 to `n` - 1; an edge `(a, b, w)` leads from a to b,"
        " where a is always smaller than b, and has the weight w. Only edges whose weight"
        f" {kept.one} are allowed on a way. For each node consider the ways that begin with"
        f" it, and take {of}. `plan n edges` is {asked}.",
        also=["`n` is at least 1; of two nodes there is at most one edge from one to the other."],
        body=f"{is_end}let allowed = List.filter (fun (_, _, x) -> {kept.ml}) edges in\n"
        "let rec from a =\n  List.fold_left\n"
        f"    (fun best (first, b, {weight}) -> if first = a then {step} else best)\n"
        f"    ({start}) allowed\nin\n{tail}",
        drawn_calls=list(
            dict.fromkeys(
                [
                    "plan 1 []",
                    "plan 3 []",
                    "plan 5 [(0, 1, 5); (1, 2, 4); (0, 2, 3); (2, 3, 8); (3, 4, 6)]",
                    "plan 5 [(0, 1, 0); (0, 4, 9); (1, 2, 2); (1, 3, 1); (2, 4, 7)]",
                    *(
                        f"plan {n} {_edges(draw, n, weighted=True, rising=True)}"
                        for n in _SIZES * 2
                    ),
                ]
            )
        ),
        total=False,
    )


FAMILIES = gather("graphs", reachable, components, acyclic)
