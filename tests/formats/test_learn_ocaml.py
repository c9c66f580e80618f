"""Exercises of learn-ocaml: their tests, by Test_lib, become tests that plain OCaml can run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ocaml_reward import Completion, Grader
from ocaml_reward.engine import Engine
from ocaml_reward.formats.importing import Imported, import_problems
from ocaml_reward.formats.lines import BadLine

HEAD = "open Test_lib\nopen Report\n"
RUN = "let () = set_result @@ ast_sanity_check code_ast @@ fun () -> "


def imported(folder: Path, files: Mapping[str, str]) -> list[Imported]:
    """Write a folder and import it."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(import_problems(folder))


# A test, a solution, and what is replaced in it to make it wrong.
TESTS = {
    "listed-and-drawn": (
        '[Section ([Text "A"; Code "add"], test_function_2_against_solution'
        ' [%ty: int -> int -> int] "add" [ (1, 2); (3, 4) ])]',
        "let add x y = x + y", ("+", "*"),
    ),
    "only-drawn-shows-it": (
        '[Section ([], test_function_1_against_solution [%ty : int -> int] ~gen:9 "f" [])]',
        "let f x = if x < 0 then 1 else x", ("< 0", "< -99"),
    ),
    "sampler-behind-the-name": (
        'test_function_1_against_solution [%ty: int -> int] "f" ~gen:5'
        " ~sampler:(fun () -> Random.self_init (); 100 + Random.int 5) [0]",
        "let f x = if x > 99 then 1 else 0", ("99", "999"),
    ),
    "exception": (
        '[Section ([], test_function_1_against_solution ~gen:0 [%ty: int list -> int] "hd"'
        " [ []; [1] ])]",
        "let hd = function [] -> raise Not_found | x :: _ -> x", ("raise Not_found", "0"),
    ),
    "expected-results": (
        '[Section ([], test_function_1 [%ty: int -> string] "s" [ (1, "1", "", "") ])]',
        "let s = string_of_int", ("string_of_int", 'fun _ -> "2"'),
    ),
    "against-a-function": (
        '[Section ([], test_function_1_against [%ty: int -> int] "f" succ [ 1 ])]',
        "let f x = x + 1", ("+ 1", "+ 2"),
    ),
    "variable": (
        '[Section ([], test_variable_against_solution [%ty: char list list] "v")]',
        "let v = [ [ 'a' ] ]", ("'a'", "'b'"),
    ),
    "variable-of-a-helper": (
        '[one "a"; one "b"]',
        "let a = 1 let b = 2", ("b = 2", "b = 3"),
    ),
    "bound-name": (
        'let f = "twice" in set_progress f; [Section ([Code f],'
        " test_function_1_against_solution [%ty: int -> int] f [ 1 ])]",
        "let twice x = 2 * x", ("2 *", "3 *"),
    ),
    "operator": (
        '[Section ([], test_function_2_against_solution ([%ty :int -> int -> int]) "+++"'
        " ~gen:4 [])]",
        "let ( +++ ) x y = x - y", ("x - y", "y - x"),
    ),
    "own-sampler-of-a-type": (
        '[Section ([], test_function_1_against_solution [%ty: int box list -> int] "sum" [])]',
        "let sum l = List.length l", ("List.length l", "0"),
    ),
    "own-comparison": (
        '[Section ([], test_function_1_against_solution ~gen:0 ~test:(test_canon_ok'
        ' (List.sort compare)) [%ty: int -> int list] "two" [ 1; 2 ])]',
        "let two n = [ n; n + 1 ]", ("n + 1", "n + 2"),
    ),
    "changed-argument": (
        "let { before_reference; before_user; test } = array_arg_mutation_test_callbacks"
        " [%ty: int array] in test_function_1_against_solution ~before_reference"
        ' ~before_user ~test [%ty: int array -> unit] "sort" ~gen:3 [ [| 2; 1 |] ]',
        "let sort a = Array.sort compare a", ("Array.sort compare a", "ignore a"),
    ),
    "value": (
        '(test_value (lookup_student [%ty: unit -> int] "f") @@ fun f ->'
        ' if f () = 3 then [Message ([Text "yes"], Success 1)]'
        ' else [Message ([Text "no"], Failure)])',
        "let f () = 3", ("3", "4"),
    ),
    "helper-that-hands-the-type-on": (
        '(grab "f" [%ty: int -> int] (fun f -> check (f 2 = 4))'
        ' @ hold [%ty: int] "g" (fun g -> check (g = 1)))',
        "let f x = 2 * x let g = 1", ("2 *", "3 *"),
    ),
    "no-points-for-wrong-answers": (
        '[Section ([], test_function_1_against_solution [%ty: int -> int] "f" ~gen:0'
        " ~test:(fun _ a b -> [Message ([], Success (if a = b then 1 else 0))]) [ 1 ])]",
        "let f x = x", ("= x", "= 2 * x"),
    ),
    "name-of-the-library": (
        '[Section ([], test_function_2_against_solution [%ty: int -> int -> int] "max"'
        " ~sampler:(fun () -> (max 3 4, compare 2 1)) [])]",
        "let compare a b = a - b let max a b = if compare a b > 0 then a else b",
        ("> 0", "< 0"),
    ),
    "printer": (
        '[Section ([], test_function_1_against_solution [%ty: int -> int] "f" ~gen:1 []'
        ' ~after:(fun _ _ _ -> [Message ([Text (Format.asprintf "%a"'
        " (Introspection.get_printer [%ty: int]) 3)], Informative)]))]",
        "let f x = x", ("= x", "= x + 1"),
    ),
    "module": (
        '(test_variable_property [%ty: (module Stringer)] "M" @@ fun (module M) ->'
        ' [Message ([], if M.to_string 3 = "3" then Success 1 else Failure)])',
        "module M = struct let to_string = string_of_int end",
        ("string_of_int", 'fun (_ : int) -> ""'),
    ),
    "library's-own-draws": (
        '[Section ([], test_function_1_against_solution [%ty: int -> int] "f" ~gen:2'
        " ~sampler:(fun () -> Random.full_int 9 + (Random.State.make [| 1 |] |> fun s ->"
        " Random.State.int s 1)) [])]",
        "let f x = Random.int 1 + x", ("+ x", "- x - 1"),
    ),
    # As in pow's test of a course in functional programming.
    "a-property-of-results": (
        '[Section ([], test_function_2_against_postcond ~gen:0 ~after:(fun _ n (r, _, _) ->'
        ' if r > n then [Report.failure ~message:"too large"] else [])'
        ' (fun a b _ res -> match res with Ok r when r >= a -> []'
        ' | _ -> [Message ([], Failure)]) [%ty: int -> int -> int] "f" [ (2, 13); (1, 1) ])]',
        "let f x y = min x y", ("min x y", "x + y"),
    ),
    "a-property-of-drawn-results": (
        "[Section ([], test_function_1_against_postcond (fun _ _ res -> match res with"
        ' Ok r when r >= 0 -> [] | _ -> [Message ([], Failure)]) [%ty: int -> int] "f" [])]',
        "let f x = abs x", ("abs x", "x"),
    ),
    # As in the demonstration exercises of learn-ocaml.
    "a-function-of-many": (
        "[Section ([], test_function_against_solution ~gen:2 [%funty: int -> int -> int -> int]"
        ' "sum3" [ 10 @: 20 @:!! 30; -1 @: -2 @:!! -3 ])]',
        "let sum3 a b c = a + b + c", ("+ c", "- c"),
    ),
    "a-function-of-many-of-a-type-with-a-name": (
        "[Section ([], let prot = [%funty: int -> int -> int] in"
        ' test_function_against_solution ~gen:(0) prot "aff" [ 2 @:!! 5; arg 1 @@ last 2 ])]',
        "let aff a b = (2 * a) + b", ("2 *", "3 *"),
    ),
    # As in an exercise on hash tables of learn-ocaml-corpus.
    "a-type-in-an-argument": (
        "[Section ([], test_function_1_against_solution ~test:(ignore [%ty: bool]; test_eq_ok (=))"
        ' [%ty: int -> int] "f" [])]',
        "let f x = x + 1", ("+ 1", "+ 2"),
    ),
    "syntax-beside-results": (
        '[Section ([], find_binding code_ast "f" (fun e -> ast_check_expr'
        ' ~on_variable_occurence:(fun _ -> []) e)); Section ([],'
        ' test_function_1_against_solution [%ty: int -> int] "f" [ 1 ])]',
        "let f x = x + 1", ("+ 1", "+ 2"),
    ),
    "report-looked-into": (
        '[Section ([], hide (test_function_1_against_solution [%ty: bool -> bool] "f" []))]',
        "let f b = not b", ("not b", "b"),
    ),
}  # fmt: skip
HELPERS = {
    "variable-of-a-helper": "let one name ="
    " Section ([ Code name ], test_variable_against_solution [%ty: int] name)",
    "own-sampler-of-a-type": "type 'a box = Box of 'a\nlet sample_box sample () = Box (sample ())",
    "module": "module type Stringer = sig val to_string : int -> string end",
    "helper-that-hands-the-type-on": 'let show ppf = Format.fprintf ppf "%d" ;;\n'
    "#install_printer show ;;\nlet hold ty name k = test_value (lookup_student ty name) k\n"
    "let grab name ty k = hold ty name k\n"
    "let check ok = [Message ([], if ok then Success 1 else Failure)]",
    "report-looked-into": "let hide report =\n  if List.exists"
    " (function Message (_, Failure) -> true | _ -> false) report\n"
    "  then [Message ([], Failure)] else [Message ([], Success 1)]",
}


