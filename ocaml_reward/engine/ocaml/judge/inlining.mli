(* What tests define on the way to what is judged: their own functions, looked into where
   they are called, and their own bindings and scopes. *)

open Parsetree

(** The body of the tests' own function that is called, with its arguments in place; None
    where it is none, or the calls are too deep. *)
val looked_into : Check_parts.context -> expression -> expression option

(** One call deeper. *)
val deeper : Check_parts.context -> Check_parts.context

(** What stands behind a [let], taken apart, with the bindings around it that it needs;
    [body] is all of it.  What a name stood for may not change between its definition and its
    use. *)
val with_bindings :
  Check_parts.context ->
  Asttypes.rec_flag ->
  value_binding list ->
  body:expression ->
  (Check_parts.context -> Check_parts.piece) ->
  Check_parts.piece

(** Raises Beside with this reason. *)
val not_here : string -> 'a

(** What is known behind a scope other than a [let]. *)
val scope : Binding_time.t -> expression -> Binding_time.t option

(** What such a scope stands in front of is kept on both sides. *)
val scoped :
  Check_parts.context ->
  expression ->
  (Check_parts.context -> expression -> Check_parts.piece) ->
  Check_parts.piece option
