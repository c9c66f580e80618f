(* What a program consists of, and what each part of it needs.  What cannot be told makes a
   part needed, never the other way round. *)

open Parsetree

(** All parts of a program, in the order of their numbers. *)
val of_structure : structure -> Program_parts.part list
