"""Strings and bytes: letters moved and replaced."""

from __future__ import annotations

from ..drafts import Draft, Parameter, calls, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.characters import CHANGES, CLASSES, TEXTS

_SHIFTED = {
    "lower": ("'a' .. 'z'", "'a'", 26, "lowercase letters"),
    "upper": ("'A' .. 'Z'", "'A'", 26, "uppercase letters"),
    "digits": ("'0' .. '9'", "'0'", 10, "decimal digits"),
}


_BY = {
    "constant": ("k", "by {k} places"),
    "place": ("i", "by its place in `s` (the first place is 0)"),
    "alternating": (
        "(if i mod 2 = 0 then k else -k)",
        "by {k} places at the places 0, 2, 4 and so on of `s`, and by {k} places"
        " backwards at the others",
    ),
    "from the end": (
        "(String.length s - 1 - i)",
        "by the number of characters that follow it in `s`",
    ),
    "after space": (
        "(if i > 0 && s.[i - 1] = ' ' then k else 1)",
        "by {k} places behind a space and by 1 place elsewhere",
    ),
}


def cipher(draw: Draw) -> Draft:
    """Letters or digits moved along their alphabet"""
    chosen = draw.pick_some(_SHIFTED, draw.between(1, 2))
    by, said = draw.pick(_BY)
    way = draw.pick({"forwards": ("", "forwards"), "backwards": ("-", "backwards")})
    k = draw.between(2, 5)
    other = draw.pick(
        {
            "kept": ("c", "All other characters stay as they are."),
            "hidden": ("'.'", "All other characters become a dot."),
        }
    )
    cases = "".join(f"  | {pattern} -> turn {first} {size}\n" for pattern, first, size, _ in chosen)
    of = " and ".join(each[3] for each in chosen)
    used = by.replace("k", str(k))
    opposite = "forwards" if way[1] == "backwards" else "backwards"
    told = said.format(k=k).replace("backwards", opposite)
    return function(
        draw,
        "encode",
        [("s", "string")],
        "string",
        what=f"`s` with its {of} moved along their alphabet {way[1]}"
        f" {told}; behind the last one comes the first again",
        also=[other[1]],
        body="let encoded i c =\n"
        f"  let by = {way[0]}{used} in\n"
        "  let turn first size =\n"
        "    let place = Char.code c - Char.code first + by in\n"
        "    Char.chr (Char.code first + (((place mod size) + size) mod size))\n  in\n"
        f"  match c with\n{cases}  | _ -> {other[0]}\nin\nString.mapi encoded s",
        edges=[*TEXTS, '"az AZ 09"', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"'],
    )


_RANGES = {
    "all": ("0", "n - 1", "all places"),
    "first half": (
        "0",
        "(n / 2) - 1",
        "the places below half the length, rounded down",
    ),
    "second half": (
        "n / 2",
        "n - 1",
        "the places from half the length, rounded down, on",
    ),
    "inner": ("1", "n - 2", "all places but the first and the last"),
    "not last": ("0", "n - 2", "all places but the last"),
}


def in_place(draw: Draw) -> Draft:
    """Bytes changed in place, and counted"""
    test, changed = draw.pick(CLASSES), draw.pick(CHANGES)
    low, high, where = draw.pick(_RANGES)
    result = draw.pick(
        {
            "count": ("how many bytes were replaced", "incr seen"),
            "weight": (
                "the sum of the places that were replaced (the first place is 0)",
                "seen := !seen + i",
            ),
        }
    )
    texts = [*TEXTS, '"zA9-b"', '"Ab"']
    drawn = calls(draw, "", [Parameter(name="s", type="string")], texts)
    asked = [
        f"let b = Bytes.of_string {each.strip()} in "
        "let found = overwrite b in (found, Bytes.to_string b)"
        for each in drawn
    ]
    return function(
        draw,
        "overwrite",
        [("b", "bytes")],
        "int",
        what=f"`overwrite b` looks at {where} of `b`, and replaces there, in `b` itself,"
        f" each character that {test.one} by {changed.its}. It returns {result[0]}.",
        also=["A character that is replaced by itself counts as well."],
        body="let n = Bytes.length b in\nlet seen = ref 0 in\n"
        f"for i = {low} to {high} do\n  let x = Bytes.get b i in\n"
        f"  if {test.ml} then begin\n    Bytes.set b i ({changed.ml});\n    {result[1]}\n"
        "  end\ndone;\n!seen",
        drawn_calls=[f"({each})" for each in asked],
        result_of_calls="int * string",
        total=False,
    )


FAMILIES = gather("strings and bytes", cipher, in_place)
