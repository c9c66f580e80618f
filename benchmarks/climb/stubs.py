"""
Programs that know no answer, as trees: what they are grown from, and how they are changed.

A node is a template with a place for each child.  What is given to a function stands in
them by its name, `x0` and so on; `{self}` is the call of the function with what it got.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["Node", "Stub", "grown", "mutated", "rendered"]

_HOLE = re.compile(r"\{\}")
CONSTANTS = (
    "0", "1", "(-1)", '""', '"a"', "[]", "None", "true", "false", "()", "[||]", "0.",
    "'a'", "(0, 0)", "(Some 0)", "[0]",
)  # fmt: skip
ENDS = (
    'failwith "todo"', "raise Not_found", "assert false", "raise Exit", "exit 0",
    "List.hd []", "1 / 0", "List.assoc 0 []", 'int_of_string ""', "[||].(0)", "{self}",
    "Option.get None", 'invalid_arg "no"', "Hashtbl.find (Hashtbl.create 1) 0",
    'String.index "" \'a\'',
)  # fmt: skip
WRONG = (
    '(1 + "a")',
    "not_known",
    "(0 : string)",
    "List.map (fun x -> x x) []",
    '"" + 1',
    "List.nope",
)
# What is asked of what is given, by the types of Stdlib's functions; most fit one type alone.
CALLS = (
    "List.length {}", "String.length {}", "Array.length {}", "Hashtbl.hash {}", "List.hd {}",
    "List.rev {}", "List.tl {}", "fst {}", "snd {}", "succ {}", "abs {}", "not {}",
    "string_of_int {}", "int_of_string {}", "String.trim {}", "List.nth {} (-1)",
    "List.nth {} 1000000", "String.get {} (-1)", "Array.get {} (-1)", "Option.get {}",
    "List.concat {}", "List.sort compare {}", "List.map Fun.id {}",
    "List.filter (fun _ -> false) {}", "List.fold_left (fun a _ -> a) 0 {}", "String.concat {} []",
    "List.iter ignore {}", "List.find (fun _ -> false) {}", "List.mem {} []", "List.assoc {} []",
    "ignore {}", "Fun.id {}", "ref {}", "print_int {}", "print_string {}", "Seq.take 0 {}",
    'Printf.sprintf "%d" {}', "float_of_int {}", "compare {} {}", "({} = {})", "{} + {}", "{} ^ {}",
    "{} @ {}", "({}, {})", "[{}]", "{} :: []", "Some {}", "min {} {}", "{} - {}", "{} / {}",
)  # fmt: skip
WRAPS = (
    "let y = {} in\n{}",
    "let _ = {} in\n{}",
    "let () = ignore {} in\n{}",
    "if {} then\n{}\nelse\n{}",
    "if {} = {} then\n{}\nelse\n{}",
    "if {} < 0 then\n{}\nelse\n{}",
    "match {} with\n| _ ->\n{}",
    "match {} with\n| [] -> {}\n| _ :: _ ->\n{}",
    "match {} with\n| y when false -> y\n| _ ->\n{}",
    "match {} with\n| exception Not_found -> {}\n| y ->\ny",
    "(match {} with\n| Some y -> y\n| None ->\n{})",
    "(try\n{}\nwith _ ->\n{})",
    "(try\n{}\nwith Exit ->\n{})",
    "let module M = struct\nlet v = {}\nend in\n{}",
    "let module F (X : sig end) = struct\nlet v () = {}\nend in\nlet module M = F (struct end) in\nM.v ()",
    "(object\nmethod m =\n{}\nend)#m",
    "Lazy.force (lazy (\n{}))",
    "let r = ref {} in\n!r",
    "let r = ref {} in\nr := {};\n!r",
    "while {} do\n()\ndone;\n{}",
    "for i = 0 to {} do\nignore i\ndone;\n{}",
    "for i = 1 to 0 do\nignore {}\ndone;\n{}",
    "(fun y ->\n{}) {}",
    "let go z =\n{}\nin\ngo {}",
    "let rec go n =\nif n <= 0 then {} else go (n - 1)\nin\ngo {}",
    "let rec go n =\nif n > 0 then {} else go (n + 0)\nin\ngo {}",
    "let rec go l =\nmatch l with\n| [] -> {}\n| _ :: t -> go t\nin\ngo {}",
    "let table = Hashtbl.create 1 in\nHashtbl.add table {} {};\nHashtbl.find table 0",
    "begin\n{}\nend",
    "{};\n{}",
    "let exception E in\n(try\n{}\nwith E -> {})",
    "List.fold_left (fun a y ->\n{}) {} {}",
    "List.map (fun y ->\n{}) {}",
    "let a, b = {}, {} in\nignore b;\na",
    "helper {}",
    "let open List in\n{}",
    'String.concat "" (List.map (fun y -> {}) [])',
)  # fmt: skip
HELPERS = (
    "let helper y = {}",
    "let rec helper y =\nif y = y then {} else helper y",
    "let helper y =\nignore y;\n{}",
    "let counter = ref 0\nlet helper y =\nincr counter;\n{}",
    "module H = struct\nlet go y = {}\nend\nlet helper = H.go",
)


@dataclass(frozen=True, slots=True)
class Node:
    """
    An expression: its template, and what stands in the template's places.
    """

    template: str
    children: tuple[Node, ...] = ()

    @property
    def size(self) -> int:
        """
        How many nodes it has.
        """
        return 1 + sum(child.size for child in self.children)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stub:
    """
    A program: a body for each function, a helper or none, and the text around its code.
    """

    bodies: tuple[Node, ...]
    helper: Node | None = None
    around: str = "{}"
    noise: tuple[str, ...] = ()


def leaf(rng: Random, arity: int) -> Node:
    """
    Draw what has no children: what is given, mostly.
    """
    kind = rng.random()
    if kind < 0.5 and arity:
        return Node(f"x{rng.randrange(arity)}")
    if kind < 0.75:
        return Node(rng.choice(CONSTANTS))
    return Node(rng.choice(ENDS)) if kind < 0.96 else Node(rng.choice(WRONG))


def filled(template: str, rng: Random, arity: int, depth: int) -> Node:
    """
    Fill a template's places.
    """
    count = len(_HOLE.findall(template))
    return Node(
        template, tuple(expression(rng, arity, depth - 1) for _ in range(count))
    )


def expression(rng: Random, arity: int, depth: int) -> Node:
    """
    Draw an expression.
    """
    kind = rng.random()
    if depth <= 0 or kind < 0.35:
        return leaf(rng, arity)
    return filled(rng.choice(CALLS if kind < 0.7 else WRAPS), rng, arity, depth)


def places(
    node: Node, path: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], Node]]:
    """
    Yield every node with the way to it.
    """
    yield path, node
    for number, child in enumerate(node.children):
        yield from places(child, (*path, number))


def put(node: Node, path: Sequence[int], new: Node) -> Node:
    """
    Put another node in a place.
    """
    if not path:
        return new
    first = path[0]
    child = put(node.children[first], path[1:], new)
    return Node(
        node.template, (*node.children[:first], child, *node.children[first + 1 :])
    )


def changed(node: Node, rng: Random, arity: int) -> Node:
    """
    Change one node: drawn anew, wrapped, one of its children instead, or another of the tree.
    """
    found = list(places(node))
    path, old = rng.choice(found)
    kind = rng.random()
    if kind < 0.3:
        new = expression(rng, arity, 2)
    elif kind < 0.75:
        new = filled(rng.choice(WRAPS), rng, arity, 1)
        if new.children:
            new = put(new, (len(new.children) - 1 if rng.random() < 0.7 else 0,), old)
    elif kind < 0.85 and old.children:
        new = rng.choice(old.children)
    else:
        new = rng.choice(found)[1]
    return put(node, path, new)


def grown(rng: Random, arities: Sequence[int], depth: int) -> Stub:
    """
    Draw a program.
    """
    helper = filled(rng.choice(HELPERS), rng, 0, 2) if rng.random() < 0.3 else None
    return Stub(bodies=tuple(expression(rng, n, depth) for n in arities), helper=helper)


NOISES = (
    "(* works for each case *)", "let unused x = x", "let () = ()", "open List", "type t0 = A0 | B0",
    "exception Not_here", ";;", "let x = (", "This is prose.", 'let _ = 1 + "a"', '[@@@warning "-a"]',
    "module Empty = struct end", "let () = exit 0",
)  # fmt: skip
AROUNDS = (
    "{}", "```ocaml\n{}```\n", "<think>\nHm.\n</think>\n{}", "The answer:\n\n```ocaml\n{}```\n",
    "include struct\n{}end\n", "module Answer = struct\n{}end\ninclude Answer\n",
    "module Answer = struct\n{}end\nopen Answer\n", "{}{}",
)  # fmt: skip


def mutated(stub: Stub, rng: Random, arities: Sequence[int], largest: int = 60) -> Stub:
    """
    Change a program in one place.
    """
    kind = rng.random()
    if kind < 0.06:
        return Stub(
            bodies=stub.bodies,
            helper=stub.helper,
            around=rng.choice(AROUNDS),
            noise=stub.noise,
        )
    if kind < 0.12:
        noise = (*stub.noise, rng.choice(NOISES))[-6:]
        return Stub(
            bodies=stub.bodies, helper=stub.helper, around=stub.around, noise=noise
        )
    if kind < 0.2:
        helper = filled(rng.choice(HELPERS), rng, 0, 2)
        return Stub(
            bodies=stub.bodies, helper=helper, around=stub.around, noise=stub.noise
        )
    bodies = tuple(
        changed(body, rng, n) if rng.random() < 1.5 / len(stub.bodies) else body
        for body, n in zip(stub.bodies, arities, strict=True)
    )
    if max(body.size for body in bodies) > largest:
        return stub
    return Stub(bodies=bodies, helper=stub.helper, around=stub.around, noise=stub.noise)


def _text(node: Node, call: str) -> str:
    parts = iter([_text(child, call) for child in node.children])
    text = _HOLE.sub(lambda _: f"({next(parts)})", node.template)
    return text.replace("{self}", call)


def rendered(
    stub: Stub, names: Sequence[str], arities: Sequence[int], prelude: str = ""
) -> str:
    """
    Write a program with its marker.
    """
    code = prelude + "".join(f"{line}\n" for line in stub.noise)
    if stub.helper:
        code += _text(stub.helper, "helper y") + "\n\n"
    for name, arity, body in zip(names, arities, stub.bodies, strict=True):
        taken = " ".join([name, *(f"x{n}" for n in range(arity))])
        code += f"let rec {taken} =\n{_text(body, taken)}\n\n"
    return stub.around.replace("{}", code) + "(* END *)\n"
