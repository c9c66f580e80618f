(* Which of the code's names each check takes, by itself and by what the tests define.

   What a name of the tests' own takes is what its definition does, and what statements do
   that stand before the check and mention it.  What is handed to a function is not known. *)

open Parsetree

(** What the check at a place takes of the [own] names, which the code supplies: names between
    blanks, or "?" where not all of them are known. *)
val of_tests : own:Names.t -> structure -> int -> string
