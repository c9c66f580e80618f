(* A module that tests name and nobody else has is the code's: the one it defines, or else the
   file that it is. *)
(* engines: warm stock *)

(* # A module is the codes own or its file: however the code is written, and whatever the
   reference is, all of it is found, and what is wrong in it is. *)
(* code: wrong *)
let f x = x + 1
let g x = x * 3
(* code: wrong 2 *)
module A = struct let f x = x + 1
 end
module B = struct let g x = x * 3
 end
(* code: right *)
module A = struct let f x = x + 1
 end
let g x = x * 2
(* code: wrong 3 *)
module A = struct let f x = x + 1
 end
let g x = x * 3
(* code: right 2 *)
module Make (X : sig end) = struct let f x = x + 1
 end
module A = Make (struct end)
module B = struct let g x = x * 2
 end
(* code: right 3 *)
module rec A : sig val f : int -> int end = struct let f x = x + 1 end
and B : sig val g : int -> int end = struct let g x = x * 2 end
(* code: right 4 *)
let seen = ref []
let f x = x + 1
let g x = seen := x :: !seen; x * 2
(* code: right 5 *)
let f x = x + 1
let g x = x * 2
(* code: right 6 *)
module A = struct let f x = x + 1
 end
module B = struct let g x = x * 2
 end

(* tests: opens *)
open A
open B
let () = assert (f 2 = 3)
let () = assert (g 2 = 4)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: opens before a suite *)
open OUnit2
open A
open B
let () = run_test_tt_main ("s" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2)); "g" >:: (fun _ -> assert_equal 4 (g 2))])
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: includes *)
open OUnit2
include A
include B
let () = run_test_tt_main ("s" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2)); "g" >:: (fun _ -> assert_equal 4 (g 2))])
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: paths *)
let () = assert (A.f 2 = 3)
let () = assert (B.g 2 = 4)
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: statements *)
A.f 2 = 3;;
B.g 2 = 4;;
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: names for them *)
module X = A
let () = assert (X.f 2 = 3)
let () = let module Y = B in assert (Y.g 2 = 4)
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: locally *)
let () = assert A.(f 2 = 3)
let () = let open B in assert (g 2 = 4)
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: of a library *)
open OUnit2
open P.A
open P.B
let () = run_test_tt_main ("s" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2)); "g" >:: (fun _ -> assert_equal 4 (g 2))])
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: a library *)
open P
let () = assert (A.f 2 = 3)
let () = assert (B.g 2 = 4)
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: paths of a library *)
let () = assert (P.A.f 2 = 3)
let () = assert (P.B.g 2 = 4)
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* tests: a functor's argument *)
module T (X : sig val f : int -> int end) = struct
  let () = assert (X.f 2 = 3)
end
module _ = T (A)
let () = assert (B.g 2 = 4)
(* reference *)
(* for wrong expect checks: passed, failed *)
(* for wrong 2 expect checks: passed, failed *)
(* for right expect checks: 2 passed *)
(* for wrong 3 expect checks: passed, failed *)
(* for right 2 expect checks: 2 passed *)
(* for right 3 expect checks: 2 passed *)
(* for right 4 expect checks: 2 passed *)

(* reference or none: right 5 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* reference: right 6 *)
(* for right 5 expect checks: 2 passed *)
(* for right 6 expect checks: 2 passed *)

