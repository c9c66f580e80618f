"""Every nesting and every long row that OCaml's grammar has, as programs of any size.

Each builder makes a program of `n` levels, or of a row of `n`.  Most of them type where the
compiler has room enough for it; some never do.
"""

from __future__ import annotations

from collections.abc import Callable

Builder = Callable[[int], str]

TESTS = "let () = assert (f 1 = 2)\nlet () = assert (f 5 = 6)"
"""What each program is to pass, if it can be compiled."""


def program(name: str, size: int) -> str:
    """Write a program of that shape, with what the tests ask for behind it."""
    return f"{SHAPES[name](size)}\nlet f x = x + 1\n"


def nest(before: str, middle: str, after: str, *, head: str = "", tail: str = "") -> Builder:
    """Make a builder of `middle` between so many of `before` and as many of `after`."""
    return lambda n: head + before * n + middle + after * n + tail


def row(item: str, between: str = "", *, head: str = "", tail: str = "") -> Builder:
    """Make a builder of so many items, in which "#" is the number of each."""
    return lambda n: head + between.join(item.replace("#", str(i)) for i in range(n)) + tail


def value(before: str, middle: str, after: str = "") -> Builder:
    """Nest an expression."""
    return nest(before, middle, after, head="let a = ")


def pattern(before: str, middle: str, after: str = "") -> Builder:
    """Nest a pattern."""
    return nest(before, middle, after, head="let a = function ", tail=" -> 0 | _ -> 1")


def kind(before: str, middle: str, after: str = "") -> Builder:
    """Nest a type."""
    return nest(before, middle, after, head="type a = ")


def signature(before: str, middle: str, after: str = "") -> Builder:
    """Nest a module's type."""
    return nest(before, middle, after, head="module type A = ")


