"""Whole numbers: digits, divisors, ranges, steps and division."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import REDUCTIONS, condition, transform

_BASES = {"decimal": 10, "binary": 2, "octal": 8, "ternary": 3}


_DIGITS = {
    "even": ("d mod 2 = 0", "even digits"),
    "odd": ("d mod 2 = 1", "odd digits"),
    "not zero": ("d > 0", "digits other than 0"),
    "all": ("true", "digits"),
    "changing": ("d <> previous", "digits that differ from their right neighbour"),
    "repeated": ("d = previous", "digits that are equal to their right neighbour"),
}


_OF_DIGITS = {
    "sum": ("acc + d", "0", "the sum of the {}"),
    "count": ("acc + 1", "0", "the number of the {}"),
    "largest": ("max acc d", "0", "the largest of the {}"),
    "product": ("acc * d", "1", "the product of the {}"),
    "squares": ("acc + (d * d)", "0", "the sum of the squares of the {}"),
    "alternating": ("d - acc", "0", "{alternating}"),
}


_BELOW_ZERO = {
    "raises": ('if n < 0 then invalid_arg "digits" else ', "n"),
    "absolute": ("", "(abs n)"),
    "minus one": ("if n < 0 then -1 else ", "n"),
}


def digits(draw: Draw) -> Draft:
    """Digits of a number in some base"""
    base_name = draw.choice(tuple(_BASES))
    base = _BASES[base_name]
    test, said = draw.pick({k: v for k, v in _DIGITS.items() if base > 2 or k != "odd"})
    step, start, what = draw.pick(_OF_DIGITS)
    guard, given = draw.pick(_BELOW_ZERO)
    alternating = (
        f"what comes out when one goes through the {said} from right to left, starts"
        " with 0, and each time takes the digit minus what came out so far"
    )
    also = {
        "raises": "Raises `Invalid_argument` for a negative number.",
        "absolute": "A negative number counts as its absolute value.",
        "minus one": "For a negative number it is -1.",
    }[draw.choices[-1]]
    keep = step if test == "true" else f"if {test} then {step} else acc"
    uses = "previous" in test
    previous, first = ("previous ", "(-1) ") if uses else ("", "")
    following = "d " if uses else ""
    neighbour = " The last digit has no right neighbour: it counts as different from it."
    return function(
        draw,
        f"{base_name}_digits",
        [("n", "int", "large")],
        "int",
        what=f"{what.format(said, alternating=alternating)} of `n` written in base {base}",
        also=[
            f"Where there are none it is {start}, and 0 is written without any digit."
            + (neighbour if uses else ""),
            also,
        ],
        body=f"let rec walk acc {previous}n =\n  if n = 0 then acc\n  else\n"
        f"    let d = n mod {base} in\n"
        f"    walk ({keep}) {following}(n / {base})\nin\n"
        f"{guard}walk {start} {first}{given}",
        edges=["0", "7", "10", "1234", "90210", "(-35)", "(-1)", "4466", "1", "77"],
        raises=["Invalid_argument"] if "raises" in draw.choices else [],
    )


_DIVISORS = {
    "divisors": (
        "the positive divisors of `n`",
        "List.filter (fun d -> n mod d = 0) (List.init n (fun i -> i + 1))",
        "",
    ),
    "proper": (
        "the positive divisors of `n` other than `n` itself",
        "List.filter (fun d -> n mod d = 0) (List.init (max 0 (n - 1)) (fun i -> i + 1))",
        "",
    ),
    "prime factors": (
        "the prime factors of `n`, each as often as it divides `n`",
        "factors 2 n",
        "let rec factors p n =\n  if n < 2 then []\n"
        "  else if n mod p = 0 then p :: factors p (n / p)\n  else factors (p + 1) n\n\n",
    ),
    "coprime": (
        "the numbers from 1 to `n` that have no divisor but 1 in common with `n`",
        "List.filter (fun d -> gcd d n = 1) (List.init n (fun i -> i + 1))",
        "let rec gcd a b = if b = 0 then a else gcd b (a mod b)\n\n",
    ),
    "square divisors": (
        "the numbers d from 1 on with d * d a divisor of `n`",
        "List.filter (fun d -> n mod (d * d) = 0) (List.init n (fun i -> i + 1))",
        "",
    ),
}


def divisors(draw: Draw) -> Draft:
    """Divisors and prime factors"""
    of, code, helpers = draw.pick(_DIVISORS)
    kept = condition(draw, "negative", "positive", "between")
    reduction = draw.pick(
        {n: REDUCTIONS[n] for n in ("sum", "largest", "list", "distinct", "spread")}
    )
    tail = "" if reduction.word == "list" else f"\n|> {reduction.ml}"
    listed = ", in rising order" if reduction.word == "list" else ""
    return function(
        draw,
        "from_divisors",
        [("n", "int", "count")],
        reduction.type,
        what=f"{reduction.of} of {of}, as far as they {kept.many}{listed}",
        also=[
            f"Where there are none it is {reduction.empty}.",
            "`n` is not negative, and 0 has none.",
        ],
        helpers=helpers,
        body=f"{code}\n|> List.filter {kept.fun}{tail}",
        edges=[
            "1",
            "2",
            "12",
            "36",
            "97",
            "60",
            "64",
            "45",
            "30",
            "77",
            "100",
            "25",
            "0",
        ],
    )


def steps(draw: Draw) -> Draft:
    """A rule applied to a number again and again"""
    test = condition(draw, "between")
    yes, no = transform(draw, "plus"), transform(draw, "capped", "raised")
    kind, of, ml = draw.pick(
        {
            "last": ("int", "the last of these numbers", "List.nth all k"),
            "largest": (
                "int",
                "the largest of these numbers",
                "List.fold_left max x all",
            ),
            "sum": ("int", "the sum of these numbers", "List.fold_left ( + ) 0 all"),
            "all": ("int list", "the list of these numbers in order", "all"),
            "distinct": (
                "int",
                "the number of different values among these numbers",
                "List.length (List.sort_uniq compare all)",
            ),
        }
    )
    small = "square" not in draw.choices
    edges = ["3 0", "0 3", "6 2", "(-5) 3", "1 4", "4 1", "9 2", "2 2", "5 1", "7 3"]
    return function(
        draw,
        "iterate",
        [("x", "int", "int" if small else "small"), ("k", "int", "few")],
        kind,
        what=f"One step replaces a number that {test.one} by {yes.its}, and any other by"
        f" {no.its}. Start with `x` and take `k` steps, so that there are `k` + 1"
        f" numbers. `iterate x k` is {of}.",
        also=["`k` is not negative."],
        helpers=f"let step x =\n  if {test.ml} then {yes.ml}\n  else {no.ml}\n\n",
        body="let rec walk x k = x :: (if k = 0 then [] else walk (step x) (k - 1)) in\n"
        f"let all = walk x k in\n{ml}",
        edges=edges,
    )


FAMILIES = gather("integers", digits, divisors, steps)
