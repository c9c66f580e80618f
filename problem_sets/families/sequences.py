"""Laziness and sequences."""

from __future__ import annotations

from typing import Final

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition, transform

_RULES = {
    "counting": ("x + 1", "1 more than the one before"),
    "doubling": ("2 * x + 1", "the double of the one before plus 1"),
    "jumping": ("x + 3", "3 more than the one before"),
    "turning": (
        "if x > 0 then -x else 1 - x",
        "the one before negated if that is positive, else 1 minus the one before",
    ),
    "digits": (
        "x + 1 + (abs x mod 10)",
        "the one before plus 1 plus its last decimal digit (without the sign)",
    ),
    "falling": ("x - 2", "2 less than the one before"),
}
_SHAPED = {
    "all": ("{}", ""),
    "odd places": (
        "every_other {}",
        " Of what comes of that only the first, third, fifth and so on element is left.",
    ),
    "paired": (
        "pair_sums {}",
        " In place of what comes of that stand the sums of its first and"
        " second element, of its third and fourth, and so on.",
    ),
    "running": (
        "running 0 {}",
        " In place of each element of what comes of that stands the sum of it and all before it.",
    ),
    "repeated": (
        "twice {}",
        " Each element of what comes of that stands twice, one behind the other.",
    ),
    "gaps": (
        "gaps {}",
        " In place of what comes of that stand the differences of each element"
        " but the first to the one before.",
    ),
}
_HELPERS = {
    "every_other": "let rec every_other s () =\n  match s () with\n  | Seq.Nil -> Seq.Nil\n"
    "  | Seq.Cons (x, rest) ->\n    Seq.Cons (x, fun () ->\n"
    "      match rest () with\n      | Seq.Nil -> Seq.Nil\n"
    "      | Seq.Cons (_, rest) -> every_other rest ())\n\n",
    "pair_sums": "let rec pair_sums s () =\n  match s () with\n  | Seq.Nil -> Seq.Nil\n"
    "  | Seq.Cons (x, rest) ->\n    (match rest () with\n     | Seq.Nil -> Seq.Nil\n"
    "     | Seq.Cons (y, rest) -> Seq.Cons (x + y, pair_sums rest))\n\n",
    "running": "let rec running sum s () =\n  match s () with\n  | Seq.Nil -> Seq.Nil\n"
    "  | Seq.Cons (x, rest) -> Seq.Cons (sum + x, running (sum + x) rest)\n\n",
    "twice": "let rec twice s () =\n  match s () with\n  | Seq.Nil -> Seq.Nil\n"
    "  | Seq.Cons (x, rest) -> Seq.Cons (x, fun () -> Seq.Cons (x, twice rest))\n\n",
    "gaps": "let gaps s () =\n  let rec walk a s () =\n    match s () with\n"
    "    | Seq.Nil -> Seq.Nil\n    | Seq.Cons (b, rest) -> Seq.Cons (b - a, walk b rest)\n"
    "  in\n  match s () with\n  | Seq.Nil -> Seq.Nil\n"
    "  | Seq.Cons (a, rest) -> walk a rest ()\n\n",
}
_FIRST = (
    "let rec first n s =\n  if n = 0 then []\n  else\n    match s () with\n"
    "    | Seq.Nil -> []\n    | Seq.Cons (x, rest) -> x :: first (n - 1) rest"
)


def endless(draw: Draw) -> Draft:
    """An endless sequence, of which only a part is asked for"""
    rule, said = draw.pick(_RULES)
    kept = condition(draw, "less", "between", "negative", "positive", "greater")
    changed = transform(draw, "capped", "raised", "last digit", "remainder")
    shape, then = draw.pick(_SHAPED)
    name = shape.split()[0]
    starts = (0, 1, 2, 3, 4, 5, 7, -1, -3, -6, 10, 12, 8, 6, 9, 11, 25, -9)
    mapped = f"(Seq.map (fun x -> {changed.ml})\n  (Seq.filter {kept.fun} (from x)))"
    # The others may go on for ever without an element to keep.
    safe = rule == "x + 1" or rule.startswith("if")
    if not safe:
        mapped = f"(Seq.map (fun x -> {changed.ml}) (from x))"
    only = f" Only those that {kept.many} are left, and each is" if safe else " Each is"
    return function(
        draw,
        "endless",
        [("x", "int")],
        "int Seq.t",
        what=f"an endless sequence. It is made from the numbers `x`, and then always {said}."
        f"{only} replaced by {changed.its}.{then}".rstrip("."),
        helpers=_HELPERS.get(name, ""),
        body=f"let rec from x () = Seq.Cons (x, from ({rule})) in\n" + shape.format(mapped),
        drawn_calls=[
            f"first {draw.choice((3, 4, 5, 6))} (endless {x if x >= 0 else f'({x})'})"
            for x in starts
        ],
        result_of_calls="int list",
        setup=_FIRST,
        total=False,
    )


