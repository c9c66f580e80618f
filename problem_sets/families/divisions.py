"""Whole numbers: ranges and division."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition


def ranges(draw: Draw) -> Draft:
    """Numbers between two bounds"""
    bound_name = draw.choice(("both", "low", "high"))
    low = "lo" if bound_name != "high" else "lo + 1"
    high = "hi" if bound_name != "low" else "hi - 1"
    said = {
        "both": "from `lo` to `hi`, both included",
        "low": "from `lo` on and below `hi`",
        "high": "above `lo` and up to `hi`, `hi` included",
    }[bound_name]
    first = condition(draw, "between", "greater", "less")
    second = condition(draw, "between", "greater", "less", "positive", "negative")
    joined, word = draw.pick(
        {
            "and": ("&&", "and"),
            "or": ("||", "or"),
            "but": ("&& not", "but for those that"),
        }
    )
    step, start, of = draw.pick(
        {
            "count": ("acc + 1", "0", "the number"),
            "sum": ("acc + x", "0", "the sum"),
            "list": ("x :: acc", "[]", "the list, in falling order,"),
            "squares": ("acc + (x * x)", "0", "the sum of the squares"),
        }
    )
    kind = "int list" if start == "[]" else "int"
    test = f"({first.ml}) {joined} ({second.ml})"
    return function(
        draw,
        "in_range",
        [("lo", "int", "int"), ("hi", "int", "int")],
        kind,
        what=f"{of} of the whole numbers {said}, that {first.many} {word} {second.many}",
        also=[f"Where there are none, as when `lo` is above `hi`, it is {start}."],
        body="let rec walk acc x =\n"
        f"  if x > {high} then acc\n"
        f"  else walk (if {test} then {step} else acc) (x + 1)\nin\n"
        f"walk {start} ({low})",
        edges=["1 10", "(-6) 6", "5 4", "3 3", "4 4", "0 1", "(-20) 20", "2 3", "7 30"],
    )


_ROUNDING = {
    "down": ("if r < 0 then q - 1 else q", "rounded down (towards minus infinity)"),
    "up": ("if r > 0 then q + 1 else q", "rounded up (towards plus infinity)"),
    "zero": ("if r > 0 then q else q", "rounded towards zero"),
    "away": (
        "if r = 0 then q else if a > 0 then q + 1 else q - 1",
        "rounded away from zero",
    ),
    "half up": (
        "if r < 0 then (if 2 * r < -k then q - 1 else q)\n  else if 2 * r >= k then q + 1 else q",
        "rounded to the nearest whole number, halves up (towards plus infinity)",
    ),
    "half even": (
        "let low = if r < 0 then q - 1 else q in\n  let above = a - (low * k) in\n"
        "  if 2 * above > k || (2 * above = k && low mod 2 <> 0) then low + 1 else low",
        "rounded to the nearest whole number, halves to the even one",
    ),
}


def rounding(draw: Draw) -> Draft:
    """Division with a way of rounding"""
    how, said = draw.pick(_ROUNDING)
    kind, of, ml = draw.pick(
        {
            "quotient": ("int", "q, which is `x` divided by `k`, {}", "divided x k"),
            "multiple": (
                "int",
                "`k` times q, where q is `x` divided by `k`, {}",
                "k * divided x k",
            ),
            "error": (
                "int",
                "`x` minus `k` times q, where q is `x` divided by `k`, {}",
                "x - (k * divided x k)",
            ),
            "pair": (
                "(int * int)",
                "the pair of two numbers: `x` divided by `k`, and `x` + 1 divided by `k`, both {}",
                "(divided x k, divided (x + 1) k)",
            ),
        }
    )
    guard, otherwise = draw.pick(
        {
            "option": (
                "None",
                "`None` unless `k` is positive, else `Some` of the result",
            ),
            "raises": ("raise", "Raises `Invalid_argument` unless `k` is positive"),
            "result": (
                'Error "divisor"',
                '`Error "divisor"` unless `k` is positive, else `Ok` of the result',
            ),
        }
    )
    kind, ml, fails = {
        "None": (f"{kind} option", f"Some ({ml})", "None"),
        "raise": (kind.strip("()"), ml, 'invalid_arg "divisor"'),
    }.get(guard, (f"({kind}, string) result", f"Ok ({ml})", guard))
    also = otherwise if guard == "raise" else f"The value is {otherwise}"
    return function(
        draw,
        "divide",
        [("x", "int", "int"), ("k", "int", "small")],
        kind,
        what=of.format(said),
        also=[f"{also}."],
        helpers=f"let divided a k =\n  let q = a / k and r = a mod k in\n  {how}\n\n",
        body=f"if k <= 0 then {fails}\nelse {ml}",
        edges=[
            *(
                "7 2",
                "(-7) 2",
                "5 2",
                "(-5) 2",
                "6 3",
                "(-6) 3",
                "0 5",
                "1 0",
                "4 (-2)",
            ),
            *(
                "10 4",
                "(-10) 4",
                "11 4",
                "(-1) 4",
                "3 4",
                "8 1",
                "(-3) 6",
                "3 6",
                "9 6",
            ),
        ],
        raises=["Invalid_argument"] if guard == "raise" else [],
    )


FAMILIES = gather("integers", ranges, rounding)
