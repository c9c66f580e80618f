(* What differs between versions of the compiler's library in how types are read. *)

(** What a type is, whatever it was unified with. *)
val desc : Types.type_expr -> Types.type_desc

(** The number of a type's node. *)
val id : Types.type_expr -> int

(** Does a type stand for any, at each of its uses? *)
val is_generic : Types.type_expr -> bool

(** What every type is at some moment. *)
type snapshot

(** What they are now. *)
val snapshot : unit -> snapshot

(** Makes them again what they were then; no later snapshot can be used. *)
val backtrack : snapshot -> unit

(** The result that a constructor of an extension is declared with. *)
val result : Parsetree.extension_constructor -> Parsetree.core_type option

(** The tags of a polymorphic variant that are known, each with the types of what it holds. *)
val tags : Types.row_desc -> (string * Types.type_expr list) list
