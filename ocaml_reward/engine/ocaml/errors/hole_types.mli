(* What holds a mistake may be of any type to those that use it: a hole takes the place of
   what is wrong where it shows, not of all that the mistake has made of a definition. *)

open Parsetree

(** The values that an item defines with a mistake in them. *)
val values : Location.t list -> structure_item -> Names.Set.t

(** The item, with any type for what a local definition with a mistake defines. *)
val inner : Location.t list -> structure_item -> structure_item

(** Likewise a structure, and for what its items define. *)
val all : Location.t list -> structure -> structure