_UNTIL = {
    "first": (
        "let rec look = function\n  | [] -> None\n  | l :: rest ->\n"
        "    let x = Lazy.force l in\n    if {test} then Some {value} else look rest\n"
        "in\nlook ls",
        "int option",
        "`Some` of the first value that {one}, replaced by {its}, and `None` if there is none",
    ),
    "before": (
        "let rec look = function\n  | [] -> []\n  | l :: rest ->\n"
        "    let x = Lazy.force l in\n    if {test} then [] else {value} :: look rest\n"
        "in\nlook ls",
        "int list",
        "the list of the values before the first that {one}, each replaced by {its}",
    ),
    "count": (
        "let rec look n = function\n  | [] -> n\n  | l :: rest ->\n"
        "    let x = Lazy.force l in\n    if {test} then n + {value} else look (n + 1)"
        " rest\nin\nlook 0 ls",
        "int",
        "the number of values before the first that {one}, plus, if there is such a first"
        " one, what it is replaced by: {its}",
    ),
    "sum": (
        "let rec look sum = function\n  | [] -> sum\n  | l :: rest ->\n"
        "    let x = Lazy.force l in\n    if {test} then sum else look (sum + {value}) rest\n"
        "in\nlook 0 ls",
        "int",
        "the sum of the values before the first that {one}, each replaced by {its} (0 if"
        " there are none before it)",
    ),
}


def forcing(draw: Draw) -> Draft:
    """Lazy values, of which no more may be forced than needed"""
    body, kind, of = draw.pick(_UNTIL)
    test, changed = condition(draw), transform(draw)
    every = draw.pick({"all": None, "skipping": True})
    skip = condition(draw) if every else None
    if skip:
        body = body.replace(
            "  | l :: rest ->\n    let x = Lazy.force l in\n",
            "  | (i, _) :: rest when {skip} -> look_on rest\n  | (_, l) :: rest ->\n"
            "    let x = Lazy.force l in\n",
        )
        accumulator = "n " if "look n" in body else "sum " if "look sum" in body else ""
        body = body.replace("look_on rest", f"look {accumulator}rest")
        body = body.replace("look ls", "look (List.mapi (fun i l -> (i, l)) ls)").replace(
            "look 0 ls", "look 0 (List.mapi (fun i l -> (i, l)) ls)"
        )
    places = (
        f" Values whose place (the first is 0) {skip.one} count as if not there, and are not"
        " forced either."
        if skip
        else ""
    )

    def call(size: int) -> str:
        values = "; ".join(
            f"later {n if (n := draw.between(-6, 12)) >= 0 else f'({n})'}" for _ in range(size)
        )
        return f"(counted (fun later -> look_up [{values}]))"

    sizes = (0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10)
    return function(
        draw,
        "look_up",
        [("ls", "int Lazy.t list")],
        kind,
        what="Consider the values of `ls`. `look_up ls` is "
        f"{of.format(one=test.one, its=changed.its)}.",
        also=[
            "The values are forced from left to right, and none that is not needed for that:"
            f" none behind the first that {test.one}.{places}"
        ],
        body=body.format(
            test=test.ml,
            value=f"({changed.ml})",
            skip=skip.ml.replace("x", "i") if skip else "",
        ),
        drawn_calls=list(dict.fromkeys(map(call, sizes))),
        result_of_calls=f"({kind}) * int",
        setup="(* The result, and how many values were forced for it. *)\n"
        "let counted f =\n  let forced = ref 0 in\n"
        "  let result = f (fun x -> lazy (incr forced; x)) in\n  (result, !forced)",
        total=False,
    )


