(* Functions that take a pair where two arguments were meant. *)

open Parsetree

(** What could be wrong in place of errors in such functions: how they take their arguments. *)
val of_functions : Location.t list -> structure -> Slips.suspect list
