(* The names in patterns, types, classes and signatures: whatever is mentioned is needed. *)

(** Visits a tree: the current part needs what is named there. *)
val iterator : Program_parts.state -> Ast_iterator.iterator
