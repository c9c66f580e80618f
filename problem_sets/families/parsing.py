"""Texts read and written."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition

_SIGNS = {
    "+": ("a + b", "the sum"),
    "-": ("a - b", "the left minus the right one"),
    "*": ("a * b", "the product"),
    "^": ("max a b", "the larger one"),
    "_": ("min a b", "the smaller one"),
    "~": ("abs (a - b)", "the distance of both"),
}


def calculator(draw: Draw) -> Draft:
    """A text with operators of two strengths, evaluated"""
    chosen = draw.pick_some({sign: (sign, *_SIGNS[sign]) for sign in _SIGNS}, 3)
    strong, weak = chosen[0], chosen[1:]
    if draw.below(2):
        strong, weak = chosen[2], chosen[:2]
    side = draw.pick({"left": True, "right": False})
    brackets = draw.pick({"brackets": True, "flat": False})
    grouped = "left" if side else "right"

    def arms(signs: list[tuple[str, str, str]], level: str, under: str) -> str:
        if side:
            cases = "".join(
                f"    | Some '{sign}' -> let b = (incr place; {under} ()) in"
                f" rest (let a = left in {code})\n"
                for sign, code, _ in signs
            )
            return (
                f"  and {level} () =\n    let rec rest left =\n    match peek () with\n"
                f"{cases}    | _ -> left\n    in\n    rest ({under} ())\n"
            )
        cases = "".join(
            f"    | Some '{sign}' -> let b = (incr place; {level} ()) in {code}\n"
            for sign, code, _ in signs
        )
        return (
            f"  and {level} () =\n    let a = {under} () in\n    match peek () with\n"
            f"{cases}    | _ -> a\n"
        )

    atom = (
        "    | Some '(' ->\n      incr place;\n      let value = weak () in\n"
        "      incr place;\n      value\n"
        if brackets
        else ""
    )
    body = (
        "let place = ref 0 in\n"
        "let peek () = if !place < String.length s then Some s.[!place] else None in\n"
        "let rec atom () =\n    match peek () with\n"
        f"{atom}"
        "    | Some ('0' .. '9') -> number 0\n    | _ -> 0\n"
        "  and number n =\n    match peek () with\n"
        "    | Some ('0' .. '9' as c) ->\n      incr place;\n"
        "      number ((10 * n) + Char.code c - Char.code '0')\n    | _ -> n\n"
        + arms([strong], "strong", "atom")
        + arms(weak, "weak", "strong")
        + "in\nweak ()"
    )

    def text(size: int) -> str:
        if size == 0:
            return str(draw.choice((0, 1, 2, 3, 4, 5, 7, 9, 12, 30)))
        left = draw.below(size)
        sign = draw.choice(chosen)[0]
        whole = f"{text(left)}{sign}{text(size - 1 - left)}"
        return f"({whole})" if brackets and draw.below(3) == 0 else whole

    sizes = (0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 3, 4)
    said = "; ".join(f"`a{sign}b` is {what} of a and b" for sign, _, what in chosen)
    said = said.replace("the left minus the right one of a and b", "a minus b")
    weak_signs = " and ".join(f"`{sign}`" for sign, *_ in weak)
    more = " What stands in round brackets is evaluated by itself." if brackets else ""
    return function(
        draw,
        "calculate",
        [("s", "string")],
        "int",
        what=f"the value of the expression `s`, of decimal numbers and these operators: {said}",
        also=[
            f"`{strong[0]}` binds stronger than {weak_signs}, which bind equally strong."
            f" Where operators bind equally strong, those further to the {grouped} are"
            f" applied first.{more}",
            "`s` is always such an expression, without blanks and without signs of numbers.",
        ],
        body=body,
        drawn_calls=list(dict.fromkeys(f'calculate "{text(n)}"' for n in sizes)),
    )


_DUPLICATE = {
    "first": (
        "if List.mem_assoc key found then found else found @ [ (key, value) ]",
        "the first of them counts and stands at its place",
    ),
    "last": (
        "List.remove_assoc key found @ [ (key, value) ]",
        "the last of them counts and stands at its place",
    ),
    "sum": (
        "if List.mem_assoc key found then\n"
        "        List.map (fun (k, v) -> if k = key then (k, v + value) else (k, v)) found\n"
        "      else found @ [ (key, value) ]",
        "their numbers are added, and the sum stands at the place of the first",
    ),
    "all": ("found @ [ (key, value) ]", "all of them stand in the result"),
}


_MALFORMED = {
    "skipped": ("found", "(string * int) list", "Other entries are left out."),
    "none": (
        "None",
        "(string * int) list option",
        "If there is any other entry the result is `None`, else `Some` of the list.",
    ),
    "ends": (
        "stop",
        "(string * int) list",
        "With any other entry reading ends: the entries before it are the result.",
    ),
}


_MARKS = {"equals": ("=", ";"), "colon": (":", ","), "arrow": (">", "|")}


def settings(draw: Draw) -> Draft:
    """Entries of a text read into a list"""
    sign, mark = _MARKS[draw.choice(tuple(_MARKS))]
    merge, twice = draw.pick(_DUPLICATE)
    bad, kind, otherwise = draw.pick(_MALFORMED)
    kept = condition(draw)
    signs = draw.pick(
        {
            "unsigned": ("digits value", "one or more decimal digits"),
            "signed": (
                "digits value || (value <> \"\" && value.[0] = '-'\n"
                "    && digits (String.sub value 1 (String.length value - 1)))",
                "one or more decimal digits, perhaps with a minus sign before them",
            ),
        }
    )
    words = ["a", "b", "ab", "Key", "x y", "c"]

    def entry() -> str:
        number = str(draw.between(0, 12) if draw.below(3) else -draw.between(1, 9))
        return draw.choice(
            (
                *(f"{draw.choice(words)}{sign}{number}" for _ in range(8)),
                *(draw.choice(words), f"{sign}{number}", f"a{sign}", f"b{sign}1x"),
            )
        )

    sizes = (0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7)
    texts = [mark.join(entry() for _ in range(n)) for n in sizes]
    good = [
        mark.join(f"{w}{sign}{draw.between(0, 9)}" for w in draw.sample(words, n))
        for n in (1, 2, 3, 4, 5, 2)
    ]
    extra = [
        mark.join(f"{w}{sign}{n}" for w, n in pairs)
        for pairs in (
            [("a", 4), ("b", 5), ("a", 6)],
            [("a", 1), ("a", 3), ("b", 2), ("b", 8)],
            [(chr(97 + n), n) for n in range(12)],
        )
    ] + [
        f"a{sign}4{mark}oops{mark}b{sign}6",
        f"a{sign}2{sign}3",
        f"a{sign}-4{mark}b{sign}-3",
    ]
    on_bad = {"found": "read found rest", "None": "None", "stop": "found"}[bad]
    on_end = {"found": "found", "None": "Some found", "stop": "found"}[bad]
    return function(
        draw,
        "settings",
        [("s", "string")],
        kind,
        what=f"`s` consists of entries with a `{mark}` between every two of them; the empty"
        f" text has none. An entry is a key, a `{sign}` and a number: the key is not empty,"
        f" has no `{sign}` in it and may have blanks; the number is {signs[1]}. {otherwise}"
        f" `settings s` is the list of pairs of key and number, in the order of `s`, of"
        f" those entries whose number {kept.one}. If several of these have the same key,"
        f" {twice}.",
        helpers="let digits s = s <> \"\" && String.for_all (fun c -> c >= '0' && c <= '9') s\n\n",
        body=f"let parts = if s = \"\" then [] else String.split_on_char '{mark}' s in\n"
        f"let number value =\n  {signs[0]}\nin\n"
        "let rec read found = function\n"
        f"  | [] -> {on_end}\n  | part :: rest ->\n"
        f"    (match String.split_on_char '{sign}' part with\n"
        '     | [ key; value ] when key <> "" && number value ->\n'
        "       let value = int_of_string value in\n"
        "       read (add found key value) rest\n"
        f"     | _ -> {on_bad})\n"
        f"and add found key value =\n  let x = value in\n"
        f"  if not ({kept.ml}) then found\n  else\n      {merge}\nin\nread [] parts",
        drawn_calls=list(dict.fromkeys(f'settings "{text}"' for text in (*extra, *good, *texts))),
    )


FAMILIES = gather("parsing and printing", calculator, settings)
