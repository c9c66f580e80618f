"""Functors."""

from __future__ import annotations

from ..drafts import Ask, Draft
from ..drawing import Draw
from ..registry import gather
from ..types import literal
from ..vocabulary.numbers import condition
from .modular import module_draft

_ORD_OPS = {
    "best": (
        "val best : E.t list -> E.t option",
        "let best = function\n    | [] -> None\n    | x :: rest ->\n"
        "      Some (List.fold_left (fun a b -> if E.compare b a > 0 then b else a) x rest)",
        "`best xs` is `Some` of the largest element, the first of several, and `None` for"
        " an empty list",
        "{e} option",
    ),
    "sorted": (
        "val sorted : E.t list -> E.t list",
        "let sorted xs = List.stable_sort E.compare xs",
        "`sorted xs` has the elements in rising order, equal ones in the order they had",
        "{e} list",
    ),
    "falling": (
        "val falling : E.t list -> E.t list",
        "let falling xs = List.stable_sort (fun a b -> E.compare b a) xs",
        "`falling xs` has the elements in falling order, equal ones in the order they had",
        "{e} list",
    ),
    "rises": (
        "val rises : E.t list -> bool",
        "let rec rises = function\n    | a :: (b :: _ as rest) ->"
        " E.compare a b < 0 && rises rest\n    | _ -> true",
        "`rises xs` tells whether each element is larger than the one before",
        "bool",
    ),
    "distinct": (
        "val distinct : E.t list -> E.t list",
        "let distinct xs =\n    let add kept x =\n"
        "      if List.exists (fun y -> E.compare x y = 0) kept then kept"
        " else x :: kept\n    in\n    List.rev (List.fold_left add [] xs)",
        "`distinct xs` has the elements without those equal to an earlier one, in the order of xs",
        "{e} list",
    ),
    "runs": (
        "val runs : E.t list -> int",
        "let runs xs =\n    let rec count = function\n      | a :: (b :: _ as rest) ->\n"
        "        (if E.compare a b > 0 then 1 else 0) + count rest\n"
        "      | [ _ ] | [] -> 0\n    in\n    if xs = [] then 0 else 1 + count xs",
        "`runs xs` is the smallest number of parts, in each of which no element is smaller"
        " than the one before, that xs can be cut into (0 for an empty list)",
        "int",
    ),
    "above": (
        "val above : E.t -> E.t list -> E.t list",
        "let above x ys = List.filter (fun y -> E.compare y x > 0) ys",
        "`above x xs` has the elements of xs that are larger than x, in the order of xs",
        "{e} list",
    ),
}


_ELEMENTS = {
    "Int": ("int", "compare", "small list"),
    "Size": (
        "string",
        "fun a b -> compare (String.length a) (String.length b)",
        "word list",
    ),
    "Back": ("int", "fun a b -> compare b a", "small list"),
    "Far": ("int", "fun a b -> compare (abs a) (abs b)", "small list"),
}


def ordering(draw: Draw) -> Draft:
    """A functor over elements with an order"""
    ops = draw.pick_some(_ORD_OPS, 2)
    more = draw.pick({"plain": None, "kept": True})
    known = condition(draw) if more else None
    chosen = draw.sample(tuple(_ELEMENTS), 2)
    if known:
        ops = [
            *ops,
            (
                "val pick : (int -> bool) -> E.t list -> E.t list",
                "let pick ok xs = List.filteri (fun i _ -> ok i) (List.stable_sort E.compare xs)",
                "`pick ok xs` has those elements whose places (the first is 0) in the list"
                " sorted in rising order, equal ones in the order they had, `ok` accepts",
                "{e} list",
            ),
        ]
    interface = "module type ELEMENT = sig\n  type t\n  val compare : t -> t -> int\nend"
    definitions = "\n".join(f"  {each[1]}" for each in ops)
    setup = ""
    asks = []
    for name in chosen:
        kind, compare, drawn = _ELEMENTS[name]
        setup += (
            f"module {name}_order = struct type t = {kind} let compare = {compare} end\n"
            f"module {name} = Order ({name}_order)\n"
        )
        for size in (0, 1, 2, 3, 4, 5, 6, 8):
            xs = literal(draw, drawn, size)
            for each in ops:
                op = each[0].split()[1]
                first = {
                    "above": '"an" ' if kind == "string" else "1 ",
                    "pick": f"{known.fun} " if known else "",
                }.get(op, "")
                asks.append(Ask(call=f"{name}.{op} {first}{xs}", type=each[3].format(e=kind)))
    asks.sort(key=lambda ask: len(ask.call))
    types = "; ".join(f"`{each[0].removeprefix('val ')}`" for each in ops)
    return module_draft(
        "Order",
        interface,
        what="Write a functor `Order` that takes a module `E` of the signature `ELEMENT` below"
        f" and has these values: {types}.",
        also=[
            "Of two elements the one is smaller, equal or larger as `E.compare` says: it gives a"
            " negative number, 0 or a positive one, as `compare` does."
            f" {'; '.join(each[2] for each in ops)}."
        ],
        code=f"module Order (E : ELEMENT) = struct\n{definitions}\nend",
        asks=asks,
        setup=setup.rstrip(),
    )


FAMILIES = gather("modules and functors", ordering)
