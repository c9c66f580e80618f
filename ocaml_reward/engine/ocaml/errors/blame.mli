(* The places of a program that does not type where the mistake may be, ranked.

   A candidate is an expression of the item that fails with which as a hole, of any type, the item
   types, or fails further on.  A part is tried only where the part around it is such a place, as
   a smaller hole leaves more of what is wrong.

   The order is what each of five questions decides that those before it leave open; it has no
   number that was learned:
   - Is it the name of what a call applies?  The call is likelier to be changed.
   - Is it a [let], a sequence or a function?  Its value is that of an expression in it.
   - Does what stands there, typed by itself, have a type that is asked for there?  Then the
     places around it are right, and what it says is in question: likelier than a place of
     another type, and that likelier than one that does not type by itself.
   - Where does it lie from the compiler's place?  At it, in or around it, before it, behind it.
   - The smallest first. *)

open Parsetree

(** The places of each error, the likeliest first, and the compiler's own where no hole helps.  An
    item that fails is of any type for those behind it.  There is an end to the search, whatever
    the program. *)
val places : Env.t -> structure -> Location.t list list

(** All of them as text: a line for each place, in bytes from the text's start, and an empty line
    between errors. *)
val text : Location.t list list -> string
