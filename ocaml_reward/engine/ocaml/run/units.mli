(* Names of our own compilation units.  The dash keeps them out of reach: no OCaml source
   can write one. *)

(** The unit that runs the checks and reports on them. *)
val harness : string

(** The standard library under names that the code cannot shadow. *)
val pristine : string

(** What runs the cases of a framework's suites. *)
val suites : string

(** The stand-in for OUnit2. *)
val ounit : string

(** What rebuilds values that the code handed out. *)
val rebuild : string
