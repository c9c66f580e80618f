(* Which types keep their parameters, so that from ['a t = 'b t] follows ['a = 'b]: those
   that cannot be another name for a type that does not. *)

open Parsetree

(** Does a type that a path names in a structure keep its parameters? *)
val plain : structure -> Longident.t -> bool
