(* Where values come from: through bindings, calls, matches and what is assigned to.

   What a library's function gives comes from those arguments alone whose types its type says
   it may come from: of [List.assoc : 'a -> ('a * 'b) list -> 'b] from the table, never from
   the key, of [raise] from none.  A condition gives nothing, but where it decides how often
   something is added to a value.  A branch that the text shows never to be taken gives nothing.
   What the text does not tell may be made of what is given. *)

open Parsetree
open Origins

(** What is known of an expression's value.  Raises Lost. *)
val value : state -> env -> expression -> Values.t

(** Binds what [let] defines, at the [top] where anybody may call it: what is in scope then,
    and whether that is never reached.  [hear] gets each definition with what is known of its
    value, or of what the function gives.  Raises Lost. *)
val definitions :
  ?top:bool ->
  ?hear:(value_binding -> Values.t -> unit) ->
  state ->
  env ->
  Asttypes.rec_flag ->
  value_binding list ->
  env * bool

(** Notes what the objects of classes give.  Raises Lost. *)
val classes : state -> env -> class_declaration list -> unit
