(* Declarations that could be wrong in place of the errors around what they declare: the types
   of constructors and fields, how many arguments a constructor has, what a functor's result is
   keyed by.  [words] are those of an error. *)

open Parsetree

(** Another type of a constructor's argument or a field's; [suspected]: the errors around so
    many uses of a name. *)
val of_components :
  (Location.t -> string list) ->
  Location.t list ->
  structure ->
  Mentions.read ->
  (int -> string -> Location.t list) ->
  Slips.suspect list

(** As many arguments as the uses of a constructor give it. *)
val of_constructors :
  (Location.t -> string list) -> Location.t list -> Mentions.read -> Slips.suspect list

(** Another type of the keys or elements that a functor is applied for. *)
val of_keys :
  (Location.t -> string list) -> Location.t list -> structure -> Slips.suspect list
