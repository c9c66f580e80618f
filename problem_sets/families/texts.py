"""Strings and bytes."""

from __future__ import annotations

from ..drafts import Draft, Parameter, calls, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.characters import CHANGES, CLASSES, TEXTS

_ORDERS = {
    "kept": ("", "in their order"),
    "reversed": ("List.rev", "in reverse order"),
    "sorted": ("List.sort compare", "sorted by their codes"),
    "distinct": ("List.sort_uniq compare", "sorted by their codes, each once"),
}


_OF_TEXT = {
    "text": (
        "string",
        "the text of the results",
        "|> List.to_seq\n|> String.of_seq",
        '`""`',
    ),
    "first": (
        "char option",
        "`Some` of the first of the results",
        "|> (function [] -> None | c :: _ -> Some c)",
        "`None`",
    ),
    "spaced": (
        "string",
        "the text of the results, with a `-` between every two of them",
        '|> List.map (String.make 1)\n|> String.concat "-"',
        '`""`',
    ),
    "codes": (
        "int",
        "the sum of the codes of the results",
        "|> List.fold_left (fun sum c -> sum + Char.code c) 0",
        "0",
    ),
}


def text_pipeline(draw: Draw) -> Draft:
    """Characters of a text kept, changed and put together"""
    kept, changed = draw.pick(CLASSES), draw.pick(CHANGES)
    order, said = draw.pick(_ORDERS)
    kind, of, tail, empty = draw.pick(_OF_TEXT)
    ordered = f"\n|> {order}" if order else ""
    return function(
        draw,
        "rewrite",
        [("s", "string")],
        kind,
        what=f"Keep the characters of `s` that {kept.many}, replace each by"
        f" {changed.its}, and take them {said}. `rewrite s` is {of}.",
        also=[f"Where no character is kept it is {empty}."],
        body=f"List.of_seq (String.to_seq s)\n|> List.filter {kept.fun}\n"
        f"|> List.map {changed.fun}{ordered}\n{tail}",
        edges=TEXTS,
    )


_WORD_TESTS = {
    "long": ("String.length w >= 3", "have at least 3 characters"),
    "short": ("String.length w < 4", "have fewer than 4 characters"),
    "capital": ("w.[0] >= 'A' && w.[0] <= 'Z'", "begin with an uppercase letter"),
    "palindrome": (
        "w = String.init (String.length w) (fun i -> w.[String.length w - 1 - i])",
        "read the same from both ends (upper and lower case differ)",
    ),
    "vowel first": (
        'String.contains "aeiouAEIOU" w.[0]',
        "begin with a vowel (a, e, i, o or u, in either case)",
    ),
    "has e": ("String.contains w 'e'", "have the letter `e` in them"),
    "same ends": (
        "w.[0] = w.[String.length w - 1]",
        "begin and end with the same character",
    ),
}


_WORD_CHANGES = {
    "itself": ("w", ""),
    "upper": ("String.uppercase_ascii w", ", in uppercase"),
    "capital": ("String.capitalize_ascii w", ", with their first letter in uppercase"),
    "first": ("String.sub w 0 1", ", of each only its first character"),
    "doubled": ("w ^ w", ", each written twice without a blank"),
}


_OF_WORDS = {
    "list": ("string list", "the list of these words", "words"),
    "text": (
        "string",
        "the text of these words with one space between every two",
        'String.concat " " words',
    ),
    "longest": (
        "string",
        'the longest of these words, the first of several (`""` if there are none)',
        "List.fold_left\n"
        "  (fun best w -> if String.length w > String.length best then w else best)\n"
        '  "" words',
    ),
    "letters": (
        "int",
        "the number of characters of all these words together",
        "List.fold_left (fun sum w -> sum + String.length w) 0 words",
    ),
    "sorted": (
        "string list",
        "the list of these words, sorted as `compare` does, each once",
        "List.sort_uniq compare words",
    ),
    "last": (
        "string option",
        "`Some` of the last of these words, `None` if there are none",
        "List.fold_left (fun _ w -> Some w) None words",
    ),
}


_SEPARATORS = {"space": ("' '", "spaces"), "comma": ("','", "commas")}


