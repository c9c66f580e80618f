"""State machines."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather

_LETTERS = "abc"
_UNKNOWN = {
    "ignored": ("state", "Any other character changes nothing."),
    "resets": ("0", "Any other character leads to state 0."),
    "trap": ("3", "Any other character leads to state 3, which nothing leads out of."),
}
_RUNS = {
    "final": ("int", "the state at the end", "List.fold_left next 0 events"),
    "accepted": (
        "bool",
        "whether the state at the end is {goal}",
        "List.fold_left next 0 events = {goal}",
    ),
    "visits": (
        "int",
        "how often a character leads into state {goal} (also from {goal} itself)",
        "snd (List.fold_left\n"
        "  (fun (s, n) c -> let t = next s c in (t, if t = {goal} then n + 1 else n))\n"
        "  (0, 0) events)",
    ),
    "trace": (
        "int list",
        "the list of the states after each character",
        "List.rev (snd (List.fold_left\n"
        "  (fun (s, trace) c -> let t = next s c in (t, t :: trace)) (0, []) events))",
    ),
    "moves": (
        "int",
        "how many characters change the state",
        "snd (List.fold_left\n"
        "  (fun (s, n) c -> let t = next s c in (t, if t <> s then n + 1 else n))\n"
        "  (0, 0) events)",
    ),
    "first": (
        "int option",
        "`Some` of how many characters are read until state {goal} is reached for the first"
        " time, `None` if it never is",
        "let rec search n s = function\n"
        "  | _ when s = {goal} -> Some n\n  | [] -> None\n"
        "  | c :: rest -> search (n + 1) (next s c) rest\nin\nsearch 0 0 events",
    ),
    "longest": (
        "int",
        "the largest number of characters read one after the other that change nothing",
        "let _, _, best = List.fold_left\n"
        "  (fun (s, run, best) c ->\n"
        "    let t = next s c in\n"
        "    let run = if t = s then run + 1 else 0 in\n"
        "    (t, run, max best run))\n  (0, 0, 0) events\nin\nbest",
    ),
}
_TABLES = {
    "ring": ((1, 0, 0), (2, 1, 0), (0, 2, 1)),
    "ladder": ((1, 0, 0), (2, 0, 1), (2, 1, 0)),
    "lock": ((1, 0, 0), (1, 2, 0), (0, 0, 2)),
    "switch": ((1, 2, 0), (0, 1, 2), (2, 0, 1)),
    "echo": ((0, 1, 2), (0, 1, 0), (1, 1, 2)),
    "gate": ((1, 1, 0), (0, 2, 1), (2, 2, 0)),
}


def automaton(draw: Draw) -> Draft:
    """A machine of three states that reads a text"""
    table = draw.pick(_TABLES)
    other, said = draw.pick(_UNKNOWN)
    kind, of, run = draw.pick(_RUNS)
    goal = draw.choice((1, 2))
    pairs = [
        (state, sign, target)
        for state, row in enumerate(table)
        for sign, target in zip(_LETTERS, row, strict=True)
    ]
    moving = [each for each in pairs if each[0] != each[2]]
    arms = "".join(f"  | {s}, '{c}' -> {t}\n" for s, c, t in moving)
    told = "; ".join(f"in state {s}, {c} leads to {t}" for s, c, t in moving)
    trap = "  | 3, _ -> 3\n" if other == "3" else ""
    staying = "  | s, ('a' | 'b' | 'c') -> s\n"
    rest = f"  | state, _ -> {other}\n" if other == "state" else f"  | _ -> {other}\n"
    machine = arms + trap + ("" if other == "state" else staying) + rest

    def text(size: int) -> str:
        return '"' + "".join(draw.choice("aabbccabcx") for _ in range(size)) + '"'

    sizes = (0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 10, 12)
    extra = ('"abcabc"', '"aab"', '"bca"', '"axb"', '"aabbcc"', '"cacbab"', '"xx"')
    return function(
        draw,
        "run",
        [("s", "string")],
        kind,
        what=f"A machine begins in state 0 and reads the characters of `s` from left to"
        f" right: {told}. In all other cases the characters a, b and c leave the state as"
        f" it is. {said} `run s` is {of.format(goal=goal)}.",
        helpers=f"let next state c =\n  match state, c with\n{machine}\n",
        body=f"let events = List.of_seq (String.to_seq s) in\n{run.format(goal=goal)}",
        drawn_calls=list(dict.fromkeys(f"run {each}" for each in (*extra, *map(text, sizes)))),
        total=False,
    )


_PAIRS = {
    "round": ("(", ")", "round brackets"),
    "square": ("[", "]", "square brackets"),
    "curly": ("{", "}", "curly brackets"),
    "angle": ("<", ">", "angle brackets"),
}
_OF_BRACKETS = {
    "valid": ("bool", "`true` if all is well, else `false`", "stack = []", "false"),
    "depth": (
        "int",
        "the largest number of brackets that are open at once if all is well, else -1",
        "if stack = [] then deepest else -1",
        "-1",
    ),
    "error": (
        "int option",
        "`None` if all is well, else `Some` of the place (the first is 0) of the first"
        " closing bracket that is wrong, or the length of `s` if there is none but some"
        " bracket stays open",
        "if stack = [] then None else Some i",
        "Some i",
    ),
    "open": (
        "int",
        "how many brackets are still open at the end, or -1 if a closing bracket is wrong",
        "List.length stack",
        "-1",
    ),
}
_EXTRA = {
    "none": ("", ""),
    "escape": (" A `\\` and the character behind it count as no brackets.", "escape"),
    "bars": (
        " Between a `|` and the next `|` nothing counts as a bracket (nor behind a `|` that"
        " no other follows).",
        "bars",
    ),
}


def brackets(draw: Draw) -> Draft:
    """Brackets that have to match"""
    pairs = draw.pick_some(_PAIRS, draw.between(2, 3))
    kind, of, finish, wrong = draw.pick(_OF_BRACKETS)
    said, name = draw.pick(_EXTRA)
    opening = " | ".join(f"'{a}'" for a, _, _ in pairs)
    closing = " | ".join(f"'{b}'" for _, b, _ in pairs)
    partner = "".join(f"  | '{b}' -> '{a}'\n" for a, b, _ in pairs)
    signs = "".join(a + b for a, b, _ in pairs) + "x"
    escape = "    | '\\\\' -> go (i + 2) stack deepest\n" if name == "escape" else ""
    bars = (
        "    | '|' ->\n      (match String.index_from_opt s (i + 1) '|' with\n"
        "       | Some j -> go (j + 1) stack deepest\n"
        "       | None -> go (String.length s) stack deepest)\n"
        if name == "bars"
        else ""
    )
    if name == "escape":
        signs += "\\"
    if name == "bars":
        signs += "|"

    def text(size: int) -> str:
        drawn = "".join(draw.choice(signs) for _ in range(size))
        return '"' + drawn.replace("\\", "\\\\") + '"'

    def nested(size: int) -> str:
        if size <= 0:
            return draw.choice(("", "x"))
        a, b, _ = draw.choice(pairs)
        left = draw.below(size)
        return a + nested(left) + b + nested(size - 1 - left)

    sizes = (0, 1, 2, 2, 3, 3, 4, 5, 6)
    good = [nested(n) for n in (1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 2, 3)]
    broken = [each[1:] for each in good[4:9]] + [each[:-1] for each in good[4:9]]
    tricks = {
        "escape": [
            "\\\\" + pairs[0][1],
            pairs[0][0] + "\\\\" + pairs[1][1] + pairs[0][1],
        ],
        "bars": [
            f"|{pairs[0][1]}|",
            f"{pairs[0][0]}|{pairs[1][1]}|{pairs[0][1]}",
            "|(",
        ],
        "": [],
    }[name]
    texts = [f'"{each}"' for each in (*tricks, *good, *broken)] + [text(n) for n in sizes]
    condition = "i >= String.length s" if name == "escape" else "i = String.length s"
    names = ", ".join(each for _, _, each in pairs)
    length = "Some (String.length s)"
    done = finish.replace("Some i", length)
    return function(
        draw,
        "matching",
        [("s", "string")],
        kind,
        what=f"There are these kinds of brackets: {names}. All is well if each closing one"
        " closes the bracket opened last of those that are still open, which is of its kind,"
        " and none is left open; a closing bracket that does not do so is wrong, and what"
        f" follows does not matter. Other characters count for nothing.{said} `matching s`"
        f" is {of}.",
        helpers="let partner = function\n" + partner + "  | c -> c\n\n",
        body="let rec go i stack deepest =\n"
        f"  if {condition} then ({done})\n  else\n    match s.[i] with\n{escape}{bars}"
        f"    | {opening} as c ->\n"
        "      go (i + 1) (c :: stack) (max deepest (List.length stack + 1))\n"
        f"    | {closing} as c ->\n      (match stack with\n"
        "       | top :: rest when top = partner c -> go (i + 1) rest deepest\n"
        f"       | _ -> {wrong})\n"
        "    | _ -> go (i + 1) stack deepest\nin\ngo 0 [] 0",
        drawn_calls=list(dict.fromkeys(f"matching {each}" for each in texts)),
        total=False,
    )


FAMILIES = gather("state machines", automaton, brackets)
