"""Modules, signatures and functors."""

from __future__ import annotations

from collections.abc import Sequence

from ..drafts import Ask, Draft
from ..drawing import Draw
from ..registry import gather


def module_draft(
    name: str,
    interface: str,
    *,
    what: str,
    also: Sequence[str],
    code: str,
    asks: Sequence[Ask],
    setup: str = "",
) -> Draft:
    """Draft a problem that asks for a module, or a functor, of a signature."""
    return Draft(
        name=name,
        what=what,
        also=tuple(also),
        reference=f"{interface}\n\n{code}\n",
        opening=interface,
        asks=tuple(dict.fromkeys(asks)),
        setup=setup,
        total=False,
    )


def _interface(name: str, items: Sequence[str]) -> str:
    return "\n".join((f"module type {name} = sig", *(f"  {each}" for each in items), "end"))


# Elements are kept in a list, the one that leaves first at its head.
_KINDS = {
    "stack": ("x :: all", "the one added last leaves first"),
    "queue": ("all @ [ x ]", "the one added first leaves first"),
    "smallest": ("List.merge compare [ x ] all", "the smallest leaves first"),
    "largest": (
        "List.merge (fun a b -> compare b a) [ x ] all",
        "the largest leaves first",
    ),
}


_FULL = {
    "unbounded": ("{}", "It holds any number of elements."),
    "refuses": (
        "if List.length all >= {k} then all else {}",
        "It holds at most {k} elements; adding to a full one changes nothing.",
    ),
    "no twice": (
        "if List.mem x all then all else {}",
        "It holds any number of elements; adding one that it holds changes nothing.",
    ),
    "makes room": (
        "let all = if List.length all >= {k} then List.tl all else all in {}",
        "It holds at most {k} elements; before one is added to a full one, the one leaves"
        " that would leave first.",
    ),
}


_CONTAINER_OPS = {
    "size": (
        "val size : t -> int",
        "let size all = List.length all",
        "`size b` is the number of elements",
        "size",
        "int",
    ),
    "peek": (
        "val peek : t -> int option",
        "let peek = function [] -> None | x :: _ -> Some x",
        "`peek b` is `Some` of the element that leaves first, `None` if there is none",
        "peek",
        "int option",
    ),
    "sum": (
        "val sum : t -> int",
        "let sum all = List.fold_left ( + ) 0 all",
        "`sum b` is the sum of the elements",
        "sum",
        "int",
    ),
    "has": (
        "val has : int -> t -> bool",
        "let has x all = List.mem x all",
        "`has x b` tells whether x is one of the elements",
        "has 3",
        "bool",
    ),
    "second": (
        "val second : t -> int option",
        "let second = function _ :: x :: _ -> Some x | _ -> None",
        "`second b` is `Some` of the element that leaves second, `None` if there are"
        " fewer than two",
        "second",
        "int option",
    ),
    "largest": (
        "val largest : t -> int option",
        "let largest = function\n"
        "    | [] -> None\n    | x :: rest -> Some (List.fold_left max x rest)",
        "`largest b` is `Some` of the largest element, `None` if there is none",
        "largest",
        "int option",
    ),
}


def container(draw: Draw) -> Draft:
    """An immutable container as a module"""
    put, order = draw.pick(_KINDS)
    rule, full = draw.pick(_FULL)
    ops = draw.pick_some(_CONTAINER_OPS, 2)
    k = draw.between(2, 4)
    put = rule.format(put, k=k)
    interface = _interface(
        "BOX",
        [
            "type t",
            "val empty : t",
            "val add : int -> t -> t",
            "val remove : t -> t",
            *(each[0] for each in ops),
            "val to_list : t -> int list",
        ],
    )
    definitions = "".join(f"  {each[1]}\n" for each in ops)
    code = (
        "module Box : BOX = struct\n  type t = int list\n  let empty = []\n"
        f"  let add x all = {put}\n  let remove = function [] -> [] | _ :: rest -> rest\n"
        f"{definitions}  let to_list all = all\nend"
    )

    def built(size: int) -> str:
        steps = [
            f"add {number if (number := draw.between(-1, 5)) >= 0 else f'({number})'}"
            if draw.below(4)
            else "remove"
            for _ in range(size)
        ]
        return " |> ".join(("empty", *steps))

    asks = [Ask(call="Box.(to_list empty)", type="int list")]
    for size in (1, 2, 3, 4, 5, 6, 7, 8, 4, 5, 6, 3):
        steps = built(size)
        asks.append(Ask(call=f"Box.({steps} |> to_list)", type="int list"))
        asks += [Ask(call=f"Box.({steps} |> {op[3]})", type=op[4]) for op in ops]
    return module_draft(
        "Box",
        interface,
        what="Write a module `Box` of the signature `BOX` below, a container of whole"
        f" numbers that is never changed: {order}. {full.format(k=k)}",
        also=[
            "`empty` holds nothing; `add x b` is b with x added; `remove b` is b without the"
            " element that leaves first, and an empty one stays empty;"
            f" {'; '.join(each[2] for each in ops)}; `to_list b` is the list of the elements"
            " in the order in which they leave.",
        ],
        code=code,
        asks=asks,
    )


