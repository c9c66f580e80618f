(* What differs between versions of the compiler's library in constants. *)

open Parsetree

(** Whether an expression is the constant [0]. *)
val is_zero : expression -> bool

(** Whether an expression is a constant without a block in memory. *)
val is_immediate : expression -> bool

(** Whether an expression is a string. *)
val is_string : expression -> bool

(** The digits of an integer; empty for any other constant. *)
val integer : constant -> string
