(* Definitions whose types tell nothing: those that hold a mistake, and those that use
   these.  What seems wrong with one elsewhere may only follow from the mistake. *)

open Parsetree

(** The names of all such definitions in [program]; "*" stands for any. *)
val names : Location.t list -> structure -> Names.Set.t
