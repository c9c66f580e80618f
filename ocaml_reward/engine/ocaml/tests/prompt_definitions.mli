(* What a prompt defines and the tests use belongs to the tests: code may repeat it or not, and
   cannot replace it.  Only types, exceptions and what else is another each time that it is
   defined are the code's where the code has them, since its values are made of these. *)

open Parsetree

(** Definitions that stand [before] the code, whose own hide them, and [behind] it. *)
type t = { before : structure; behind : structure }

(** Of the definitions in these pieces of a prompt's code, those that the [tests] or each other
    mention, if all that they mention besides is the library's.  A piece ends where it does not
    parse, as where the code goes on that is asked for.  None are given where [used] needs nothing
    but what the prompt defines, for then that is what is asked for.  Nor is a stub, which stands
    for what is to be written, what the [reference] defines otherwise, and what is [asked] for by
    name. *)
val given :
  asked:Names.t -> used:Names.t -> reference:structure -> tests:structure -> string list -> t

(** What these pieces declare of values that are to be written, with holes for what these do:
    [val f : int -> bool], or [let f (n : int) : bool =] where a piece ends. *)
val promised : string list -> structure
