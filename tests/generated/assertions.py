"""The forms in which OCaml can hold assertions: each takes boolean expressions, at least three,
and gives tests that plain OCaml runs to their end exactly if all of them are true.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Conditions = Sequence[str]
Form = Callable[[Conditions], str]


def _each(template: str, conditions: Conditions, between: str = "\n") -> str:
    return between.join(
        template.replace("§", f"({each})").replace("%", str(place))
        for place, each in enumerate(conditions)
    )


def _rest(template: str) -> Form:
    """Assert the first plainly and the others by the template, together."""

    def form(conditions: Conditions) -> str:
        first, *others = conditions
        all_ = " && ".join(f"({each})" for each in others)
        return f"let () = assert ({first})\n{template.replace('§', f'({all_})')}\n"

    return form


def _one_by_one(template: str, before: str = "", behind: str = "") -> Form:
    """Assert each by the template, in a row."""
    return lambda conditions: f"{before}{_each(template, conditions)}{behind}\n"


def _sequence(template: str, before: str = "let () =\n  ", behind: str = "") -> Form:
    return lambda conditions: f"{before}{_each(template, conditions, '; ')}{behind}\n"


def _list(before: str, behind: str) -> Form:
    def form(conditions: Conditions) -> str:
        thunks = _each("(fun () -> §)", conditions, "; ")
        return f"{before}[{thunks}]{behind}\n"

    return form


FORMS: dict[str, Form] = {
    "statements": _one_by_one("let () = assert §"),
    "evaluated": _one_by_one("assert §;;"),
    "sequence": _sequence("assert §"),
    "sequence with unit": _sequence("assert §", behind="; ()"),
    "booleans": _one_by_one("§;;"),
    "negations": _one_by_one("not (not §);;"),
    "let underscore": _one_by_one("let _ = assert §"),
    "let underscore boolean": _rest("let _ = assert §"),
    "named units": _one_by_one("let t% = assert §"),
    "named and used": _one_by_one("let t% = assert § let () = t%"),
    "typed unit": _one_by_one("let (() : unit) = assert §"),
    "include": _rest("include struct let () = assert § end"),
    "include of statements": _rest("include struct let x = 1 let () = assert § end"),
    "open struct": _rest("open struct let () = assert § end"),
    "module": _rest("module M = struct let () = assert § end"),
    "nested modules": _rest(
        "module M = struct module N = struct let x = 1 let () = assert § end end"
    ),
    "module with a signature": _rest(
        "module M : sig val x : int end = struct let x = 1 let () = assert § end"
    ),
    "module with a named signature": _rest(
        "module type S = sig val x : int end\nmodule M : S = struct let x = 1 let () = assert § end"
    ),
    "functor": _rest(
        "module F (X : sig val x : int end) = struct let () = assert § end\n"
        "module M = F (struct let x = 1 end)"
    ),
    "functor applied by include": _rest(
        "module F (X : sig end) = struct let () = assert § end\ninclude F (struct end)"
    ),
    "generative functor": _rest("module F () = struct let () = assert § end\nmodule M = F ()"),
    "recursive modules": _rest(
        "module rec M : sig val x : unit -> int end = struct"
        " let x () = N.y () let () = assert § end\n"
        "and N : sig val y : unit -> int end = struct let y () = 1 end"
    ),
    "first-class module": _rest(
        "module type S = sig val x : int end\n"
        "let m = (module struct let x = 1 let () = assert § end : S)"
    ),
    "unpacked module": _rest(
        "module type S = sig val x : int end\n"
        "module M = (val (module struct let x = 1 let () = assert § end : S))"
    ),
    "local module": _rest("let () = let module M = struct let () = assert § end in ()"),
    "local module used": _rest(
        "let () = let module M = struct let x = 1 let () = assert § end in assert (M.x = 1)"
    ),
    "local open": _rest("let () = let open struct let () = assert § end in ()"),
    "initializer": _rest("class c = object initializer assert § end\nlet _ = new c"),
    "class let": _rest("class c = let () = assert § in object end\nlet o = new c"),
    "class field": _rest("class c = object val x = (assert §; 1) method x = x end\nlet o = new c"),
    "method": _rest("class c = object method m = assert § end\nlet () = (new c)#m"),
    "object": _rest("let o = object method m = assert § end\nlet () = o#m"),
    "let and": _rest("let x = 1 and () = assert §"),
    "let and statement": _rest("let () = () and () = assert §\n"),
    "let and used": _rest("let x = 1 and y = (assert §; 2)\nlet () = assert (x < y)"),
    "tuple pattern": _rest("let (a, ()) = (1, assert §)"),
    "tuple of units": _rest("let _ = (assert §, assert true)"),
    "let tuple": _rest("let (a, b) = (assert §; (1, 2))\nlet () = assert (a < b)"),
    "record pattern": _rest("type r = { u : unit }\nlet { u = () } = { u = assert § }"),
    "alias pattern": _rest("let (() as u) = assert §"),
    "array pattern": _rest("let l = [| assert § |]"),
    "definition": _rest("let x = assert §; 3\nlet () = assert (x = 3)"),
    "definition at the end": _rest("let x = 3\nlet y = assert §; x"),
    "lazy": _rest("let l = lazy (assert §)\nlet () = Lazy.force l"),
    "lazy pattern": _rest("let (lazy ()) = lazy (assert §)"),
    "if": _rest("let () = if true then assert §"),
    "if not": _rest('let () = if not § then failwith "no"'),
    "if not raise": _rest("let () = if not § then raise Exit"),
    "if else": _rest("let () = if § then () else assert false"),
    "match": _rest("let () = match 1 with 1 -> assert § | _ -> ()"),
    "match boolean": _rest("let () = match § with true -> () | false -> exit 3"),
    "match refutable": _rest('let true = § [@@warning "-8"]'),
    "match guard": _rest("let () = match 1 with _ when § -> () | _ -> assert false"),
    "try": _rest("let () = try assert § with Not_found -> ()"),
    "try swallowing nothing": _rest("let () = try if not § then raise Exit with Not_found -> ()"),
    "for": _rest("let () = for i = 1 to 2 do assert § done"),
    "while": _rest("let () = let n = ref 0 in while !n < 2 do incr n; assert § done"),
    "function": _rest("let f () = assert §\nlet () = f ()"),
    "function of two": _rest("let check a b = assert (a = b)\nlet () = check 1 1; check § true"),
    "function in a definition": _rest(
        "let check a b = assert (a = b)\nlet r = check § true\nlet () = r"
    ),
    "recursive function": _rest(
        "let rec go n = if n > 0 then go (n - 1) else assert §\nlet () = go 3"
    ),
    "closure": _rest("let () = let f () = assert § in f (); f ()"),
    "anonymous function": _rest("let () = (fun () -> assert §) ()"),
    "partial": _rest("let later a () = assert a\nlet now = later §\nlet () = now ()"),
    "iter": _list("let () = List.iter (fun f -> assert (f ())) ", ""),
    "iter by a name": _list(
        "let run f = assert (f ())\nlet all = ", "\nlet () = List.iter run all"
    ),
    "iteri": _list("let () = List.iteri (fun _ f -> assert (f ())) ", ""),
    "array iter": _list("let () = Array.iter (fun f -> assert (f ())) (Array.of_list ", ")"),
    "fold": _list("let () = List.fold_left (fun () f -> assert (f ())) () ", ""),
    "for_all": _list("let () = assert (List.for_all (fun f -> f ()) ", ")"),
    "exists": _list("let () = assert (not (List.exists (fun f -> not (f ())) ", "))"),
    "map": _list("let _ = List.map (fun f -> assert (f ())) ", ""),
    "pipe iter": _list("let () = ", " |> List.iter (fun f -> assert (f ()))"),
    "own iter": _list(
        "let rec iter f = function [] -> () | x :: l -> f x; iter f l\n"
        "let () = iter (fun f -> assert (f ())) ",
        "",
    ),
    "own iter, backwards": _list(
        "let iter f l = List.iter f (List.rev l)\nlet () = iter (fun f -> assert (f ())) ",
        "",
    ),
    "module iter": _list(
        "module Back = struct let iter f l = List.iter f (List.rev l) end\n"
        "let () = Back.iter (fun f -> assert (f ())) ",
        "",
    ),
    "opened iter": _list("open List\nlet () = iter (fun f -> assert (f ())) ", ""),
    "own not": _rest("let not x = x\nlet () = assert (not §)"),
    "own not as a statement": _rest("let not x = assert x; true;;\nnot §;;"),
    "own equality": _rest("let ( = ) a b = a == b\nlet () = assert (§ = true)"),
    "own and": _rest("let ( && ) a b = a || b\nlet () = assert (§ && false)"),
    "own assert_equal": _rest(
        'let assert_equal a b = if a <> b then failwith "differ"\nlet () = assert_equal true §'
    ),
    "own ignore": _rest("let ignore x = assert x\nlet () = ignore §"),
    "own failwith": _rest(
        'let failwith _ = ()\nlet () = if § then failwith "fine" else assert false'
    ),
    "own raise": _rest("let raise b = if not b then Stdlib.raise Exit\nlet () = raise §"),
    "own pipe": _rest("let ( |> ) x f = f x; assert x\nlet () = § |> ignore"),
    "operator": _rest("let ( =? ) a b = assert (a = b)\nlet () = 1 =? 1; § =? true"),
    "binding operator": _rest("let ( let* ) x f = assert x; f x\nlet () = let* b = § in ignore b"),
    "binding operators": _rest(
        "let ( let+ ) (a, b) f = assert a; f (a, b)\nlet ( and+ ) a b = (a, b)\n"
        "let () = let+ a = § and+ b = true in ignore (a, b)"
    ),
    "pipe": _rest("let ok b = assert b\nlet () = § |> ok"),
    "apply": _rest("let ok b = assert b\nlet () = ok @@ §"),
    "ignore": _rest("let () = ignore (assert §)"),
    "ignore a value": _rest("let ok b = assert b; 1\nlet () = ignore (ok §)"),
    "attribute": _rest('let () = (assert § [@warning "-a"])'),
    "attribute on the item": _rest('let () = assert § [@@warning "-a"]'),
    "constraint": _rest("let () = (assert § : unit)"),
    "begin end": _rest("let () = begin assert § end"),
    "reference": _rest("let ok = ref true\nlet () = ok := §\nlet () = assert !ok"),
    "count": _list(
        "let bad = ref 0\nlet test f = if not (f ()) then incr bad\nlet () = List.iter test ",
        "\nlet () = if !bad > 0 then exit 1",
    ),
    "option get": _rest("let () = ignore (Option.get (if § then Some 1 else None))"),
    "find": _rest("let _ = List.find Fun.id [§]"),
    "assoc": _rest("let () = ignore (List.assoc true [(§, 1)])"),
    "hashtable": _rest(
        "let h = Hashtbl.create 1\nlet () = Hashtbl.add h § ()\nlet () = Hashtbl.find h true"
    ),
    "division": _rest("let _ = 1 / (if § then 1 else 0)"),
    "exception carried": _rest(
        'exception Wrong of string\nlet () = if not § then raise (Wrong "x")'
    ),
    "protect": _rest("let () = Fun.protect ~finally:ignore (fun () -> assert §)"),
    "result": _rest("let () = Result.get_ok (if § then Ok () else Error 1)"),
    "sequence operator": _rest("let () = ignore 1; (assert §); ignore 2"),
    "assert in a condition": _rest("let () = if (assert §; true) then ()"),
    "assert in an argument": _rest("let () = ignore (List.length [assert §])"),
    "assert in a match": _rest("let () = match assert § with () -> ()"),
    "assert of a let": _rest("let () = assert (let b = § in b)"),
    "shadowed name": _rest("let x = §\nlet x = x && true\nlet () = assert x"),
    "at exit of all": _rest("let all = §\n;;\nassert all;;"),
}
"""Tests by how they assert."""


def _cases(conditions: Conditions, template: str) -> str:
    return _each(template, conditions, "; ")


_RUN = 'let () = run_test_tt_main ("all" >::: [%s])\n'

OUNIT_FORMS: dict[str, Form] = {
    "cases": lambda c: "open OUnit2\n" + _RUN % _cases(c, '"%" >:: (fun _ -> assert_bool "" §)'),
    "assert_equal": lambda c: (
        "open OUnit2\n" + _RUN % _cases(c, '"%" >:: (fun _ -> assert_equal true §)')
    ),
    "named suite": lambda c: (
        f'open OUnit2\nlet suite = "all" >::: [{_cases(c, chr(34) + "%" + chr(34) + " >:: (fun _ -> assert_equal true §)")}]\n'
        "let () = run_test_tt_main suite\n"
    ),
    "own assert_equal": lambda c: (
        "open OUnit2\nlet assert_equal a b = assert (a = b)\n"
        + _RUN % _cases(c, '"%" >:: (fun _ -> assert_equal true §)')
    ),
    "statement before": lambda c: (
        f"open OUnit2\nlet () = assert ({c[0]})\n"
        + _RUN % _cases(c[1:], '"%" >:: (fun _ -> assert_equal true §)')
    ),
    "include before": lambda c: (
        f"open OUnit2\ninclude struct let () = assert ({c[0]}) end\n"
        + _RUN % _cases(c[1:], '"%" >:: (fun _ -> assert_equal true §)')
    ),
    "statement behind": lambda c: (
        "open OUnit2\n"
        + _RUN % _cases(c[1:], '"%" >:: (fun _ -> assert_equal true §)')
        + f"let () = assert ({c[0]})\n"
    ),
    "statement behind in one": lambda c: (
        'open OUnit2\nlet () = run_test_tt_main ("all" >::: ['
        + _cases(c[1:], '"%" >:: (fun _ -> assert_equal true §)')
        + f"]);\n  assert ({c[0]})\n"
    ),
    "made by code": lambda c: (
        'open OUnit2\nlet test f = test_case (fun _ -> assert_bool "" (f ()))\n'
        + _RUN % _cases(c, "test (fun () -> §)")
    ),
    "nested": lambda c: (
        "open OUnit2\n"
        + _RUN % ('"in" >::: [' + _cases(c, '"%" >:: (fun _ -> assert_equal true §)') + "]")
    ),
}
"""The same with OUnit2."""
