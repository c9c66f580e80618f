(* What is left of the code where answers are worked out: the types, exceptions and module
   types that it declares, in its modules too.  No expression is among it, so nothing of it
   can run. *)

open Parsetree

(** What is left of a program. *)
val types : structure -> structure

(** The same; raises where two types of it have a constructor or a label of one name. *)
val unambiguous : structure -> structure

(** The same only for programs that declare the same.  [code] is the text that [structure] was
    read from: printing a tree takes longer than all else that a small program needs, so what
    stands there as it is kept is taken from there. *)
val key : code:string -> structure -> string
