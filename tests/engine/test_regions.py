"""Which parts of the code are right or wrong, from what the engines report: every verdict."""

from __future__ import annotations

from ocaml_reward import Ground, Mark, Verdict

from .located import Locate, rows


def test_a_definition_is_marked_by_the_checks_that_need_it(locate: Locate) -> None:
    """Helpers go with what needs them; what checks of both kinds need, or none, is unknown."""
    found = locate("""\
let help x = x + 1
let only x = x * 2
let shared x = x
let f x = help (shared x)
(* of g *)
let g x = only (shared x)
let unused = 3
""")

    assert Verdict.FAILED_TESTS is found.verdict
    assert [
        ("let help x = x + 1", Ground.PASSING, ("help",)),
        ("let only x = x * 2", Ground.FAILING, ("only",)),
        ("let shared x = x", Ground.BOTH, ("shared",)),
        ("let f x = help (shared x)", Ground.PASSING, ("f",)),
        ("let g x = only (shared x)", Ground.FAILING, ("g",)),
        ("let unused = 3", Ground.UNTESTED, ("unused",)),
    ] == rows(found)
    assert [(2, 0), (0, 1), (2, 1), (2, 0), (0, 1), (0, 0)] == [
        (region.passed, region.failed) for region in found.regions or ()
    ]
    assert [
        Mark.RIGHT,
        Mark.WRONG,
        Mark.UNKNOWN,
        Mark.RIGHT,
        Mark.WRONG,
        Mark.UNKNOWN,
    ] == [region.mark for region in found.regions or ()]
    assert [1, 2, 3, 4, 6, 7] == [region.line for region in found.regions or ()]


def test_what_alone_is_at_fault_is_wrong(locate: Locate) -> None:
    """Where a failing check needs one definition only, with its body, its type and its module,
    this is wrong though others pass; where it needs more, nobody knows which.
    """
    alone = locate("""\
type t = int
let f x : t = let up n = 2 * n in up x
let g x = x
""")
    either = locate("let up n = 2 * n\nlet f x = up x\nlet g x = x\n")
    module = locate(
        "module M = struct\n  let f x = 1\n  let g x = x\nend\n",
        "let () = assert (M.f 1 = 1);\n assert (M.f 2 = 2);\n assert (M.g 1 = 1)",
    )

    assert [
        ("type t = int", Ground.BOTH, ("t",)),
        ("let f x : t =", Ground.FAILING, ("f",)),
        ("let up n = 2 * n in", Ground.FAILING, ()),
        ("up x", Ground.FAILING, ("f",)),
        ("let g x = x", Ground.PASSING, ("g",)),
    ] == rows(alone)
    assert [Ground.BOTH, Ground.BOTH, Ground.PASSING] == [
        region.ground for region in either.regions or ()
    ]
    assert [Ground.BOTH, Ground.FAILING, Ground.PASSING, Ground.BOTH] == [
        region.ground for region in module.regions or ()
    ]


def test_all_of_a_right_answer_is_right(locate: Locate) -> None:
    """Nested functions and mutual recursion are needed with what they serve."""
    found = locate("""\
let rec f x = if x > 9 then g x else
  let rec up n = n + 1 in
  up x
and g x = if x > 99 then f x else x
""")

    assert Verdict.PASSED is found.verdict
    assert {Ground.PASSING} == {region.ground for region in found.regions or ()}
    assert [("f",), (), ("f",), ("g",)] == [r.names for r in found.regions or ()]


def test_members_of_a_module_are_told_apart(locate: Locate) -> None:
    """A value in a module is needed alone, with what it needs there and the words around."""
    found = locate(
        """\
module Q = struct
  type t = int list
  let keep x = x
  let push x q : t = keep x :: q
  let pop = function [] -> 0 | x :: _ -> x + 1
end
""",
        "let () = assert (Q.push 1 [] = [1]);\n assert (Q.pop [1] = 1)",
    )

    assert [
        ("module Q = struct", Ground.BOTH, ("Q",)),
        ("type t = int list", Ground.PASSING, ()),
        ("let keep x = x", Ground.PASSING, ("Q.keep",)),
        ("let push x q : t = keep x :: q", Ground.PASSING, ("Q.push",)),
        ("let pop = function [] -> 0 | x :: _ -> x + 1", Ground.FAILING, ("Q.pop",)),
        ("end", Ground.BOTH, ("Q",)),
    ] == rows(found)


def test_what_fills_a_table_is_needed_with_it(locate: Locate) -> None:
    """A statement that changes what is needed is needed, one that changes nothing is not."""
    found = locate("""\
let table = Hashtbl.create 9
let () = List.iter (fun n -> Hashtbl.add table n (n + 1)) [1; 2]
let () = ignore 3
let f x = Hashtbl.find table x
let g x = x
""")

    assert [Ground.PASSING, Ground.PASSING, Ground.UNTESTED, Ground.PASSING] == [
        region.ground for region in found.regions or ()
    ][:4]


