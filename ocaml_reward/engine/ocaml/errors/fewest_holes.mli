(* One mistake can show in several places of a definition: a wrong operator in both of its operands,
   a wrong annotation wherever its variable is used.  Where typing comes
   as far with one small hole as with several, it stands for these.

   Small is a name, a constant, an annotation, and an expression that holds none of the errors. *)

open Parsetree

(** Of the holes that count those that are left, in their order; of such as one hole stands for, the
    first.  [all] are those that were found.  There is an end to the search, whatever the
    program. *)
val fewest :
  Recovery.state -> structure -> all:Holes.hole list -> Holes.hole list -> Holes.hole list

(** The items with those holes.  Only items change that hold one. *)
val filled : Holes.hole list -> structure -> structure
