(* What differs between versions of the compiler's library in paths, tuples and modules as
   values, and alike for all of them here: each is built with the latest compat_NNN.ml that is
   not newer. *)

open Parsetree

(** The path to a name in what another path names. *)
val dot : Longident.t -> string -> Longident.t

(** Every name in a path, functor arguments too. *)
val components : Longident.t -> string list

(** The parts of a tuple, without their labels; none of any other expression. *)
val tuple : expression -> expression list

(** The parts of a tuple's type, each with its label; none of any other type. *)
val tuple_type : Types.type_desc -> (string option * Types.type_expr) list

(** May a field be assigned to in one step only? *)
val is_atomic : Types.label_declaration -> bool

(** The module that an expression makes a value of. *)
val packed : expression -> module_expr option
