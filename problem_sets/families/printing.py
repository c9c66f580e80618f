"""Numbers and lists written as texts."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition

_NUMBER_FORMS = {
    "hex": ('Printf.sprintf "%x" n', "in base 16, with the digits 0 to 9 and a to f"),
    "binary": (
        "binary n",
        "in base 2",
    ),
    "decimal": ("string_of_int n", "in base 10"),
    "octal": ('Printf.sprintf "%o" n', "in base 8"),
}


_GROUPING = {
    "none": ("digits", ""),
    "threes": (
        "grouped 3 digits",
        ", with a `'` before every three digits from the right that have a digit before them",
    ),
    "fours": (
        "grouped 4 digits",
        ", with a `'` before every four digits from the right that have a digit before them",
    ),
    "reversed": (
        "String.init (String.length digits) (fun i -> digits.[String.length digits - 1 - i])",
        ", with the last digit first",
    ),
    "pairs": (
        "grouped 2 digits",
        ", with a `'` before every two digits from the right that have a digit before them",
    ),
}


_NEGATIVE = {
    "minus": ('"-" ^ text', "with a minus sign before it"),
    "brackets": ('"(" ^ text ^ ")"', "in round brackets"),
    "tail": ('text ^ "-"', "with a minus sign behind it"),
    "plus": (
        '"-" ^ text',
        "with a minus sign before it, and every other number with a plus sign before it",
    ),
}


def number_text(draw: Draw) -> Draft:
    """Numbers written in a form"""
    digits, base = draw.pick(_NUMBER_FORMS)
    group, grouped = draw.pick(_GROUPING)
    negative, how = draw.pick(_NEGATIVE)
    width = draw.pick(
        {
            "plain": ("{}", ""),
            "padded": (
                "let text = {} in\nString.make (max 0 (8 - String.length text)) '.' ^ text",
                " What is shorter than 8 characters then is filled up with dots on the left"
                " to have 8.",
            ),
            "tagged": (
                'let text = {} in\nPrintf.sprintf "%d:%s" (String.length text) text',
                " Before that stand its length and a colon.",
            ),
        }
    )
    helpers = ""
    if digits == "binary n":
        helpers += (
            "let rec binary n =\n  if n < 2 then string_of_int n\n"
            "  else binary (n / 2) ^ string_of_int (n mod 2)\n\n"
        )
    if "grouped" in group:
        helpers += (
            "let rec grouped k digits =\n  let n = String.length digits in\n"
            "  if n <= k then digits\n"
            '  else grouped k (String.sub digits 0 (n - k)) ^ "\'"'
            " ^ String.sub digits (n - k) k\n\n"
        )
    other = '"+" ^ text' if how.endswith("plus sign before it") else "text"
    also = "" if other == "text" else " (0 too)"
    return function(
        draw,
        "written",
        [("n", "int", "large")],
        "string",
        what=f"the absolute value of `n` written {base}{grouped}; that of a negative number"
        f" {how}{also}.{width[1]}".rstrip("."),
        helpers=helpers,
        body="let text =\n  let n = abs n in\n"
        f"  let digits = {digits} in\n  {group}\nin\n"
        + width[0].format(f"(if n < 0 then {negative} else {other})"),
        edges=[
            "0",
            "7",
            "(-7)",
            "15",
            "255",
            "1000",
            "(-1000)",
            "65535",
            "123456789",
            "(-123456)",
            "16",
            "99",
            "100",
            "(-16)",
            "12345678",
            "999",
        ],
    )


_BRACKETS = {"list": ("[", "]"), "set": ("{", "}"), "tuple": ("<", ">")}


def list_text(draw: Draw) -> Draft:
    """A list of lists written as a text"""
    opening, closing = _BRACKETS[draw.choice(("list", "set", "tuple"))]
    item = draw.pick(
        {
            "plain": ("string_of_int x", "in decimal"),
            "signed": (
                'Printf.sprintf "%+d" x',
                "in decimal with its sign, a plus for 0 too",
            ),
            "padded": (
                'Printf.sprintf "%3d" x',
                "in decimal, with blanks before it to have at least 3 characters",
            ),
            "zero": (
                'Printf.sprintf "%03d" (abs x)',
                "without its sign, in decimal, with zeros before it to have at least 3 digits",
            ),
        }
    )
    kept = condition(draw)
    inner = draw.pick(
        {
            "comma": (", ", "a comma and a space"),
            "bar": ("|", "a bar `|`"),
            "space": (" ", "a space"),
        }
    )
    rows = draw.pick(
        {
            "lines": ("\\n", "", "a newline between every two rows"),
            "numbered": (
                "\\n",
                "n",
                "a newline between every two rows, and before each row"
                " its number (the first is 1), a dot and a space",
            ),
            "counted": (
                "; ",
                "c",
                "a semicolon and a space between every two rows, and behind"
                " each row the number of its elements that are shown, in round"
                " brackets, without a blank",
            ),
        }
    )
    empty = draw.pick(
        {
            "shown": (
                "shown",
                "A row without any is written without anything between its brackets.",
            ),
            "dash": ("dash", "In place of a row without any stands a `-`."),
            "left out": (
                "out",
                "A row without any is left out and has no number either.",
            ),
        }
    )
    row = f'"{opening}" ^ String.concat "{inner[0]}" (List.map show row) ^ "{closing}"'
    if empty[0] == "dash":
        row = f'if row = [] then "-" else {row}'
    filtered = f"List.map (List.filter {kept.fun}) rows"
    if empty[0] == "out":
        filtered = f"List.filter (fun row -> row <> []) ({filtered})"
    final = {
        "": f'let line row = {row} in\nString.concat "{rows[0]}" (List.map line kept)',
        "n": f'let line i row = Printf.sprintf "%d. %s" (i + 1) ({row}) in\n'
        f'String.concat "{rows[0]}" (List.mapi line kept)',
        "c": f'let line row = Printf.sprintf "%s(%d)" ({row}) (List.length row) in\n'
        f'String.concat "{rows[0]}" (List.map line kept)',
    }[rows[1]]
    return function(
        draw,
        "show",
        [("rows", "int list list", "small list list")],
        "string",
        what=f"a text of `rows`. Of each row only the elements are shown that {kept.many}. An"
        f" element is written {item[1]}; between every two elements of a row"
        f" stands {inner[1]}, and the row is put between `{opening}` and `{closing}`."
        f" {empty[1]} There is {rows[2]}",
        body=f"let show x = {item[0]} in\nlet kept = {filtered} in\n{final}",
        edges=[
            "[]",
            "[[]]",
            "[[1; -2; 30]; []; [4]]",
            "[[7]]",
            "[[]; [2; 5; 8]]",
            "[[-5; -4; -3; -2; -1; 0; 1; 2]; [3; 4; 5; 6; 7; 8; 9; 10; 11]]",
            "[[123; 5]; [-7; 6; 1234]]",
        ],
        total=False,
    )


FAMILIES = gather("parsing and printing", number_text, list_text)
