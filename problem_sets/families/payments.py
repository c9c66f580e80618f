"""Dynamic programming: sums to be paid, texts to be turned into others."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition

_USES = {
    "any": ("c :: cs", "as often as one likes"),
    "once": ("cs", "at most once (a value that stands in `coins` twice, twice)"),
}


_COIN_AIMS = {
    "ways": (
        "int",
        "in how many ways that can be done (ways that take each coin equally often are one way)",
        ("1", "0", "without + with_it"),
    ),
    "fewest": (
        "int option",
        "`Some` of the smallest number of coins that does it, `None` if it cannot be done",
        (
            "Some 0",
            "None",
            "match without, with_it with\n"
            "    | best, None -> best\n    | None, Some n -> Some (n + 1)\n"
            "    | Some m, Some n -> Some (min m (n + 1))",
        ),
    ),
    "most": (
        "int option",
        "`Some` of the largest number of coins that does it, `None` if it cannot be done",
        (
            "Some 0",
            "None",
            "match without, with_it with\n"
            "    | best, None -> best\n    | None, Some n -> Some (n + 1)\n"
            "    | Some m, Some n -> Some (max m (n + 1))",
        ),
    ),
    "possible": (
        "bool",
        "whether that can be done",
        ("true", "false", "without || with_it"),
    ),
}


def coins(draw: Draw) -> Draft:
    """A sum paid with coins"""
    left, said = draw.pick(_USES)
    kind, best, (done, stuck, join) = draw.pick(_COIN_AIMS)
    kept = condition(draw, "negative", "positive", "between", "last digit")
    fee = draw.pick({"none": 0, "fee": draw.between(1, 2)})
    coin = f"(c + {fee})" if fee else "c"

    def call(count: int, total: int) -> str:
        values = sorted(draw.sample(range(1, 10), count), reverse=draw.below(2) > 0)
        return f"pay [{'; '.join(map(str, values))}] {total}"

    cost = f" Each coin taken pays {fee} more than its value." if fee else ""
    return function(
        draw,
        "pay",
        [("coins", "int list", "count list"), ("total", "int", "nat")],
        kind,
        what=f"`total` is to be paid exactly with coins from `coins`, each of which may be"
        f" taken {said}; only coins whose value {kept.one} may be taken at all.{cost}"
        f" `pay coins total` is {best}.",
        also=[
            "Nothing is paid with no coins. Values of coins are at least 1 and `total` is"
            " not negative."
        ]
        + (["No value stands in `coins` twice."] if left != "cs" else []),
        body="let rec search coins left =\n"
        f"  if left = 0 then {done}\n  else\n    match coins with\n    | [] -> {stuck}\n"
        "    | c :: cs ->\n"
        "    let without = search cs left in\n"
        f"    let with_it = if {coin} <= left then search ({left}) (left - {coin}) else {stuck} in\n"
        f"    {join}\nin\n"
        f"search (List.filter (fun x -> {kept.ml}) coins) total",
        drawn_calls=list(
            dict.fromkeys(
                call(*sizes)
                for sizes in (
                    *((0, 0), (0, 3), (3, 0), (9, 10), (9, 16), (9, 1)),
                    *((draw.between(1, 9), draw.between(1, 20)) for _ in range(40)),
                )
            )
        ),
        total=False,
    )


_EDITS = {
    "drop": ("1 + go (i + 1) j", "a character of `a` is left out (cost 1)", "i < m"),
    "insert": ("1 + go i (j + 1)", "a character of `b` is put in (cost 1)", "j < n"),
    "replace": (
        "{k} + go (i + 1) (j + 1)",
        "a character of `a` is replaced by one of `b` (cost {k})",
        "i < m && j < n",
    ),
    "case": (
        "go (i + 1) (j + 1)",
        "a letter is replaced by the same one in the other case (cost 0)",
        "i < m && j < n && Char.lowercase_ascii a.[i] = Char.lowercase_ascii b.[j]",
    ),
    "swap": (
        "1 + go (i + 2) (j + 2)",
        "two neighbours of `a` change places and then are the next two of `b` (cost 1)",
        "i + 1 < m && j + 1 < n && a.[i] = b.[j + 1] && a.[i + 1] = b.[j]",
    ),
    "double": (
        "1 + go (i + 1) (j + 2)",
        "a character of `a` becomes two of the same in `b` (cost 1)",
        "i < m && j + 1 < n && a.[i] = b.[j] && a.[i] = b.[j + 1]",
    ),
    "clear": (
        "2 + go m j",
        "all that is left of `a` is left out at once (cost 2)",
        "i < m",
    ),
}


def edits(draw: Draw) -> Draft:
    """The cheapest way from one text to another"""
    names = ("drop", "insert")
    more = {name: _EDITS[name] for name in _EDITS if name not in names}
    chosen = [_EDITS[name] for name in names] + draw.pick_some(more, draw.between(1, 3))
    k = draw.choice((1, 2))
    tries = "".join(
        f"    attempt ({test}) (fun () -> {code.format(k=k)});\n" for code, _, test in chosen
    )
    said = "; ".join(what.format(k=k) for _, what, _ in chosen)
    kind, finish, of = draw.pick(
        {
            "cost": ("int", "{}", "the smallest sum of costs by which `a` becomes `b`"),
            "within": (
                "bool",
                "{} <= 2",
                "whether `a` becomes `b` with costs of at most 2 together",
            ),
            "share": (
                "int",
                "String.length a + String.length b - {}",
                "the sum of the lengths of `a` and `b` minus the smallest sum of costs"
                " by which `a` becomes `b`",
            ),
        }
    )
    return function(
        draw,
        "edit",
        [("a", "string", "lower"), ("b", "string", "lower")],
        kind,
        what="`a` is turned into `b` from left to right. Characters that are equal are kept"
        f" (cost 0). Besides, these are possible: {said}. Each applies to what is left of"
        f" `a` and `b` at that place. `edit a b` is {of}.",
        helpers="",
        body="let m = String.length a and n = String.length b in\n"
        "let known = Hashtbl.create 64 in\n"
        "let rec go i j =\n  if i = m && j = n then 0\n  else\n"
        "    match Hashtbl.find_opt known (i, j) with\n    | Some cost -> cost\n"
        "    | None ->\n"
        "    let best = ref max_int in\n"
        "    let attempt possible cost = if possible then best := min !best (cost ()) in\n"
        "    attempt (i < m && j < n && a.[i] = b.[j]) (fun () -> go (i + 1) (j + 1));\n"
        f"{tries}    Hashtbl.add known (i, j) !best;\n    !best\nin\n{finish.format('go 0 0')}",
        edges=[
            '"" ""',
            '"abc" ""',
            '"" "ab"',
            '"abc" "abc"',
            '"ab" "ba"',
            '"aab" "ab"',
            '"Abc" "aBC"',
            '"ace" "abcde"',
            '"ab" "aabb"',
            '"abcdef" "fa"',
            '"a" "b"',
            '"kitten" "sitting"',
            '"abab" "baba"',
            '"abcd" "xy"',
            '"aaaa" "b"',
            '"ba" "abc"',
            '"xay" "xaay"',
            '"abx" "ABy"',
        ],
        total=False,
    )


FAMILIES = gather("dynamic programming", coins, edits)
