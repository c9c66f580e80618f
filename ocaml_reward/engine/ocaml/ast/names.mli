(* Which names a piece of OCaml source needs from elsewhere, and which the standard
   library offers. *)

open Parsetree

(** Sets of names. *)
module Set : Set.S with type elt = string

(** What stands by names. *)
module Map : Map.S with type key = string

(** Names of each kind. *)
type t = { values : Set.t; modules : Set.t; types : Set.t }

(** No names. *)
val empty : t

(** The environment that every unit starts in; forced first when the compiler is set up. *)
val env : Env.t Lazy.t

(** What is in scope in [prefix], or at the start of any unit for None. *)
val known : Longident.t option -> t

(** What is in scope at the start of any unit. *)
val standard : t Lazy.t

(** The names of both. *)
val union : t -> t -> t

(** [without these those] are those names but these. *)
val without : t -> t -> t

(** How often a structure binds each value name, at any depth. *)
val times_bound : structure -> string -> int

(** With one more value. *)
val with_value : string -> t -> t

(** With one more module. *)
val with_module : string -> t -> t

(** With one more type. *)
val with_type : string -> t -> t

(** The names that a pattern binds. *)
val pattern_names : pattern -> Set.t

(** The modules that it unpacks. *)
val pattern_modules : pattern -> Set.t

(** The names a structure defines at its top level. *)
val defined : structure -> t

(** The names a signature declares. *)
val declared : signature -> t

(** The first name of a path; None for an application of functors. *)
val root : Longident.t -> string option

(** Constructors, exceptions and labels that source declares at any depth. *)
val constructors_in : (Ast_iterator.iterator -> unit) -> Set.t

(** Likewise of a structure. *)
val constructors : structure -> Set.t

(** Likewise of a signature. *)
val constructors_declared : signature -> Set.t

(** Those that source mentions. *)
val mentioned_constructors : structure -> Set.t

(** The module of the pristine library that holds the type of this name. *)
val type_home : string -> string

(** The module of the pristine library that holds the exception of this name. *)
val exception_home : string -> string

(** From a constructor's or label's name to its type's. *)
val standard_constructors : string Map.t Lazy.t

(** The exceptions of the standard library that are in every scope. *)
val standard_exceptions : Set.t Lazy.t

(** Is a name made of signs? *)
val is_operator : string -> bool
