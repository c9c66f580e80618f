"""Programs of one function with one mistake in one branch, and what a reader of the checks would
say of the branches: which are wrong, which are right.  Branches that are in neither say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """A program, its tests, and the text of the branches that are wrong and that are right."""

    name: str
    code: str
    tests: str
    wrong: tuple[str, ...]
    right: tuple[str, ...]


PROGRAMS = (
    Program(
        name="one of three cases",
        code='let day n = match n with\n  | 0 -> "sun"\n  | 1 -> "tue"\n  | _ -> "?"',
        tests='assert (day 0 = "sun");;\nassert (day 1 = "mon");;\nassert (day 9 = "?");;',
        wrong=('"tue"',),
        right=('"sun"', '"?"'),
    ),
    Program(
        name="one side of an if",
        code="let size x = if x < 0 then x else x + 0",
        tests="assert (size 3 = 3);;\nassert (size (-3) = 3);;\nassert (size 0 = 0);;",
        wrong=("x",),
        right=("x + 0",),
    ),
    Program(
        name="a recursion whose step is wrong for one kind of element",
        code=(
            "let rec f l = match l with\n  | [] -> 0\n"
            "  | x :: rest -> if x > 0 then x + f rest else x - f rest"
        ),
        tests=(
            "assert (f [] = 0);;\nassert (f [1; 2] = 3);;\nassert (f [3] = 3);;\n"
            "assert (f [1; -2; 4] = 7);;\nassert (f [-1; 5] = 6);;"
        ),
        # Failing checks enter the others, too, and have another branch to blame.
        wrong=("x - f rest",),
        right=("0", "x + f rest"),
    ),
    Program(
        name="the base case, in a function that also has a quick answer",
        code=(
            "let rec f l = match l with\n  | [] -> 1\n  | 0 :: _ -> 0\n  | x :: rest -> x + f rest"
        ),
        tests=(
            "assert (f [0; 3] = 0);;\nassert (f [2; 0] = 2);;\nassert (f [] = 0);;\n"
            "assert (f [2] = 2);;"
        ),
        wrong=("1",),
        right=("0", "x + f rest"),
    ),
    Program(
        name="a wrong operator: its right side is no branch",
        code="let f x y = x && y",
        tests="assert (f true false = true);;\nassert (f false false = false);;",
        wrong=(),
        right=(),
    ),
    Program(
        name="a handler",
        code="let f s = try int_of_string s with Failure _ -> 1",
        tests='assert (f "3" = 3);;\nassert (f "x" = 0);;\nassert (f "7" = 7);;',
        wrong=("1",),
        right=(),
    ),
    Program(
        name="a branch that raises",
        code='let f n = match n with\n  | 0 -> failwith "no"\n  | n -> n * 2',
        tests="assert (f 0 = 0);;\nassert (f 2 = 4);;",
        wrong=('failwith "no"',),
        right=("n * 2",),
    ),
    Program(
        name="every check fails",
        code="let f n = if n = 0 then 1 else 2",
        tests="assert (f 0 = 0);;\nassert (f 2 = 4);;",
        wrong=(),
        right=(),
    ),
    Program(
        name="every check passes",
        code="let f n = if n = 0 then 0 else 2 * n",
        tests="assert (f 0 = 0);;\nassert (f 2 = 4);;",
        wrong=(),
        right=(),
    ),
    Program(
        name="no branch tells: one expression",
        code="let f n = n * n",
        tests="assert (f 2 = 4);;\nassert (f 3 = 6);;",
        wrong=(),
        right=(),
    ),
    Program(
        name="a helper beside, right as its checks are",
        code=(
            "let twice x = 2 * x\nlet f n = match n with\n  | 0 -> 0\n"
            "  | 1 -> twice 7\n  | n -> twice n"
        ),
        tests="assert (f 0 = 0);;\nassert (f 1 = 2);;\nassert (f 5 = 10);;\nassert (twice 2 = 4);;",
        wrong=("twice 7",),
        right=("0", "twice n"),
    ),
    Program(
        name="in a module",
        code="module M = struct\n  let f b = if b then 1 else 2\nend",
        tests="assert (M.f true = 1);;\nassert (M.f false = 0);;",
        wrong=("2",),
        right=("1",),
    ),
    Program(
        name="a case that loops",
        code="let rec f n = match n with\n  | 0 -> 0\n  | 1 -> f 1\n  | _ -> 5",
        tests="assert (f 0 = 0);;\nassert (f 1 = 1);;\nassert (f 7 = 5);;",
        wrong=("f 1",),
        right=("0", "5"),
    ),
)
