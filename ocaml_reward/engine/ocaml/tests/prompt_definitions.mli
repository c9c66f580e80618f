(* What a prompt defines and the tests use belongs to the tests: code may repeat it or not, and
   cannot replace it. *)

open Parsetree

(** Of the definitions in these pieces of a prompt's code, the values that [used] or each other
    mention, if all that they mention besides is the library's.  A piece ends where it does not
    parse, as where the code goes on that is asked for.  None are given where [used] needs nothing
    but what the prompt defines, for then that is what is asked for.  Nor is a stub, which stands
    for what is to be written, what the [reference] defines otherwise, and what is [asked] for by
    name. *)
val given :
  asked:Names.Set.t -> used:Names.t -> reference:structure -> string list -> structure