def test_several_type_errors(locate: Locate) -> None:
    """Each error's text is wrong and so is the definition around it, up to the first with a
    name; of all else nothing is known, as each check meets an error.
    """
    found = locate("""\
let help x = x + 1
let f x =
  let y = help x in
  y ^ "é"
module M = struct
  let g x = if x then 1 else "é"
end
let g = M.g
""")

    assert Verdict.TYPE_ERROR is found.verdict
    assert [
        ("let help x = x + 1", Ground.UNTESTED, ("help",)),
        ("let f x =", Ground.HOLDS_ERROR, ("f",)),
        ("let y = help x in", Ground.UNTESTED, ()),
        ("y", Ground.ERROR, ("f",)),
        ('^ "é"', Ground.HOLDS_ERROR, ("f",)),
        ("module M = struct", Ground.UNTESTED, ("M",)),
        ("let g x = if x then 1 else", Ground.HOLDS_ERROR, ("M.g",)),
        ('"é"', Ground.ERROR, ("M.g",)),
        ("end", Ground.UNTESTED, ("M",)),
        ("let g = M.g", Ground.UNTESTED, ("g",)),
    ] == rows(found)


def test_an_error_in_a_nested_function(locate: Locate) -> None:
    """The function within and the one around it hold the error; one beside it does not."""
    found = locate("""\
let f x =
  let one n = n + 1 in
  let two n = n + true in
  one (two x)
let g x = x
""")

    assert [
        ("let f x =", Ground.HOLDS_ERROR, ("f",)),
        ("let one n = n + 1 in", Ground.UNTESTED, ()),
        ("let two n = n +", Ground.HOLDS_ERROR, ()),
        ("true", Ground.ERROR, ()),
        ("in", Ground.HOLDS_ERROR, ()),
        ("one (two x)", Ground.HOLDS_ERROR, ("f",)),
        ("let g x = x", Ground.PASSING, ("g",)),
    ] == rows(found)


def test_what_the_tests_do_not_type_with(locate: Locate) -> None:
    """A definition of another type than the tests' is wrong as a whole; that a name is missing
    says nothing of those that are there.
    """
    misfit = locate('let f x = x ^ "a"\nlet g x = x\n')
    missing = locate("let f x = x + 1\n")

    assert [Verdict.INTERFACE_ERROR] * 2 == [misfit.verdict, missing.verdict]
    assert [
        ('let f x = x ^ "a"', Ground.MISFIT, ("f",)),
        ("let g x = x", Ground.PASSING, ("g",)),
    ] == rows(misfit)
    assert [("let f x = x + 1", Ground.PASSING, ("f",))] == rows(missing)


def test_what_does_not_parse(locate: Locate) -> None:
    """The items that do not parse are wrong, and what the parser points at within them, as
    what the tests miss; the checks run without them, and a word behind the mistake is not
    blamed for it.
    """
    found = locate("let f x = x + 1\n\nlet g § = x\nlet h x = x\n")
    behind = locate("let f x = x + 1\nlet g x = (x\nlet h x = = x\n")

    assert [
        ("let f x = x + 1", Ground.PASSING, ("f",)),
        ("let g", Ground.UNPARSED, ("g",)),
        ("§", Ground.ERROR, ("g",)),
        ("= x", Ground.UNPARSED, ("g",)),
        ("let h x = x", Ground.UNTESTED, ("h",)),
    ] == rows(found)
    assert [
        ("let f x = x + 1", Ground.PASSING, ("f",)),
        ("let g x = (x", Ground.UNPARSED, ("g",)),
        ("let h x = = x", Ground.UNPARSED, ()),
    ] == rows(behind)


def test_type_errors_beside_what_does_not_parse(locate: Locate) -> None:
    """They are wrong as elsewhere; that a name is missing, which the rest may have defined, is no
    error of the definition that uses it.
    """
    found = locate('let f x = x ^ 1\nlet h x = (x\nlet g x = h x\nlet k x = "é" + x\n')

    assert [
        ("let f x = x ^", Ground.HOLDS_ERROR, ("f",)),
        ("1", Ground.ERROR, ("f",)),
        ("let h x = (x", Ground.UNPARSED, ()),
        ("let g x = h x", Ground.UNTESTED, ("g",)),
        ("let k x =", Ground.HOLDS_ERROR, ("k",)),
        ('"é"', Ground.ERROR, ("k",)),
        ("+ x", Ground.HOLDS_ERROR, ("k",)),
    ] == rows(found)


def test_what_is_forbidden(locate: Locate) -> None:
    """The line of a forbidden feature is wrong; where it does not type either, its definition
    is, too.
    """
    tests = "let a = f 1\nlet b = f 2\nlet () = assert (f 1 = a && h (f 2) = b)"
    found = locate("let f x =\n  Obj.magic x\nlet h x = x\n", tests)
    # The error's text is the compiler's own: 5.4 points at the module alone.
    is_later = rows(found)[1][0] == "Obj"
    error, rest = ("Obj", ".magic x") if is_later else ("Obj.magic", "x")

    assert ("Obj (line 2)",) == found.forbidden
    assert [
        ("let f x =", Ground.HOLDS_ERROR, ("f",)),
        (error, Ground.ERROR, ("f",)),
        (rest, Ground.FORBIDDEN, ("f",)),
        ("let h x = x", Ground.UNTESTED, ("h",)),
    ] == rows(found)
