(* The values of the libraries, and what their types say. *)

(** Is there a module at this path? *)
val has_module : string list -> bool

(** The type of the value at this path. *)
val type_of : string list -> Types.type_expr option

(** The type variables in a type. *)
val variables : Types.type_expr -> int list

(** The parameters of a function's type, and the type of what it gives after these. *)
val arrows :
  Types.type_expr -> (Asttypes.arg_label * Types.type_expr) list * Types.type_expr

(** The parameters that get an argument, with it; those that wait for one; arguments that are
    left over. *)
val matched :
  (Asttypes.arg_label * Types.type_expr) list ->
  (Asttypes.arg_label * 'a) list ->
  (Types.type_expr * 'a) list * (Asttypes.arg_label * Types.type_expr) list * 'a list

(** Is it the type of ()? *)
val is_unit : Types.type_expr -> bool

(** May a value of this type be written into? *)
val may_change : Types.type_expr -> bool

(** Is it the type of a format? *)
val is_format : Types.type_expr -> bool

(** Does what is written into this leave the program? *)
val is_channel : Types.type_expr -> bool

(** Is the value at this path, or what it gives, read from standard input? *)
val reads : string list -> bool
