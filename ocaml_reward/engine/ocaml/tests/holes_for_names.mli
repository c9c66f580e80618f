(* What tests say of names whose types nobody knows: with holes for all that may be the code's,
   the rest can be typed. *)

open Parsetree

(** The names that are to be holes, and those whose types are known. *)
type t

(** Values and modules by these names are the code's; so are the constructors, labels, types and
    classes that neither the library nor the tests declare. *)
val start : ?hole:(Location.t -> expression) -> Names.Set.t -> structure -> t

(** The item with holes of any type for what is the code's; none of one that only gives a name to
    a module of the code's or brings in what is in it.  With what that makes the code's too. *)
val item : t -> structure_item -> t * structure

(** Does a path lead to a value of the code's? *)
val is_value_of_code : t -> Longident.t -> bool
