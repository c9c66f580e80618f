(* What differs between versions of the compiler's library in how types are read. *)

(** The description of a type, without links. *)
val desc : Types.type_expr -> Types.type_desc

val id : Types.type_expr -> int
val is_generic : Types.type_expr -> bool

(** The state of all types. *)
type snapshot

val snapshot : unit -> snapshot

(** Restores it; later snapshots become invalid. *)
val backtrack : snapshot -> unit

val result : Parsetree.extension_constructor -> Parsetree.core_type option

(** The known tags of a polymorphic variant with their arguments. *)
val tags : Types.row_desc -> (string * Types.type_expr list) list