(* # A signature says no more: with what a file or its modules have to declare it is the same. *)
(* signature *) val f : int -> int
(* tests *)
open A
let () = assert (f 2 = 3)
(* code *) let f x = x + 1
(* expect checks: passed *)

(* code *)
module A = struct let f x = x + 1
 end
(* expect checks: passed *)

(* signature *) module A : sig val f : int -> int end
(* code *) let f x = x + 1
(* expect checks: passed *)

(* code *)
module A = struct let f x = x + 1
 end
(* expect checks: passed *)

(* # What is no file of the codes: a name stands for the code's file only where that can be meant,
   and where it has no other. *)
(* libraries: str *)
(* tests *)
open A
let () = assert (f 2 = 3)
(* code *)
module C = struct let f x = x + 1
 end
(* expect stage: interface_error *)

(* tests *) let () = assert (A.f 2 = 3)
(* code *)
module C = struct module A = struct let f x = x + 1
 end
 end
let f x = x + 1
(* expect checks: passed *)

(* code *)
open struct module A = struct let f x = x + 1
 end
 end
(* expect stage: interface_error *)

(* tests *) let () = assert (f 2 = 3 && A.g 2 = 4)
(* code *)
let f x = x + 1
let g x = x * 2
(* expect stage: interface_error *)

(* code *)
let f x = x + 1
module A = struct let g x = x * 2
 end
(* expect checks: passed *)

(* tests *) let () = assert (Queue.f 2 = 3 && f 2 = 3)
(* code *) let f x = x + 1
(* expect stage: interface_error *)
(* tests *) let () = assert (Str.f 2 = 3)
(* expect stage: interface_error *)

(* # A file brings no names of the tests along: neither the code's file nor a module of its lends
   tests what they are judged by. *)
(* code: other *)
let (=) _ _ = true let not _ = true let assert_equal ?ctxt:_ _ _ = () let f _ = 0 module List = struct let length _ = 0 end module OUnit2 = struct end module Str = struct let quote _ = "3" end module Stdlib = struct end module List = struct let length _ = 0 end module OUnit2 = struct end module Str = struct let quote _ = "3" end module Stdlib = struct end
(* code: wrong *)
module A = struct let (=) _ _ = true let not _ = true let assert_equal ?ctxt:_ _ _ = () let f _ = 0 module List = struct let length _ = 0 end module OUnit2 = struct end module Str = struct let quote _ = "3" end module Stdlib = struct end end module List = struct let length _ = 0 end module OUnit2 = struct end module Str = struct let quote _ = "3" end module Stdlib = struct end
(* code: wrong 2 *)
module P = struct module A = struct let (=) _ _ = true let not _ = true let assert_equal ?ctxt:_ _ _ = () let f _ = 0 module List = struct let length _ = 0 end module OUnit2 = struct end module Str = struct let quote _ = "3" end module Stdlib = struct end end end module List = struct let length _ = 0 end module OUnit2 = struct end module Str = struct let quote _ = "3" end module Stdlib = struct end

(* libraries: str *)
(* tests *)
open A
let () = assert (f 2 = 3)
(* for other expect stage: type_error *)

(* tests *)
include A
let () = assert (List.length [f 2] = f 2)
(* for other expect stage: type_error *)

(* tests *)
open A
open B
let () = assert (not (f 2 = 0))
(* for other expect stage: type_error *)

(* tests *)
open OUnit2
open P.A
let () = run_test_tt_main ("f" >:: fun _ -> assert_equal 3 (f 2))
(* for other expect stage: type_error *)

(* tests *)
open P
let () = assert (Str.quote (string_of_int (A.f 2)) = "3")
(* for other expect stage: type_error *)

(* tests *)
open A
let () = assert (f 2 = 3)
(* for wrong expect checks: failed *)

(* tests *)
include A
let () = assert (List.length [f 2] = f 2)
(* for wrong expect checks: failed *)

(* tests *)
open A
open B
let () = assert (not (f 2 = 0))
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
open P.A
let () = run_test_tt_main ("f" >:: fun _ -> assert_equal 3 (f 2))
(* for wrong expect checks: failed *)

(* tests *)
open P
let () = assert (Str.quote (string_of_int (A.f 2)) = "3")
(* for wrong expect checks: failed *)

(* tests *)
open A
let () = assert (f 2 = 3)
(* for wrong 2 expect stage: interface_error *)

(* tests *)
include A
let () = assert (List.length [f 2] = f 2)
(* for wrong 2 expect stage: interface_error *)

(* tests *)
open A
open B
let () = assert (not (f 2 = 0))
(* for wrong 2 expect stage: interface_error *)

(* tests *)
open OUnit2
open P.A
let () = run_test_tt_main ("f" >:: fun _ -> assert_equal 3 (f 2))
(* for wrong 2 expect checks: failed *)

(* tests *)
open P
let () = assert (Str.quote (string_of_int (A.f 2)) = "3")
(* for wrong 2 expect checks: failed *)

(* # A module of a package is known by its own name: the package zarith has modules Z and Q, which
   are neither the reference's nor the code's. *)
(* libraries: zarith *)
(* tests *) let () = assert (Z.equal (f Z.one) (Z.of_int 2))
(* reference and code *) let f x = Z.succ x
(* expect checks: passed *)

(* reference *)
(* code *)
let f _ = Z.one
module Z = struct let one = 1 let of_int _ = 2 let equal _ _ = true end
(* expect checks: failed *)

(* # Modules that nobody has are named: a reference that is none of the modules that tests name is
   said to be so. *)
(* tests *) let () = assert (Basics.g 2 = 3)
(* reference *) let f x = x + 1
(* expect refused: Basics is a module of neither *)

(* # Tests beside the file take no bare name of it: where tests open no module of the code's,
   `compare` is the library's, whatever a prompt shows of what is in the file. *)
(* prompt *)
type t
val compare : t -> t -> int
val make : int -> t

(* tests *)
let () = assert (Card.compare (Card.make 1) (Card.make 2) > 0
  && List.sort compare [Card.make 3; Card.make 1] = [Card.make 1; Card.make 3])
(* reference or none, and code *) type t = int let compare a b = b - a let make x = x
(* expect checks: passed *)

(* prompt *)
module Card : sig
type t
val compare : t -> t -> int
val make : int -> t
end
(* expect checks: passed *)

(* prompt *)
type t
val compare : t -> t -> int
val make : int -> t

(* reference or none, and code *) module Card = struct type t = int let compare a b = b - a let make x = x end
(* expect checks: passed *)

(* prompt *)
module Card : sig
type t
val compare : t -> t -> int
val make : int -> t
end
(* expect checks: passed *)

(* # Tests behind what the reference opens: tests that stand in the code's file may take names
   from what it opens there. *)
(* code: right *)
open! Base
open Base.List
open Base.Int
let f l = map l ~f:(fun x -> x + 1)
(* code: wrong *)
open! Base
open Base.List
open Base.Int
let f l = map l ~f:(fun x -> x + 2)

(* libraries: base? *)
(* tests *) let () = assert (Poly.equal (f [1]) [2])
(* reference: right *)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests *)
let () =
  List.iter [1; 2] ~f:(fun n -> assert (List.mem (f [n]) (n + 1) ~equal:Int.equal))
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests *) let () = assert (equal (hd_exn (f [1])) 2)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* # A module of the library that code extends: what the library's lacks says that the code's is
   meant. *)
