(* The places of a program that does not type that could be wrong: each expression of the item that
   fails with which as a hole, of any type, the item types, or fails further on.

   A part is tried only where the part around it is such a place, as a smaller hole leaves more
   of what is wrong. *)

open Parsetree

(** Whether all of the item types with the hole, or its first error is another, further on. *)
type effect = Types | Moves

(** A place; [shape] is what stands there, and [role] what it is to the part around it, whose
    shape is [around]. *)
type candidate = {
  loc : Location.t;
  shape : string;
  role : string;
  around : string;
  depth : int;  (* how many candidates it lies in *)
  effect : effect;
  parts : int;  (* how many of its parts are candidates with which the item types *)
}

(** The first error of each item that fails, and its candidates; an item that fails is of any
    type for those behind it.  There is an end to the search, whatever the program. *)
val candidates : Env.t -> structure -> (Type_items.failure * candidate list) list

(** All of them as text, for others to rank: a line for each error, and below it one for each of
    its candidates, with places in bytes from the text's start and tabs between. *)
val text : (Type_items.failure * candidate list) list -> string
