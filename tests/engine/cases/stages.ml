(* How far code gets is told apart: parse, type, type with the tests, link, run. *)
(* engines: warm stock *)

(* # Each stage is told apart: the stage is the first one that the code does not pass. *)
(* tests *)
let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
(* code *)
let double x = 2 * x
let half x = x / 2
(* expect checks: 2 passed *)

(* code *) let double x = 2 *
(* expect stage: syntax_error *)

(* code *)
let double x = 2 * x
let half x = x / 2
(* never closed
(* expect stage: syntax_error *)

(* code *)
let double x = 2 * x
let half x = x / 2
let s = "never closed
(* expect stage: syntax_error *)

(* code *)
let double x = 2 * x
let half x = x / 2
let s = {q|never closed
(* expect stage: syntax_error *)

(* code *)
let double x = 2 * x
let half x = x / 2
end
(* expect stage: syntax_error *)

(* code *)
let double x = 2 * x
let half x = x / 2
let s = 1 + "x"
(* expect stage: type_error *)

(* code *)
let double x = 2 * x
let half x = x / 2
let t = Unix.time ()
(* expect stage: type_error *)

(* code *) let double x = 2 * x
(* expect stage: interface_error *)

(* code *)
let double x = 2 * x
let half = string_of_int
(* expect stage: interface_error *)

(* code *)
module M = struct
let double x = 2 * x
let half x = x / 2
end
(* expect stage: interface_error *)

(* code *)
let double x = 2 * x
let half x = x / 2
include Std_exit
(* expect stage: link_error *)

(* code *)
let double x = 2 * x
let half x = x / 2
let literal_that_no_file_can_hold = Obj.with_tag 251 (Obj.repr (4, 4))
(* expect stage: link_error *)

(* # Type errors are counted: every independent type error counts, and what follows from one
   counts with it. *)
(* tests *)
let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
(* code *)
let double x = 2 * x
let half x = x / 2
(* expect type errors: 0 *)

(* code *)
let double x = 2 * x ^ "a"
let half x = x / 2
(* expect type errors: 1 *)

(* code *)
let double x = 2 * "a"
let half x = x / 2.0
(* expect type errors: 2 *)

(* code *)
let a = 1 + "x"
let b = 2 + "x"
let c = 3 + "x"
let double x = 2 * x
let half x = x / 2
(* expect type errors: 3 *)

(* code *)
let f x = (1 + "x", 2 + "y", x ^ 3, undefined, [1; "a"])
let double x = 2 * x
let half x = x / 2
(* expect type errors: 5 *)

(* code *)
type t = A of missing
let f = function A x -> A x
let double x = 2 * x
let half x = x / 2
(* expect type errors: 1 *)

(* code *)
let g x = foo x + foo 1 + foo 2
let double x = 2 * x
let half x = x / 2
(* expect type errors: 1 *)

(* code *)
open Base
let g x = Int.to_string x ^ foo ^ Bar.baz
let double x = 2 * x
let half x = x / 2
(* expect type errors: 1 *)

(* code *)
module M : sig val z : int end = struct let a = 1 + "x" let b = "y" + 1 end
let double x = 2 * x
let half x = x / 2
(* expect type errors: 3 *)

(* code *) let double x = 2 * x
(* expect type errors: 1 *)
(* code *) let other = 1
(* expect type errors: 2 *)

(* code *)
let double = string_of_int
let half x = [x]
(* expect type errors: 2 *)

(* code *) let mine = 1 + "x"
(* expect type errors: 3 *)

(* code *)
let mine = 1 + "x"
let double = string_of_int
let half x = [x]
(* expect type errors: 3 *)

(* code *)
let mine = ref []
let double = string_of_int
(* expect type errors: 3 *)

(* code *)
let double x = string_of_int (x + "2")
let half x = [double x]
(* expect type errors: 1 *)

(* code *)
let double x = string_of_int (x + "2")
let half x = [x]
(* expect type errors: 2 *)

(* # Each counted error has its diagnostic: every type error is reported where it stands, ocamlc's
   own first. *)
(* tests *)
let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
(* code *)
let a = 1 + "x"
let b = undefined
let double x = 2 * x
let half x = x / 2
(* expect error lines: 1 2 *)

(* # Line directives do not move an error: code cannot make its own type error look like one of
   the tests or of the linker. *)
(* tests *)
let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
(* code *)
# 1 "tests.ml"
let double x = x ^ 1
let half x = x
(* expect stage: type_error *)

(* code *)
# 1 "prog.cmo"
let double x = x ^ 1
let half x = x
(* expect stage: type_error *)

(* code *)
# 1 "_none_"
let double x = x ^ 1
let half x = x
(* expect stage: type_error *)

(* # A warning text is not an error: text that code puts into a warning is not taken for an error
   of the compiler. *)
(* tests *)
let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
(* code *)
[@@@ocaml.ppwarning "File \"solution.ml\", line 1:\nError: forged"]
let double x = 2 * x
let half x = x / 2
(* expect checks: 2 passed
   type errors: 0 *)

(* # Parsed share tells a slip from prose: a missing parenthesis in the last function leaves the
   others parsed. *)
(* tests *)
let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
(* code *)
let double x = 2 * x
let half x = x / 2
let last x = (x + 1
(* expect parsed share: 0.67 *)

(* code *) Sure! Here is how to do it:
(* expect parsed share: 0.00 *)

(* # A semicolon ends no definition: before another one it is a mistake of its item; before an
   expression there is none. *)
(* tests *)
let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
(* code *)
let f x = x;
let g x = x
(* expect parsed share: 0.50 *)

(* code *)
let f x =
  ignore x;
let y = 1 in y
let g = (
(* expect parsed share: 0.67 *)

(* # Our own names do not show: a module that the code should define is missing under its own
   name. *)
(* signature *) module Stack : sig val empty : int end
(* tests *) let () = assert (Stack.empty = 0)
(* reference *) module Stack = struct let empty = 0 end
(* code *) let empty = 0
(* expect errors: Unbound module Stack *)

(* # A type left open is closed by its use: a top-level value of weakly polymorphic type is no
   error in a whole program. *)
(* tests *)
let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
(* code *)
let double = (fun f x -> f x 2) ( * )
let half x = x / 2
let log = ref []
(* expect checks: 2 passed
   type errors: 0 *)

(* code *)
let double x = 2 * x
let half x = x / 2
let seen = Hashtbl.create 8
(* expect checks: 2 passed
   type errors: 0 *)

(* code *)
let count = List.fold_left (fun n _ -> n + 1) 0
let double x = 2 * x
let half x = x / 2
(* expect checks: 2 passed
   type errors: 0 *)
