(* Booleans that are judged outside: equations and comparisons of what the code returns, what
   it raises, and what is made of these with [&&], [||] and [not]. *)

open Parsetree

(** How an expression ends that has no value worth asking for. *)
type ending = Holds | Fails | Stops | Unclear

(** How this expression does. *)
val ending : Asking.context -> expression -> ending

(** What is said of such an expression: what the tests raise, they raise where they are told. *)
val ended : Asking.context -> expression -> Asking.piece

(** Says that an expression is true.  Raises Beside. *)
val boolean : Asking.context -> expression -> Asking.piece

(** Says that an operator holds of two values.  Raises Beside. *)
val comparison : Asking.context -> string -> expression -> expression -> Asking.piece

(** What happens on the way to what is judged: [b] is already taken apart. *)
val after : Asking.context -> expression -> Asking.piece -> Asking.piece

(** Is there a case for an exception? *)
val matches_exceptions : case list -> bool

(** [match e with _ -> false | exception E -> true] *)
val matched :
  Asking.context ->
  expression ->
  case list ->
  (Asking.context -> expression -> Asking.piece) ->
  Asking.piece

(** A handler: [try ignore e; false with E -> true], or one in which every exception fails. *)
val handled :
  Asking.context ->
  expression ->
  value:ending option ->
  case list ->
  (Asking.context -> expression -> Asking.piece) ->
  Asking.piece
