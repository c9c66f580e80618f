(* What tests open, out of the code: its modules lend what they were asked for and no more. *)

(* # What tests open brings no equality along: a module of the code's lends the tests what it was
   asked for, not its own `=`. *)
(* code: wrong *)

module M = struct
  let f _ = 0
  let (=) _ _ = true
  let not _ = true
  let (&&) _ _ = true
  let (!) _ = 1
  let ( let+ ) _ _ = true
  module List = struct let length _ = 1 end
end
module F (X : sig type t end) = M
include M

(* tests *)
open M
let () = assert (f 1 = 1)
(* for wrong expect checks: failed *)

(* tests *)
include M
let () = assert (f 1 = 1)
(* for wrong expect checks: failed *)

(* tests *)
open! M
let () = assert (not (f 1 = 0))
(* for wrong expect checks: failed *)

(* tests *) let () = assert M.(f 1 = 1)
(* for wrong expect checks: failed *)

(* tests *) let () = let open M in assert (false && f 1 = 0)
(* for wrong expect checks: failed *)

(* tests *)
open F (struct type t = int end)
let () = assert (!(ref (f 1)) = 1)
(* for wrong expect checks: failed *)

(* tests *)
module N = M
open N
let () = assert (List.length [f 1; f 2] = 1)
(* for wrong expect checks: failed *)

(* tests *) let () = assert (let open! M in List.length [f 1; f 2] = 1)
(* for wrong expect checks: failed *)

(* tests *)
module T = struct open M let same = f 1 = 1 end
let () = assert T.same
(* for wrong expect checks: failed *)

(* tests *)
let ( let+ ) o f = f o
open M
let () = assert (let+ x = f 1 in x = 1)
(* for wrong expect checks: failed *)

(* # What tests open brings no exception along: an exception that the tests declare stands for
   itself behind what they open. *)
(* tests *)
exception Own
let g () = raise Own
open M
let () = assert (try g () with Own -> f 1 = 1 | _ -> true)
(* code *) module M = struct let f _ = 0 exception Own end
(* expect checks: failed *)

(* # What tests open brings no library along: nor does a module of the problem's libraries stand
   for the code's own. *)
(* libraries: str *)
(* tests *)
open M
let () = assert (Str.quote (string_of_int (f 1)) = "1")
(* code *) module M = struct let f _ = 0 module Str = struct let quote _ = "1" end end
(* expect checks: failed *)

(* # What a module is asked for is taken from it: operators of a module count where its reference
   or signature has them; tests may define their own. *)
(* code: right *)

module V = struct
  let ( + ) (a, b) (c, d) = (a + c, b + d)
  let compare a b = compare b a
  let same (a : int * int) b = a = b
end

(* tests *) let () = assert V.((1, 2) + (3, 4) = (4, 6))
(* reference: right *)
(* for right expect checks: passed *)

(* tests *)
open V
let () = assert (compare 1 2 > 0)
(* for right expect checks: passed *)

(* signature *) module V : sig val compare : 'a -> 'a -> int end
(* reference *)
(* for right expect checks: passed *)

(* signature *)
(* tests *)
let (=) = V.same
open V
let () = assert ((1, 2) = (1, 2))
(* for right expect checks: passed *)

(* tests *)
open V
open List
let () = assert (length [same (1, 2) (1, 2)] = 1)
(* for right expect checks: passed *)

(* tests *)
open V
let () = assert (true || exit 1); assert (not (false && exit 1))
(* for right expect checks: 2 passed *)

(* tests *)
open V
let () = if not (same (1, 2) (1, 2)) then exit 1
(* for right expect checks: passed *)

(* tests *)
open V
let () = assert (1 = 1 && "a" = "a" && same (1, 2) (1, 2))
(* for right expect checks: passed *)

(* # What tests open brings no assertions along: nor does it lend assertions to a suite that opens
   OUnit2 before it. *)
(* code: wrong *)

module M = struct
  let f x = x + 1
  let assert_equal ?ctxt:_ ?cmp:_ ?printer:_ ?pp_diff:_ ?msg:_ _ _ = ()
  let assert_bool _ _ = ()
  let assert_raises ?msg:_ _ _ = ()
  let assert_string _ = ()
  let skip_if _ _ = ()
  module OUnit2 = struct let assert_failure _ = () end
end

(* tests *)
open OUnit2
open M
let () = run_test_tt_main ("s" >:: fun _ -> assert_equal 1 (f 1))
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
open M
let () = run_test_tt_main ("s" >:: fun _ -> M.(assert_equal 1 (f 1)))
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
open M
let () = run_test_tt_main ("s" >:: fun _ -> let open M in assert_bool "same" (f 1 = 1))
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
open M
let () = run_test_tt_main ("s" >:: fun _ -> assert_raises Exit (fun () -> f 1))
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
open M
let () = run_test_tt_main ("s" >:: fun _ -> assert_string (string_of_int (f 1)); skip_if false "no")
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
open M
let () = run_test_tt_main ("s" >:: fun _ -> if f 1 <> 1 then OUnit2.assert_failure "not the same")
(* for wrong expect checks: failed *)

(* # Tests may ask a module for an assertion of its own: what the signature gives a module is
   meant where the tests open it after OUnit2. *)
(* signature *) module M : sig val f : int -> int val assert_bool : string -> int -> unit end
(* tests *)
open OUnit2
open M
let () = run_test_tt_main ("s" >:: fun _ -> assert_bool "m" (f 1))
(* code *) module M = struct let f x = x let assert_bool _ (b : int) = assert (b = 1) end
(* expect checks: passed *)
