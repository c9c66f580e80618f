(* Which exceptions an expression may end with, as far as its text tells: a handler for another
   one is never taken. *)

open Parsetree

(** Those cases of a match that may be taken, or of a [handler] around an expression, as far as
    its exceptions tell. *)
val taken : ?handler:bool -> Origins.env -> expression -> case list -> case list
