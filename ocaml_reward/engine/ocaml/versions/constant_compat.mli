(* What differs between versions of the compiler's library in constants. *)

open Parsetree

(** Is an expression the integer 0? *)
val is_zero : expression -> bool

(** Is an expression a constant that is no block in memory? *)
val is_immediate : expression -> bool

(** The digits of an integer; of any other constant, the empty text. *)
val integer : constant -> string