_MERGES: Final = {
    "turns": "the first element of the first sequence, then the merge of the second one with"
    " what is left of the first",
    "smaller": "the smaller one of the two first elements (that of the first sequence if they"
    " are equal), then the merge of what is left of both without it",
    "sums": "the sum of the two first elements, then the merge of what is left behind both",
    "larger": "the larger one of the two first elements, then the merge of what is left behind"
    " both",
    "pick even": "the first element of the first sequence if that is even, else that of the"
    " second, then the merge of what is left behind both",
}
_MERGE_STEPS = {
    "turns": "Seq.Cons (x, merge (fun () -> Seq.Cons (y, ys)) xs)",
    "smaller": "if x <= y then Seq.Cons (x, merge xs (fun () -> Seq.Cons (y, ys)))\n"
    "    else Seq.Cons (y, merge (fun () -> Seq.Cons (x, xs)) ys)",
    "sums": "Seq.Cons (x + y, merge xs ys)",
    "larger": "Seq.Cons (max x y, merge xs ys)",
    "pick even": "Seq.Cons ((if x mod 2 = 0 then x else y), merge xs ys)",
}
_ENDS = {
    "rest": (
        "Seq.Cons _ as left, Seq.Nil | Seq.Nil, (Seq.Cons _ as left) -> left",
        "Where one sequence has come to its end, the merge is what is left of the other.",
    ),
    "stops": (
        "Seq.Cons _, Seq.Nil | Seq.Nil, Seq.Cons _ -> Seq.Nil",
        "Where one sequence has come to its end, so has the merge.",
    ),
}


def merged_sequences(draw: Draw) -> Draft:
    """Two sequences merged lazily"""
    name = draw.pick({each: each for each in _MERGES})
    said = _MERGES[name]
    ending, end = draw.pick(_ENDS)
    kept, changed = condition(draw), transform(draw)
    from_lists = [
        f"List.of_seq (weave (List.to_seq {a}) (List.to_seq {b}))"
        for a, b in (
            ("[]", "[]"),
            ("[1; 4; 6]", "[2; 3; 5; 7]"),
            ("[]", "[3; 8; 5]"),
            ("[6; 9; 2; 4]", "[]"),
            ("[2; 2; 5]", "[2; 4]"),
            ("[-3; 0; 3; 6; 9]", "[-2; 1; 4; 7; 10]"),
            ("[7]", "[1; 6; -4; 5]"),
            ("[-5; -4; -3; -2; -1; 0; 1]", "[2; 3; 4; 5; 6; 7; 8; 9]"),
            ("[10; 12; 3]", "[11; 5; 8; 8]"),
        )
    ]
    endless = [
        f"first {n} (weave (count {a}) (count {b}))"
        for n, a, b in ((4, 0, 10), (5, 3, 4), (3, 7, 0))
    ]
    return function(
        draw,
        "weave",
        [("a", "int Seq.t"), ("b", "int Seq.t")],
        "int Seq.t",
        what=f"Keep in both sequences `a` and `b` only the elements that {kept.many}, each"
        f" replaced by {changed.its}. `weave a b` is the merge of what comes of `a` with what"
        f" comes of `b`. The merge of two sequences is {said}. {end}",
        also=["The sequences may be endless, so nothing is read before it is needed."],
        body="let rec merge a b () =\n  match a (), b () with\n"
        f"  | Seq.Cons (x, xs), Seq.Cons (y, ys) ->\n    {_MERGE_STEPS[name]}\n"
        f"  | {ending}\n  | Seq.Nil, Seq.Nil -> Seq.Nil\nin\n"
        f"let part s = Seq.map (fun x -> {changed.ml}) (Seq.filter {kept.fun} s) in\n"
        "merge (part a) (part b)",
        drawn_calls=from_lists
        + (
            endless
            if draw.choices[2] in ("even", "odd", "multiple", "no multiple", "last digit")
            else []
        ),
        result_of_calls="int list",
        setup=_FIRST + "\n\nlet rec count n () = Seq.Cons (n, count (n + 1))",
        total=False,
    )


FAMILIES = gather("laziness and sequences", endless, forcing, merged_sequences)
