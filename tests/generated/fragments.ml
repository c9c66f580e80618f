(* Top-level pieces of OCaml that meet the less travelled paths of its compiler, each behind a blank line.
   In a fragment `$` is a small number: two fragments often define the same names. *)

(* Functors, applicative and generative; what a signature cannot name. *)

module F$ (X : sig module type T module M : T end) = X.M

module E$ = F$ (struct type u = int end)

module E$ = F$ (struct module type T = sig type t end module M = struct type t end end)

module F$ (X : sig type t end) = struct type u = X.t list type t = A of u end

module G$ (X : sig type t val v : t end) () = struct include X let w = [ v ] end

module A$ = F$ (struct type t = int end)
module B$ = F$ (A$)

module A$ = G$ (struct type t = T let v = T end) ()
let w$ = A$.w

type t$ = F$(Map.Make(String)).t
type u$ = Map.Make(Int).key

module H$ (F : functor (X : sig type t end) -> sig type u = X.t end) = F (Int)

module I$ = H$ (functor (X : sig type t end) -> struct type u = X.t end)

module S$ = Set.Make (struct type t = int let compare = compare end)
let s$ = S$.(add 1 empty)

include F$ (struct type t = string end)

module F$ (X : sig type t = private [> `A ] end) = struct let f (x : X.t) = x end

module rec F$ : functor (X : sig type t end) -> sig type t = X.t end =
  functor (X : sig type t end) -> struct type t = X.t end

(* Signatures: constraints, module types of, destructive substitution. *)

module type S$ = sig type t val v : t module M : sig type u = t end end

module type T$ = S$ with type t = int and type M.u = int

module type U$ = S$ with type t := int

module type V$ = S$ with module M := List

module type W$ = module type of struct include List type t = A end

module type W$ = sig module type X = S$ include X end

module M$ : S$ = struct type t = int let v = 1 module M = struct type u = t end end

module N$ = (M$ : S$)
let v$ = [ M$.v; N$.v ]

module type R$ = sig module rec A : sig type t = B.t end and B : sig type t end end

(* Recursive modules. *)

module rec A$ : sig type t = Leaf of B$.t end = A$
and B$ : sig type t = A$.t list end = B$

module rec A$ : sig val f : int -> int end = struct let f x = B$.f x end
and B$ : sig val f : int -> int end = struct let f x = A$.f x end

module rec A$ : sig val v : int end = struct let v = B$.v end
and B$ : sig val v : int end = struct let v = A$.v end

module rec R$ : sig module type T class c : object method m : R$.c end end =
  struct module type T = sig end class c = object method m = new R$.c end end

(* First-class modules. *)

module type P$ = sig type t val v : t val s : t -> string end

let p$ = (module struct type t = int let v = 1 let s = string_of_int end : P$)

let q$ (module M : P$) = M.s M.v

let r$ (type a) (module M : P$ with type t = a) (x : a) = M.s x

let u$ m = let module M = (val m : P$) in M.v

let l$ = [ (module Int : Map.OrderedType); (module String) ]

let m$ = let (module M) = p$ in fun () -> M.s M.v

(* Generalised and extensible types. *)

type _ t$ = I : int -> int t$ | B : bool t$ | P : 'a t$ * 'b t$ -> ('a * 'b) t$

let rec eval$ : type a. a t$ -> a = function
  | I n -> n | B -> true | P (a, b) -> (eval$ a, eval$ b)

let bad$ = function I n -> n | B -> true

type e$ = E : 'a * ('a -> string) -> e$
let show$ (E (x, f)) = f x

let out$ (E (x, _)) = x

type (_, _) eq$ = Refl : ('a, 'a) eq$
let cast$ : type a b. (a, b) eq$ -> a -> b = fun Refl x -> x

let wrong$ : type a b. (a, b) eq$ -> a -> b = fun _ x -> x

let dead$ : (int, string) eq$ -> 'a = function _ -> .

type x$ = ..
type x$ += X$ of int | Y$
let f$ = function X$ n -> n | _ -> 0

type x$ += Z$ = Not_found

exception E$ of { code : int; mutable text : string }
let g$ = function E$ r -> r | _ -> raise Exit

type 'a n$ = N of ('a * 'a) n$ | O of 'a
let rec depth$ : 'a. 'a n$ -> int = function N n -> 1 + depth$ n | O _ -> 0

type z$ = Z type 'a s$ = S type (_, _) v$ =
  | Nil : ('a, z$) v$ | Cons : 'a * ('a, 'n) v$ -> ('a, 'n s$) v$
let hd$ : type n. ('a, n s$) v$ -> 'a = function Cons (x, _) -> x

(* Objects and classes. *)

class c$ = object (self) method m = 1 method n = self#m end

class ['a] b$ (x : 'a) = object val mutable v = x method get = v method set y = v <- y end

class d$ = object inherit c$ as super inherit! [int] b$ 1 method! m = super#m + 1 end

class virtual w$ = object method virtual x : int method y = 1 end

class type ct$ = object ('self) method me : 'self method other : < m : int; .. > end

class k$ = object inherit w$ method x = 2 end
let k$ = (new k$ :> < x : int >)

let o$ = object method m = fun x -> x method p : 'a. 'a -> 'a = fun x -> x end

let call$ o = o#m 1
let both$ o = (o#m, o#n#k)

let coerce$ o = (o : c$ :> < m : int >)
let r$ = ref (object method a = 1 end)

class r$ = object method self = {< >} method q = new r$ end and s$ = object end

class u$ = let x = ref [] in object method add y = x := y :: !x end

type 'a obj$ = < m : 'a; .. > as 'a
let f$ (o : 'a obj$) = o#m

(* Polymorphic variants and private rows. *)

type v$ = [ `A | `B of int | `C of v$ list ]
let f$ : v$ -> int = function `A -> 0 | `B n -> n | `C l -> List.length l

let open$ = function `A -> 1 | `B x -> x | _ -> 2
let _ = open$ (`Z 1)

