"""Completions that stress the compiler itself, each made from a seed alone.

Fragments of OCaml's less travelled parts, put together and then broken: by tokens that
change places, by modules, types and classes that are taken for each other, by attributes
and extension nodes anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from ocaml_reward import Completion, Problem, StdioCase

from .fragments import FRAGMENTS, HOSTILE
from .mistakes import KEYWORDS, mistaken, tokens
from .samples import Sample

_LAST = (
    "let f x = x + 1", "let f x = x + 1", "let f x = x + 1", "let f x = x ^ 1",
    "let f = ref []", "", 'let f x = x + 1 [@@ocaml.deprecated "Error: forged"]',
)  # fmt: skip
_TESTS = (
    "let () = assert (f 1 = 2); assert (f 2 = 3)\n",
    "let () = assert (f 1 = 2); assert (f 2 = 3)\n",
    "let () = assert (p0 = p0); assert (f 1 = 2); assert (v0 = w0 || A0.w = M0.v)\n",
    "module K = F0 (struct type t = int end)\nlet () = assert (f 1 = 2); assert (k0#x = 2)\n",
    "let () = assert (f (ref 1) = o0#m 1); assert ((new c0)#m = 1)\n",
)
_STDIO = (StdioCase(stdin="1\n", stdout="2\n"),)
_UPPER = re.compile(r"[A-Z]\w*\Z")
_LOWER = re.compile(r"[a-z_]\w*\Z")
_TYPES = (
    "int", "string", "'a", "_", "'a list", "(int -> 'b)", "< m : int; .. >", "[> `A ]",
    "[< `A | `B of int ]", "(module P0)", "M0.t", "F0(M0).t", "t0", "u0", "c0", "#c0", "x0",
    "(int * string)", "t1 option", "(int, 'a) eq0", "E0.t", "'_weak3", "exn", "e0", "int t0",
)  # fmt: skip
_MODULES = (
    "List", "M0", "A0", "B0", "F0", "(F0 (M0))", "(struct end)", "(val p0)", "Map.Make (Int)",
    "(struct type t = int let v = 1 end)", "(functor (X : sig end) -> X)", "(M0 : S0)", "E0",
)  # fmt: skip
_EXPRESSIONS = (
    "1", '"a"', "()", "p0", "(new c0)", "o0", "(fun x -> x)", "(ref [])", "(assert false)",
    "`A", "(`B 1)", "[%hostile]", "(1 [@a])", "(lazy 1)", "(module M0)", "{ f = 1 }", "M0.v",
    "(object end)", "(let module L = M0 in L.v)", "(function _ -> .)", "(Refl)", "{< >}",
    "(let open F0 (M0) in v)", "[| 1; 'a' |]", "(1 : int :> string)", "weak0", "f0", "raise",
)  # fmt: skip
_STRAY = (
    "rec", "nonrec", "private", "virtual", "mutable", "!", "?", "~x", "#", ":>", "::", "constraint",
    "'a", "type", "[@@@a]", "[@b]", "[%c]", "as 'a", "with type t := int", "and", "()", "= ..", "lazy",
)  # fmt: skip


def _swap(rng: Random, found: list[str], kind: re.Pattern[str]) -> None:
    """Let two names of one kind change places."""
    places = [i for i, t in enumerate(found) if kind.match(t) and not KEYWORDS.match(t)]
    if len(places) > 1:
        a, b = rng.sample(places, 2)
        found[a], found[b] = found[b], found[a]


def _modules(rng: Random, found: list[str]) -> None:
    _swap(rng, found, _UPPER)


def _values(rng: Random, found: list[str]) -> None:
    _swap(rng, found, _LOWER)


def _after(rng: Random, found: list[str], mark: str, others: tuple[str, ...]) -> None:
    """Put another word behind a mark, in place of what stands there."""
    places = [i for i, t in enumerate(found) if t == mark]
    if places:
        place = rng.choice(places) + 1
        while place < len(found) and found[place].isspace():
            place += 1
        found[place : place + 1] = [f" {rng.choice(others)} "]


def _type(rng: Random, found: list[str]) -> None:
    _after(rng, found, rng.choice((":", ":", "of", "->", ":>")), _TYPES)


def _module(rng: Random, found: list[str]) -> None:
    _after(rng, found, rng.choice(("=", "(", "include", "open", "inherit")), _MODULES)


def _expression(rng: Random, found: list[str]) -> None:
    _after(rng, found, rng.choice(("=", "->", "(", ",", ";")), _EXPRESSIONS)


def _number(rng: Random, found: list[str]) -> None:
    places = [i for i, t in enumerate(found) if t[-1:].isdigit() and t[0].isalpha()]
    if places:
        place = rng.choice(places)
        found[place] = found[place][:-1] + rng.choice("012")


def _stray(rng: Random, found: list[str]) -> None:
    found.insert(rng.randrange(len(found) + 1), f" {rng.choice(_STRAY)} ")


def _drop(rng: Random, found: list[str]) -> None:
    del found[rng.randrange(len(found))]


_EDITS: tuple[Callable[[Random, list[str]], None], ...] = (
    _modules, _values, _type, _module, _expression, _number, _modules, _values, _type,
    _module, _expression, _number, _modules, _number, _number, _stray, _drop,
)  # fmt: skip


def _piece(rng: Random) -> str:
    """Write one fragment, maybe with an edit of its own."""
    text = rng.choice(HOSTILE if rng.random() < 0.15 else FRAGMENTS)
    text = text.replace("$", rng.choice("0001"))
    if rng.random() < 0.3:
        found = tokens(text)
        for _ in range(rng.randrange(1, 3)):
            if found:
                rng.choice(_EDITS)(rng, found)
        text = "".join(found)
    if rng.random() < 0.08:
        text = f"module M{rng.choice('012')} = struct\n{text}\nend"
    return text


def _placed(rng: Random, pieces: list[str]) -> list[str]:
    """Put what defines the common names in front more often than not."""
    if rng.random() < 0.5:
        order = {text.replace("$", "0"): i for i, text in enumerate(FRAGMENTS)}
        pieces.sort(key=lambda text: order.get(text.replace("1", "0"), rng.randrange(90)))
    return pieces


def hostile(seed: int) -> Sample:
    """Make the sample that a seed stands for."""
    name = f"hostile-{seed}"
    rng = Random(name)
    pieces = _placed(rng, [_piece(rng) for _ in range(rng.randrange(1, 9))])
    code = "\n".join((*pieces, rng.choice(_LAST))) + "\n"
    if rng.random() < 0.12:
        code = mistaken(rng, code)
    stdio = rng.random() < 0.1
    problem = Problem(id="hostile", tests=_STDIO if stdio else rng.choice(_TESTS))
    return Sample(name=name, problem=problem, completion=Completion(text=code))


def hostiles(count: int, seed: int) -> Iterator[Sample]:
    """Yield so many samples; other seeds share none of them."""
    for number in range(count):
        yield hostile(seed * 1_000_000 + number)
