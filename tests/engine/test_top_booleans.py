"""A boolean that stands as a statement of the tests is one check, wherever OCaml lets it stand; where
nobody can tell whether it is a boolean, the problem is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ocaml_reward import Completion, Grader, Problem, ProblemError, Verdict
from ocaml_reward.engine import CheckReport, Engine
from ocaml_reward.model import Outcome

CODE = "let f n = if n = %d then 0 else n * 2\nlet valid s = String.length s = 2 && s <> %S"
RIGHT = CODE.replace("%d", "99").replace("%S", '"zz"')
# Each fails one of the three, and no assertion.
WRONG = [
    CODE.replace("%d", "2").replace("%S", '"zz"'),
    CODE.replace("%d", "3").replace("%S", '"zz"'),
    CODE.replace("%d", "99").replace("%S", '"b2"'),
]
ASSERTED = 'assert (f 1 = 2);;\nassert (valid "a1");;\n'
DROPPED = 'let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2"'
EVALUATED = 'f 2 = 4;; f 3 = 6;; valid "b2";;'
TYPED = DROPPED.replace("_", "_ : bool")
# With the number of checks that they are.
FORMS = {
    "evaluated": (EVALUATED, 3),
    "dropped": (DROPPED, 3),
    "dropped with a type": (TYPED, 3),
    "with a type": ('(f 2 = 4 : bool);; (f 3 = 6 : bool);; (valid "b2" : bool);;', 3),
    "side by side": ('let _ = f 2 = 4 and _ = f 3 = 6 and _ = valid "b2"', 3),
    "in a module": (f"module T = struct {DROPPED} end", 3),
    "in a module, evaluated": (f"module T = struct {EVALUATED} end", 3),
    "in a module, with a type": (f"module T = struct {TYPED} end", 3),
    "in nested modules": (
        "module T = struct module U = struct let _ = f 2 = 4 end"
        ' module V = struct f 3 = 6;; valid "b2";; end end',
        3,
    ),
    "in a sealed module": (f"module T : sig end = struct {DROPPED} end", 3),
    "in an unsealed include": (f"include struct {DROPPED} end", 3),
    "in what is opened": (f"open struct {DROPPED} end", 3),
    "in a functor": (
        f"module F (X : sig val n : int end) = struct {DROPPED} end\n"
        "module M = F (struct let n = 2 end)",
        3,
    ),
    "in a functor applied twice": (
        "module F (X : sig val n : int end) = struct"
        ' let _ = f X.n = X.n * 2 let _ = valid "b2" end\n'
        "module M = F (struct let n = 2 end) module N = F (struct let n = 3 end)",
        2,
    ),
    "in a functor of two": (
        "module F (X : sig val n : int end) (Y : sig val n : int end) = struct"
        ' let _ = f X.n = 4 let _ = f Y.n = 6 let _ = valid "b2" end\n'
        "module M = F (struct let n = 2 end) (struct let n = 3 end)",
        1,
    ),
    "in a functor that is included": (
        f"module F (X : sig end) = struct {DROPPED} end\ninclude F (struct end)",
        1,
    ),
    "in a generative functor": (
        f"module F () = struct {DROPPED} end\nmodule M = F ()",
        1,
    ),
    "in a recursive module": (
        "module rec M : sig val x : unit -> int end = struct let x () = 1"
        f" {DROPPED} end",
        1,
    ),
    "in a module that is unpacked": (
        "module type S = sig val x : int end\n"
        f"module M = (val (module struct let x = 1 {DROPPED} end : S))",
        1,
    ),
    "in a local module": (
        f"let () = let module M = struct {DROPPED} end in ()",
        1,
    ),
    "behind a definition": (
        "let _ = let x = 2 in f x = 4\nlet _ = let y = f 3 in y = 6\n"
        'let _ = let s = "b2" in valid s',
        3,
    ),
    "behind a statement": (
        'let _ = ignore 1; f 2 = 4\nlet _ = ignore 2; f 3 = 6\nlet _ = (); valid "b2"',
        3,
    ),
    "in a branch": (
        "let _ = if true then f 2 = 4 else false\nlet _ = f 3 = 6 || false\n"
        'let _ = match 1 with _ -> valid "b2"',
        3,
    ),
    "by functions of the tests' own": (
        'let ok x = valid x\nlet eq a b = a = b;; eq (f 2) 4;; eq (f 3) 6;; ok "b2";;',
        3,
    ),
    "by the library's": (
        "List.mem 4 [f 2];; List.for_all Fun.id [f 3 = 6];;"
        ' Bool.equal true (valid "b2");;',
        3,
    ),
    "by operators": ('4 |> ( = ) (f 2);; f 3 = 6;; valid @@ "b2";;', 3),
    "with an attribute": (
        'let _ = (f 2 = 4) [@a]\nlet _ = f 3 = 6 [@@a]\nlet _ = (valid "b2") [@a]',
        3,
    ),
    "of a handler": (
        "let _ = try f 2 = 4 with _ -> false\nlet _ = f 3 = 6\n"
        'let _ = try valid "b2" with Not_found -> raise Exit',
        3,
    ),
}


@pytest.mark.parametrize("types", [{}, {"reference": RIGHT}], ids=["bare", "reference"])
@pytest.mark.parametrize("name", FORMS)
def test_a_statement_that_is_a_boolean_is_a_check(
    engine: Engine, name: str, types: dict[str, Any]
) -> None:
    """Right code passes, and code passes nowhere that one of them refuses."""
    form, count = FORMS[name]
    problem = Problem(id=name, tests=ASSERTED + form, **types)
    grader = Grader("concise", engine=engine, jobs=1)
    found = [
        grader.grade(problem, Completion(text=code)).verdict for code in (RIGHT, *WRONG)
    ]

    assert count + 2 == len(engine.prepare(problem).checks)
    assert [True] + [False] * 3 == [each is Verdict.PASSED for each in found]


def test_statements_that_are_all_there_is(
    check: Callable[..., CheckReport],
) -> None:
    """Calls of one function that nothing else says anything of are checks of what it returns."""
    tests = 'valid "a1";;\nlet _ = valid "b2"'
    found = [
        [each.outcome for each in check(code, tests).results]
        for code in (RIGHT, WRONG[2])
    ]

    assert [[Outcome.PASSED] * 2, [Outcome.PASSED, Outcome.FAILED]] == found


@pytest.mark.parametrize("statement", ['valid "b2"', 'let _ = valid "b2"'])
def test_a_statement_of_which_nobody_knows_is_refused(
    engine: Engine, check: Callable[..., CheckReport], statement: str
) -> None:
    """It would be lost where it is a boolean; a signature says what it is."""
    tests = f"assert (f 1 = 2);;\n{statement};;\nlet () = assert (f 4 = 8)"

    with pytest.raises(ProblemError, match=r"line 2: .* whose type nothing says"):
        engine.prepare(Problem(id="p", tests=tests))
    signature = "val f : int -> int\nval valid : string -> "
    for code, returned, checks in (
        (RIGHT, "bool", [Outcome.PASSED] * 3),
        (WRONG[2], "bool", [Outcome.PASSED, Outcome.FAILED, Outcome.PASSED]),
        (f"{RIGHT}\nlet valid _ = ()", "unit", [Outcome.PASSED] * 2),
    ):
        report = check(code, tests, signature=signature + returned)
        assert checks == [each.outcome for each in report.results]


@pytest.mark.parametrize(
    "prompt",
    [
        "```ocaml\nval f : int -> int\nval valid : string -> bool\n```\nWrite both.",
        "let f n = n * 2\n\n(* Says whether. *)\nlet valid (s : string) : bool =\n",
        'Finish:\n```ocaml\nlet f n = 0\nlet valid (s : string) : bool = failwith "?"\n```',
    ],
)
def test_the_prompt_says_of_which_type_a_statement_is(
    engine: Engine, prompt: str
) -> None:
    """By a declaration, or by the head of what is to be written."""
    tests = 'assert (f 1 = 2);;\nvalid "b2";;\n'
    problem = Problem(id="p", tests=tests, prompt=prompt)
    grader = Grader("concise", engine=engine, jobs=1)
    found = [
        grader.grade(problem, Completion(text=code)).verdict
        for code in (RIGHT, WRONG[2])
    ]

    assert [True, False] == [each is Verdict.PASSED for each in found]


def test_a_function_that_returns_values_of_several_types(
    check: Callable[..., CheckReport],
) -> None:
    """One use of it does not say of which type another is."""
    tests = 'assert (last [1; 2] = 2);;\nlast ["a"; "b"] = "b";;\nlast [true; false] |> not;;'
    code = "let last l = List.nth l (List.length l - 1)"

    assert [Outcome.PASSED] * 3 == [each.outcome for each in check(code, tests).results]
