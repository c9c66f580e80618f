(* What a look over a whole program tells, before its values are followed. *)

open Parsetree

(** Does a program assign to fields or to references, and which methods does it define? *)
val over : structure -> bool * Names.Set.t
