"""Runners, registries, lazy cases and guards as courses write them by hand, and statements behind the
last assertion: tests of a function, each as plain OCaml text, with answers that are right or wrong.

Each maker takes cases, as pairs of an expression and its value, and gives tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

Cases = Sequence[tuple[str, str]]
Maker = Callable[[Cases], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A function to write: answers by what they do, and cases of it; `wrong` ones are told by one
    of the cases at least.
    """

    name: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    cases: Cases

    @property
    def never(self) -> tuple[str, ...]:
        """Answers that never return."""
        return (
            f'let {self.name} _ = failwith "TODO"',
            f"let {self.name} _ = raise Not_found",
            f"let {self.name} _ = assert false",
            f'let {self.name} _ = invalid_arg "{self.name}"',
            f"let rec {self.name} x = {self.name} x",
        )


SUBJECTS: Final = (
    Subject(
        name="sum",
        right=(
            "let rec sum = function [] -> 0 | x :: t -> x + sum t",
            "let sum l = List.fold_left ( + ) 0 l",
        ),
        wrong=(
            "let sum l = 1 + List.length l + List.length l",
            "let sum l = match l with [] -> 0 | _ -> 1 + List.length l",
            "let sum _ = 0",
        ),
        cases=(("sum []", "0"), ("sum [1; 2]", "3"), ("sum [5]", "5")),
    ),
    Subject(
        name="double",
        right=("let double x = 2 * x", "let double x = x + x"),
        wrong=("let double x = x * x", "let double _ = 4", "let double x = x"),
        cases=(("double 2", "4"), ("double 0", "0"), ("double (-3)", "(-6)")),
    ),
    Subject(
        name="rev",
        right=(
            "let rev l = List.rev l",
            "let rev l = List.fold_left (fun a x -> x :: a) [] l",
        ),
        wrong=("let rev l = l", "let rev _ = [2; 1]", "let rev l = List.tl (List.rev l) @ [0]"),
        cases=(("rev [1; 2]", "[2; 1]"), ("rev [1]", "[1]"), ("rev [3; 1; 2]", "[2; 1; 3]")),
    ),
    Subject(
        name="shout",
        right=(
            'let shout s = String.uppercase_ascii s ^ "!"',
            'let shout s = String.map Char.uppercase_ascii s ^ "!"',
        ),
        wrong=("let shout s = String.uppercase_ascii s", 'let shout s = s ^ "!"'),
        cases=(('shout "a"', '"A!"'), ('shout ""', '"!"'), ('shout "bc"', '"BC!"')),
    ),
)

# How a case fails: an expression of type unit, § the call and ¶ its value.
BODIES: Final = {
    "assert": "assert (§ = ¶)",
    "failwith": 'if § <> ¶ then failwith "different"',
    "match": 'match § with v when v = ¶ -> () | _ -> failwith "different"',
    "own exception": "if § <> ¶ then raise (Differs 1)",
    "helper": "equal § ¶",
}
_BEFORE: Final = {
    "own exception": "exception Differs of int\n",
    "helper": 'let equal a b = if a <> b then failwith "not equal"\n',
}
PRINTING: Final = 'print_endline "ok" with _ -> print_endline "FAIL"'


def _body(body: str, case: tuple[str, str]) -> str:
    call, value = case
    return BODIES[body].replace("§", f"({call})").replace("¶", f"({value})")


def _lines(template: str) -> Callable[[str, Cases], str]:
    def made(body: str, cases: Cases) -> str:
        return "".join(
            template.replace("%", str(place)).replace("@", _body(body, case)) + "\n"
            for place, case in enumerate(cases)
        )

    return made


def _listed(template: str, before: str, behind: str) -> Callable[[str, Cases], str]:
    def made(body: str, cases: Cases) -> str:
        inside = "; ".join(
            template.replace("%", str(place)).replace("@", _body(body, case))
            for place, case in enumerate(cases)
        )
        return f"{before}[ {inside} ]{behind}\n"

    return made


_RUN: Final = (
    'let run name f = try f (); Printf.printf "%s ok\\n" name'
    ' with e -> Printf.printf "%s FAIL %s\\n" name (Printexc.to_string e)\n'
)
_COUNT: Final = (
    "let passed = ref 0 and failed = ref 0\n"
    'let run name f = try f (); incr passed with _ -> incr failed; print_endline (name ^ " FAIL")\n'
)
_MATCH: Final = (
    'let run name f = match f () with () -> Printf.printf "%s: PASS\\n" name'
    ' | exception e -> Printf.printf "%s: FAIL (%s)\\n" name (Printexc.to_string e)\n'
)
_CASE: Final = 'let () = run "%" (fun () -> @)'
_TOTAL: Final = 'let () = Printf.printf "%d passed, %d failed\\n" !passed !failed\n'
_EXIT: Final = "let () = if !failed > 0 then exit 1\n"


def _around(
    before: str, made: Callable[[str, Cases], str], behind: str
) -> Callable[[str, Cases], str]:
    return lambda body, cases: before + made(body, cases) + behind


