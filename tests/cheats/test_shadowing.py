"""
No way to bind a name, or to put another meaning in its place, hides a cast.
"""

from __future__ import annotations

import pytest

from ocaml_reward.engine import Engine
from tests.cheats.test_soundness import EQUAL, FORGOTTEN, HIDDEN, forbidden

TAKEN = "match h with H (p, t) -> t (p x)"

ATTACKS = {
    "hidden, matched behind an argument of its name": HIDDEN
    + f"let f h = h\nlet g x = {TAKEN}",
    "hidden, behind a case of its name": HIDDEN
    + f"let f = function Some h -> h | None -> 1\nlet g x = {TAKEN}",
    "hidden, opened over an argument": HIDDEN
    + f"module M = struct let h = h end\nlet f h x = let open M in {TAKEN}",
    "hidden, opened over an argument in short": HIDDEN
    + f"module M = struct let h = h end\nlet f h x = M.({TAKEN})",
    "hidden, included over an argument": HIDDEN + "module M = struct let h = h end\n"
    f"let f h = let module N = struct include M let g x = {TAKEN} end in N.g",
    "hidden, opened from a functor": HIDDEN
    + "module F (X : sig end) = struct let h = h end\nmodule M = F (struct end)\n"
    f"let f h x = let open M in {TAKEN}",
    "hidden, opened from a value": HIDDEN + "module type S = sig val h : 'a h end\n"
    f"let f m h x = let open (val m : S) in {TAKEN}",
    "hidden, opened from an argument": HIDDEN
    + f"module F (X : sig val h : 'a h end) = struct let f h x = X.({TAKEN}) end",
    "hidden, opened over an argument by a class": HIDDEN
    + "module M = struct let h = h end\n"
    f"class c h = let open M in object method m : 'a 'b. 'a -> 'b = fun x -> {TAKEN} end",
    "hidden, named anew": HIDDEN + f"let k = h\nlet f h x = let h = k in {TAKEN}",
    "hidden, named in an argument's place": HIDDEN
    + f"let f h x = let h = H (Fun.id, Fun.id) in {TAKEN}",
    "hidden, named by a part": HIDDEN
    + f"let f h x = let (h, _) = (H (Fun.id, Fun.id), h) in {TAKEN}",
    "hidden, named by an alias": HIDDEN
    + f"let f h x = let (_ as h) = H (Fun.id, Fun.id) in {TAKEN}",
    "hidden, in a default": HIDDEN + f"let f x ?(h = {TAKEN}) () = h",
    "hidden, in a default of a class": HIDDEN
    + f"let x = 1\nclass c ?(h = {TAKEN}) () = object end",
    "hidden, in a field of an object": HIDDEN
    + f"let f x = object val h = {TAKEN} method m = h end",
    "hidden, of a let that is not recursive": HIDDEN
    + f"let f x = let h = {TAKEN} in h",
    "hidden, in a guard before its name": HIDDEN + f"let f x = (fun h -> h) ({TAKEN})",
    "hidden, after a loop": HIDDEN
    + f"let f x = for h = 0 to 1 do ignore h done; {TAKEN}",
    "hidden, in a loop's bounds": HIDDEN
    + f"let f x = for h = 0 to ({TAKEN}) do ignore h done",
    "hidden, behind an operator": HIDDEN + "let ( let* ) a f = f a\n"
    f"let f x = let* h = {TAKEN} in h",
    "hidden, in a field of any type of an argument": HIDDEN
    + "type r = { k : 'a. 'a h }\nlet f r x = match r.k with H (p, t) -> t (p x)",
    "hidden, in a part of a field of any type": HIDDEN
    + "type r = { k : 'a. 'a h * int }\nlet f { k = (h, _) } x = "
    + TAKEN,
    "hidden, in a record of any type": HIDDEN
    + "type 'a r = { k : 'a h }\nlet r = { k = h }\nlet f x = match r.k with H (p, t) -> t (p x)",
    "hidden, in a method of any type": HIDDEN
    + "let f (o : < h : 'a. 'a h >) x = match o#h with H (p, t) -> t (p x)",
    "a field of one type, then of any": HIDDEN + "type 'a one = { k : 'a h }\n"
    "type any = { k : 'a. 'a h }\nlet f (r : any) x = match r.k with H (p, t) -> t (p x)",
    "indexed by a module named as the library's": (
        "module F (Lazy : sig type 'a t end) = struct\n  type (_, _) g = T : ('a Lazy.t, 'a) g end"
    ),
    "indexed by a module of one's own that is opened": (
        "module M = struct module Seq : sig type 'a t end = struct type 'a t = unit end end\n"
        "open M\ntype (_, _) g = T : ('a Seq.t, 'a) g"
    ),
    "indexed by a module of a signature": (
        "module type S = sig module Seq : sig type 'a t end end\n"
        "module F (X : S) = struct open X type (_, _) g = T : ('a Seq.t, 'a) g end"
    ),
    "indexed by a module that a signature names": (
        "module F (X : sig type 'a t end) = struct module type S = sig\n"
        "  module Seq := X\n  type (_, _) g = T : ('a Seq.t, 'a) g end end"
    ),
    "indexed by a module of a value": (
        "module type S = sig type 'a t end\n"
        "let f (module Seq : S) = let module M = struct\n"
        "  type (_, _) g = T : ('a Seq.t, 'a) g end in ()"
    ),
    "indexed by a type named as the library's": (
        "module F (X : sig type ('a, 'b) result end) = struct\n  open X\n"
        "  type (_, _) g = T : (('a, int) result, 'a) g end"
    ),
    "indexed by a type of a library's module type that is opened": (
        "open Hashtbl\nmodule D = struct type 'a t = A end\n"
        "module F (X : S) = struct include X type (_, _) g = T : ('a t, 'a) g end"
    ),
    "indexed by a type of what a library's module has": (
        "module D = struct type 'a t = A end\n"
        "module type Q = module type of struct include Queue end\n"
        "module F (X : Q) = struct include X type (_, _) g = T : ('a t, 'a) g end"
    ),
    "indexed by a functor's type": (
        "module F (X : sig type 'a t end) = struct include X end\n"
        "type (_, _) g = T : ('a F(Seq).t, 'a) g"
    ),
    "equal by an exception beside a GADT": EQUAL
    + "exception Bad of string\ninclude (struct type 'a t = unit let e = Refl end "
    + FORGOTTEN,
    "equal by a GADT that is an extension": (
        "type (_, _) eq = ..\ntype (_, _) eq += Refl : ('a, 'a) eq\n"
        "include (struct type 'a t = unit let e = Refl end " + FORGOTTEN
    ),
    "twice a name for an exception": "exception A = Not_found exception B = Not_found",
    "twice a name, with a module": "exception A = Not_found exception B = Stdlib.Not_found",
    "a name in a functor": (
        "module F (X : sig end) = struct exception A = Not_found end\n"
        "module M = F (struct end) module N = F (struct end)"
    ),
    "a name in a functor, with a module": (
        "module F (X : sig end) = struct exception A = Stdlib.Exit end\n"
        "module M = F (struct end) module N = F (struct end)"
    ),
    "unsafe, of a module that includes the library's": (
        "module V = struct let unsafe_get a i = a.(i) include Array end\n"
        "let x = V.unsafe_get [| 1 |] 9"
    ),
    "unsafe, of a module that includes another": (
        "module A = struct include Array end\n"
        "module V = struct let unsafe_get a i = a.(i) include A end\n"
        "let x = V.unsafe_get [| 1 |] 9"
    ),
    "unsafe, of a module in another's place": (
        "module V = struct let unsafe_get a i = a.(i) end\nmodule V = Array\n"
        "let x = V.unsafe_get [| 1 |] 9"
    ),
    "unsafe, before a module takes its place": (
        "let x = Array.unsafe_get [| 1 |] 9\nmodule Array = struct let unsafe_get a i = a.(i) end"
    ),
    "unsafe, of a module of a nested scope": (
        "module M = struct module Array = struct let unsafe_get a i = a.(i) end end\n"
        "let x = Array.unsafe_get [| 1 |] 9"
    ),
    "unsafe, of a module that is opened over": (
        "module Array = struct let unsafe_get a i = a.(i) end\nopen Stdlib\n"
        "let x = Array.unsafe_get [| 1 |] 9"
    ),
    "unsafe, of a module that an own one is opened over": (
        "module V = struct let unsafe_get a i = a.(i) end\n"
        "module M = struct module V = Array end\nopen M\nlet x = V.unsafe_get [| 1 |] 9"
    ),
    "unsafe, of a functor's argument": (
        "module V = struct let unsafe_get a i = a.(i) end\n"
        "module type A = sig type 'a t val get : 'a t -> int -> 'a end\n"
        "module F (V : module type of Array) = struct let x = V.unsafe_get [| 1 |] 9 end"
    ),
    "unsafe, of what a functor hands on": (
        "module V = struct let unsafe_get a i = a.(i) end\n"
        "module F (X : module type of Array) = struct let unsafe_get a i = a.(i) include X end\n"
        "module W = F (Array)\nlet x = W.unsafe_get [| 1 |] 9"
    ),
    "unsafe, of a value's module": (
        "module V = struct let unsafe_get a i = a.(i) end\nmodule type A = module type of Array\n"
        "let f (module V : A) = V.unsafe_get [| 1 |] 9"
    ),
    "unsafe, opened over an own name": (
        "let unsafe_get a i = a.(i)\nopen Array\nlet x = unsafe_get [| 1 |] 9"
    ),
    "unsafe, opened over an argument": (
        "let f unsafe_get = Array.(unsafe_get [| 1 |] 9)\nlet unsafe_get = 1"
    ),
    "unsafe, of an alias that is opened": (
        "module A = Array\nlet unsafe_get a i = a.(i)\nlet x = let open A in unsafe_get [| 1 |] 9"
    ),
    "unsafe, of an own name that is out of scope": (
        "let f unsafe_get = unsafe_get\ninclude Array\nlet x = unsafe_get [| 1 |] 9"
    ),
    "unsafe, asked for by an own module's signature": (
        "module V : sig val unsafe_get : 'a array -> int -> 'a end = struct\n"
        "  let unsafe_get a i = a.(i) include Array end\nlet x = V.unsafe_get [| 1 |] 9"
    ),
    "unsafe, asked for within a signature": (
        "module V : sig module A : sig val unsafe_get : 'a array -> int -> 'a end end = struct\n"
        "  let unsafe_get a i = a.(i) module A = Array end"
    ),
    "a module promised by an attribute": (
        "module V = Array [@@a module M = struct let unsafe_get a i = a.(i) end]\n"
        "let x = V.unsafe_get [| 1 |] 9"
    ),
    "a command that is opened over an own one": (
        'let command s = s\nopen Sys\nlet x = command "true"'
    ),
    "a command of an own module that includes": (
        'module S = struct let command s = s include Sys end\nlet x = S.command "true"'
    ),
    "a module of the compiler's by an include": (
        "module Obj = struct let x = 1 end\nmodule S = struct include Stdlib end\nopen S\n"
        "let x = Obj.magic 1"
    ),
    "a module of the compiler's that a functor is given": (
        "module F (X : sig module CamlinternalOO : sig type t end end) = struct\n"
        "  open X let x (y : CamlinternalOO.t) = y end"
    ),
    "a module that an open brings in place of an own one": (
        "module S = struct let input_value x = x end\n"
        "module P = struct module S = Stdlib end\nlet x c = P.(S.(input_value c))"
    ),
    "the same opened before": (
        "module S = struct let input_value x = x end\nopen S\n"
        "module P = struct module S = struct include Stdlib end end\n"
        "let x c = P.(S.(input_value c))"
    ),
}


@pytest.mark.parametrize("code", ATTACKS.values(), ids=ATTACKS.keys())
def test_what_shadows_a_name_hides_no_cast(engine: Engine, code: str) -> None:
    """
    Whatever may put another meaning in a name's place makes it unknown, and forbidden.
    """
    assert () != forbidden(engine, code)
