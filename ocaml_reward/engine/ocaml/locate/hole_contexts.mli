(* Which expressions meet a hole that stands in them, whatever is given to them. *)

open Parsetree

(** Is an expression a hole?  See Nodes.hole_expression. *)
val is_hole : expression -> bool

(** Is there a hole in it that no function stands around? *)
val at_once : expression -> bool

(** Is it a function of which each call meets one? *)
val is_hollow : value_binding -> bool
