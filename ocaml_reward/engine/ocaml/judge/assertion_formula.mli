(* Statements that assert: [assert], OUnit's words, branches that fail, and what stands
   between them. *)

open Parsetree

(** Says that a statement raises nothing that fails its check.  Raises Beside. *)
val statement : Check_parts.context -> expression -> Check_parts.piece

(** Takes the expression of a check apart by the function given, in a context at its start. *)
val check :
  ounit:bool ->
  applies:Check_parts.applies ->
  Binding_time.t ->
  (Check_parts.context -> expression -> 'a) ->
  expression ->
  'a
