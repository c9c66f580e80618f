(* Inferred signatures, in every version of the compiler alike. *)

(** Brings the types of a signature's values into the form that an interface has. *)
val normalize : Types.signature -> unit

(** Without the values that are not to be seen. *)
val only : (string -> bool) -> Types.signature -> Types.signature

(** The names of its items. *)
val names : Types.signature -> Names.Set.t

(** An environment that has a unit of this name. *)
val with_unit : string -> Types.signature -> Env.t -> Env.t

(** An environment in which values of these names, and those of modules so named, have any
    type in a unit. *)
val loosened : string -> Names.Set.t -> Env.t -> Env.t

(** What a program has defined that was typed from [before] on and left [after], whether or
    not all of it typed; the values among [suspects] have any type. *)
val defined : suspects:Names.Set.t -> before:Env.t -> after:Env.t -> Types.signature
