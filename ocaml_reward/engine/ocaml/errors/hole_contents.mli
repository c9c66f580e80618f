(* A hole takes the place of an expression whose type is wrong, and often the compiler has
   not come to what stands in it: [Some e] is no [int], whatever [e] is.  What it has not
   come to stays beside the hole, where no type is expected of it, so that one mistake
   hides no others. *)

open Parsetree

(** What is left of an expression in whose place there is a hole now: nothing, all of it, or
    its parts by themselves. *)
type left = Nothing | Itself | Parts of (Location.t -> bool)

(** What an error leaves of the expression at that place, in the item; [again]: where it has
    already been typed by itself. *)
val left : again:bool -> Type_items.failure -> Location.t -> structure_item -> left

(** The hole in place of an expression, with what is left of it. *)
val hole : left -> expression -> expression