(* tests *) let () = assert (Stack.take 2 (Stack.of_seq (List.to_seq [3; 2; 1])) = [1; 2])
(* reference or none, and code *)
module Stack = struct include Stack let rec take n s =
  if n = 0 then [] else let x = pop s in x :: take (n - 1) s end
(* expect checks: passed *)

(* code *)
module Stack = struct include Stack let rec take n s =
  if n = 0 then [] else let x = pop s in take (n - 1) s end
(* expect checks: failed *)

(* tests *)
open OUnit2
let () = run_test_tt_main ("s" >:: fun _ -> assert_equal [1; 2] (Stack.take 2 (Stack.of_seq (List.to_seq [3; 2; 1]))))
(* code *)
module Stack = struct include Stack let rec take n s =
  if n = 0 then [] else let x = pop s in x :: take (n - 1) s end
(* expect checks: passed *)

(* code *)
module Stack = struct include Stack let rec take n s =
  if n = 0 then [] else let x = pop s in take (n - 1) s end
(* expect checks: failed *)

(* # What an interface hides hides nothing of it: constructors and labels are those of the types
   that the interface declares, though the code has later types that have them, too. *)
(* code: right *)
type player = O | X
type 'a at = {it : 'a; x : int}
type cell = O | X | Empty
type stone = {x : int; colour : cell}
let cell = function 'O' -> O | 'X' -> X | _ -> Empty
let win s : player option = match {x = 0; colour = cell s.[0]}.colour with X -> Some X | O -> Some O | Empty -> None
let zero it : _ at = {it; x = 0}
(* code: wrong *)
type player = O | X
type 'a at = {it : 'a; x : int}
type cell = O | X | Empty
type stone = {x : int; colour : cell}
let cell = function 'O' -> O | 'X' -> X | _ -> Empty
let win s : player option = match {x = 0; colour = cell s.[0]}.colour with X -> Some X | O -> Some O | Empty -> None
let zero it : _ at = {it; x = 1}

(* signature *)
type player = O | X
type 'a at = {it : 'a; x : int}
val win : string -> player option
val zero : 'a -> 'a at
(* tests: signature *)
let shown = function Some X -> 1 | Some O -> 2 | None -> 3
let () = assert (shown (win "X") = 1 && Some O = win "O")
let column at = at.x
let () = assert (column (zero 'a') = 0)
(* reference or none: right *)
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests *)
open Connect
let shown = function Some X -> 1 | Some O -> 2 | None -> 3
let () = assert (shown (win "X") = 1 && Some O = win "O")
let column at = at.x
let () = assert (column (zero 'a') = 0)
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests *)
open P.Connect
let shown = function Some X -> 1 | Some O -> 2 | None -> 3
let () = assert (shown (win "X") = 1 && Some O = win "O")
let column at = at.x
let () = assert (column (zero 'a') = 0)
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* # A type that an interface has later hides others: a constructor that two types of the
   interface have is the later one's, as in the file. *)
(* signature *)
type player = O | X
type 'a at = {it : 'a; x : int}
type cell = O | X | Empty
val win : string -> player option
val zero : 'a -> 'a at
val cell : char -> cell
(* tests *)
let same = function O -> 1 | X -> 2 | Empty -> 3
let () = assert (same (cell 'X') = 2)
(* code *)
type player = O | X
type 'a at = {it : 'a; x : int}
type cell = O | X | Empty
type stone = {x : int; colour : cell}
let cell = function 'O' -> O | 'X' -> X | _ -> Empty
let win s : player option = match {x = 0; colour = cell s.[0]}.colour with X -> Some X | O -> Some O | Empty -> None
let zero it : _ at = {it; x = 0}
type more = O
(* expect checks: passed *)