@pytest.mark.parametrize("name", TESTS)
def test_tests_of_test_lib(name: str, tmp_path: Path, engines: Callable[[str], Engine]) -> None:
    """The solution passes, and a wrong one does not."""
    test, solution, (old, new) = TESTS[name]
    helpers = HELPERS.get(name, "")
    files = {
        "test.ml": f"{HEAD}{helpers}\n{RUN}{test}\n",
        "solution.ml": solution,
        "template.ml": "(* here *)\n",
    }
    (found,) = imported(tmp_path / name, files)
    assert not isinstance(found.found, BadLine), found.found.message
    problem = found.found.problem
    grader = Grader("concise", engine=engines("warm"))
    graded = [
        grader.grade(problem, Completion(text=code)).verdict
        for code in (solution, solution.replace(old, new))
    ]

    assert "learn-ocaml" == found.kind
    assert ["passed", "failed_tests"] == graded


def test_the_parts_of_an_exercise(tmp_path: Path) -> None:
    """Prelude and preparation are given, the template and the prelude are shown; exercises of one
    name are called by their paths.
    """
    files = {
        "descr.md": "Write half.",
        "prelude.ml": "type t = int\n",
        "prepare.ml": "let secret = 3\n",
        "template.ml": "let half (x : t) : t = 0\n",
        "solution.ml": "let half x = x / 2\n",
        "test.ml": f'{HEAD}{RUN}test_variable [%ty: int] "secret" 3\n',
    }
    found = imported(tmp_path, {f"{week}/ex1/{n}": t for week in "ab" for n, t in files.items()})
    problems = [each.found.problem for each in found if not isinstance(each.found, BadLine)]
    prompt = problems[0].prompt

    assert ["a-ex1", "b-ex1"] == [problem.id for problem in problems]
    assert prompt.startswith("Write half.")
    assert "type t = int" in prompt
    assert "let half (x : t) : t = 0" in prompt
    assert "secret" not in prompt
    assert "type t = int\n\nlet secret = 3\n" == problems[0].given
    assert files["solution.ml"] == problems[0].reference


