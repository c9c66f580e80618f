"""The forms that tests come in, each turned into numbered checks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Problem, ProblemError
from ocaml_reward.engine import CheckReport, Engine

Check = Callable[..., CheckReport]

OUNIT = "open OUnit2\n"
RUN = "\nlet () = run_test_tt_main tests"


@pytest.mark.parametrize(
    ("tests", "count"),
    [
        ("let () = assert (f 1 = 1); assert (f 2 = 2);;", 2),
        ("let () = assert (f 1 = 1)\nlet () = assert (f 2 = 2)", 2),
        ("let _ = assert (f 1 = 1)", 1),
        ("assert (f 1 = 1);;\nassert (f 2 = 2);;", 2),
        ("f 1 = 1;;\nf 2 = 2;;\nnot (f 1 = 2);;", 3),
        ("let () = let x = f 1 in assert (x = 1); assert (f x = 1)", 2),
        (
            "let assertions = let candidate = f in (\n  assert ((candidate (1)) = (1))); ()",
            1,
        ),
        ("let test () = assert (f 1 = 1); assert (f 2 = 2)\nlet () = test ()", 2),
        ("let check a b = assert (a = b)\nlet () = check (f 1) 1; check (f 2) 2", 2),
        ("let () = List.iter (fun (a, b) -> assert (f a = b)) [1, 1; 2, 2; 3, 3]", 3),
        ("let l = [1; 2]\nlet () = List.iter (fun x -> assert (f x = x)) l", 2),
        ("let () = for i = 1 to 5 do assert (f i = i) done", 1),
        ("let () = assert (try ignore (f 0); true with Not_found -> false)", 1),
        ('let () = if f 1 <> 1 then failwith "wrong"', 1),
        ('let () = print_endline "start"; assert (f 1 = 1); print_endline "ok"', 1),
        ("module T = struct let () = assert (f 1 = 1) end", 1),
        (
            "module Cmp (X : sig type t val eq : t -> t -> bool end) = struct\n"
            "  let check a b = assert (X.eq a b) end\n"
            "module I = Cmp (struct type t = int let eq = ( = ) end)\n"
            "let () = I.check (f 1) 1; I.check (f 2) 2",
            2,
        ),
        ('let s = "(assert (f 1 = 2))" let () = assert (f 1 = 1 && s <> "")', 1),
        ("let () =\r\n  assert (f 1 = 1);\r\n  assert (f 2 = 2)\r\n", 2),
        (
            "let a () = assert (f 1 = 1)\nlet b () = assert (f 2 = 2)\n"
            'let tests = [("a", a); ("b", b)]\n'
            "let () = List.iter (fun (_, t) -> t ()) tests",
            2,
        ),
        (
            'let t = match Some (f 1) with Some t -> t | None -> failwith "none"\n'
            "let () = assert (t = 1)",
            1,
        ),
        ("let o = object method run = assert (f 1 = 1) end\nlet () = o#run", 1),
        ("let () = [1; 2] |> List.iter (fun x -> assert (f x = x))", 2),
        ("let () = let test a b = assert (f a = b) in test 1 1; test 2 2", 2),
        (
            "let check candidate = assert (candidate 1 = 1); assert (candidate 2 = 2)\n"
            "let () = check f",
            2,
        ),
        (
            "let input = 1 let t () = assert (f input = 1) let input = 2\n"
            "let () = t (); assert (f input = 2)",
            2,
        ),
        ("let () = assert (f 1 = 1); exit 0", 1),
        ("let main () = if f 1 = 1 then 0 else 1\nlet () = exit (main ())", 1),
        ("let () = (try if f 1 = 1 then raise Exit; assert false with Exit -> ())", 1),
        ("let g (x : Map.Make(String).key) = x\nlet () = assert (f 1 = 1)", 1),
        (
            OUNIT + 'let tests = "t" >::: ["a" >: test_case (fun _ -> ());'
            ' "b" >:: (fun _ -> assert_equal 1 (f 1))]' + RUN,
            2,
        ),
        (
            OUNIT + 'let tests = "t" >::: ["a" >:: (fun _ -> assert_equal 1 (f 1));'
            ' "b" >:: fun _ -> assert_bool "b" (f 2 = 2)]' + RUN,
            2,
        ),
        (
            OUNIT + "let ae want got _ = assert_equal want got ~printer:string_of_int\n"
            'let tests = "t" >::: ["a" >:: ae 1 (f 1); "b" >:: ae 2 (f 2)]' + RUN,
            2,
        ),
        (
            OUNIT + 'let tests = "t" >::: ["e" >:: (fun _ -> assert_raises Exit'
            ' (fun () -> if f 1 = 1 then raise Exit)); "c" >:: fun _ -> assert_equal ~cmp:(fun a b ->'
            ' a - b = 0) ~msg:"m" 1 (f 1)]' + RUN,
            2,
        ),
        (
            OUNIT + 'let tests = "t" >::: ["a" >:: (fun _ -> assert_equal 1 (f 1))]\n'
            "let main () = run_test_tt_main tests\nlet () = main ()",
            1,
        ),
        (
            OUNIT + 'let tests = "t" >::: ["a" >:: (fun _ -> assert_equal 1 (f 1))]\n'
            "let _ = run_test_tt_main tests",
            1,
        ),
        (
            OUNIT
            + 'let tests = "t" >::: List.map (fun n -> string_of_int n >:: fun _ ->'
            " assert_equal n (f n)) [1; 2; 3]" + RUN,
            3,
        ),
    ],
)
def test_every_form_is_counted_and_passes(check: Check, tests: str, count: int) -> None:
    """A right solution passes all checks of each form."""
    report = check("let f x = x", tests, reference="let f x = x")

    assert ["passed"] * count == [result.outcome for result in report.results]


@pytest.mark.parametrize(
    ("tests", "message"),
    [
        ("", "without an assertion"),
        ("let () = print_int (f 1)", "without an assertion"),
        ("let x = 1", "without an assertion"),
        ("let () = assert (f 1 = )", "line 1: Syntax error"),
        ("let () =\n  assert (f 1 =\n", "line 2: Syntax error"),
        ("let () =\n  assert (f ~1 = 2)", "line 2: Syntax error"),
        ("let () =\n  assert (f 'abc' = 2)", "line 2"),
        (
            'let%expect_test "x" = print_int (f 1); [%expect {| 1 |}]',
            "line 1: unsupported: let%expect_test",
        ),
        ('let%bench "x" = f 1', "line 1: unsupported: the extension [%%bench]"),
        ("let%test f = f 1 = 1", "line 1: unsupported: a test without a name"),
        ('let () = Alcotest.run "x" []', "without an assertion"),
        ('let () = Alcotest_lwt.run "x" []; assert (f 1 = 1)', "Alcotest_lwt"),
        (
            OUNIT + 'let tests = "t" >::: ["a" >:: (fun c ->\n'
            "ignore (bracket_tmpfile c))]" + RUN,
            "line 3: unsupported: OUnit2's bracket_tmpfile",
        ),
    ],
)
def test_unusable_tests_are_an_error_that_names_the_line(
    engine: Engine, tests: str, message: str
) -> None:
    """Tests that cannot be used stop the problem, never give free credit."""
    with pytest.raises(ProblemError) as caught:
        engine.prepare(Problem(id="HumanEval/0", tests=tests))

    assert message in str(caught.value)
    assert str(caught.value).startswith("HumanEval/0: ")


def test_cases_made_by_code_need_a_reference(engine: Engine) -> None:
    """Only running such a suite tells how many checks it has."""
    suite = (
        'let tests = "t" >::: List.map (fun n -> "x" >:: fun _ -> assert_equal n n) l'
    )
    tests = OUNIT + "let l = [1; 2]\n" + suite + RUN

    with pytest.raises(ProblemError, match="needs a reference"):
        engine.prepare(Problem(id="p", tests=tests))


@pytest.mark.parametrize(
    ("tests", "uses"),
    [
        ("let () = assert (f 1 = g 2)", ("f", "g")),
        ("let () = let f = f 1 in assert (f = 1)", ("f",)),
        ("let () = assert (List.map h [1] = [1])", ("h",)),
        (
            "let () = assert (let open Shape in area (Circle 1.) > 0.)",
            ("Shape", "area"),
        ),
        ("let t : tree = Leaf let () = assert (depth t = 0)", ("depth", "tree")),
        (OUNIT + 'let tests = "t" >:: fun _ -> assert_equal 1 (f 1)' + RUN, ("f",)),
    ],
)
def test_the_names_tests_need_are_known(
    engine: Engine, tests: str, uses: tuple[str, ...]
) -> None:
    """Free names that the standard library lacks must come from the code."""
    prepared = engine.prepare(Problem(id="p", tests=tests))

    assert uses == (*prepared.files, *prepared.uses)


def test_a_name_the_prompt_asks_for_comes_from_the_code(check: Check) -> None:
    """A problem may ask for a function or module that the standard library has too."""
    code = "let max a _ = a\nmodule Stack = struct let size = 42 end"
    tests = "let () = assert (max 1 2 = 1); assert (Stack.size = 42)"
    signature = "val max : 'a -> 'a -> 'a\nmodule Stack : sig val size : int end"
    report = check(code, tests, signature=signature)

    assert ["passed", "passed"] == [result.outcome for result in report.results]


def test_tests_may_open_the_solution_by_its_file_name(check: Check) -> None:
    """`open Darts`, where the reference defines no such module, means the code itself."""
    tests = "open Darts\nlet () = assert (f 1 = 1); assert (Darts.f 2 = 2)"
    report = check("let f x = x", tests, reference="let f x = x")

    assert ["passed", "passed"] == [result.outcome for result in report.results]


def test_an_unknown_library_is_an_error_of_the_problem(engine: Engine) -> None:
    """A findlib package that is not there is named when the problem is prepared."""
    problem = Problem(id="p", tests="let () = assert true", libraries=("no-such-lib",))

    with pytest.raises(ProblemError, match="no-such-lib"):
        engine.prepare(problem)


def test_tests_that_do_not_fit_their_reference_are_an_error(
    engine: Engine,
) -> None:
    """Tests that no completion could satisfy are found when the problem is prepared."""
    tests = "let () =\n  assert (f 1 = 1);\n  assert (f 2 = None)"
    problem = Problem(id="p", tests=tests, reference="let f x = x + 0")

    with pytest.raises(ProblemError, match="compile against the reference: tests"):
        engine.prepare(problem)


@pytest.mark.parametrize(
    "reference", ["x + 0", "```ocaml\nlet f x = x\n```", 'let f x = x + "a"', "let f"]
)
def test_a_reference_may_come_as_a_completion_does(
    engine: Engine, reference: str
) -> None:
    """A body, a fenced block, even a broken reference does not stop sound tests."""
    prompt = "let f (x : int) : int ="
    tests = "let () = assert (f 1 = 1)"
    problem = Problem(id="p", prompt=prompt, tests=tests, reference=reference)

    assert 1 == len(engine.prepare(problem).checks)


@pytest.mark.parametrize("name", ["cases", "path", "prefix", "next", "site", "reject"])
def test_the_stand_in_for_ounit_hides_no_name_of_the_code(
    check: Check, name: str
) -> None:
    """`open OUnit2` brings into scope what OUnit2 has, and nothing else."""
    suite = f'let tests = "t" >:: fun _ -> assert_equal 1 ({name} 1)'
    report = check(f"let {name} x = x", OUNIT + suite + RUN)

    assert ["passed"] == [result.outcome for result in report.results]


def test_lengths_of_ounit_hide_no_constructor_of_the_code(check: Check) -> None:
    """`Short` and `Long` are the code's where it has such, as with OUnit2 itself."""
    suite = 'let tests = "t" >:: fun _ -> assert_equal (Long 1) (f Short)'
    code = "type size = Short | Long of int\nlet f (_ : size) = Long 1"

    assert "passed" == check(code, OUNIT + suite + RUN).results[0].outcome
