(* What stands in another's place: the parts of a tuple or the arguments of a constructor, the
   names in the pattern of one, and two variables that a call is given. *)

open Parsetree

(** Parts that are wrong where they stand, each with those two or three places in another
    order. *)
val of_tuples : Location.t list -> structure -> Slips.suspect list

(** Two names that one pattern binds, where uses of both are wrong. *)
val of_patterns : Location.t list -> structure -> Slips.suspect list

(** Two variables that an earlier call is given, where uses of both are wrong: it told their
    types. *)
val of_calls : Location.t list -> Mentions.read -> structure -> Slips.suspect list
