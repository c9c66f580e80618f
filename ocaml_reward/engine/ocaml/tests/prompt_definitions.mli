(* What a prompt defines, code may repeat or not.  What the tests use of it to judge is the tests',
   and code cannot replace it.  Types, exceptions, state and what else is another each time that
   it is defined are there once, for code and tests: the code's own, or what stands before it. *)

open Parsetree

(** Definitions that stand [behind] the code, in the tests; and those that are [lent] to code that
    has no others, with what of these is another each time, their [text], and the names in them
    that tests take. *)
type t = {
  behind : structure;
  lent : structure;
  state : Names.t;
  text : string;
  needed : Names.Set.t;
}

(** The definitions in these pieces of a prompt's code that mention nothing but the library's, of
    the [libraries] too, and each other's.  None is what does not parse, a stub, which stands for
    what is to be written, what the [reference] defines otherwise, and what is [asked] for by name.
    Where the prompt defines all that is [used], its functions of these names are to be mended. *)
val given :
  asked:Names.t -> used:Names.t -> reference:structure -> tests:structure ->
  libraries:Names.Set.t -> string list -> t

(** What these pieces declare of values that are to be written, with holes for what these do:
    [val f : int -> bool], or [let f (n : int) : bool =] where a piece ends. *)
val promised : string list -> structure

(** The types that such a piece declares, if it is an interface: one of values, too. *)
val types_of_interface : string -> structure
