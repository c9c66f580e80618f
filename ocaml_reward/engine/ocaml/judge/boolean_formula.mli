(* Booleans that are judged outside: equations and comparisons of what the code returns, what
   it raises, and what is made of these with [&&], [||] and [not]. *)

open Parsetree

(** How an expression ends that has no value worth asking for. *)
type ending = Holds | Fails | Stops | Unclear

(** How this expression does. *)
val ending : Check_parts.context -> expression -> ending

(** What is said of such an expression: what the tests raise, they raise where they are told. *)
val ended : Check_parts.context -> expression -> Check_parts.piece

(** Says that an expression is true.  Raises Beside. *)
val boolean : Check_parts.context -> expression -> Check_parts.piece

(** Says that an operator holds of two values.  Raises Beside. *)
val comparison : Check_parts.context -> string -> expression -> expression -> Check_parts.piece

(** What happens on the way to what is judged: [b] is already taken apart. *)
val after : Check_parts.context -> expression -> Check_parts.piece -> Check_parts.piece

(** Is there a case for an exception? *)
val matches_exceptions : case list -> bool

(** [match e with _ -> false | exception E -> true] *)
val matched :
  Check_parts.context ->
  expression ->
  case list ->
  (Check_parts.context -> expression -> Check_parts.piece) ->
  Check_parts.piece

(** A handler: [try ignore e; false with E -> true], or one in which every exception fails. *)
val handled :
  Check_parts.context ->
  expression ->
  value:ending option ->
  case list ->
  (Check_parts.context -> expression -> Check_parts.piece) ->
  Check_parts.piece
