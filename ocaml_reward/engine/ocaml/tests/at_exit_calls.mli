(* What the tests' own [at_exit] is to run: nothing does once the process ends at once. *)

open Parsetree

(** With such functions as the last statements, the last registered first.  [own] are values
    that the code supplies.  Raises Syntax.Unsupported, naming the line, for [at_exit] in any
    place but a statement of its own, or where tests may end before that. *)
val moved : own:Names.Set.t -> structure -> structure
