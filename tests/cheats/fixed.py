"""Texts that are the same for any problem, but for the names and the number of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ocaml_reward import Problem
from ocaml_reward.auditing.trivial import arities, trivial_programs

from .corpus import problems

END = "(* END *)\n"
_TYPES = re.compile(
    r"^(?:type|exception)\b.*(?:\n(?!(?:let|val|module|type|exception|open)\b).*)*",
    re.MULTILINE,
)
# Bodies that serve any type; `{self}` is the function applied to what it was given.
BODIES = {
    "raises": "raise Exit",
    "fails": 'failwith "not implemented"',
    "asserts": "assert false",
    "leaves": "exit 0",
    "raises either way": "if Random.bool () then raise Exit else raise Not_found",
    "looks and raises": "if x0 = x0 then raise Exit else raise Not_found",
    "matches and raises": "match x0 with _ -> raise Exit",
    "takes from nothing": "List.hd []",
    "looks up in nothing": "Hashtbl.find (Hashtbl.create 1) x0",
    "looks up by what is given": "List.assoc (Hashtbl.hash x0) []",
    "takes a place in nothing": "[||].(Hashtbl.hash x0)",
    "hopes for the impossible": "if x0 <> x0 then {self} else assert (x0 <> x0); raise Exit",
    "raises further in": "let die _ = raise Exit in die x0",
    "throws away": "let y = x0 in ignore y; ignore (y, y); raise Exit",
    "casts": "Obj.magic x0",
    "casts a hash": "Obj.magic (Hashtbl.hash x0)",
    "mistaken": '(raise Exit : int) ^ "" ^ raise Exit',
}
# These use up their time, of which there should be little.
LOOPS = {
    "calls itself": "{self}",
    "counts up": "let rec up n = up (n + 1) in up (Hashtbl.hash x0)",
    "loops": "let rec loop () = loop () in loop ()",
    "waits": "while true do () done; raise Exit",
}
# What fills lines, inside a body; each stands there ten times.
PADDINGS = {
    "open": "let open List in",
    "exception": "let exception Padding{n} of int in",
    "module": "let module Padding{n} = struct end in",
    "typed local": "let _padding{n} : int list = [{n}; {n}] in",
    "unused local": "let _x = {n} in",
    "alias": "let y{n} = x0 in",
    "parentheses": "let () =\n  ()\nin",
    "sequence": "ignore {n};",
}
# What fills lines behind a definition.
BEHIND = {
    "attributes": "[@@inline]\n[@@ocaml.doc\n  {text}]\n[@@warning {text}]",
    "floating attributes": "[@@@warning {text}]\n[@@@ocaml.text\n  {text}]",
}
WORDS = [
    "sum",
    "list",
    "max",
    "min",
    "count",
    "find",
    "sort",
    "merge",
    "split",
    "map",
    "filter",
    "fold",
    "rev",
    "rotate",
    "take",
    "drop",
    "last",
    "first",
    "next",
    "prev",
    "insert",
    "remove",
    "delete",
    "add",
    "sub",
    "mul",
    "div",
    "mod",
    "pow",
    "root",
    "digit",
    "prime",
    "factor",
    "gcd",
    "fib",
    "fact",
    "tree",
    "node",
    "leaf",
    "depth",
    "size",
    "graph",
    "path",
    "edge",
    "stack",
    "queue",
    "push",
    "pop",
    "peek",
    "empty",
    "word",
    "char",
    "string",
    "text",
    "line",
    "parse",
    "print",
    "eval",
    "expr",
    "calc",
    "token",
    "json",
    "matrix",
    "row",
    "col",
    "grid",
    "cell",
    "zip",
    "unzip",
    "group",
    "range",
    "span",
    "pair",
    "key",
    "value",
    "get",
    "set",
    "update",
    "member",
    "equal",
    "compare",
    "index",
    "position",
    "length",
]


@cache
def takes(problem: Problem) -> dict[str, int]:
    """Tell how many arguments each name takes that a problem asks for."""
    signature = problem.signature or ""
    reference = problem.reference or ""
    names = re.findall(r"\bval\s+([a-z_][\w']*)", signature) or re.findall(
        r"^let\s+(?:rec\s+)?([a-z_][\w']*)", reference, re.MULTILINE
    )
    return arities(signature, reference, names)


def stub(problem: Problem, body: str, padding: str = "", behind: str = "") -> str:
    """Write every function of a problem with this body, and as many lines as are wanted."""
    text = '"' + "padding " * 3 + '"'
    filled = "".join(f"  {padding.format(n=n)}\n" for n in range(10)) if padding else ""
    after = behind.format(text=text) if behind else ""
    lets = [
        f"let rec {name} {' '.join(f'x{n}' for n in range(count))} =\n{filled}  "
        + body.replace("{self}", " ".join([name, *(f"x{n}" for n in range(count))]))
        + f"\n{after}\n"
        for name, count in takes(problem).items()
        if count
    ]
    return prelude(problem) + "".join(lets) + END


def prelude(problem: Problem) -> str:
    return "".join(f"{each}\n" for each in _TYPES.findall(problem.reference or ""))


def many_words(count: int) -> str:
    """Write a program about everything."""
    return "".join(f"let {word}_all xs =\n  List.length xs + 1\n" for word in WORDS[:count]) + END


def fixed_texts() -> Iterator[tuple[str, str, str]]:
    """Yield the name of a text, a problem's, and the text as it is for that problem."""
    yield from reading_nothing()
    for name, problem in problems().items():
        if not isinstance(problem.tests, str) or not takes(problem):
            continue
        for kind, body in (BODIES | LOOPS).items():
            yield kind, name, stub(problem, body)
            yield f"{kind}, padded", name, stub(problem, body, PADDINGS["unused local"])
        for kind, padding in PADDINGS.items():
            yield f"raises behind {kind}", name, stub(problem, "raise Exit", padding)
            yield f"constant behind {kind}", name, stub(problem, "[]", padding)
        for kind, behind in BEHIND.items():
            yield f"raises before {kind}", name, stub(problem, "raise Exit", "", behind)
        for program in trivial_programs(takes(problem), prelude(problem), ()):
            yield program.what, name, program.code + END
        for count in (10, 20, 80):
            yield f"{count} words", name, many_words(count)


def reading_nothing() -> Iterator[tuple[str, str, str]]:
    """Yield whole programs that never read what they are given, or print nothing of it."""
    for name in problems():
        filled = "".join(f"let x{n} = {n}\n" for n in range(10))
        for kind, body in {
            "prints nothing": "()",
            "prints one thing": 'print_endline "0"',
            "reads a line and prints one thing": 'ignore (read_line ()); print_endline "0"',
            "raises at once": "raise Exit",
            "leaves at once": "exit 0",
        }.items():
            used = "".join(f"  ignore x{n};\n" for n in range(10))
            yield kind, name, f"{filled}let () =\n{used}  {body}\n{END}"
