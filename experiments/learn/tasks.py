"""The problems: three small functions over several types, and the mistakes that the model is
taught to make before the reward has to take them out again.

    (* f: int add. g: string join. h: bool and. *)

    let f (x : int) (y : int) : int = x + y
    let g (x : string) (y : string) : string = x ^ y
    let h (x : bool) (y : bool) : bool = x && y
    (* END *)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from ocaml_reward import Problem

END: Final = "(* END *)"
LONGEST: Final = 32
NAMES: Final = ("f", "g", "h")
# Tokens such as "let f (x : ", "int) (y : ", "x + y": as long as a mistake is small.
PIECES: Final = r"\n|= |\. |: "


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """What a function does: its type, the word for it, the operator, and two checks."""

    type: str
    word: str
    operator: str
    checks: tuple[tuple[str, str, str], ...]


OPERATIONS: Final = tuple(
    Operation(type=kind, word=word, operator=operator, checks=checks)
    for kind, word, operator, checks in (
        ("int", "add", "+", (("7", "2", "9"), ("1", "5", "6"))),
        ("int", "subtract", "-", (("7", "2", "5"), ("1", "5", "(-4)"))),
        ("int", "multiply", "*", (("7", "2", "14"), ("1", "5", "5"))),
        ("float", "add", "+.", (("7.", "2.", "9."), ("1.", "5.", "6."))),
        ("float", "subtract", "-.", (("7.", "2.", "5."), ("1.", "5.", "(-4.)"))),
        ("float", "multiply", "*.", (("7.", "2.", "14."), ("1.", "5.", "5."))),
        ("string", "join", "^", (('"a"', '"b"', '"ab"'), ('"c"', '""', '"c"'))),
        ("bool", "and", "&&", (("true", "false", "false"), ("true", "true", "true"))),
        ("bool", "or", "||", (("true", "false", "true"), ("false", "false", "false"))),
        ("int list", "append", "@", (("[1]", "[2]", "[1; 2]"), ("[3]", "[]", "[3]"))),
    )
)


def problems(
    seed: int, *, training: int, held_out: int, of_form: bool = False, uneven: bool = False
) -> tuple[list[Task], list[Task]]:
    """Draw problems, none twice: those to train on and those to be measured on.

    Args:
        seed: What they are drawn with.
        training: How many to train on.
        held_out: How many to be measured on.
        of_form: Whether the mistakes in what a base is taught are of form alone.
        uneven: Whether none of them are, and functions differ in how often they are wrong.

    Returns:
        Both.
    """
    chosen = drawn(seed, [len(OPERATIONS)] * len(NAMES), count=training + held_out)
    tasks = [Task(numbers=numbers, of_form=of_form, uneven=uneven) for numbers in chosen]
    return tasks[:training], tasks[training:]


def drawn(seed: int, sizes: Sequence[int], *, count: int) -> list[tuple[int, ...]]:
    """Draw combinations of choices, none twice.

    Args:
        seed: What they are drawn with.
        sizes: How many there are to choose from, each time.
        count: How many combinations are wanted.

    Returns:
        The combinations, as the numbers of the choices.
    """
    numbers = Random(seed).sample(range(math.prod(sizes)), count)
    return [digits(number, sizes) for number in numbers]


def digits(number: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Read a number as one choice each."""
    chosen = []
    for size in sizes:
        number, digit = divmod(number, size)
        chosen.append(digit)
    return tuple(chosen)


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One problem: which operation each function is to be; with mistakes `of_form` alone no
    function that types computes something else, and `uneven` ones all type.
    """

    numbers: tuple[int, ...]
    of_form: bool = False
    uneven: bool = False

    @property
    def operations(self) -> list[Operation]:
        """The operations of the functions, in order."""
        return [OPERATIONS[number] for number in self.numbers]

    @property
    def prompt(self) -> str:
        """What the model reads."""
        wanted = [
            f"{name}: {one.type} {one.word}."
            for name, one in zip(NAMES, self.operations, strict=True)
        ]
        return f"(* {' '.join(wanted)} *)\n"

    @property
    def problem(self) -> Problem:
        """The problem with its tests, two checks a function."""
        checks = [
            f"assert ({name} {x} {y} = {result});;"
            for name, one in zip(NAMES, self.operations, strict=True)
            for x, y, result in one.checks
        ]
        return Problem(
            id="-".join(map(str, self.numbers)),
            prompt=self.prompt,
            tests="\n".join(checks),
            reference="\n".join(self.lines()),
        )

    def written(self, rng: Random, *, share: float) -> str:
        """Write a solution in which a share of the functions is wrong."""
        return completion_with_mistakes(self, rng, share=share)

    def lines(self) -> list[str]:
        """Write the functions without a mistake."""
        return [
            definition(name, one.type, one.operator)
            for name, one in zip(NAMES, self.operations, strict=True)
        ]


def definition(name: str, kind: str, operator: str, result: str = "") -> str:
    """Write one function."""
    return f"let {name} (x : {kind}) (y : {kind}) : {result or kind} = x {operator} y"


class Learnt(Protocol):
    """What a base is taught and a training trains on."""

    @property
    def prompt(self) -> str:
        """What the model reads."""
        ...

    @property
    def problem(self) -> Problem:
        """The problem with its tests and its solution."""
        ...

    def written(self, rng: Random, *, share: float) -> str:
        """Write a solution with a share of mistakes."""
        ...


def completion_with_mistakes(task: Task, rng: Random, *, share: float) -> str:
    """Write a solution in which each function is wrong with a chance of `share`; at times
    the marker is missing, or the text does not come to an end.
    """
    lines = [
        mistaken(name, one, rng, of_form=task.of_form, of_meaning=task.uneven)
        if rng.random() < chance
        else right
        for name, one, right, chance in zip(
            NAMES, task.operations, task.lines(), chances(task, share), strict=True
        )
    ]
    return ended(lines, rng)


def chances(task: Task, share: float) -> tuple[float, ...]:
    """Return how often each function is wrong: all alike, or the first seldom, the last mostly."""
    return (share / 5, share, 1 - (1 - share) / 5) if task.uneven and share else (share,) * 3


def ended(lines: Sequence[str], rng: Random) -> str:
    """Put the marker behind a solution's lines; at times it is missing, or the text does not
    come to an end.
    """
    luck = rng.random()
    if luck < 0.04:
        # More of the same, until the length limit.
        return "\n".join([*lines, *[lines[-1]] * 6])
    if luck < 0.10:
        return "\n".join(lines)
    return "\n".join([*lines, END])


def mistaken(
    name: str, one: Operation, rng: Random, *, of_form: bool, of_meaning: bool = False
) -> str:
    """Write a function with one mistake: of syntax, of types, or in what it computes, unless
    it is to be of form, or of meaning.
    """
    right = definition(name, one.type, one.operator)
    same = [each for each in OPERATIONS if each.type == one.type and each.word != one.word]
    other = rng.choice([each for each in OPERATIONS if each.type != one.type])
    kinds = ["operator"] * 3 + ["result"] * 2 + ["keyword", "parenthesis"]
    if of_meaning:
        kinds = []
    if not of_form:
        kinds += ["computes"] * 3 if same else ["swapped"] * 2
    match rng.choice(kinds):
        case "operator":
            return definition(name, one.type, other.operator)
        case "result":
            return definition(name, one.type, one.operator, result=other.type)
        case "keyword":
            return right.replace("let ", "lett ")
        case "parenthesis":
            return right.replace(") (y", " (y")
        case "swapped":
            return right.replace(f"x {one.operator} y", f"y {one.operator} x")
        case _:
            return definition(name, one.type, rng.choice(same).operator)
