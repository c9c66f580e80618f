"""A module that tests name and nobody else has is the code's: the one it defines, or else the file
that it is.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Problem, ProblemError
from ocaml_reward.engine import CheckReport, CheckRequest, Engine, toolchain
from ocaml_reward.model import Outcome, Stage

Check = Callable[..., CheckReport]

F, G = "let f x = x + 1\n", "let g x = x * 2\n"


def module(name: str, inside: str) -> str:
    return f"module {name} = struct {inside} end\n"


def outcomes(report: CheckReport) -> list[Outcome]:
    return [result.outcome for result in report.results]


FLAT, A, B = F + G, module("A", F), module("B", G)
# Ways to write one answer, as a file or as modules.
WRITTEN = {
    "flat": FLAT,
    "in modules": A + B,
    "a module beside": A + G,
    "included": f"include struct {A} end\n{B}",
    "opened": f"{module('Inner', A)}open Inner\n{B}",
    "made by a functor": f"module Make (X : sig end) = struct {F} end\n"
    f"module A = Make (struct end)\n{B}",
    "recursive": "module rec A : sig val f : int -> int end = struct let f x = x + 1 end\n"
    "and B : sig val g : int -> int end = struct let g x = x * 2 end\n",
    "with a type left open": f"let seen = ref []\n{F}let g x = seen := x :: !seen; x * 2",
}
SUITE = (
    'let () = run_test_tt_main ("s" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2));'
    ' "g" >:: (fun _ -> assert_equal 4 (g 2))])'
)
TESTS = {
    "opens": "open A\nopen B\nlet () = assert (f 2 = 3)\nlet () = assert (g 2 = 4)",
    "opens before a suite": f"open OUnit2\nopen A\nopen B\n{SUITE}",
    "includes": f"open OUnit2\ninclude A\ninclude B\n{SUITE}",
    "paths": "let () = assert (A.f 2 = 3)\nlet () = assert (B.g 2 = 4)",
    "statements": "A.f 2 = 3;;\nB.g 2 = 4;;",
    "names for them": "module X = A\nlet () = assert (X.f 2 = 3)\n"
    "let () = let module Y = B in assert (Y.g 2 = 4)",
    "locally": "let () = assert A.(f 2 = 3)\nlet () = let open B in assert (g 2 = 4)",
    "of a library": f"open OUnit2\nopen P.A\nopen P.B\n{SUITE}",
    "a library": "open P\nlet () = assert (A.f 2 = 3)\nlet () = assert (B.g 2 = 4)",
    "paths of a library": "let () = assert (P.A.f 2 = 3)\nlet () = assert (P.B.g 2 = 4)",
    "a functor's argument": "module T (X : sig val f : int -> int end) = struct\n"
    "  let () = assert (X.f 2 = 3)\nend\nmodule _ = T (A)\nlet () = assert (B.g 2 = 4)",
}


@pytest.mark.parametrize("reference", [None, FLAT, A + B])
@pytest.mark.parametrize("tests", TESTS.values(), ids=TESTS)
def test_a_module_is_the_codes_own_or_its_file(
    check: Check, tests: str, reference: str | None
) -> None:
    """However the code is written, and whatever the reference is, all of it is found, and what is
    wrong in it is.
    """
    written = WRITTEN if reference is None else {"flat": FLAT, "modules": A + B}

    found = {
        name: [
            outcomes(check(each, tests, reference=reference)) for each in (code, wrong)
        ]
        for name, code in written.items()
        for wrong in [code.replace("x * 2", "x * 3")]
    }

    passed, failed = Outcome.PASSED, Outcome.FAILED
    assert {each: [[passed, passed], [passed, failed]] for each in written} == found


def test_a_signature_says_no_more(check: Check) -> None:
    """With what a file or its modules have to declare it is the same."""
    f = "val f : int -> int"
    tests = "open A\nlet () = assert (f 2 = 3)"

    for signature in (f, f"module A : sig {f} end"):
        for code in (F, A):
            report = check(code, tests, signature=signature)
            assert [Outcome.PASSED] == outcomes(report)


@pytest.mark.parametrize(
    ("code", "tests", "stage"),
    [
        # A module of another name, and one that is hidden.
        (module("C", F), "open A\nlet () = assert (f 2 = 3)", Stage.INTERFACE_ERROR),
        (module("C", A) + F, "let () = assert (A.f 2 = 3)", Stage.EXECUTABLE),
        (
            "open struct " + A + " end",
            "let () = assert (A.f 2 = 3)",
            Stage.INTERFACE_ERROR,
        ),
        # The tests stand in the code's own file, so a module is one.
        (FLAT, "let () = assert (f 2 = 3 && A.g 2 = 4)", Stage.INTERFACE_ERROR),
        (
            F + module("A", G),
            "let () = assert (f 2 = 3 && A.g 2 = 4)",
            Stage.EXECUTABLE,
        ),
        # What the library has, or a package, is nobody's file.
        (F, "let () = assert (Queue.f 2 = 3 && f 2 = 3)", Stage.INTERFACE_ERROR),
        (F, "let () = assert (Str.f 2 = 3)", Stage.INTERFACE_ERROR),
    ],
)
def test_what_is_no_file_of_the_codes(
    check: Check, code: str, tests: str, stage: Stage
) -> None:
    """A name stands for the code's file only where that can be meant, and where it has no other."""
    assert stage is check(code, tests, libraries=("str",)).stage