_ARITHMETIC = {
    "modular": (
        "((n mod {k}) + {k}) mod {k}",
        "its remainder modulo {k}, from 0 to {m}",
    ),
    "saturating": ("max 0 (min {m} n)", "the nearest number from 0 to {m}"),
    "clock": (
        "(((n - 1) mod {k}) + {k}) mod {k} + 1",
        "the number from 1 to {k} that differs from it by a multiple of {k}",
    ),
    "signed": ("max (-{m}) (min {m} n)", "the nearest number from -{m} to {m}"),
    "mirrored": (
        "let r = ((n mod (2 * {m})) + (2 * {m})) mod (2 * {m}) in"
        " if r > {m} then (2 * {m}) - r else r",
        "where one ends who starts at 0 and goes as many steps as its absolute value"
        " says, to {m}, back to 0, to {m} again, and so on",
    ),
}


_NUMBER_OPS = {
    "add": (
        "val add : t -> t -> t",
        "let add a b = of_int (a + b)",
        "`add a b` stands for the sum of what a and b stand for",
        2,
    ),
    "sub": (
        "val sub : t -> t -> t",
        "let sub a b = of_int (a - b)",
        "`sub a b` stands for the first minus the second",
        2,
    ),
    "mul": (
        "val mul : t -> t -> t",
        "let mul a b = of_int (a * b)",
        "`mul a b` stands for the product of what a and b stand for",
        2,
    ),
    "neg": (
        "val neg : t -> t",
        "let neg a = of_int (-a)",
        "`neg a` stands for what a stands for, negated",
        1,
    ),
    "double": (
        "val double : t -> t",
        "let double a = of_int (2 * a)",
        "`double a` stands for the double of what a stands for",
        1,
    ),
    "larger": (
        "val larger : t -> t -> t",
        "let larger a b = max a b",
        "`larger a b` is the one that stands for the larger number",
        2,
    ),
}


def arithmetic(draw: Draw) -> Draft:
    """Numbers of a bounded range as a module"""
    rule, said = draw.pick(_ARITHMETIC)
    ops = draw.pick_some(_NUMBER_OPS, 3)
    k = draw.choice((5, 7, 9, 12))
    rule, said = (each.format(k=k, m=k - 1) for each in (rule, said))
    interface = _interface(
        "SMALL",
        [
            "type t",
            "val of_int : int -> t",
            *(each[0] for each in ops),
            "val to_int : t -> int",
        ],
    )
    names = [each[0].split()[1] for each in ops]
    taken = {each[0].split()[1]: each[3] for each in ops}

    def term(size: int) -> str:
        if size == 0:
            number = draw.between(-15, 30)
            return f"of_int {number if number >= 0 else f'({number})'}"
        name = draw.choice(names)
        left = draw.below(size) if taken[name] == 2 else size - 1
        second = f" ({term(size - 1 - left)})" if taken[name] == 2 else ""
        return f"{name} ({term(left)}){second}"

    sizes = (0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5)
    definitions = "".join(f"  {each[1]}\n" for each in ops)
    numbers = (0, k - 1, k, k + 1, -1, -k, 2 * k)
    terms = [f"of_int {n if n >= 0 else f'({n})'}" for n in numbers] + [term(n) for n in sizes]
    return module_draft(
        "Small",
        interface,
        what="Write a module `Small` of the signature `SMALL` below. Its values stand for whole"
        f" numbers of a small range: `of_int n` stands for n, if that is in the range, and in"
        f" general for this number: {said}.",
        also=[
            f"{'; '.join(each[2] for each in ops)}; where such a result is out of the range the"
            " value stands for what `of_int` makes of it. `to_int a` is what a stands for."
        ],
        code=f"module Small : SMALL = struct\n  type t = int\n  let of_int n = {rule}\n"
        f"{definitions}  let to_int a = a\nend",
        asks=[Ask(call=f"Small.(to_int ({each}))", type="int") for each in terms],
    )


FAMILIES = gather("modules and functors", container, arithmetic)
