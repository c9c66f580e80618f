(* Expressions that can tell a value from its copy: by [==], or as they write into it.  What
   the code handed out is only rebuilt, so that a predicate which does has to see the value
   itself. *)

open Parsetree

(** Does a structure, in what is written there, compare by identity, or write into anything
    that it has not made itself?  What the names in it stand for is not looked into. *)
val tells_apart : structure -> bool