LIES = (
    "let (=) _ _ = true let not _ = true let assert_equal ?ctxt:_ _ _ = () let f _ = 0"
)


@pytest.mark.parametrize(
    "tests",
    [
        "open A\nlet () = assert (f 2 = 3)",
        "include A\nlet () = assert (List.length [f 2] = f 2)",
        "open A\nopen B\nlet () = assert (not (f 2 = 0))",
        'open OUnit2\nopen P.A\nlet () = run_test_tt_main ("f" >:: fun _ -> assert_equal 3 (f 2))',
        'open P\nlet () = assert (Str.quote (string_of_int (A.f 2)) = "3")',
    ],
)
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "module A = struct {} end",
        "module P = struct module A = struct {} end end",
    ],
)
def test_a_file_brings_no_names_of_the_tests_along(
    check: Check, tests: str, around: str
) -> None:
    """Neither the code's file nor a module of its lends tests what they are judged by."""
    own = "module List = struct let length _ = 0 end module OUnit2 = struct end"
    own += ' module Str = struct let quote _ = "3" end module Stdlib = struct end'
    code = f"{around.format(f'{LIES} {own}')} {own}"

    assert Outcome.PASSED not in outcomes(check(code, tests, libraries=("str",)))


def test_a_module_of_a_package_is_known_by_its_own_name(check: Check) -> None:
    """The package zarith has modules Z and Q, which are neither the reference's nor the code's."""
    tests = "let () = assert (Z.equal (f Z.one) (Z.of_int 2))"
    code = "let f _ = Z.one\nmodule Z = struct let one = 1 let of_int _ = 2 let equal _ _ = true end"
    right = "let f x = Z.succ x"
    zarith = {"libraries": ("zarith",)}

    assert [Outcome.PASSED] == outcomes(check(right, tests, reference=right, **zarith))
    assert [Outcome.FAILED] == outcomes(check(code, tests, **zarith))


def test_modules_that_nobody_has_are_named(engine: Engine) -> None:
    """A reference that is none of the modules that tests name is said to be so."""
    problem = Problem(id="p", tests="let () = assert (Basics.g 2 = 3)", reference=F)

    with pytest.raises(ProblemError, match=r"Basics is a module of neither"):
        engine.prepare(problem)


@pytest.mark.parametrize("reference", [True, False])
@pytest.mark.parametrize("shown", ["{}", "module Card : sig\n{}end"])
@pytest.mark.parametrize("around", ["{}", "module Card = struct {} end"])
def test_tests_beside_the_file_take_no_bare_name_of_it(
    engine: Engine, shown: str, around: str, *, reference: bool
) -> None:
    """Where tests open no module of the code's, `compare` is the library's, whatever a prompt shows
    of what is in the file.
    """
    code = around.format("type t = int let compare a b = b - a let make x = x")
    problem = Problem(
        id="p",
        prompt=shown.format(
            "type t\nval compare : t -> t -> int\nval make : int -> t\n"
        ),
        tests="let () = assert (Card.compare (Card.make 1) (Card.make 2) > 0\n"
        "  && List.sort compare [Card.make 3; Card.make 1] = [Card.make 1; Card.make 3])",
        reference=code if reference else None,
    )
    report = engine.check(CheckRequest(code=code, tests=engine.prepare(problem)))

    assert [Outcome.PASSED] == outcomes(report)


