(* What stands in another's place: the parts of a tuple or the arguments of a constructor, and
   the names in the pattern of one. *)

open Parsetree

(** Parts that are wrong where they stand, each with those two or three places in another
    order. *)
val of_tuples : Location.t list -> structure -> Slips.suspect list

(** Two names that one pattern binds, where uses of both are wrong. *)
val of_patterns : Location.t list -> structure -> Slips.suspect list
