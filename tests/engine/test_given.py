"""What a problem gives stands before code that does not define it itself, once for code and tests: a
completion may repeat it, in part or not at all.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Completion, Grader, Problem, ProblemError
from ocaml_reward.engine import Engine
from ocaml_reward.model import StdioCase

TREE = "type tree = Leaf | Node of tree * int * tree"
SIZE = "let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r"
OF_TREE = "let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)"
OTHER = "type tree = L | N of tree * int * tree\n"
WRONG = SIZE.replace(" + 1", "")
EXPR = """type _ expr =
  | Int : int -> int expr
  | Add : int expr * int expr -> int expr
  | If : bool * 'a expr * 'a expr -> 'a expr"""
EVAL = (
    "let rec eval : type a. a expr -> a = function"
    " Int n -> n | Add (a, b) -> eval a + eval b | If (c, a, b) -> if c then eval a else eval b"
)


def fenced(*codes: str) -> str:
    """Show code in fences."""
    return (
        "Given\n"
        + "and\n".join(f"```ocaml\n{each}\n```\n" for each in codes)
        + "write it."
    )


# What prompts show, tests, and completions with what becomes of them, beside `passed`.
CASES: dict[str, tuple[str, str, dict[str, str]]] = {
    "a type in a fence": (
        fenced(TREE), OF_TREE,
        {SIZE: "", f"{TREE}\n{SIZE}": "", f"type tree =\n  | Leaf\n  | Node of tree * int * tree\n{SIZE}": "",
         f"type h = Leaf | H of int\n{SIZE.replace('size = function', 'size (t : tree) = match t with')}": "",
         f"module M = struct\n  {TREE}\n  {SIZE}\nend\ninclude M": "",
         WRONG: "failed_tests", OTHER + SIZE.replace("Leaf", "L").replace("Node", "N"): "interface_error"},
    ),
    "in prose": (f"Given\n\n{TREE}\n\nwrite `size`.", OF_TREE, {SIZE: "", f"{TREE}\n{SIZE}": ""}),
    "in prose, indented": (
        f"Write size.\n\nThe code begins with these:\n\n    {TREE}\n\nIt is:\n\n    size Leaf = 0\n",
        OF_TREE, {SIZE: "", f"{TREE}\n{SIZE}": ""},
    ),
    "in backticks": (f"Given `{TREE}`, write `size`.", OF_TREE, {SIZE: ""}),
    "alone": (f"{TREE}\n", OF_TREE, {SIZE: "", f"{TREE}\n{SIZE}": ""}),
    "before a definition": (
        f"(** Trees. *)\n{TREE}\n\nlet rec size t =", OF_TREE,
        {SIZE: "", " match t with Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r": ""},
    ),
    "beside declarations": (
        fenced(f"{TREE}\n\nval size : tree -> int\n(** The size. *)\n\nval depth : tree -> int"),
        OF_TREE, {SIZE: "", f"{TREE}\n{SIZE}": "", "let x = 1": "interface_error"},
    ),
    "beside a stub": (
        fenced(f'{TREE}\nlet size t = failwith "TODO"'), OF_TREE, {SIZE: "", "let x = 1": "interface_error"},
    ),
    "in a session": (
        fenced(f"# {TREE};;\n{TREE}\n# size Leaf;;\n- : int = 0"), OF_TREE, {SIZE: "", f"{TREE}\n{SIZE}": ""},
    ),
    "beside examples": (
        fenced(TREE, "let t = Node (Leaf, 1, Leaf)\nlet () = assert (size t = 1)\nlet n = size t"), OF_TREE,
        {SIZE: "", f"{SIZE}\nlet two = n + 1": "type_error"},
    ),
    "in two fences": (
        fenced("type a = A of int", "type c = Red | Blue"), "let () = assert (f (A 1) = Red)",
        dict.fromkeys([f"{own}let f (A n) = if n > 0 then Red else Blue" for own in ("", "type a = A of int\n")], ""),
    ),
    "types of each other": (
        fenced("type node = {kids : tree list}\nand tree = T of node"),
        "let () = assert (f {kids = [T {kids = []}]} = 1)", {"let f n = List.length n.kids": ""},
    ),
    "a record that changes": (
        fenced("type p = {mutable x : int; y : int}"), "let () = let p = {x = 1; y = 2} in f p; assert (p.x = 2)",
        {"let f p = p.x <- p.x + p.y - 1": "", "let f p = p.x <- p.y + 1": "failed_tests"},
    ),
    "a GADT": (fenced(EXPR), "let () = assert (eval (Add (Int 1, If (true, Int 2, Int 3))) = 3)", {EVAL: ""}),
    "an exception": (
        fenced("exception Bad of int"), "let () = assert (try f 0 with Bad n -> n = 0)",
        {"let f n = raise (Bad n)": "", "exception Bad of int\nlet f n = raise (Bad n)": "",
         "let f n = raise (Bad 1)": "failed_tests"},
    ),
    "a module type": (
        fenced("module type START = sig val start : int end"),
        "module C = Count (struct let start = 3 end)\nlet () = C.tick (); assert (C.get () = 4)",
        {"module Count (S : START) = struct let n = ref S.start let tick () = incr n let get () = !n end": ""},
    ),
    "a module of a type": (
        fenced("module H = struct type t = A | B of int let zero = A end"), "let () = assert (f (H.B 1) = H.A)",
        {"let f = function H.A -> H.B 0 | H.B _ -> H.zero": ""},
    ),
    "a class": (
        fenced("class point (i : int) = object\n  val mutable x = i\n  method get = x\n  method move = x <- x + 1\nend"),
        "let () = let p = f 3 in p#move; assert (p#get = 4)", {"let f n = new point n": ""},
    ),
    "a helper of a type": (
        fenced(TREE, SIZE), "let () = assert (f (Node (Leaf, 1, Leaf)) = 3)",
        {f"{own}let f t = size t + 2": "" for own in ("", f"{TREE}\n", f"{TREE}\n{SIZE}\n")}
        | {f"{TREE}\nlet size _ = 0\nlet f t = size t + 2": "failed_tests"},
    ),
    "a helper by another's name": (
        fenced("let key n = n * 2\nlet keyed n = key n + 1"), "let () = assert (f 2 = 5 && f 3 = 7)",
        {"let f n = keyed n": "", "let key n = n\nlet f n = keyed (key n)": ""},
    ),
    "state before a definition": (
        "let total = ref 0\n\n(* adds n to total *)\nlet add (n : int) : unit =",
        "let () = add 3; assert (!total = 3)",
        {"  total := !total + n": "", "let add n = total := !total + n": "",
         "let total = ref 0\nlet add n = total := !total + n": "", "  total := n - 1": "failed_tests"},
    ),
    "state with what reads it": (
        fenced("let total = ref 0\nlet get () = !total"), "let () = add 3; add 4; assert (get () = 7)",
        {"let add n = total := !total + n": "", "let total : int ref = ref 0\nlet add n = total := !total + n": "",
         "let total = ref 0\nlet get () = 7\nlet add _ = ()": "failed_tests"},
    ),
    "a table": (
        fenced("let seen : (string, int) Hashtbl.t = Hashtbl.create 7"),
        'let () = f "a" 1; assert (Hashtbl.find seen "a" = 1)',
        {"let f k v = Hashtbl.replace seen k v": "", "let f k v = Hashtbl.replace seen k (v + 1)": "failed_tests"},
    ),
    "an array": (
        "let cells = Array.make 3 0\n\nlet f i =", "let () = f 1; assert (cells.(1) = 5)",
        {" cells.(i) <- 5": "", " cells.(i) <- 6": "failed_tests"},
    ),
    "a type left open": (
        fenced("let log = ref []"), "let () = f 1; f 2; assert (!log = [2; 1])",
        {"let f n = log := n :: !log": "", "let f n = log := [n]": "failed_tests"},
    ),
    "code to be mended": (
        fenced("let twice n = n * 2\nlet f n = twice n + 1"), "let () = assert (f 2 = 4 && f 3 = 6)",
        {"let f n = twice n": "", "let g n = n": "interface_error"},
    ),
    "state of code to be mended": (
        fenced("let total = ref 0\nlet add n = total := n"), "let () = add 3; add 3; assert (!total = 6)",
        {"let add n = total := !total + n": "", "let g n = n": "interface_error"},
    ),
    "what does not type by itself": (
        fenced("let helper x = unknown x\nlet two = 2"), "let () = assert (f 1 = 2)",
        {"let f n = two * n": "", "let f n = helper n": "type_error"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_stands_before_code_that_has_it_not(engine: Engine, name: str) -> None:
    """With a reference, which may leave it out, too, and without."""
    prompt, tests, expected = CASES[name]
    grader = Grader("concise", engine=engine, jobs=1)
    for reference in (None, next(iter(expected))):
        problem = Problem(id="p", tests=tests, prompt=prompt, reference=reference)
        found = {
            code: grader.grade(problem, Completion(text=code)).verdict.value
            for code in expected
        }

        assert {code: what or "passed" for code, what in expected.items()} == found


GIVEN = f"{TREE}\nlet count = ref 0\nlet () = incr count\nopen List"


@pytest.mark.parametrize(
    ("given", "code", "verdict"),
    [
        (GIVEN, SIZE, "passed"),
        (GIVEN, f"{TREE}\n{SIZE}", "passed"),
        (GIVEN, "let size t = if t = Leaf then 0 else length [!count; 2]", "passed"),
        (GIVEN, WRONG, "failed_tests"),
        ("", SIZE, "type_error"),
        (f"{TREE}\n{WRONG}", SIZE, "passed"),
    ],
)
def test_a_problem_says_what_is_given(
    engine: Engine, given: str, code: str, verdict: str
) -> None:
    """All of it stands before the code, which sees it and has its own of what it defines."""
    problem = Problem(id="p", tests=OF_TREE, prompt="Write size.", given=given)
    found = Grader("concise", engine=engine).grade(problem, Completion(text=code))

    assert verdict == found.verdict.value


def test_programs_have_it_too(engine: Engine) -> None:
    """A program that is judged by what it prints may begin with an expression."""
    problem = Problem(
        id="p", tests=(StdioCase(stdin="", stdout="5"),), given="let five = 5"
    )
    grader = Grader("concise", engine=engine, jobs=1)
    for code in ("print_int five", "let () = print_int five", 'print_string "5"'):
        assert "passed" == grader.grade(problem, Completion(text=code)).verdict.value


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("let x =\n\ntype t = (", "given, line 3: Syntax error"),
        ("let x = 1\ntype t = A of u", "given, line 2: unsupported: Unbound type constructor u"),
        ('external f : int -> int = "x"', "given, line 1: unsupported: external"),
    ],
)  # fmt: skip
def test_what_cannot_be_given(engine: Engine, given: str, said: str) -> None:
    """It is the problem's fault, and said once."""
    with pytest.raises(ProblemError, match=said):
        engine.prepare(Problem(id="p", tests=OF_TREE, given=given))


def test_it_counts_for_nothing(engine: Engine) -> None:
    """Neither shares nor lines nor regions are about it, and the record says where it stands."""
    prompt = fenced(f"{TREE}\nmodule M = struct\nlet x = 1\nend\nlet two = M.x + 1")
    problem = Problem(id="p", tests=OF_TREE, prompt=prompt)
    grader = Grader("seed", engine=engine, jobs=1, regions=True)
    for code, shares in {
        "let rec size = function (": (0.0, None),
        "let y = two\nlet rec size = function (": (0.5, None),
        'let size t : int = two ^ "é"': (None, 0.9),
        WRONG: (None, 1.0),
    }.items():
        found = grader.grade(problem, Completion(text=code))
        places = [place for region in found.regions or () for place in region.places]

        # Later compilers make other nodes of the same text.
        nearly = pytest.approx((shares[0], shares[1]), abs=0.02)
        assert nearly == (found.parsed_share, found.typed_fraction)
        assert code == found.code[found.given[-1][1] :]
        assert "min_lines" in {each.code for each in found.penalties}
        assert places
        assert all(region.places for region in found.regions or ())
