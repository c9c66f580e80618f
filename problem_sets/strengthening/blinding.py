"""Mutants of a reference that ignore some property of an argument, or raise on it; pure.

These are typical mistakes of answers, independent of the code's structure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ocaml_reward.auditing.trivial import Program
from ocaml_reward.model.types import Constructed, Interface, Type, arguments_of

# Each ignores something about `v`, an argument or a result.
_LISTS: Final = """
match v with [] -> raise Stdlib.Exit | _ -> v
match v with [ _ ] -> raise Stdlib.Exit | _ -> v
Stdlib.List.fold_right (fun x k -> match k with y :: _ when x = y -> k | _ -> x :: k) v []
Stdlib.List.fold_right (fun x k -> if Stdlib.List.mem x k then k else x :: k) v []
Stdlib.List.sort_uniq Stdlib.compare v
Stdlib.List.sort Stdlib.compare v
Stdlib.List.rev v
match v with [] -> [] | _ :: rest -> rest
match Stdlib.List.rev v with [] -> [] | _ :: rest -> Stdlib.List.rev rest
"""
_STRINGS: Final = """
if v = "" then raise Stdlib.Exit else v
if Stdlib.String.length v = 1 then raise Stdlib.Exit else v
Stdlib.String.lowercase_ascii v
Stdlib.String.trim v
Stdlib.String.concat " " (Stdlib.List.filter ((<>) "") (Stdlib.String.split_on_char ' ' v))
Stdlib.String.map (function 'a' .. 'z' | 'A' .. 'Z' as c -> c | _ -> ' ') v
Stdlib.String.map (function '0' .. '9' -> '1' | c -> c) v
Stdlib.String.map (function '[' | '{' -> '(' | ']' | '}' -> ')' | c -> c) v
if v = "" then v else Stdlib.String.sub v 0 (Stdlib.String.length v - 1)
"""
_BLIND: Final[Mapping[str, Sequence[str]]] = {
    "int": ("Stdlib.abs v", "Stdlib.max 1 v", "v mod 10", "Stdlib.min 9 v"),
    "float": ("Stdlib.abs_float v", "Stdlib.max 1. v", "Stdlib.floor v"),
    "string": _STRINGS.strip().splitlines(),
    "list": _LISTS.strip().splitlines(),
    "array": [
        f"Stdlib.Array.of_list (let v = Stdlib.Array.to_list v in {each})"
        for each in _LISTS.strip().splitlines()
    ],
}
_ITEMS: Final = ("int", "float")


def blinded(reference: str, interface: Interface, names: Sequence[str]) -> list[Program]:
    """Return mutants of a reference that are blind in one argument of one function.

    Args:
        reference: The code.
        interface: Its interface.
        names: The functions that tests use; those in modules are not changed.

    Returns:
        The programs. One that is equivalent to the reference is no mistake.
    """
    return [
        Program(kind="blind", what=what, code=f"{reference.rstrip()}\n;;\n{code}\n")
        for name in names
        if name in interface.values and name.isidentifier()
        for what, code in _of(name, *arguments_of(interface.values[name]))
    ]


def _of(name: str, takes: list[tuple[str, Type]], gives: Type) -> Iterator[tuple[str, str]]:
    """Yield versions of a function that do not see a part of an argument or result: what, code."""
    if not takes or any(label.startswith("?") for label, _ in takes):
        return
    places = range(len(takes))
    heads = " ".join(f"{takes[place][0]}a{place}" for place in places)

    def again(changed: Mapping[int, str]) -> str:
        given = " ".join(
            f"{takes[place][0]}({changed.get(place, f'a{place}')})" for place in places
        )
        return f"let {name} {heads} = {name} {given}"

    for place in places:
        for blind in _blinds(takes[place][1]):
            what = f"{name} takes argument {place + 1}, v, as {_bare(blind)}"
            yield what, again({place: f"let v = a{place} in {blind}"})
    for place in places[1:]:
        if takes[place][1] == takes[place - 1][1]:
            # Two arguments of one type: exchanged, and where they are equal.
            two = f"{name}'s arguments {place} and {place + 1}"
            yield f"{two} exchanged", again({place - 1: f"a{place}", place: f"a{place - 1}"})
            equal = f"if a{place} = a{place - 1} then raise Stdlib.Exit else a{place}"
            yield f"{two} equal: raises", again({place: equal})
    for blind in _blinds(gives):
        what = f"{name} returns for its result v {_bare(blind)}"
        yield what, f"let {name} {heads} = let v = {name} {heads} in {blind}"


def _bare(code: str) -> str:
    return code.replace("Stdlib.", "")


def _blinds(found: Type) -> Iterator[str]:
    """Yield expressions that lose a part of a value `v` of this type."""
    match found:
        case Constructed(name, arguments):
            yield from _BLIND.get(name, ())
            if name in {"list", "array"}:
                module = name.capitalize()
                for each in arguments:
                    if isinstance(each, Constructed) and each.name in _ITEMS:
                        for blind in _BLIND[each.name]:
                            yield f"Stdlib.{module}.map (fun v -> {blind}) v"
