(* Definitions whose keyword is misspelt or missing ([lett f x = x], [f x = x]): the parser takes
   such a line for a comparison, and if it stands below an item for more of what that says.  A
   line is an item of its own if it begins at the margin of the item that it would belong to. *)

open Parsetree

(** Each item with such lines, as the definitions that were meant. *)
val of_items : Location.t list -> structure -> Slips.suspect list
