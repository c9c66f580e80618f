(* What differs between versions of the compiler's library in constants. *)

open Parsetree

val is_zero : expression -> bool

(** Whether a constant has no block in memory. *)
val is_immediate : expression -> bool

(** The digits of an integer; empty for any other constant. *)
val integer : constant -> string
