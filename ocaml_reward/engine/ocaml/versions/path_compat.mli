(* What differs between versions of the compiler's library in paths, tuples and first-class
   modules. *)

open Parsetree

(** The path of a name in a module. *)
val dot : Longident.t -> string -> Longident.t

(** The names in a path, including functor arguments. *)
val components : Longident.t -> string list

(** The components of a tuple without labels; empty for any other expression. *)
val tuple : expression -> expression list

(** The components of a written tuple type without labels; empty for any other type. *)
val tuple_of_types : core_type -> core_type list

(** The components of a tuple type with labels. *)
val tuple_type : Types.type_desc -> (string option * Types.type_expr) list

(** Whether a field is atomic. *)
val is_atomic : Types.label_declaration -> bool

(** The module packed by an expression; None for any other expression. *)
val packed : expression -> module_expr option
