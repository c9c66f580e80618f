(* Checks judged outside the code's process: what is taken apart, and that each ends as it does in
   plain OCaml. *)

(* # Types of the code are the answers types: constructors count by their names, in whatever order
   the code declares them. *)
(* tests *) let () = assert (next Red = Green); assert (next Green = Green)
(* code *)
type light = Green | Red
let next = function Red -> Green | Green -> Red
(* expect checks: passed, failed *)

(* signature *)
type light = Red | Green
val next : light -> light
(* expect checks: passed, failed *)

(* # Records and variants are rebuilt for predicates: a predicate gets what the code returned,
   with the code's own types. *)
(* tests *)
let size = function A -> 0 | B { a; b } -> a + int_of_float b
  | C (i, s) -> i + String.length s
let big x = size x > 2
let () = assert (not (big (f 0))); assert (big (f 1)); assert (big (f 2));
  assert (match f 3 with C (3, _) -> true | _ -> false)
(* reference and code *)
type t = { a : int; b : float }
type u = A | B of t | C of int * string
let f x = if x = 0 then A else if x = 1 then B { a = 1; b = 2. } else C (x, "k")
(* expect checks: 4 passed *)

(* # Lies are wrong values: whatever the code's process says of a value, none but the right one
   passes. *)
(* tests *) let () = assert (f 1 = 1); assert (f 2 = 2)
(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " i1"; note "end 0 0 0 0" ""; note "begin x" ""; note "end 0 99 0 0" ""; note "done" ""
let f _ = 0
(* expect checks: passed, failed *)

(* code *) let f _ : int = Obj.magic (ref (Obj.repr 1))
(* expect checks: 2 failed *)
(* code *) let f (x : int) : int = Obj.magic (string_of_int x)
(* expect checks: 2 failed *)
(* code *) let f _ : int = Obj.magic (Obj.with_tag 251 (Obj.repr (ref 1)))
(* expect checks: 2 raised *)

(* code *)
let rec l = Obj.repr l :: []
let f _ : int = Obj.magic l
(* expect stage: type_error *)

(* # Tests mean their own names and the librarys: code that takes a name of the tests' or of the
   library's passes nothing by it. *)
(* code: wrong *)
let check _ _ = ()
let f _ = 0

(* tests: OUnit's *)
open OUnit2
open Darts
let ae want got _ = assert_equal want got ~printer:string_of_int
let tests = ["a" >:: ae 1 (score 1.0); "b" >:: ae 2 (score 2.0)]
let () = run_test_tt_main ("darts" >::: tests)
(* reference *)
let score x = int_of_float x
let f x = x + 1
(* code *)
let assert_equal ?ctxt ?cmp ?printer _ _ = ()
let score _ = 0
(* expect checks: 2 failed *)

(* tests: List's *) let () = List.iter (fun (x, y) -> assert (f x = y)) [(1, 2); (3, 4)]
(* reference *)
(* code *)
let iter _ _ = ()
let f _ = 0
(* expect checks: 2 failed *)

(* tests: a helper's *)
let check a b = assert (a = b)
open Sums
let () = check (f 1) 2; check (f 2) 3
(* reference *)
let score x = int_of_float x
let f x = x + 1
(* for wrong expect checks: 2 failed *)

(* tests: a helper's, beside the code *)
let check a b = assert (a = b)
open Sums
let () = check (f 1) (f 0 + 9); check (f 2) (f 0 + 9)
(* for wrong expect checks: 2 failed *)

(* tests: a local helper's *)
let () = let check a b = assert (a = b) in Sums.(check (f 1) 2); Sums.(check (f 2) 3)
(* for wrong expect checks: 2 failed *)

(* tests: an exception's *)
let () = assert (try f 1 with Not_found -> true); assert (try f 2 with Not_found -> true)
(* reference *)
(* code *)
exception Not_found
let f _ = raise Not_found
(* expect checks: 2 raised *)

(* # A name of the references own is the codes: where tests do not go with the library's `max`,
   they mean the reference's. *)
(* tests *) let () = assert (max [1; 2] = 2); assert (f 1 = 1)
(* reference and code *)
let max xs = List.fold_left Stdlib.max min_int xs
let f x = x
(* expect checks: 2 passed *)

(* # What is compared with stays as it was beside the code: code that writes its answer into what
   tests handed over is not right by that. *)
(* tests *)
let m = [| 1; 2 |]
let g () = f m
let () = assert (f m = m)
(* code *) let f a = a.(0) <- 5; a
(* expect checks: failed
   in process: 1 *)

(* # What cannot be taken apart is decided beside the code. *)
(* tests *) let () = assert (f 1 = f 2)
(* expect in process: 1 *)
(* tests *)
let r = ref 1
let () = f (fun () -> incr r)
let g () = f r
let () = g (); assert (r = f r)
(* expect in process: 1 *)
(* tests *) let () = assert (let r = ref 1 in incr r; f 1 = !r)
(* expect in process: 1 *)

(* # Calls with what is known when the tests are prepared are asked, all of them. *)
(* tests *) let () = assert (f 1 = 2 && f 2 = 3 && f 3 = 4)
(* expect in process: 0 *)

(* # English gives no name away: a prompt that says "let max be" or "and not" asks for no function of
   these names. *)
(* prompt *)
Write f; let max be the largest
and not a List of
module names.
(* tests *)
let () = assert (max (f 1) 2 = 2 && not (f 1 = 2)); assert (List.length [f 1] = 1)
(* expect uses: f *)

(* # Nothing but types is there where answers are: what the code does as it starts does not happen
   where they are worked out. *)
(* reference *)
type light = Red | Green
let () = exit 0
let next _ = Red
(* tests *) let () = assert (next Green = Red); assert (next Red = Green)
(* expect in process: 0 *)