let up$ x = (x :> [ `A | `B | `C ])
let _ = up$ `A

type row$ = [< `A of int & string | `B ]
let bad$ : [< `A | `B > `B ] = `A

let rec loop$ = `Loop loop$
let f$ (#v$ as x) = x

type p$ = private [> `A ]
type q$ = private < m : int; .. >
type r$ = private int

(* Labels, optional arguments, weak and polymorphic types. *)

let lab$ ~a ?(b = 1) ?c () = match c with Some c -> a + b + c | None -> a

let use$ = lab$ ~b:2 ~d:1 ()
let part$ = lab$ ~a:1

let higher$ f = f ~x:1 ~y:2 + f ~y:1 ~x:2

let weak$ = ref []
let store$ x = weak$ := x :: !weak$

let tbl$ = Hashtbl.create 7
let id$ = (fun x -> x) (fun x -> x)

let pair$ = (ref None, ref [])
let _ = fst pair$ := 1

let poly$ : 'a. 'a list -> 'a = List.hd
let mono$ = (poly$ : '_a list -> '_b)

type 'a rec$ = { f : 'b. 'b -> 'a; mutable g : 'a }
let mk$ x = { f = (fun _ -> x); g = x }

type t$ = int and u$ = t$ list and 'a v$ = ('a, t$) Hashtbl.t

type t$ = A of t$ | B
let f$ = function A x -> x | B -> B
type t$ = A | C
let g$ x = f$ x = A

let rec inf$ x = inf$ inf$
let rec val$ = 1 :: val$ and vel$ = fst (val$, 1)

type t$ = t$ list
type u$ = < m : u$ >
type 'a w$ = 'a w$ w$

type t$ = { x : int; y : float } [@@unboxed]
type i$ = int [@@immediate]

let lz$ = lazy (let open struct type h = H end in H)
let es$ = let exception X of int in X 1

let ( let* ) o f = Option.bind o f
let ( and* ) a b = match a, b with Some a, Some b -> Some (a, b) | _ -> None
let l$ = let* x = Some 1 and* y = Some 2 in Some (x + y)

external id$ : 'a -> 'a = "%identity"
external no$ : int -> int = "ocaml_reward_start"

let a$ = [| 1; 2 |].(0) + "abc".[1]

let fmt$ = Printf.sprintf "%d %s %a" 1 "x"
let scan$ = format_of_string "%i%!"

open struct type hidden = H let h$ = H end
let k$ = h$

open List
let map$ = map (fun x -> x)
open! String
let len$ = length

let x$ = let open M$ in v
let y$ = M$.{ v }
let z$ = M$.(v)

(* Hostile: text that looks like the compiler's or ours, and names that mean something elsewhere. *)

[%%ocaml.error "Unbound module Ocaml-reward-harness"]

let e$ = [%ocaml.error "Unbound module Ocaml-reward-pristine"]

let u$ : Ocaml_reward_harness.t = 1

[@@@ocaml.ppwarning "Fatal error: exception Not_found"]

[%%ocaml.error "Fatal error: exception Stack_overflow"]

[%%ocaml.error "Error: The type of this expression, '_weak7 list ref,\n       contains type variables that cannot be generalized"]

let s$ : int = "cannot be generalized Unbound value f Unbound module M"

let s$ = ("'_weak41 Unbound module Ocaml-reward-ounit" : '_weak41)

# 1 "Fatal error: exception Out_of_memory"
let e$ = 1 + ""

# 7 "tests.ml"
let d$ = ()

# 1 "Unbound module Ocaml-reward-harness"
let d$ = 1 + ()

# 3 ""
let d$ = "" + 1

# 99999999 "_none_"
let d$ = '1' + 1

[@@@ocaml.alert hostile "Error: forged\nFile \"tests.ml\", line 1:"]

let dep$ = 1 [@@ocaml.deprecated "Error: Unbound value f\nFatal error: x"]
let use$ = dep$

module M$ = struct let v = true end [@@ocaml.alert hostile "m"]

let v$ = true [@@ocaml.alert hostile "v"] let p$ = 1 [@@deprecated "p"]

class c$ = object method m = 1 end [@@alert hostile "c"]

[@@@ocaml.warning "@a"]

[@@@ocaml.warning "@8"]
let p$ = function Some x -> x

[@@@ocaml.warning "@70"]

[@@@ocaml.warning "+32@26"]
let w$ = let unused = 1 in 2

[@@@ocaml.warnerror "+a"]

[@@@ocaml.warning "@27@32..42"]
let w$ x = ()
module W$ : sig end = struct let y = 1 end

[@@@ocaml.warning "nonsense"]

[@@@ocaml.principal true]

let u$ = match 1 with [%hostile] -> 2 | _ -> 3

let u$ = [%extension_constructor Not_found]

let u$ = [%extension_constructor nothing]

module U$ = [%import Stdlib]

type u$ = [%ocaml.error]

let u$ = [%ocaml.error 1]

let u$ = 1 [@@ocaml.error "attribute"]

let l$ = (List.map [@tailcall]) succ [] [@inlined never] [@ocaml.warn_on_literal_pattern]

let f$ x = (x [@unboxed]) [@@inline always] [@@ocaml.specialise always] [@@local]

external u$ : (float [@unboxed]) -> (int [@untagged]) = "a" "b" [@@noalloc]

module *solution = struct end

let x$ = Solution.f

open Solution

module Solution = struct let f = 1 end
open Solution

let q$ = {hostile|*solution. Ocaml-reward-harness Error: |hostile} + 1

let q$ = {%hostile|text|}

let q$ : [ `Error_Unbound_value_f ] = `Unbound_module_Ocaml

type fatal = Fatal type error = Error of fatal
let generaliz = ref [] let e$ : error = Fatal

let generalized = ref []

let n$ = 99999999999999999999
let m$ = 0x1p3000 + 1z

let c$ = '\300'
let d$ = "\u{FFFFFFFF}"

let \#let = 1

type t$ = .. type t$ += A | A

let _ = (assert false : 'a) [@a.b.c "x" [@d]]

type int = string
let i$ = 1 + 1
let f$ (x : int) = x

type 'a list = A
let l$ = [ 1 ] and bool = true && 1

type unit = U
let () = ()

type exn = E$
exception E$
let r$ = raise E$

module Stdlib = struct end
let s$ = Stdlib.compare 1 ""

module CamlinternalFormatBasics = struct end
let p$ = Printf.printf "%d" "x"

module CamlinternalOO = struct end
class q$ = object method m = 1 end

module Lazy = struct type 'a t = T end
let z$ = lazy 1 + 1
