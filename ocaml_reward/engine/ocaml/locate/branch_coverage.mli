(* Which branches of some code are entered, said while it runs. *)

open Parsetree

(** The most branches that are watched. *)
val most : int

(** Code in which each branch inside a function says its number when it is entered, and where
    the branches lie, in the order of these numbers: what a case comes to, and both sides of an
    [if].  Not the right side of [&&] and [||]: where the operator is wrong it would be blamed. *)
val watched : structure -> structure * Location.t list

(** The places as text: the first byte and the one behind the last of each. *)
val places_text : Location.t list -> string
