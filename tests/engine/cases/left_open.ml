(* What code leaves open at its end is there for the tests, as if they stood behind it. *)

(* # Tests see what is open: an `open` of a module of the code's own brings its names, but for
   those that are defined again behind it. *)
(* tests *)
let () =
  assert (f 1 = 2);
  assert (f 2 = 3)
(* code *)
module M = struct let f x = x + 1 end
open M
(* expect checks: 2 passed *)

(* code *)
module M = struct let f x = x + 1 end
open M
let () = assert (f 1 = 2)
let _ = f
(* expect checks: 2 passed *)

(* code *)
module M = struct let f x = x + 1 end
open! M
;; print_int (f 1)
(* expect checks: 2 passed *)

(* code *)
let f x = x
module M = struct let f x = x + 1 end
open M
(* expect checks: 2 passed *)

(* code *)
module M = struct let f _ = 0 let next x = x + 1 end
open M
let f = next
(* expect checks: 2 passed *)

(* code *)
module F (X : sig val by : int end) = struct let f x = x + X.by end
module M = F (struct let by = 1 end)
open M
(* expect checks: 2 passed *)

(* code *)
module M = struct let f x = x + 1 end
open M
open (struct let g = f end)
let other = g
(* expect checks: 2 passed *)

(* code *)
module M = struct let f x = x + 1 end
let log = ref []
open M
(* expect checks: 2 passed *)

(* # Types come along: answers that are written with constructors of such a module are worked out
   likewise. *)
(* tests *)
let () =
  assert (f 0 = A);
  assert (f 2 = B 2)
(* code *)
module M = struct type t = A | B of int
  let f n = if n = 0 then A else B n end
open M
(* expect checks: 2 passed *)

(* # What is named as the librarys comes along: a module that the problem asks for may have a name
   of the library's. *)
(* tests *) let () = assert (Stack.top (Stack.of_one 2) = 2)
(* reference *) module Stack = struct let of_one x = [ x ] let top = List.hd end
(* code *)
module Answer = struct
module Stack = struct let of_one x = [ x ] let top = List.hd end
end
include Answer
(* expect checks: passed *)

(* code *)
module Answer = struct
module Stack = struct let of_one x = [ x + 1 ] let top = List.hd end
end
open Answer
module Stack = struct let of_one x = [ x ] let top = List.hd end
(* expect checks: passed *)

(* code *)
module Stack = struct let of_one x = [ x ] let top = List.hd end
open Stack
(* expect checks: passed *)

(* code *)
module Answer = struct
module Stack = struct let of_one x = [ x ] let top = List.hd end
end
include Answer
open Stack
(* expect checks: passed *)

(* code *)
include struct
module Stack = struct let of_one x = [ x ] let top = List.hd end
end
open Stack
(* expect checks: passed *)

(* code *)
module Stack = struct let of_one x = [ x ] let top = List.hd end
module A : sig val x : int end = struct let x = 1
module Stack = struct let of_one x = [ x + 1 ] let top = List.hd end
end
open A
(* expect checks: passed *)

(* # A value may have a name of the librarys: so may a value. *)
(* signature *) val max : 'a -> 'a -> 'a list
(* tests *) let () = assert (max 1 2 = [ 1; 2 ])
(* code *)
module Answer = struct
let max a b = [ a; b ]
end
include Answer
open Answer
(* expect checks: passed *)

(* # Nothing else comes along: the pristine library lies over it, and so does what is defined
   behind it. *)
(* tests *)
let () =
  assert (f 1 = 2);
  assert (f 2 = 3)
(* code *)
module M = struct let f _ = 0 let ( = ) _ _ = true end
open M
(* expect checks: 2 failed *)

(* code *)
module M = struct let f _ = 0 let not _ = true let compare _ _ = 0
  module Stdlib = struct let ( = ) _ _ = true end end
open M
(* expect checks: 2 failed *)

(* code *)
module M = struct let f x = x + 1 end
open M
let f x = x
(* expect checks: 2 failed *)

(* # What is not open is missing: a module that is defined and not opened gives the tests nothing.
   *)
(* tests *)
let () =
  assert (f 1 = 2);
  assert (f 2 = 3)
(* code *) module M = struct let f x = x + 1 end
(* expect stage: interface_error *)

(* code *)
module M = struct let f x = x + 1 end
let g = let open M in f
(* expect stage: interface_error *)

(* code *)
module M = struct let f x = x + 1 end
module N = struct open M end
(* expect stage: interface_error *)

(* code *)
open List
module List = struct let f x = x + 1 end
(* expect stage: interface_error *)

(* # Errors are counted behind it: what the tests miss beyond what is open counts, and what is
   open does not. *)
(* tests *)
let () =
  assert (f 1 = 2);
  assert (f 2 = 3)
let () = assert (g 1 = 2)
(* code *)
module M = struct let f x = x + 1 end
open M
(* expect type errors: 1 *)

(* code *) module M = struct let f x = x + 1 end
(* expect type errors: 2 *)

(* # Names of names end: modules that are parts of others, twice in each, are not followed for ever. *)
(* tests *)
let () =
  assert (f 1 = 2);
  assert (f 2 = 3)
(* code *)
module A0 = struct module X = struct end end
module A1 = struct module X = A0.X module Y = A0.X end
module A2 = struct module X = A1.X module Y = A1.X end
module A3 = struct module X = A2.X module Y = A2.X end
module A4 = struct module X = A3.X module Y = A3.X end
module A5 = struct module X = A4.X module Y = A4.X end
module A6 = struct module X = A5.X module Y = A5.X end
module A7 = struct module X = A6.X module Y = A6.X end
module A8 = struct module X = A7.X module Y = A7.X end
module A9 = struct module X = A8.X module Y = A8.X end
module A10 = struct module X = A9.X module Y = A9.X end
module A11 = struct module X = A10.X module Y = A10.X end
module A12 = struct module X = A11.X module Y = A11.X end
module A13 = struct module X = A12.X module Y = A12.X end
module A14 = struct module X = A13.X module Y = A13.X end
module A15 = struct module X = A14.X module Y = A14.X end
module A16 = struct module X = A15.X module Y = A15.X end
module A17 = struct module X = A16.X module Y = A16.X end
module A18 = struct module X = A17.X module Y = A17.X end
module A19 = struct module X = A18.X module Y = A18.X end
module A20 = struct module X = A19.X module Y = A19.X end
module A21 = struct module X = A20.X module Y = A20.X end
module A22 = struct module X = A21.X module Y = A21.X end
module A23 = struct module X = A22.X module Y = A22.X end
module A24 = struct module X = A23.X module Y = A23.X end
module A25 = struct module X = A24.X module Y = A24.X end
module A26 = struct module X = A25.X module Y = A25.X end
module A27 = struct module X = A26.X module Y = A26.X end
module A28 = struct module X = A27.X module Y = A27.X end
module A29 = struct module X = A28.X module Y = A28.X end
module A30 = struct module X = A29.X module Y = A29.X end
module A31 = struct module X = A30.X module Y = A30.X end
module A32 = struct module X = A31.X module Y = A31.X end
module A33 = struct module X = A32.X module Y = A32.X end
module A34 = struct module X = A33.X module Y = A33.X end
module A35 = struct module X = A34.X module Y = A34.X end
module A36 = struct module X = A35.X module Y = A35.X end
module A37 = struct module X = A36.X module Y = A36.X end
module A38 = struct module X = A37.X module Y = A37.X end
module A39 = struct module X = A38.X module Y = A38.X end
module M = struct let f x = x + 1 end
open A39.X
open M
(* expect checks: 2 passed *)
