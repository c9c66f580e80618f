(* What differs between versions of the compiler's library in how types are read. *)

(** The description of a type, without links. *)
val desc : Types.type_expr -> Types.type_desc

(** The number that identifies a type. *)
val id : Types.type_expr -> int

(** Whether a type variable is generalised. *)
val is_generic : Types.type_expr -> bool

type snapshot

(** Returns the state of all types. *)
val snapshot : unit -> snapshot

(** Restores the state of a snapshot; later snapshots become invalid. *)
val backtrack : snapshot -> unit

(** The declared result type of a constructor; None without one. *)
val result : Parsetree.extension_constructor -> Parsetree.core_type option

(** Whether a declared constructor has an argument. *)
val has_argument : Parsetree.extension_constructor -> bool

(** The known tags of a polymorphic variant with their arguments. *)
val tags : Types.row_desc -> (string * Types.type_expr list) list
