(* Statements that assert: [assert], OUnit's words, branches that fail, and what stands
   between them. *)

open Parsetree

(** Says that a statement raises nothing that fails its check.  Raises Beside. *)
val statement : Asking.context -> expression -> Asking.piece

(** Takes the expression of a check apart by the function given, in a context at its start. *)
val check :
  ounit:bool ->
  applies:Asking.applies ->
  Binding_time.t ->
  (Asking.context -> expression -> 'a) ->
  expression ->
  'a
