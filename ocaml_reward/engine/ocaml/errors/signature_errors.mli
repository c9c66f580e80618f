(* Structures that break their signatures: each value that is missing, or of another type than
   the signature says, is a mistake of its own. *)

open Parsetree

(** The value that an error says a structure lacks, or has at another type; None where it is
    no value of the structure's own, or the error is another one. *)
val broken : string list -> string option

(** Where such a value is, whether others before it may have made it so, and the item with
    one of any type at the structure's end. *)
type promise = { place : Location.t; linked : bool; item : structure_item }

(** What an error of those words says of a value of the structure at this place in the item;
    None where no structure stands there. *)
val kept : string list -> string -> Location.t -> structure_item -> promise option