_EACH: Final = (
    'let () = List.iter (fun (n, f) -> try f (); Printf.printf "%s ok\\n" n'
    ' with _ -> Printf.printf "%s FAIL\\n" n) '
)
_STOPPING: Final = "let () = List.iter (fun (_, f) -> f ()) "

CATCHING: Final[dict[str, Callable[[str, Cases], str]]] = {
    "try in each": _lines(f"let () = try (@); {PRINTING}"),
    "a function that prints": _around(_RUN, _lines(_CASE), ""),
    "a match that prints": _around(_MATCH, _lines(_CASE), ""),
    "counted": _around(_COUNT, _lines(_CASE), _TOTAL),
    "counted, exit": _around(_COUNT, _lines(_CASE), _TOTAL + _EXIT),
    "a list": _listed('("%", fun () -> @)', _EACH, ""),
    "a named list": _listed('("%", fun () -> @)', "let all = ", "\n" + _EACH + "all"),
    "true or false, exit": _around(
        "let good f = try f (); true with _ -> false\n",
        _lines('let () = if not (good (fun () -> @)) then (print_endline "FAIL %"; exit 1)'),
        "",
    ),
    "a result": _around(
        "let run f = match (try Ok (f ()) with e -> Error e) with\n"
        '  | Ok () -> print_endline "ok" | Error _ -> print_endline "FAIL"; exit 1\n',
        _lines("let () = run (fun () -> @)"),
        "",
    ),
    "several with one exit": _around(
        "let bad = ref []\nlet run name f = try f () with _ -> bad := name :: !bad\n",
        _lines(_CASE),
        "let () = List.iter print_endline !bad; if !bad <> [] then exit 2\n",
    ),
}

REGISTERED: Final[dict[str, Callable[[str, Cases], str]]] = {
    "a list": _around(
        "let tests = ref []\nlet test name f = tests := (name, f) :: !tests\n",
        _lines('let () = test "%" (fun () -> @)'),
        _STOPPING + "(List.rev !tests)\n",
    ),
    "a list, bare": _around(
        "let tests = ref []\n",
        _lines("let () = tests := (fun () -> @) :: !tests"),
        "let () = List.iter (fun f -> f ()) !tests\n",
    ),
    "a list that is printed": _around(
        "let tests = ref []\nlet test name f = tests := (name, f) :: !tests\n",
        _lines('let () = test "%" (fun () -> @)'),
        _EACH + "(List.rev !tests)\n",
    ),
    "let underscore": _around(
        "let tests = ref []\nlet test name f = tests := (name, f) :: !tests\n",
        _lines('let _ = test "%" (fun () -> @)'),
        "let _ = List.iter (fun (_, f) -> f ()) (List.rev !tests)\n",
    ),
    "a table": _around(
        "let all = Hashtbl.create 7\nlet test name f = Hashtbl.replace all name f\n",
        _lines('let () = test "%" (fun () -> @)'),
        "let () = Hashtbl.iter (fun _ f -> f ()) all\n",
    ),
    "a queue": _around(
        "let all = Queue.create ()\n",
        _lines("let () = Queue.add (fun () -> @) all"),
        "let () = while not (Queue.is_empty all) do (Queue.pop all) () done\n",
    ),
    "a module": _around(
        "module Runner = struct\n  let tests = ref []\n"
        "  let register n f = tests := (n, f) :: !tests\n"
        "  let run () = List.iter (fun (n, f) -> try f () with e -> (print_endline n; raise e))"
        " (List.rev !tests)\nend\nopen Runner\n",
        _lines('let () = register "%" (fun () -> @)'),
        "let () = run ()\n",
    ),
    "counted, exit": _around(
        "let tests = ref []\nlet test n f = tests := (n, f) :: !tests\n",
        _lines('let () = test "%" (fun () -> @)'),
        "let () =\n  let failed = ref 0 in\n"
        "  List.iter (fun (n, f) -> try f () with _ -> incr failed; print_endline n) !tests;\n"
        "  if !failed > 0 then exit 1\n",
    ),
}

LAZY: Final[dict[str, Callable[[str, Cases], str]]] = {
    "lazy, forced": _listed("lazy (@)", "let all = ", "\nlet () = List.iter Lazy.force all"),
    "lazy, caught": _listed(
        "lazy (@)",
        "let all = ",
        '\nlet () = List.iter (fun t -> try Lazy.force t; print_endline "ok"'
        ' with _ -> print_endline "FAIL") all',
    ),
    "functions": _listed(
        "(fun () -> @)", "let all = ", "\nlet () = List.iter (fun f -> f ()) all"
    ),
    "an array": _listed(
        "(fun () -> @)", "let all = Array.of_list ", "\nlet () = Array.iter (fun f -> f ()) all"
    ),
    "pairs": _listed('("%", fun () -> @)', "let all = ", "\n" + _STOPPING + "all"),
    "a helper that waits": lambda _, cases: (
        "let check f x b () = assert (f x = b)\nlet all = [ "
        + "; ".join(f"check {call.partition(' ')[0]} ({call.partition(' ')[2]}) ({value})" for call, value in cases)
        + " ]\nlet () = List.iter (fun f -> f ()) all\n"
    ),
    "a sequence": _listed(
        "(fun () -> @)", "let all = List.to_seq ", "\nlet () = Seq.iter (fun f -> f ()) all"
    ),
}  # fmt: skip


