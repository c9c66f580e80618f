(* Of the errors that were found in a program, those that are mistakes of their own: where
   one change elsewhere would take several away, they are one. *)

open Parsetree

(** The errors that are mistakes of their own, in their order. *)
val independent : Recovery.state -> Env.t -> structure -> Holes.hole list -> Holes.hole list