NESTS: dict[str, Builder] = {
    # Expressions.
    "parentheses": value("(", "1", ")"),
    "begin": value("begin ", "1", " end"),
    "cons": value("1::", "[]"),
    "cons of parentheses": value("1::(", "[]", ")"),
    "lists": value("[", "1", "]"),
    "arrays": value("[|", "1", "|]"),
    "tuples": value("(1,", "1", ")"),
    "tuples leftwards": value("(", "1", ",1)"),
    "records": nest("{c = ", "None", "}", head="type r = {c : r option}\nlet a = "),
    "records of options": nest("Some {c = ", "None", "}", head="type r = {c : r option}\nlet a = "),
    "record updates": nest(
        "{",
        "z",
        " with c = 1}",
        head="type r = {c : int; d : int}\nlet z = {c = 1; d = 2}\nlet a = ",
    ),
    "lets": value("let x = 1 in ", "x"),
    "lets in lets": value("let x = ", "1", " in x"),
    "lets of tuples": value("let x, y = ", "1, 2", " in x, y"),
    "doubling": nest("let x = x, x in ", "x", "", head="let a x = "),
    "recursive lets": value("let rec f x = f x in ", "1"),
    "ifs": value("if true then 1 else ", "1"),
    "ifs in conditions": value("if ", "true", " then true else false"),
    "ifs then": value("if true then ", "()"),
    "matches": value("match 1 with _ -> ", "1"),
    "matches of matches": value("match ", "1", " with x -> x"),
    "funs": value("fun _ -> ", "1"),
    "funs in calls": value("(fun x -> x) (", "1", ")"),
    "functions": value("function _ -> ", "1"),
    "newtypes": value("fun (type t) -> ", "1"),
    "tries": value("try ", "1", " with _ -> 1"),
    "tries in handlers": value("try 1 with _ -> ", "1"),
    "sequences": value("();", "1"),
    "sums": value("1+", "1"),
    "powers": value("1.**", "1."),
    "appended": value('""^', '""'),
    "ands": value("true&&", "true"),
    "compared": value("1=", "1"),
    "minuses": value("- ", "1"),
    "tight minuses": value("-", "1"),
    "bangs": value("!", "1"),
    "bangs apart": value("! ", "1"),
    "nots": value("not (", "true", ")"),
    "calls": value("succ (", "1", ")"),
    "applied": value("succ @@ ", "1"),
    "piped": nest("", "1", "|> succ", head="let a = "),
    "arguments": nest("", "f", " 1", head="let rec f x = f x\nlet a = "),
    "labels": nest("", "f", " ~x:1", head="let a f = "),
    "fields": nest("", "z", ".c", head="type r = {c : r}\nlet rec z = {c = z}\nlet a = "),
    "field updates": nest("z.c <- ", "1", "", head="let a z = "),
    "assignments": nest("z := ", "1", "", head="let a z = "),
    "array gets": nest("", "z", ".(0)", head="let a z = "),
    "array gets within": nest("z.(", "0", ")", head="let z = [|0|]\nlet a = "),
    "string gets within": nest("z.[", "0", "]", head='let z = ""\nlet a = '),
    "own gets": nest("", "z", ".%(0)", head="let (.%()) a _ = a\nlet a z = "),
    "constraints": value("(", "1", " : int)"),
    "coercions": nest("(", "z", " :> < > )", head="let z = object method m = 1 end\nlet a = "),
    "asserts": value("assert (", "true", "; true)"),
    "lazies": value("lazy (", "1", ")"),
    "whiles": value("while true do ", "()", " done"),
    "whiles in conditions": value("while ", "true", " do () done; true"),
    "fors": value("for i = 1 to 2 do ", "()", " done"),
    "local opens": value("let open List in ", "1"),
    "paths opened": value("List.(", "1", ")"),
    "local modules": value("let module M = struct end in ", "1"),
    "local exceptions": value("let exception E in ", "1"),
    "nested local modules": nest(
        "let module M = struct let x = ", "1", " end in M.x", head="let a = "
    ),
    "packed modules": nest(
        "(module struct let x = ",
        "1",
        " end : S with type t = int)",
        head="module type S = sig type t end\nlet a = ",
    ),
    "let operators": nest("let* x = 1 in ", "x", "", head="let ( let* ) x f = f x\nlet a = "),
    "constructors": value("Some (", "1", ")"),
    "polymorphic variants": value("`A (", "1", ")"),
    "bare polymorphic variants": value("`A ", "1"),
    "objects": value("object method m = ", "1", " end"),
    "sends": nest("", "z", "#m", head="let a z = "),
    "news": value("new ", "c"),
    "raises": value("raise (", "Exit", ")"),
    "unreachable": value("match 1 with _ when ", "true", " -> true | _ -> false"),
    "attributes": nest("[@a ", "", "]", head="let a = 1 "),
    "attributes in a row": nest("", "1", " [@a]", head="let a = "),
    "attributes of values": nest("(", "1", " [@a])", head="let a = "),
    "extensions": value("[%a ", "1", "]"),
    "quoted extensions": value("[%a {|", "", "|}]"),
    # Patterns.
    "cons patterns": pattern("_::", "_"),
    "cons patterns in parentheses": pattern("_::(", "_", ")"),
    "parentheses in patterns": pattern("(", "_", ")"),
    "list patterns": pattern("[", "_", "]"),
    "array patterns": pattern("[|", "_", "|]"),
    "tuple patterns": pattern("(_,", "_", ")"),
    "record patterns": nest(
        "{c = ", "_", "}", head="type r = {c : r}\nlet a = function ", tail=" -> 1"
    ),
    "constructor patterns": pattern("Some (", "_", ")"),
    "bare constructor patterns": pattern("Some ", "_"),
    "variant patterns": pattern("`A ", "_"),
    "or patterns": pattern("0 | ", "1"),
    "or patterns in parentheses": pattern("(0 | ", "1", ")"),
    "or patterns leftwards": pattern("(", "1", " | 0)"),
    "alias patterns": pattern("(", "_", " as x)"),
    "aliases": pattern("", "_", " as x"),
    "lazy patterns": pattern("lazy (", "_", ")"),
    "bare lazy patterns": pattern("lazy ", "_"),
    "exception patterns": nest(
        "exception (", "Exit", ")", head="let a = match 1 with ", tail=" -> 0 | _ -> 1"
    ),
    "constrained patterns": pattern("(", "_", " : int)"),
    "opened patterns": pattern("List.(", "_", ")"),
    "attributed patterns": pattern("(", "_", " [@a])"),
    "extensions in patterns": pattern("[%a? ", "_", "]"),
    # Types.
    "parentheses in types": kind("(", "int", ")"),
    "arrows": kind("int -> ", "int"),
    "arrows leftwards": kind("(", "int", " -> int)"),
    "labelled arrows": kind("x:int -> ", "int"),
    "optional arrows": kind("?x:int -> ", "int"),
    "tuple types": kind("(int * ", "int", ")"),
    "types of types": kind("", "int", " list"),
    "types of two types": kind("(int, ", "int", ") result"),
    "variant types": kind("[`A of ", "int", "]"),
    "inherited variant types": kind("[", "`A", "]"),
    "object types": kind("<m : ", "int", ">"),
    "inherited object types": kind("<", "m : int", ">"),
    "polymorphic methods": kind("<m : 'a. ", "int", ">"),
    "alias types": kind("(", "int", " as 'a)"),
    "package types": kind("(module S with type t = ", "int", ")"),
    "attributed types": kind("(", "int", " [@a])"),
    "extensions in types": kind("[%a: ", "int", "]"),
    "class types": kind("#c ", "c"),
    "annotated values": nest("", "int", " list", head="let a : ", tail=" = []"),
    # Modules.
    "structures": nest("module M = struct ", "", " end"),
    "module expressions": nest("struct module M = ", "struct end", " end", head="module A = "),
    "parentheses of modules": nest("(", "List", ")", head="module A = "),
    "constrained modules": nest("(", "struct end", " : sig end)", head="module A = "),
    "functors": nest("functor (X : sig end) -> ", "struct end", "", head="module A = "),
    "functor parameters": nest("(X : sig end) ", "= struct end", "", head="module A "),
    "applied functors": nest(
        "F(", "struct end", ")", head="module F (X : sig end) = struct end\nmodule A = "
    ),
    "applied leftwards": nest(
        "", "F", "(struct end)", head="module F (X : sig end) = struct end\nmodule A = "
    ),
    "functor types": signature("functor (X : sig end) -> ", "sig end"),
    "functor types leftwards": signature("functor (X : ", "sig end", ") -> sig end"),
    "signatures": signature("sig module M : ", "sig end", " end"),
    "signatures of types": signature("sig module type S = ", "sig end", " end"),
    "parentheses of signatures": signature("(", "sig end", ")"),
    "module type of": signature("module type of struct include ", "List", " end"),
    "with types": signature("", "sig type t end", " with type t = int"),
    "constrained signatures": signature("(", "sig type t end", " with type t = int)"),
    "included": nest("include struct ", "", " end"),
    "paths": nest("A.", "x", "", head="module A = struct let x = 1 end\nlet a = "),
    "recursive paths": nest(
        "A.",
        "x",
        "",
        head="module rec A : sig module A = A val x : int end = struct"
        " module A = A let x = 1 end\nlet a = ",
    ),
    "type paths": nest("A.", "t", "", head="type a = "),
    "functor paths": nest("F(", "A", ").t", head="type a = "),
    "functor paths within": nest("F(", "A", ")", head="type a = ", tail=".t"),
    "opens of structures": nest("open struct ", "", " end"),
    "unpacked modules": nest(
        "(val ",
        "m",
        " : S)",
        head="module type S = sig end\nlet m = (module struct end : S)\nmodule A = ",
    ),
    # Classes.
    "classes": nest("let x = 1 in ", "object end", "", head="class a = "),
    "class functions": nest("fun x -> ", "object end", "", head="class a = "),
    "class parentheses": nest("(", "object end", ")", head="class a = "),
    "inheriting": nest("object inherit ", "c", " end", head="class c = object end\nclass a = "),
    "constrained classes": nest("(", "object end", " : object end)", head="class a = "),
    "class type arrows": nest("int -> ", "object end", "", head="class type a = "),
    "inheriting class types": nest(
        "object inherit ",
        "c",
        " end",
        head="class type c = object end\nclass type a = ",
    ),
    "class opens": nest("let open List in ", "object end", "", head="class a = "),
    # What is no grammar.
    "comments": nest("(*", "", "*)"),
    "strings in comments": lambda n: "(*" + '"(*"' * n + "*)",
    "quoted strings": lambda n: "let a = {" + "x" * n + "|1|" + "x" * n + "}",
    "quoted strings in comments": lambda n: "(* {" + "x" * n + "| *)|" + "x" * n + "} *)",
    "unclosed parentheses": value("(", "1"),
    "unclosed lists": value("[", "1"),
    "unclosed begins": value("begin ", "1"),
    "unclosed structures": nest("module M = struct ", "", ""),
    "unclosed comments": nest("(*", "", ""),
    "unopened parentheses": nest("", "let a = 1", ")"),
    "unfinished lets": value("let x = ", "1"),
    "unfinished functions": value("(fun x -> ", "1"),
    "unfinished matches": value("match ", "1"),
    "braces": nest("{", "", "}"),
    "unclosed attributes": nest("[@a ", "", "", head="let a = 1 "),
    "floating attributes": nest("[@@@a ", "", "]"),
    "line directives": nest('# 1 "a"\n', "", ""),
}