def _asserted(cases: Cases) -> str:
    return "; ".join(_body("assert", case) for case in cases)


GUARDED: Final[dict[str, Maker]] = {
    "arguments": lambda cases: f"let () = if Array.length Sys.argv > 1 then ({_asserted(cases)})\n",
    "arguments of main": lambda cases: (
        f"let main () = {_asserted(cases)}\nlet () = if Array.length Sys.argv > 1 then main ()\n"
    ),
    "a variable": lambda cases: (
        f"let main () = {_asserted(cases)}\n"
        'let () = match Sys.getenv_opt "RUN_TESTS" with Some _ -> main () | None -> ()\n'
    ),
    "never": lambda cases: f"let main () = {_asserted(cases)}\nlet () = if false then main ()\n",
    "kept": lambda cases: f"let main () = {_asserted(cases)}\nlet _ = main\n",
    "no case": lambda cases: f"let main f = f (); {_asserted(cases)}\nlet () = List.iter main []\n",
    "built": lambda cases: (
        "let check a b = fun () -> assert (a = b)\nlet all = [ "
        + "; ".join(f"check ({call}) ({value})" for call, value in cases)
        + " ]\n"
    ),
}
"""Tests that check nothing, whoever runs them: they are refused."""

BEHIND: Final[dict[str, str]] = {
    "an option": "let () = Option.get (if § = ¶ then Some () else None)",
    "a division": "let () = ignore (1 / (if § = ¶ then 1 else 0))",
    "an array": "let () = ignore [|1|].(if § = ¶ then 0 else 1)",
    "a search": "let () = ignore (List.find (fun v -> v = ¶) [ § ])",
    "a value": "let last = List.assoc ¶ [ §, 1 ]",
    "a call": "let () = ignore (§)",
    "a loop": "let () = while § <> ¶ do () done",
}
"""A statement that raises or loops behind assertions that hold, if the last case does not."""

STARTS: Final[dict[str, Maker]] = {
    "assertions": lambda cases: "".join(f"let () = {_body('assert', case)}\n" for case in cases),
    "catching": lambda cases: CATCHING["counted, exit"]("assert", cases),
    "registered": lambda cases: REGISTERED["a list"]("assert", cases),
    "lazy": lambda cases: LAZY["lazy, forced"]("assert", cases),
    "guarded": lambda cases: f"let () = if Array.length Sys.argv > 0 then ({_asserted(cases)})\n",
}
"""What such a statement is behind, by the family."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """Tests with answers: `right` ones pass; what is in `wrong` does not, and what is in `never`
    earns nothing either.  `refused` is whether no answer can fail the tests.
    """

    name: str
    family: str
    tests: str
    reference: str | None
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    never: tuple[str, ...]
    refused: bool = False


def problems() -> Iterator[Problem]:
    """Yield every problem of each family, with its reference and without."""
    for subject, known in product(SUBJECTS, (False, True)):
        reference = subject.right[0] if known else None
        suffix = f"{subject.name}{' +ref' if known else ''}"
        answers = {
            "right": subject.right,
            "wrong": subject.wrong,
            "never": subject.never,
            "reference": reference,
        }
        families = {"catching": CATCHING, "registered": REGISTERED, "lazy": LAZY}
        for family, makers in families.items():
            for (name, maker), body in product(makers.items(), BODIES):
                tests = _BEFORE.get(body, "") + maker(body, subject.cases)
                whole = f"{family}: {name}: {body}: {suffix}"
                yield Problem(name=whole, family=family, tests=tests, **answers)  # type: ignore[arg-type]
        for name, guard in GUARDED.items():
            whole = f"guarded: {name}: {suffix}"
            tests = guard(subject.cases)
            yield Problem(name=whole, family="guarded", tests=tests, refused=True, **answers)  # type: ignore[arg-type]
        yield from _behind(subject, reference, suffix)


def _behind(subject: Subject, reference: str | None, suffix: str) -> Iterator[Problem]:
    """Yield tests with a statement behind the last assertion that only one answer reaches in vain."""
    *first, (call, value) = subject.cases
    argument = call.partition(" ")[2]
    other = first[0][0]
    for (start, maker), (name, statement) in product(STARTS.items(), BEHIND.items()):
        tests = maker(first) + statement.replace("§", f"({call})").replace("¶", f"({value})") + "\n"
        then = [other] if name == "a loop" else ["failwith {|no|}", "exit 0"]
        given = f"let {subject.name} x = if x = {argument} then %s else {subject.name} x"
        yield Problem(
            name=f"behind {start}: {name}: {suffix}",
            family="behind",
            tests=tests,
            reference=reference,
            right=subject.right,
            wrong=tuple(f"{subject.right[1]}\n{given % each}" for each in then),
            never=subject.never,
        )