@pytest.mark.parametrize(
    "tests",
    [
        "let () = assert (Poly.equal (f [1]) [2])",
        "let () =\n  List.iter [1; 2] ~f:(fun n -> assert (List.mem (f [n]) (n + 1) ~equal:Int.equal))",
        "let () = assert (equal (hd_exn (f [1])) 2)",
    ],
)
def test_tests_behind_what_the_reference_opens(check: Check, tests: str) -> None:
    """Tests that stand in the code's file may take names from what it opens there."""
    code = (
        "open! Base\nopen Base.List\nopen Base.Int\nlet f l = map l ~f:(fun x -> x + 1)"
    )
    wrong = code.replace("+ 1", "+ 2")
    told = {"reference": code, "libraries": ("base",)}
    try:
        toolchain.packages(("base",))
    except ProblemError:
        pytest.skip("no Base of this compiler's is installed")

    report = check(code, tests, **told)
    assert [(Outcome.PASSED, tests.count("\n") + 1)] == [
        (result.outcome, result.line) for result in report.results
    ]
    assert [Outcome.FAILED] == outcomes(check(wrong, tests, **told))


@pytest.mark.parametrize("reference", [True, False])
@pytest.mark.parametrize(
    "tests",
    [
        "let () = assert (Stack.take 2 (Stack.of_seq (List.to_seq [3; 2; 1])) = [1; 2])",
        'open OUnit2\nlet () = run_test_tt_main ("s" >:: fun _ ->'
        " assert_equal [1; 2] (Stack.take 2 (Stack.of_seq (List.to_seq [3; 2; 1]))))",
    ],
)
def test_a_module_of_the_library_that_code_extends(
    check: Check, tests: str, *, reference: bool
) -> None:
    """What the library's lacks says that the code's is meant."""
    code = (
        "module Stack = struct include Stack let rec take n s =\n"
        "  if n = 0 then [] else let x = pop s in x :: take (n - 1) s end"
    )
    wrong = code.replace("x :: take", "take")
    told = {"reference": code if reference else None}

    assert [Outcome.PASSED] == outcomes(check(code, tests, **told))
    assert [Outcome.FAILED] == outcomes(check(wrong, tests, **told))


TYPES = "type player = O | X\ntype 'a at = {it : 'a; x : int}\n"
VALS = "val win : string -> player option\nval zero : 'a -> 'a at\n"
# What a file has besides what its interface says.
HIDDEN = (
    "type cell = O | X | Empty\ntype stone = {x : int; colour : cell}\n"
    "let cell = function 'O' -> O | 'X' -> X | _ -> Empty\n"
    "let win s : player option = match {x = 0; colour = cell s.[0]}.colour with"
    " X -> Some X | O -> Some O | Empty -> None\n"
    "let zero it : _ at = {it; x = 0}\n"
)


@pytest.mark.parametrize("reference", [True, False])
@pytest.mark.parametrize("where", ["prompt", "signature"])
@pytest.mark.parametrize(
    "more", ["", "let seen = ref []\nlet zero it = seen := it :: !seen; zero it"]
)
@pytest.mark.parametrize("opened", ["", "open Connect\n", "open P.Connect\n"])
def test_what_an_interface_hides_hides_nothing_of_it(
    engine: Engine, opened: str, more: str, where: str, *, reference: bool
) -> None:
    """Constructors and labels are those of the types that the interface declares, though the code
    has later types that have them, too.
    """
    code = TYPES + HIDDEN + more
    interface = TYPES + VALS
    tests = (
        f"{opened}let shown = function Some X -> 1 | Some O -> 2 | None -> 3\n"
        'let () = assert (shown (win "X") = 1 && Some O = win "O")\n'
        "let column at = at.x\nlet () = assert (column (zero 'a') = 0)\n"
    )
    problem = Problem(
        id="p",
        prompt=f"Write this.\n\n```ocaml\n{interface}```\n"
        if where == "prompt"
        else "",
        signature=interface if where == "signature" else None,
        tests=tests,
        reference=code if reference else None,
    )
    prepared = engine.prepare(problem)

    def found(code: str) -> list[Outcome]:
        return outcomes(engine.check(CheckRequest(code=code, tests=prepared)))

    assert [Outcome.PASSED] * 2 == found(code)
    assert [Outcome.PASSED, Outcome.FAILED] == found(
        code.replace("x = 0}\n", "x = 1}\n")
    )


def test_a_type_that_an_interface_has_later_hides_others(engine: Engine) -> None:
    """A constructor that two types of the interface have is the later one's, as in the file."""
    interface = f"{TYPES}type cell = O | X | Empty\n{VALS}val cell : char -> cell\n"
    problem = Problem(
        id="p",
        signature=interface,
        tests="let same = function O -> 1 | X -> 2 | Empty -> 3\n"
        "let () = assert (same (cell 'X') = 2)",
    )
    report = engine.check(
        CheckRequest(
            code=f"{TYPES}{HIDDEN}type more = O", tests=engine.prepare(problem)
        )
    )

    assert [Outcome.PASSED] == outcomes(report)
