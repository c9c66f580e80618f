(* Visits a tree in the order of its scopes, and tells [Scoping] what is bound where. *)

(** Visits a tree, with the walk's scope as it is at each node; other iterators extend it. *)
val iterator : Scoping.t -> Ast_iterator.iterator
