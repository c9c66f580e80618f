"""
Changes that change nothing: what a program with one of them earns is what it earned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from random import Random

from ocaml_reward.reading.lexing import Source

from .pieces import Item, items, local_names, replaced

__all__ = ["AROUND", "SAME", "changed"]

END = "(* END *)\n"

# A plain one: around others a change may mean something.
_FUNCTION = re.compile(
    r"(?:let|and)(?: rec)? (?!rec )[a-z_][\w']*(?: (?!type )[\w']+| \([\w' :]+\))+[^=]*="
)
_INSIDE = re.compile(r"\b(?:module|struct|object|class|functor)\b")

Change = Callable[[str, Random], Iterator[str]]


def _between(text: str) -> Change:
    """
    Put a text before each item at the margin, and behind the last.
    """

    def change(code: str, rng: Random) -> Iterator[str]:
        del rng
        for item in reversed([each for each in items(code) if not _is_and(code, each)]):
            if item.start == 0 or code[item.start - 1] == "\n":
                code = replaced(code, item.start, item.start, text)
        yield code

    return change


def _is_and(code: str, item: Item) -> bool:
    return code.startswith("and", item.start)


def _whole(text: str) -> Change:
    """
    Put a program into a text, at `{}`.
    """

    def change(code: str, rng: Random) -> Iterator[str]:
        del rng
        yield text.replace("{}", code)

    return change


def _bodies(text: str) -> Change:
    """
    Put the body of each definition into a text, one at a time.
    """

    def change(code: str, rng: Random) -> Iterator[str]:
        del rng
        for item in items(code):
            if item.body is None or not _FUNCTION.fullmatch(
                code, item.start, item.body
            ):
                continue
            body = code[item.body : item.end]
            if all(body.count(a) == body.count(b) for a, b in ("()", "[]", "{}")):
                yield replaced(code, item.body, item.end, text.replace("{}", body))

    return change


def _replaced(old: str, new: str) -> Change:
    """
    Replace a text wherever it stands.
    """

    def change(code: str, rng: Random) -> Iterator[str]:
        del rng
        yield code.replace(old, new)

    return change


def _renamed(code: str, rng: Random) -> Iterator[str]:
    names = [] if _INSIDE.search(code) else local_names(code)
    rng.shuffle(names)
    for name in names[:2]:
        yield re.sub(rf"(?<![\w']){re.escape(name)}(?![\w'])", f"{name}_it", code)


def _reordered(code: str, rng: Random) -> Iterator[str]:
    """
    Swap two neighbours that know nothing of each other.
    """
    del rng
    found = items(code)
    blank = Source(code).without_literals
    for one, two in pairwise(found):
        if {one.kind, two.kind} != {"let"} or not one.names or not two.names:
            continue
        if any(code.startswith("and", each.start) for each in found):
            continue
        if any(
            (one.names | two.names) & each.names
            for each in found
            if each not in (one, two)
        ):
            continue
        words = set(re.findall(r"[A-Za-z_][\w']*", blank[two.start : two.end]))
        others = set(re.findall(r"[A-Za-z_][\w']*", blank[one.start : one.end]))
        if (
            one.names & words
            or two.names & others
            or "=" not in blank[one.start : one.end]
        ):
            continue
        first, second = code[one.start : one.end], code[two.start : two.end]
        between = code[one.end : two.start]
        if "\n" in between:
            yield replaced(code, one.start, two.end, second + between + first)


def _eta(code: str, rng: Random) -> Iterator[str]:
    """
    Define each function of some parameters by way of another that takes one more.
    """
    del rng
    for item in items(code):
        if (
            item.kind != "let"
            or item.body is None
            or code.startswith("and", item.start)
        ):
            continue
        head = code[item.start : item.body]
        found = re.fullmatch(r"let (rec )?([a-z_][\w']*)((?: [a-z_][\w']*)+)\s*=", head)
        if found and found[2] != "rec":
            name, taken = found[2], found[3]
            text = (
                f"let {found[1] or ''}{name}{taken} ={code[item.body : item.end]}\n\n"
                f"let {name}{taken} = {name}{taken}"
            )
            yield replaced(code, item.start, item.end, text)


SAME: Mapping[str, Change] = {
    "a comment before each item": _between("(* What follows. *)\n"),
    "a docstring before each item": _between("(** What follows.\n    Two lines. *)\n"),
    "a comment with quotes in it": _whole('(* it is "so", isn\'t it *)\n{}'),
    "a long comment at the front": _whole("(*\n" + "  Some words.\n" * 6 + "*)\n{}"),
    "a comment at the end": _whole("{}\n(* That is all. *)\n"),
    "blank lines": _between("\n\n\n"),
    "blanks at the ends of lines": _replaced("\n", "  \n"),
    "line ends of Windows": _replaced("\n", "\r\n"),
    "semicolons before each item": _between(";;\n"),
    "semicolons at the end": _whole("{}\n;;\n"),
    "an unused function": _whole("let not_needed x = x\n\n{}"),
    "an unused function behind": _whole("{}\n\nlet not_needed x = x\n"),
    "unused functions": _between("let not_needed x = x + 1\n\n"),
    "an unused type": _whole("type not_needed = Not_needed\n\n{}"),
    "an unused exception": _whole("exception Not_needed\n\n{}"),
    "an unused module": _whole("module Not_needed = struct let x = 1 end\n\n{}"),
    "a statement that does nothing": _whole("{}\n\nlet () = ()\n"),
    "the library opened": _whole("open Stdlib\n\n{}"),
    "warnings off": _whole('[@@@warning "-a"]\n\n{}'),
    "an attribute": _bodies("{} [@@inline]"),
    "in a module that is included": _whole("include struct\n{}\nend\n"),
    "in a module with a name": _whole(
        "module Answer = struct\n{}\nend\n\ninclude Answer\n"
    ),
    "in a module that is opened": _whole(
        "module Answer = struct\n{}\nend\n\nopen Answer\n"
    ),
    "parentheses around a body": _bodies(" ({})"),
    "begin and end around a body": _bodies("\n  begin\n{}\n  end"),
    "an annotation that holds": _bodies(" ({} : _)"),
    "an unused local": _bodies("\n  let _not_needed = 1 in{}"),
    "a local that is ignored": _bodies("\n  let () = ignore 1 in{}"),
    "a local open": _bodies("\n  let open Stdlib in{}"),
    "a local renamed": _renamed,
    "neighbours swapped": _reordered,
    "one more function around": _eta,
}
"""
What is done to the code.
"""

AROUND: Mapping[str, str] = {
    "a fence": "```ocaml\n{}\n(* END *)\n```\n",
    "a fence, the marker behind it": "```ocaml\n{}\n```\n(* END *)\n",
    "a fence without a tag": "```\n{}\n(* END *)\n```\n",
    "a fence with another case": "```OCaml\n{}\n(* END *)\n```\n",
    "an explanation before": "Here is the answer, which looks at each case.\n\n```ocaml\n{}\n(* END *)\n```\n",
    "an explanation behind": "```ocaml\n{}\n```\n\nIt looks at each case in turn.\n\n(* END *)\n",
    "headings and lists": "## Idea\n\n- look at each case\n- give the result\n\n## Code\n\n```ocaml\n{}\n```\n\n(* END *)\n",
    "thoughts": "<think>\nLet me see. `let x = 1` would be wrong.\n</think>\n\n```ocaml\n{}\n(* END *)\n```\n",
    "thoughts with a draft": "<think>\n```ocaml\nlet draft = 1\n```\n</think>\n```ocaml\n{}\n```\n(* END *)\n",
    "an example of use behind": '```ocaml\n{}\n```\n\nFor example:\n\n```ocaml\nlet () = print_endline "ok"\n```\n\n(* END *)\n',
    "an answer's tags": "<answer>\n{}\n(* END *)\n</answer>\n",
    "blank lines around": "\n\n{}\n\n\n(* END *)\n\n\n",
}
"""
What is put around it, at `{}`; a program without any ends with the marker alone.
"""


def changed(code: str, seed: int) -> Iterator[tuple[str, str]]:
    """
    Yield completions that say the same, each with what was changed.
    """
    for kind, change in SAME.items():
        rng = Random(f"{seed} {kind} {code}")  # noqa: S311
        for text in change(code, rng):
            if text != code:
                yield kind, f"{text}\n{END}"
    for kind, around in AROUND.items():
        yield kind, around.replace("{}", code)
