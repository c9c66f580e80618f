"""What is said of a check that failed: what the code gave, and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ocaml_reward.engine import CheckReport
from ocaml_reward.engine.messages.literals import literal
from ocaml_reward.model import CheckResult, Outcome

Check = Callable[..., CheckReport]
Row = tuple[str, str, str]

FAILED = Outcome.FAILED
# An assertion of `f`, what it gives, what is said of that.
VALUES: list[Row] = [
    ("f 2 = 4", "5", "got 5, expected 4"),
    ("4 = f 2", "-5", "got -5, expected 4"),
    ("f 2 == 4", "min_int", "got -4611686018427387904, expected 4"),
    ("f 2", "false", "got false, expected true"),
    ("not (f 2)", "true", "got true, expected false"),
    ("f 2 = false", "true", "got true, expected false"),
    ("f 2 > 3", "2", "got 2, expected > 3"),
    ("3 < f 2", "2", "got 2, expected 3 < _"),
    ("f 2 <> 3", "3", "got 3, expected <> 3"),
    ("not (3 = f 2)", "3", "got 3, expected <> 3"),
    ("not (f 2 < 3)", "1", "got 1, expected not < 3"),
    ("compare (f 2) 3 = 0", "5", "got 5, expected 3"),
    ("compare 3 (f 2) > 0", "5", "got 5, expected compare 3 _ > 0"),
    ("f 2 = 2 && f 3 = 3", "2", "got 2, expected 3"),
    ("f 2 = 1 || f 3 > 4", "2", "got 2, expected 1 or > 4"),
    ("f 2 = 1 || f 3 = 2 && f 4 = 5", "2", "got 2, expected 1 or 5"),
    ("(f 2 = 1 || f 3 = 2) && f 4 = 5", "2", "got 2, expected 5"),
    ("not (f 2 = 2 && f 3 = 2)", "2", "got 2, expected <> 2"),
    ("abs_float (f 2 -. 3.5) < 0.25", "4.", "got 4.0, expected abs_float (_ -. 3.5) < 0.25"),
    ("f 2 - 1 = 5", "3", "got 3, expected _ - 1 = 5"),
    ("List.length (f 2) = 2", "[1]", "got 1, expected 2"),
    ("f 2 = [1; 2]", "[1; 3]", "got [1; 3], expected [1; 2]"),
    ("f 2 = []", "[1; 3]", "got [_; _], expected []"),
    ("f 2 = None", 'Some "a"', 'got Some "a", expected None'),
    ("f 2 = Some (Some 3)", "Some (Some (-3))", "got Some (Some (-3)), expected Some (Some 3)"),
    ("f 2 = Ok 3", 'Error "no"', 'got Error "no", expected Ok 3'),
    ("f 2 = (1, 'a', true)", "(1, '\\'', false)", "got (1, '\\'', false), expected (1, 'a', true)"),
    ("f 2 = [|1.; 2.|]", "[|nan; infinity|]", "got [|nan; infinity|], expected [|1.0; 2.0|]"),
    ("f 2 = [|1|]", "[||]", "got [||], expected [|1|]"),
    ("f 2 = nan", "nan", "got nan, expected nan"),
    ("f 2 = ref 3", "ref 4", "got {contents = 4}, expected {contents = 3}"),
    ("f 2 = (3l, 4L, 5n)", "(3l, -4L, 5n)", "got (3l, -4L, 5n), expected (3l, 4L, 5n)"),
    ("f 2 = `A 3", "`A (-3)", "got `A (-3), expected `A 3"),
    ("f 2 = `A", "`B", "got `_, expected `A"),
    ('f 2 = Failure "x"', 'Failure "y"', 'got Failure("y"), expected Failure("x")'),
    ("f 2 = Complex.one", "Complex.i", "got {re = 0.0; im = 1.0}, expected {re = 1.0; im = 0.0}"),
    ("f 2 = Lazy.from_val 3", "lazy 4", ""),
    ('f 2 = "ab"', '"a\\"\\n\\027[31m"', 'got "a\\"\\n\\027[31m", expected "ab"'),
    ('f 2 = "é"', '"\\xe9\\u{202e}"', 'got "\\233\\u{202e}", expected "é"'),
    ("try ignore (f 2); false with Not_found -> true", "0", "no exception was raised"),
    ('match f 2 with exception Failure m -> m = "x" | _ -> false', 'failwith "y"',
     'got "y", expected "x"'),
]  # fmt: skip
# Where a predicate is applied to what the code has given.
PREDICATES: list[Row] = [
    ("match f 2 with [1] -> true | _ -> false", "[1; 2]", "got [1; 2]"),
    ('match f 2 with "a" -> true | _ -> false', '"b"', 'got "b"'),
    ("List.mem (f 2) [1; 2]", "3", "got 3"),
    ("let r = f 2 in r > 3 && r < 7", "9", "got 9"),
    ("let a, b = f 2 in a + b = 3", "(1, 1)", "got (1, 1)"),
    ("f 2 = 4", "5", "got 5, expected 4"),
]
TYPES = """type colour = Red | Green
type shape = Circle of { radius : float; at : int * int } | Square of int | Dot
type tree = Leaf | Node of tree * int * tree
type 'a box = { inside : 'a; colour : colour }
exception Bad of int * string
"""
# Of types that the code declares.
DECLARED: list[Row] = [
    ("f 2 = Red", "Green", "got Green, expected Red"),
    ("f 2 = Square 3", "Circle { radius = 1.5; at = (-1, 2) }",
     "got Circle {radius = 1.5; at = (-1, 2)}, expected Square 3"),
    ("f 2 = Node (Leaf, 1, Leaf)", "Node (Node (Leaf, -1, Leaf), 1, Leaf)",
     "got Node (Node (Leaf, -1, Leaf), 1, Leaf), expected Node (Leaf, 1, Leaf)"),
    ("f 2 = { inside = Some 1; colour = Red }", "{ inside = None; colour = Red }",
     "got {inside = None; colour = Red}, expected {inside = Some 1; colour = Red}"),
    ('f 2 = Bad (1, "a")', 'Bad (2, "b")', 'got Bad(2, "b"), expected Bad(1, "a")'),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "types"), [(VALUES, ""), (PREDICATES, ""), (DECLARED, TYPES)])
@pytest.mark.parametrize("known", [False, True])
def test_a_failure_says_what_came_and_what_was_expected(
    check: Check, rows: list[Row], types: str, known: bool
) -> None:
    """As OCaml writes it, whatever the form of the assertion."""
    tests, code = "", types
    for number, (assertion, value, _) in enumerate(rows):
        own = re.sub(r"\bf (?=\d)", f"f{number} ", assertion)
        tests += f"let () = assert ({own})\n"
        code += f"let f{number} _ = {value}\n"
    reference = code.replace(" _ = ", " _ = ignore 0; ") if known else None
    results = check(code, tests, reference=reference).results

    assert {(each, FAILED, said) for each, _, said in rows} == {
        (row[0], result.outcome, result.detail) for row, result in zip(rows, results, strict=True)
    }


def one(check: Check, assertion: str, value: str) -> CheckResult:
    report = check(f"let f _ = {value}", f"let () = assert ({assertion})")
    return report.results[0]


@pytest.mark.parametrize(
    ("assertion", "value", "said"),
    [
        ("f 0 = List.init 900 Fun.id", "List.init 900 (fun n -> if n = 500 then 0 else n)",
         r"got ….*; 499; 0; 501; .*…, expected ….*; 499; 500; 501; .*…"),
        ("f 0 = [1]", "List.init 100_000 Fun.id", r"got \[0; 1; 2; .*…, expected \[1\]"),
        ('f 0 = "a"', "String.make 10_000_000 'x'",
         'got a value that is too long to be shown, expected "a"'),
        ("f 0 = String.make 5000 'a'", "String.make 4000 'a' ^ String.make 1000 'b'",
         'got "a{89}…, expected another value'),
        ("f 0 = Some [1]", "let rec l = 1 :: l in Some l", ".*"),
        ("f 0 = Ok 1", "let rec deep n = Obj.repr (if n = 0 then 0 else Obj.magic (Some (deep (n - 1))))"
         " in Obj.magic (deep 50_000)", "got Ok _…?, expected Ok 1"),
        ("f 0 = 3", 'Obj.magic "a"', 'got "a", expected 3'),
        ("f 0 = [1]", "Obj.magic 1", ""),
        ("f 0 = [1]", "Obj.magic (Some 1)", ""),
        ("f 0 = Some 3", "Obj.magic 7", ""),
        ('f 0 = "a"', "Obj.magic Fun.id", ".*"),
        ("List.map (fun x -> x) (f 0) = [1]", "raise Not_found", "Not_found"),
    ],
)  # fmt: skip
def test_what_is_said_is_bounded(check: Check, assertion: str, value: str, said: str) -> None:
    """However long, deep or false a value is, whatever is not of its type, and on one line."""
    detail = one(check, assertion, value).detail

    assert re.fullmatch(said, detail), detail
    assert len(detail) <= 300
    assert detail.isprintable()


WORDS = (
    "i0", "i1", "i-3", "i999999999999999999999", "i٣", "(0:2", "(1:1", "(0:0", "(0:99999999", "(-1:2", "(:",
    "s1:61", "s2:6", "s", "d3ff0000000000000", "d1", "n", "D2", "D-1", "l1", "L-1", "N1", "z00", "b1:1",
    "x!4e", "x", "xzz", "f", "a", "o", "!", "hab:3:n", "é", "\x1b[31m",
)  # fmt: skip
SHAPES = (
    "", "?", "u", "i", "c", "s", "d", "x", "A 0", "E", "E x y", "T 0 1;i", "R 0:x 1:y;c",
    "V [] 1,0::::;i", "V A,B 0::C 1,0:p,q:D;s", "V ", "V A 9::B", "P 1:A -3:B:0", "A", "T x", ";",
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(form=st.lists(st.sampled_from(WORDS), max_size=12), shape=st.sampled_from(SHAPES))
@example(form=["(0:1"] * 100_000, shape="V A 0::B")
@example(form=["(0:2", "i1"] * 100_000, shape="V [] 1,0::::;i")
def test_any_form_is_written_in_one_line(form: list[str], shape: str) -> None:
    """Whatever a process has said, and whatever fits to nothing."""
    text = literal(" ".join(form), shape, 80)

    assert len(text) <= 81
    assert text.isprintable()