@pytest.mark.parametrize(
    ("test", "why"),
    [
        ('find_binding code_ast "f" @@ fun _ -> []', "looks at the code's syntax"),
        ('compatible_type ~expected:"int" "t"', "looks at the code's types: compat"),
        ('test_function_1_against_solution ~test_stdout:io_test_equals [%ty: int -> unit]'
         ' "f" []', "looks at what is printed: test_stdout"),
        ('test_variable_against_solution [%ty: int] (String.trim "f")',
         "test_variable_against_solution is told a name that is computed"),
        ('test_function_1_against_solution [%ty: (int -> int) -> int] "f" []',
         "nothing draws arguments for (int -> int) -> int"),
        ('test_function_1_against_solution [%ty: tree -> int] "f" []',
         "nothing draws arguments for tree -> int"),
        ('test_function (last_ty [%ty: int] [%ty: int]) (found "f" f) []',
         "needs what is not stood in for: test_function"),
        ('test_function_1 [%ty: int -> int "f" []', "test.ml does not parse"),
        ('[Message ([Text "Well done!"], Success 1)]', "succeeds whatever the code is"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_left_out(test: str, why: str, tmp_path: Path) -> None:
    """What looks at more than results is said to do so."""
    files = {"test.ml": f"{HEAD}{RUN}{test}\n", "solution.ml": "let f x = x\n"}
    (found,) = imported(tmp_path / "ex", files)

    assert isinstance(found.found, BadLine)
    assert why in found.found.message
    assert "learn-ocaml" == found.kind


def test_an_exercise_without_solution_is_left_out(tmp_path: Path) -> None:
    (found,) = imported(tmp_path / "ex", {"test.ml": HEAD, "master.ml": ""})

    assert isinstance(found.found, BadLine)
    assert "no solution.ml" == found.found.message


def test_what_is_given_is_there_once(tmp_path: Path, engines: Callable[[str], Engine]) -> None:
    """Code, solution and tests share a prelude's exceptions, and what it counts."""
    files = {
        "prelude.ml": "exception Odd of int\nlet calls = ref 0\n",
        "prepare.ml": "let sample_odd () = 3\ntype odd = int\n",
        "solution.ml": "let half n = incr calls; if n mod 2 = 1 then raise (Odd n) else n / 2",
        "template.ml": "let half n = 0",
        "test.ml": f"{HEAD}let before _ = calls := 0\n"
        "let after _ _ _ = [Message ([], if !calls = 1 then Success 1 else Failure)]\n"
        f"{RUN}[Section ([], test_function_1_against_solution [%ty: odd -> int]"
        ' "half" ~before_user:before ~after [ 8 ])]\n',
    }
    (found,) = imported(tmp_path / "ex", files)
    assert not isinstance(found.found, BadLine), found.found.message
    problem = found.found.problem
    right = files["solution.ml"]
    grader = Grader("concise", engine=engines("warm"))
    graded = [
        grader.grade(problem, Completion(text=code)).verdict
        for code in (
            right,
            right.replace("incr calls; ", ""),
            right.replace("Odd n", "Odd 0"),
        )
    ]

    assert ["passed", "failed_tests", "failed_tests"] == graded
