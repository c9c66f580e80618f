(* Ill-typed programs with the number of mistakes in each.  Each is written so that a person would count
   the same: one mistake however much follows from it, and each that would still be there with the
   others put right. *)
(* input *)
(* output *)

(* # Mistakes in several top-level items, in one function. *)
(* code: one operand *) let f x = x + "a"
(* expect type errors: 1 *)
(* code: two items *)
let a = 1 + "x"
let b = 2 ^ "y"
(* expect type errors: 2 *)

(* code: three items among good ones *)
let ok = 1
let a = ok + "x"
let f x = x
let b = not 3
let c = f 1 ^ "z"
(* expect type errors: 3 *)

(* code: five in one tuple *)
let f x = (1 + "x", 2 + "y", not 3, undefined, [1; "a"])
let g = 1
(* expect type errors: 5 *)

(* code: three in one function *)
let f x =
  let a = x + "one" in
  let b = String.length 2 in
  let c = if 3 then a else b in
  a + b + c
(* expect type errors: 3 *)

(* code: two branches of a match *)
let f = function
  | 0 -> 1 + "x"
  | 1 -> List.length 5
  | n -> n
(* expect type errors: 2 *)

(* code: the then and the else *) let f b = if b then 1 + "x" else 2 * "y"
(* expect type errors: 2 *)
(* code: ten items *)
let v0 = 0 + "x"
let v1 = 1 + "x"
let v2 = 2 + "x"
let v3 = 3 + "x"
let v4 = 4 + "x"
let v5 = 5 + "x"
let v6 = 6 + "x"
let v7 = 7 + "x"
let v8 = 8 + "x"
let v9 = 9 + "x"
(* expect type errors: 10 *)

(* code: a condition and both branches *) let f x = if x + 1 then 1 + "a" else 2 + "b"
(* expect type errors: 3 *)
(* code: statements in sequence *) let () = print_int "a"; print_string 1; print_newline ()
(* expect type errors: 2 *)

(* # Mistakes what follows from one mistake counts once. *)
(* code: a bad definition used thrice *)
let f x = x + "a"
let a = f 1
let b = f 2
let c = f 3
(* expect type errors: 1 *)

(* code: a wrong result used by all *)
let area r = 3.14 *. r *. (r ^ r)
let twice r = area r +. area r
let total rs = List.fold_left (fun sum r -> sum +. area r) 0. rs
(* expect type errors: 1 *)

(* code: a dropped type used by all *)
type t = A of missing | B
let f = function A x -> B | B -> B
let g = f B
(* expect type errors: 1 *)

(* code: one name that is missing everywhere *)
let g x = foo x + foo 1
let h = foo 2
(* expect type errors: 1 *)

(* code: a module that is missing *)
open Base
let g x = Int.to_string x ^ foo ^ Bar.baz
(* expect type errors: 1 *)

(* code: a dropped module used by all *)
module M = Missing.Make (String)
let e = M.empty
let f x = M.add x 1 e
(* expect type errors: 1 *)

(* code: a dropped exception *)
exception Bad of missing
let f () = raise (Bad 1)
let g () = raise (Bad 2)
(* expect type errors: 1 *)

(* code: a recursive function with a bad base *)
let rec length = function
  | [] -> "0" + 0
  | _ :: rest -> 1 + length rest
let two = length [1; 2]
(* expect type errors: 1 *)

(* code: a local bad definition *)
let f x =
  let y = x + true in
  let z = y + 1 in
  y + z
(* expect type errors: 1 *)


(* # Mistakes names, constructors, fields, labels. *)
(* code: an unbound value *) let f x = x + y
(* expect type errors: 1 *)
(* code: two unbound values *)
let f x = x + y
let g x = x + z
(* expect type errors: 2 *)

(* code: an unbound value in a module *) let f x = List.foldr x
(* expect type errors: 1 *)
(* code: two unbound members *)
let f x = List.foldr x
let g x = String.size x
(* expect type errors: 2 *)

(* code: an unbound constructor *) let f = function Nothing -> 0 | _ -> 1
(* expect type errors: 1 *)
(* code: two unbound constructors *)
let f = Nothing
let g x = Just x
(* expect type errors: 2 *)

(* code: an unbound type *) let f (x : number) = x
(* expect type errors: 1 *)
(* code: two unbound types *)
type a = number list
type b = text list
(* expect type errors: 2 *)

(* code: an unbound field *)
type p = { x : int }
let f p = p.x
let g (p : p) = p.z
(* expect type errors: 1 *)

(* code: a field that is missing *)
type p = { x : int; y : int }
let origin = { x = 0 }
(* expect type errors: 1 *)

(* code: two fields of the wrong type *)
type p = { x : int; y : int }
let origin = { x = "0"; y = 0. }
(* expect type errors: 2 *)

(* code: a field that cannot change *)
type p = { x : int }
let f p = p.x <- 1
(* expect type errors: 1 *)

(* code: a label that is not there *)
let f ~width ~height = width * height
let a = f ~width:1 ~depth:2
(* expect type errors: 1 *)

(* code: two labelled arguments, or the function *)
let f ~width ~height = width * height
let a = f ~width:"1" ~height:2.
(* expect type errors: 1 *)

(* code: an unbound module *) let f x = Lst.map x
(* expect type errors: 1 *)
(* code: an unbound exception *) let f () = raise Missing
(* expect type errors: 1 *)
(* code: an unbound class *) let f = new missing
(* expect type errors: 1 *)
(* code: an unbound instance variable *) class c = object method m = x <- 1 end
(* expect type errors: 1 *)
(* code: a method that is not there *)
let o = object method m = 1 end
let f = o#n
(* expect type errors: 1 *)


(* # Mistakes arity. *)
(* code: too many arguments *)
let f x = x + 1
let a = f 1 2
(* expect type errors: 1 *)

(* code: too few arguments *)
let f x y = x + y
let a = 1 + f 1
(* expect type errors: 1 *)

(* code: a constructor with too many *)
type t = A of int
let f = A (1, 2)
(* expect type errors: 1 *)

(* code: a constructor with too few *)
type t = A of int * int
let f = A 1
let g = function A x -> x
(* expect type errors: 2 *)

(* code: a constructor with none *)
type t = A
let f = A 1
(* expect type errors: 1 *)

(* code: a type with too many parameters *) let f (x : (int, int) list) = x
(* expect type errors: 1 *)
(* code: a pair for a triple *) let a, b, c = (1, 2)
(* expect type errors: 1 *)

(* # Mistakes patterns. *)
(* code: a pattern of another type *) let f x = match x + 1 with "a" -> 1 | _ -> 2
(* expect type errors: 1 *)
(* code: two patterns of another type *) let f x = match x + 1 with "a" -> 1 | true -> 2 | _ -> 3
(* expect type errors: 2 *)
(* code: a name bound twice *) let f (x, x) = x
(* expect type errors: 1 *)
(* code: sides that bind other names *) let f = function Some x | None -> 1 | _ -> 2
(* expect type errors: 1 *)
(* code: patterns of two types *) let f = function 0 -> "a" | "b" -> "c" | _ -> "d"
(* expect type errors: 1 *)
(* code: constructors without arguments *)
type t = A | B | C of t * t
let rec f (e, x, y) = match e with
  | A x -> x
  | B y -> y
  | C (x, y) -> f (x, 1., 2.) +. f (y, 1., 2.)
(* expect type errors: 2 *)

(* code: a pattern that binds what is used *) let f n = match n + 1 with [a; b] -> (a + b, a ^ b) | _ -> (1, "")
(* expect type errors: 1 *)
(* code: a list's pattern *) let f n = match n + 1 with 0 -> [] | h :: t -> t
(* expect type errors: 1 *)
(* code: a list's pattern and its use *) let f n = match n with 0 -> 1 | h :: t -> 2 | true -> 3
(* expect type errors: 2 *)
(* code: a list's tail *) let f x = x :: x + 1
(* expect type errors: 1 *)
(* code: a guard *) let f = function x when x + 1 -> x | y -> y
(* expect type errors: 1 *)
(* code: branches of two types *) let f = function 0 -> "zero" | n -> n
(* expect type errors: 1 *)

(* # Mistakes annotations, signatures, functors. *)
(* code: an annotation *) let f (x : int) : string = x
(* expect type errors: 1 *)
(* code: two annotations *)
let a : int = "x"
let b : string = 1
(* expect type errors: 2 *)

(* code: a signature with one value wrong *)
module M : sig val a : int end = struct let a = "x" end
let b = M.a + 1
(* expect type errors: 1 *)

(* code: a signature with a value missing *)
module M : sig val a : int val b : int end = struct let a = 1 end
let c = M.b + M.a
(* expect type errors: 1 *)

(* code: a signature and a mistake inside *) module M : sig val z : int end = struct let a = 1 + "x" end
(* expect type errors: 2 *)
(* code: two mistakes inside a module *)
module M = struct let a = 1 + "x" let b = 2 + "y" end
let c = M.a
(* expect type errors: 2 *)

(* code: mistakes inside and beside a nested module *) module M = struct module N = struct let a = 1 + "x" end let b = not 3, 1 ^ "b" end
(* expect type errors: 3 *)
(* code: a functor's argument *)
module M = Map.Make (struct type t = int end)
let e = M.empty
(* expect type errors: 1 *)

(* code: a functor's argument twice *)
module M = Map.Make (struct type t = int end)
module S = Set.Make (struct let compare = compare end)
(* expect type errors: 2 *)

(* code: a functor's body *) module F (X : sig val x : int end) = struct let a = X.x ^ "a" let b = X.y end
(* expect type errors: 2 *)
(* code: an abstract type *)
module M : sig type t val make : int -> t end = struct
  type t = int
  let make x = x
end
let f = M.make 1 + 1
(* expect type errors: 1 *)

(* code: a missing module type *)
module M : S = struct let a = 1 end
let b = M.a
(* expect type errors: 1 *)


(* # Mistakes other kinds. *)
(* code: a type that holds itself *) let f x = x x
(* expect type errors: 1 *)
(* code: a recursive value *) let rec x = x + 1
(* expect type errors: 1 *)
(* code: a type defined twice *)
type t = A
type t = B
let a = 1
(* expect type errors: 1 *)

(* code: a type defined twice, and used *)
type t = A | B
let a = A
type t = A | B | C
let f = function A -> a | B -> B | C -> A
let g = f C
(* expect type errors: 1 *)

(* code: a module defined twice *)
module M = struct let a = 1 end
module M = struct let b = 2 end
let c = M.a + M.b
(* expect type errors: 1 *)

(* code: types that are cyclic *) type t = t
(* expect type errors: 1 *)
(* code: a float for an int *)
let f x = x + 1.5
let g y = y *. 2
(* expect type errors: 2 *)

(* code: a string for a char *) let f s = s.[0] = "a"
(* expect type errors: 1 *)
(* code: a list of two types *) let l = [1; "two"; 3]
(* expect type errors: 1 *)
(* code: a unit expected *) let f x = if x then 1
(* expect type errors: 1 *)
(* code: a reference without its value *) let f () = let r = ref 0 in r + 1
(* expect type errors: 1 *)
(* code: a loop over a string *) let f () = for i = "a" to 3 do 1 + "b" |> ignore done
(* expect type errors: 2 *)
(* code: a polymorphic annotation *) let f : 'a. 'a -> 'a = fun x -> x + 1
(* expect type errors: 1 *)
(* code: a type variable that is unbound *) type t = A of 'a
(* expect type errors: 1 *)
(* code: a private type *)
module M : sig type t = private int end = struct type t = int end
let f = (1 : M.t)
(* expect type errors: 1 *)

(* code: an object of another type *)
let f (o : < m : int >) = o#m
let a = f (object method n = 1 end)
(* expect type errors: 1 *)

(* code: a class body *) class c = object method a = 1 + "x" method b = not 3 end
(* expect type errors: 2 *)
(* code: a local module *) let f x = let module M = struct let a = 1 + "x" end in M.a + not x
(* expect type errors: 2 *)
(* code: a try *) let f () = try 1 + "x" with Not_found -> "y" + 2
(* expect type errors: 2 *)
(* code: a lazy and an assert *)
let a = lazy (1 + "x")
let () = assert 1
(* expect type errors: 2 *)

(* code: an extension that nobody knows *) let a = [%missing 1]
(* expect type errors: 1 *)
