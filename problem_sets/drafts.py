"""What a family draws: everything of a problem but its expected results and its prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .drawing import Draw
from .types import Record, Variant, literal

# How many calls are drawn for the tests to be chosen from, and how long their lists are.
_SIZES = (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10, 12)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """An expression whose value is to be as in the reference, and its type."""

    call: str
    type: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """A parameter: its name, its type, and what is drawn for it where that is narrower."""

    name: str
    type: str
    drawn: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A problem before its reference has run.

    Attributes:
        name: What is to be defined.
        what: What `head` is, as a noun phrase, or whole sentences that name `head`; names and
            code stand in backquotes.
        also: More sentences: what holds in the cases that `what` leaves open.
        reference: The solution, with the declarations that the prompt gives.
        head: The application that `what` speaks of, "f xs"; "" where `what` is a text of
            its own.
        opening: What a completion may go on from, "let f (xs : int list) : int =".
        signature: The names asked for, as in an interface.
        asks: Expressions for the tests, those that matter most first.
        inputs: What a whole program reads, in place of `asks`.
        declared: Types that the prompt declares.
        exceptions: Exceptions that it declares: names with the type of what they carry.
        raises: Exceptions of the standard library's that `what` and `also` promise.
        setup: OCaml before the checks, of the tests' own.
        judge: What judges a whole program, where more than one output is right.
        by_example: Whether examples alone can tell what is asked.
        total: Whether the reference tells what is right for any input of these types.
    """

    name: str
    what: str
    reference: str
    also: tuple[str, ...] = ()
    head: str = ""
    opening: str = ""
    signature: str = ""
    asks: tuple[Ask, ...] = ()
    inputs: tuple[str, ...] = ()
    declared: tuple[Record | Variant, ...] = ()
    exceptions: tuple[tuple[str, str], ...] = ()
    raises: tuple[str, ...] = ()
    setup: str = ""
    judge: str = ""
    by_example: bool = False
    total: bool = True


def calls(
    draw: Draw,
    name: str,
    parameters: Sequence[Parameter],
    edges: Iterable[str] = (),
) -> tuple[str, ...]:
    """Draw applications of a function.

    Args:
        draw: Where the arguments come from.
        name: The function.
        parameters: What it takes.
        edges: Arguments that have to be among them, written as OCaml; they come first.

    Returns:
        The applications, none twice.
    """
    drawn = [
        " ".join(literal(draw, each.drawn or each.type, size) for each in parameters)
        for size in _SIZES
    ]
    return tuple(dict.fromkeys(f"{name} {each}" for each in (*edges, *drawn)))


def function(
    draw: Draw,
    name: str,
    parameters: Sequence[tuple[str, ...]],
    result: str,
    *,
    what: str,
    body: str,
    also: Iterable[str] = (),
    edges: Iterable[str] = (),
    helpers: str = "",
    declared: Sequence[Record | Variant] = (),
    exceptions: Sequence[tuple[str, str]] = (),
    raises: Sequence[str] = (),
    rec: bool = False,
    drawn_calls: Sequence[str] | None = None,
    result_of_calls: str = "",
    setup: str = "",
    by_example: bool = False,
    total: bool = True,
) -> Draft:
    """Draft a problem that asks for one function.

    Args:
        draw: Where the arguments of the tests come from.
        name: The function.
        parameters: Name, type, and what is drawn where that is narrower, of each.
        result: The type of the result.
        what: What the result is, as `Draft.what` has it.
        body: The reference's body.
        also: More sentences.
        edges: Arguments that the tests must have.
        helpers: Definitions of the reference's before the function.
        declared: Types that the prompt declares.
        exceptions: Exceptions that the prompt declares.
        raises: Exceptions of the standard library's that the prompt promises.
        rec: Whether the reference is recursive.
        drawn_calls: The expressions of the tests, where they are no plain applications.
        result_of_calls: Their type, where it is not that of the result.
        setup: Definitions of the tests' own.
        by_example: Whether examples alone can tell what is asked.
        total: Whether every input of these types has one right result.

    Returns:
        The draft.
    """
    taken = [Parameter(name=p[0], type=p[1], drawn=p[2] if len(p) > 2 else "") for p in parameters]
    heads = " ".join(f"({each.name} : {each.type})" for each in taken)
    opening = f"let{' rec' if rec else ''} {name} {heads} : {result} ="
    given = _declarations(declared, exceptions)
    arrows = " -> ".join(f"({each.type})" if _is_arrow(each.type) else each.type for each in taken)
    asked = drawn_calls or calls(draw, name, taken, edges)
    return Draft(
        name=name,
        what=what,
        also=tuple(also),
        reference=f"{given}{helpers}{opening}\n{_indented(body)}\n",
        head=" ".join((name, *(each.name for each in taken))),
        opening=f"let {name} {heads} : {result} =",
        signature=f"val {name} : {arrows} -> {result}",
        asks=tuple(Ask(call=call, type=result_of_calls or result) for call in asked),
        declared=tuple(declared),
        exceptions=tuple(exceptions),
        raises=tuple(raises),
        setup=setup,
        by_example=by_example,
        total=total,
    )


def program(
    name: str,
    what: str,
    reference: str,
    inputs: Iterable[str],
    also: Iterable[str] = (),
    *,
    judge: str = "",
) -> Draft:
    """Draft a problem that asks for a program on standard input and output.

    Args:
        name: A name for its id.
        what: What it does, as whole sentences.
        reference: The program.
        inputs: What it reads, a text for each case.
        also: More sentences.
        judge: What judges it, where more than one output is right.

    Returns:
        The draft.
    """
    return Draft(
        name=name,
        what=what,
        also=tuple(also),
        reference=reference,
        judge=judge,
        inputs=tuple(dict.fromkeys(inputs)),
        by_example=False,
        total=False,
    )


def _declarations(
    declared: Sequence[Record | Variant], exceptions: Sequence[tuple[str, str]]
) -> str:
    lines = [each.text for each in declared]
    lines += [f"exception {n}" + (f" of {t}" if t else "") for n, t in exceptions]
    return "".join(f"{line}\n\n" for line in lines)


def _is_arrow(kind: str) -> bool:
    return "->" in re.sub(r"\([^()]*\)", "", kind)


def _indented(body: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in body.split("\n"))