def words(draw: Draw) -> Draft:
    """Words of a text that meet a condition"""
    test, kept = draw.pick(_WORD_TESTS)
    change, changed = draw.pick(_WORD_CHANGES)
    kind, of, tail = draw.pick(_OF_WORDS)
    name = draw.choice(tuple(_SEPARATORS))
    sign, said = _SEPARATORS[name]
    edges = [
        '""',
        '"   "',
        '"a"',
        '"  Emu  eel an  noon"',
        '"the Abba sees level ox"',
        '"owl"',
        '"Anna eve bob four and Iris"',
    ]
    drawn = calls(draw, "scan", [Parameter(name="s", type="string", drawn="words")], edges)
    if name == "comma":
        drawn = tuple(f"scan {call.removeprefix('scan ').replace(' ', ',')}" for call in drawn)
    mapped = "" if change == "w" else f"  |> List.map (fun w -> {change})\n"
    return function(
        draw,
        "scan",
        [("s", "string")],
        kind,
        what=f"The words of `s` are its longest parts without {said}; none is empty."
        f" Take those that {kept}{changed}. `scan s` is {of}.",
        also=["The words are in the order of `s`."] if "list" in kind else [],
        body=f"let words =\n  String.split_on_char {sign} s\n"
        f'  |> List.filter (fun w -> w <> "" && ({test}))\n{mapped}in\n{tail}',
        drawn_calls=drawn,
        total=False,
    )


_ALIKE = {
    "same": ("a = b", "equal"),
    "case": (
        "Char.lowercase_ascii a = Char.lowercase_ascii b",
        "equal but for upper and lower case",
    ),
    "next": (
        "Char.code b = Char.code a + 1",
        "a character and the one with the next code",
    ),
    "falling": ("a > b", "a character and one with a smaller code"),
    "digits": (
        "(a >= '0' && a <= '9') = (b >= '0' && b <= '9')",
        "both decimal digits or both no decimal digits",
    ),
}


_OF_PIECES = {
    "pieces": ("string list", "the list of the pieces", "pieces"),
    "coded": (
        "string",
        "the text in which each piece is written as its first character and its length",
        'String.concat ""\n'
        '  (List.map (fun p -> Printf.sprintf "%c%d" p.[0] (String.length p)) pieces)',
    ),
    "short": (
        "string",
        "the text of the first characters of all pieces",
        'String.concat "" (List.map (fun p -> String.sub p 0 1) pieces)',
    ),
    "longest": (
        "string",
        'the longest piece, the first of several (`""` for the empty text)',
        "List.fold_left\n"
        "  (fun best p -> if String.length p > String.length best then p else best)\n"
        '  "" pieces',
    ),
    "marked": (
        "string",
        "`s` with a `|` between every two pieces",
        'String.concat "|" pieces',
    ),
    "counts": (
        "(char * int) list",
        "the list of pairs of the first character and the length of each piece",
        "List.map (fun p -> (p.[0], String.length p)) pieces",
    ),
    "single": (
        "int",
        "the number of pieces of one character",
        "List.length (List.filter (fun p -> String.length p = 1) pieces)",
    ),
}


def pieces(draw: Draw) -> Draft:
    """A text cut where neighbours do not belong together"""
    test, said = draw.pick(_ALIKE)
    kind, of, tail = draw.pick(_OF_PIECES)
    return function(
        draw,
        "in_pieces",
        [("s", "string", "letters")],
        kind,
        what="Cut `s` between two neighbouring characters unless these are, in their"
        f" order, {said}. `in_pieces s` is {of}.",
        also=["The empty text has no pieces."],
        helpers=f"let together a b = {test}\n\n",
        body="let n = String.length s in\n"
        "let rec cut start i =\n"
        "  if i >= n then if n = 0 then [] else [ String.sub s start (i - start) ]\n"
        "  else if together s.[i - 1] s.[i] then cut start (i + 1)\n"
        "  else String.sub s start (i - start) :: cut i (i + 1)\n"
        f"in\nlet pieces = cut 0 1 in\n{tail}",
        edges=[
            '""',
            '"a"',
            '"aabcccA"',
            '"ab12 3xx"',
            '"zyxabc"',
            '"aAaBb"',
            '"0099/:z"',
        ],
        by_example=True,
    )


FAMILIES = gather("strings and bytes", text_pipeline, words, pieces)
