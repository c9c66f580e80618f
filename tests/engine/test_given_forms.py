"""Code that a problem gives counts as if it stood before the completion's: whatever passes so in plain
OCaml passes, in every form of code, and nothing else does.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from ocaml_reward import Completion, Grader, Problem, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.engine.build.toolchain import locate


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """Given code, the name that code may have besides, and an expression that is one more than `n`."""

    text: str
    name: str
    more: str
    type: str = "int"


KINDS = {
    "alias": Kind(
        text="type point = int * int",
        name="point",
        more="(let p : point = (n, 1) in fst p + snd p)",
        type="point",
    ),
    "variant": Kind(
        text="type shape = Dot | Square of int",
        name="shape",
        more="(match Square n with Dot -> 0 | Square k -> k + 1)",
    ),
    "record": Kind(
        text="type pair = { left : int; right : int }",
        name="left",
        more="(let p = { left = n; right = 1 } in p.left + p.right)",
    ),
    "value": Kind(text="let limit = 1", name="limit", more="(n + limit)"),
    "function": Kind(text="let sum a b = a + b", name="sum", more="(sum n 1)"),
    "state": Kind(text="let count = ref 1", name="count", more="(n + !count)"),
    "exception": Kind(
        text="exception Full of int",
        name="full",
        more="(match Full n with Full k -> k + 1 | _ -> 0)",
    ),
    "module": Kind(
        text="module Stack = struct type t = int let push (a : t) = a + 1 end",
        name="stack",
        more="(Stack.push n)",
    ),
    "module type": Kind(
        text="module type S = sig val one : int end",
        name="s",
        more="(let module M : S = struct let one = 1 end in n + M.one)",
    ),
    "functor": Kind(
        text="module Make (X : sig val one : int end) = struct let add a = a + X.one end",
        name="make",
        more="(let module M = Make (struct let one = 1 end) in M.add n)",
    ),
    "class": Kind(
        text="class counter from = object method next : int = from + 1 end",
        name="counter",
        more="((new counter n)#next)",
    ),
    "extensible": Kind(
        text="type value = ..\ntype value += Int of int",
        name="value",
        more="(match Int n with Int k -> k + 1 | _ -> 0)",
    ),
    "opened": Kind(
        text="module Inner = struct let one = 1 end\nopen Inner", name="one", more="(n + one)"
    ),
    "operator": Kind(text="let ( +: ) a b = a + b", name="plus", more="(n +: 1)"),
    "two": Kind(
        text="type elt = int\ntype heap = Nil | Cons of elt * heap\nlet top = function Nil -> 0 | "
        "Cons (e, _) -> e + 1",
        name="top",
        more="(top (Cons (n, Nil)))",
    ),
    "label": Kind(text="let shift ~by a = a + by", name="by", more="(shift ~by:1 n)"),
}

# N is the name, MORE the expression, GIVEN the given code, TYPE its type.
FORMS = {
    "plain": "let f n = MORE",
    "recursive": "let rec f n = if n < 0 then f 0 else MORE",
    "parameter": "let f N = let n = N in MORE",
    "typed parameter": "let f (N : int) = let n = N in MORE",
    "label": "let g ~N = N + 0\nlet f n = let n = g ~N:n in MORE",
    "typed label": "let g ~(N : int) = N + 0\nlet f n = let n = g ~N:n in MORE",
    "optional": "let g ?(N = 0) n = n + N\nlet f n = let n = g n in MORE",
    "local": "let f n = let m = (let N = n in N) in let n = m in MORE",
    "case": "let f n = let n = (match n with 0 -> 0 | N -> N) in MORE",
    "function": "let g = function 0 -> 0 | N -> N\nlet f n = let n = g n in MORE",
    "a type besides": "type N = int\nlet f (n : N) : N = MORE",
    "a label besides": "type own = { N : int }\nlet f n = let r = { N = n } in let n = r.N in MORE",
    "a value besides": "let N = 0\nlet f n = let n = n + N in MORE",
    "a value of the type": "let N : int = 0\nlet f n = let n = n + N in MORE",
    "a method": "class own = object method N = 0 end\nlet f n = let n = n + (new own)#N in MORE",
    "a type variable": "let g (x : 'N) : 'N = x\nlet f n = let n = g n in MORE",
    "a variant's tag": "let g = function `N -> 0 | `M -> 1\nlet f n = let n = n + g `N in MORE",
    "in a module": "module Other = struct type N = T let N = 0 end\nlet f n = MORE",
    "a module included": "module Other = struct let other = 0 end\ninclude Other\nlet f n = MORE",
    "the library included": "module Other = struct type N = T end\ninclude List\nlet f n = MORE",
    "the library opened": "open List\nlet f n = MORE",
    "made by a functor": "module F (X : sig end) = struct let other = 0 end\n"
    "include F (struct end)\nlet f n = MORE",
    "in a functor": "module F (X : sig val n : int end) = struct let m = let n = X.n in MORE end\n"
    "let f n = let module M = F (struct let n = n end) in M.m",
    "in a module of its own": "module Own = struct let f n = MORE end\nlet f = Own.f",
    "sealed": "module Own : sig val f : int -> int end = struct let f n = MORE end\ninclude Own",
    "an attribute first": '[@@@warning "-27"]\nlet f n = MORE',
    "semicolons first": ";;\nlet f n = MORE",
    "a comment first": "(* let N = 0 *)\nlet f n = MORE",
    "documented": "(** [N] *)\n\n(** More. *)\nlet f n = MORE",
    "a statement first": 'print_string "";;\nlet f n = MORE',
    "joined": "let rec f n = g n\nand g n = MORE",
    "an exception besides": "exception Own of int\nlet f n = try raise (Own n) with Own n -> MORE",
    "in an object": "let f n = (object method more = MORE end)#more",
    "lazy": "let f n = Lazy.force (lazy MORE)",
    "typed": "let f : int -> int = fun n -> MORE",
    "first shown": "GIVEN\nlet f n = MORE",
    "shown between": "let zero = 0\nGIVEN\nlet f n = let n = n + zero in MORE",
    "named twice": "let f n = let f = MORE in f",
    "a module without a name": "module _ = struct let N = 0 end\nlet f n = MORE",
}
SHOWN_BEHIND = "let f n = MORE\nGIVEN"
TESTS = "let () = assert (f 1 = 2)\nlet () = assert (f 5 = 6)\n"


def problems(kind: Kind) -> Iterator[Problem]:
    """Give the code in each way: in the prompt, in its end, in the field for it; tests that use it."""
    fenced = f"Given\n```ocaml\n{kind.text}\n```\nwrite `f : int -> int`."
    begun = f"{kind.text}\n\n(* one more *)\nlet f (n : int) : int ="
    used = f"{TESTS}let () = assert (let n = f 2 in {kind.more} = 4)\n"
    yield Problem(id="fenced", prompt=fenced, tests=TESTS)
    yield Problem(id="begun", prompt=begun, tests=TESTS)
    yield Problem(id="field", prompt="Write f.", given=kind.text, tests=TESTS)
    yield Problem(id="used", prompt=fenced, tests=used)


def written(form: str, kind: Kind) -> str:
    """Return code in a form."""
    form = re.sub(r"\bN\b", kind.name, form)
    return form.replace("MORE", kind.more).replace("GIVEN", kind.text)


def plain_passes(programs: set[str]) -> set[str]:
    """Return the programs that plain OCaml accepts and runs to their end."""
    numbered = dict(enumerate(programs))
    # In one line each: the toplevel forgets the rest of the line after an error.
    phrases = [
        f'module Case = struct {text} ;; let () = print_endline "\\nended {place}" end;;'
        for place, text in ((at, text.replace("\n", " ")) for at, text in numbered.items())
    ]
    found = subprocess.run(
        [locate().ocamlc.with_name("ocaml"), "-noprompt", "-noinit", "-w", "-a"],
        input="\n".join([*phrases, ""]),
        capture_output=True,
        text=True,
        check=False,
    )
    return {numbered[int(at)] for at in re.findall(r"^ended (\d+)$", found.stdout, re.MULTILINE)}


def lost_and_paid(
    engine: Engine, cases: list[tuple[str, Problem, str, str]]
) -> tuple[list[str], list[str]]:
    """Grade cases of a name, a problem, code and what it is in plain OCaml; return those that pass
    there alone, and here alone.
    """
    passes = plain_passes({plain for *_, plain in cases})
    grader = Grader("concise", engine=engine)
    graded = grader.grade_many((problem, Completion(text=code)) for _, problem, code, _ in cases)
    lost: list[str] = []
    paid: list[str] = []
    for (about, _, _, plain), found in zip(cases, graded, strict=True):
        if (found.verdict is Verdict.PASSED) != (plain in passes):
            (lost if plain in passes else paid).append(about)
    return lost, paid


def forms() -> list[tuple[str, Problem, str, str]]:
    found = []
    for (name, kind), (about, form) in product(KINDS.items(), FORMS.items()):
        code = written(form, kind)
        for problem in problems(kind):
            given = "" if "GIVEN" in form else kind.text
            plain = f"{given} ;; {code} {problem.tests}"
            found.append((f"{name}, {about}, {problem.id}", problem, code, plain))
    return found


def test_it_counts_as_if_it_stood_in_front(engines: Callable[[str], Engine]) -> None:
    """Right code, and wrong code, of each form and in each way of giving."""
    cases = forms()
    wrong = [
        (
            about,
            problem,
            code.replace("let f", "let f _ = 2\nlet _f"),
            plain.replace("let f", "let f _ = 2 let _f"),
        )
        for about, problem, code, plain in cases[::7]
    ]

    assert len(cases) > 2000
    assert ([], []) == lost_and_paid(engines("warm"), cases + wrong)


def test_it_may_be_shown_behind_what_uses_it(engines: Callable[[str], Engine]) -> None:
    """Plain OCaml would take the second definition for another one."""
    grader = Grader("concise", engine=engines("warm"))
    for name, kind in KINDS.items():
        for problem in problems(kind):
            found = grader.grade(problem, Completion(text=written("let f n = MORE\nGIVEN", kind)))

            assert found.verdict is Verdict.PASSED, (name, problem.id)


def test_the_body_of_what_the_prompt_begins(engines: Callable[[str], Engine]) -> None:
    """Given code stands before the definition that the prompt breaks off in."""
    grader = Grader("concise", engine=engines("warm"))
    for name, kind in KINDS.items():
        begun = next(each for each in problems(kind) if each.id == "begun")

        assert grader.grade(begun, Completion(text=f"  {kind.more}\n")).verdict is Verdict.PASSED, (
            name
        )
