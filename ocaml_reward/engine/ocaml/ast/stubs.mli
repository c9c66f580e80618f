(* Functions that cannot answer: their body mentions no parameter, or only raises. *)

open Parsetree

(** The names of such functions at the top of a program; of equal names the last one counts. *)
val names : structure -> Names.Set.t