ROWS: dict[str, Builder] = {
    "definitions": row("let x# = 1\n"),
    "distinct functions": row("let f# x = x + #\n"),
    "open definitions": row("let x# = ref []\n"),
    "chained definitions": lambda n: (
        "let x0 = 1\n" + "".join(f"let x{i} = x{i - 1} + 1\n" for i in range(1, n))
    ),
    "recursive definitions": row("f# x = f0 x", "\nand ", head="let rec "),
    "definitions at once": row("x# = 1", "\nand ", head="let "),
    "growing types": lambda n: (
        "let f0 x = x, x\n" + "".join(f"let f{i} x = f{i - 1} (f{i - 1} x)\n" for i in range(1, n))
    ),
    "types": row("type t# = int\n"),
    "chained types": lambda n: (
        "type t0 = int\n" + "".join(f"type t{i} = t{i - 1}\n" for i in range(1, n))
    ),
    "chained types of lists": lambda n: (
        "type t0 = int\n" + "".join(f"type t{i} = t{i - 1} list\n" for i in range(1, n))
    ),
    "recursive types": row("t# = A# of t0", "\nand ", head="type "),
    "cyclic types": lambda n: "type " + "\nand ".join(f"t{i} = t{(i + 1) % n}" for i in range(n)),
    "types of pairs": lambda n: (
        "type 'a t0 = 'a * 'a\n"
        + "".join(f"type 'a t{i} = 'a t{i - 1} t{i - 1}\n" for i in range(1, n))
    ),
    "constructors": row("A#", " | ", head="type a = "),
    "constructors of values": row("A# of int", " | ", head="type a = "),
    "typed constructors": row("A# : int t", " | ", head="type _ t = "),
    "variant tags": row("`A#", " | ", head="type a = [", tail="]"),
    "fields": row("c# : int", "; ", head="type a = {", tail="}"),
    "field values": lambda n: (
        "type r = {"
        + ";".join(f"c{i} : int" for i in range(n))
        + "}\nlet a = {"
        + ";".join(f"c{i} = 1" for i in range(n))
        + "}"
    ),
    "type variables": row("'a#", ", ", head="type (", tail=") a = int"),
    "bound type variables": row("'a#", " ", head="let a : ", tail=". int = 1"),
    "type constraints": row(" constraint 'a = int", head="type 'a a = int"),
    "methods": row("method m# = # ", head="let a = object ", tail="end"),
    "method types": row("m# : int", "; ", head="type a = <", tail=">"),
    "instance variables": row("val x# = # ", head="class a = object ", tail="end"),
    "initializers": row("initializer () ", head="class a = object ", tail="end"),
    "class definitions": row("c# = object end", "\nand ", head="class "),
    "cases": row("# -> #", " | ", head="let a = function ", tail=" | _ -> 0"),
    "string cases": row('"#" -> #', " | ", head="let a = function ", tail=" | _ -> 0"),
    "character ranges": row("'a'..'z'", " | ", head="let a = function ", tail=" -> 1 | _ -> 0"),
    "constructor cases": lambda n: (
        "type t = "
        + " | ".join(f"A{i}" for i in range(n))
        + "\nlet a = function "
        + " | ".join(f"A{i} -> {i}" for i in range(n))
    ),
    "tuple cases": row("(#, _, #)", " -> 1 | ", head="let a = function ", tail=" -> 1 | _ -> 0"),
    "wide tuples": row("#", ", ", head="let a = "),
    "wide tuple patterns": row("_", ", ", head="let a (", tail=") = 1"),
    "wide tuple types": row("int", " * ", head="type a = "),
    "wide lists": row("#", "; ", head="let a = [", tail="]"),
    "wide list patterns": row("_", "; ", head="let a = function [", tail="] -> 1 | _ -> 0"),
    "wide arrays": row("#", "; ", head="let a = [|", tail="|]"),
    "wide float arrays": row("#.", "; ", head="let a = [|", tail="|]"),
    "wide array patterns": row("_", "; ", head="let a = function [|", tail="|] -> 1 | _ -> 0"),
    "parameters": row("x#", " ", head="let a ", tail=" = 1"),
    "labelled parameters": row("~x#", " ", head="let a ", tail=" = 1"),
    "optional parameters": row("?(x# = 1)", " ", head="let a ", tail=" () = 1"),
    "modules": row("module M# = struct end\n"),
    "module types": row("module type S# = sig end\n"),
    "recursive modules": row("M# : sig end = struct end", "\nand ", head="module rec "),
    "signature items": row("val x# : int ", head="module type A = sig ", tail="end"),
    "opens": row("open List\n"),
    "includes": row("include List\n"),
    "exceptions": row("exception E#\n"),
    "extensible variants": row("type t += A#\n", head="type t = ..\n"),
    "externals": row('external f# : int -> int = "f"\n'),
    "expressions": row(";;1"),
    "attributes on items": row("[@@@a #]\n"),
    "type errors": row("let x# = 1 + ()\n"),
    "unbound names": row("let x# = y#\n"),
    "unused warnings": row("let f# = function Some x -> 1\n"),
    "syntax errors": row("let x# = = 1\n"),
    "sums of names": lambda n: "let a x = " + " + ".join(["x"] * n),
    "long string": lambda n: 'let a = "' + "a" * n + '"',
    "escapes": lambda n: 'let a = "' + "\\n" * n + '"',
    "wrong escapes": lambda n: 'let a = "' + "\\q" * n + '"',
    "characters": row("'a'", "; ", head="let a = [", tail="]"),
    "long number": lambda n: "let a = 1" + "0" * n,
    "long float": lambda n: "let a = 1." + "0" * n,
    "long name": lambda n: "let " + "a" * n + " = 1",
    "long constructor": lambda n: "type t = A" + "a" * n,
    "long operator": lambda n: "let (" + "+" * n + ") = 1",
    "long label": lambda n: "let a ~" + "a" * n + " = 1",
    "long format": lambda n: 'let a () = Printf.sprintf "' + "%d" * n + '"',
    "long attribute": lambda n: "let a = 1 [@" + ".".join(["a"] * n) + "]",
    "blank lines": lambda n: "\n" * n,
    "zeroes": lambda n: "\0" * n,
}

SHAPES: dict[str, Builder] = NESTS | {f"row of {name}": each for name, each in ROWS.items()}
"""All of them by name."""
