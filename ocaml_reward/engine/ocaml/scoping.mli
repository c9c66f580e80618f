(* What a name stands for where it is written: something that the code itself binds, or not.

   Scope_walk visits a tree in the order of OCaml's scopes.  What cannot be followed, as what
   a functor's argument or a value's module brings, may be anything: nothing that was bound
   before is then known. *)

open Parsetree

(** What is in scope somewhere. *)
type env

(** A walk: what is in scope where it is. *)
type t = {
  labels : Names.Set.t;  (* those of fields that are of many types at once *)
  named : Names.Set.t;  (* what may be of many types where nothing is known of a name *)
  mutable now : int;
  mutable scope : env;
  mutable defined : env;  (* by the structure that is being visited *)
  mutable content : env option;  (* of the module that was visited last *)
  mutable asked : env option;  (* of the module that the next signature is for *)
  mutable promised : env option;  (* of the module that this signature is for *)
}

(** An environment in which nothing is bound. *)
val nothing : env

(** A walk at its start. *)
val create : labels:Names.Set.t -> named:Names.Set.t -> t

(** A path without functors. *)
val names : Longident.t -> string list option

(** What a module holds that is named by this path, where that is known. *)
val content : env -> string list -> env option

(** Does the code itself bind the value that a path names here? *)
val is_own : t -> Longident.t -> bool

(** Which of the modules on a path the code does not bind itself; what is in those that it
    binds is known, but for those [absent] from the library. *)
val foreign : t -> absent:(string -> bool) -> string list -> string list

(** Is this value of a signature one that the module it is for defines? *)
val is_promised : t -> string -> bool

(** May an expression be of many types at once, as no argument and no result of a call is? *)
val general : t -> expression -> bool

(** Does the work in a scope of its own. *)
val scoped : t -> (unit -> 'a) -> unit

(** Binds a value by its name, which may be of many types or not; an [item] is part of a
    structure. *)
val bind_value : ?item:bool -> t -> bool -> string -> unit

(** Binds a module by its name, with its content where that is known. *)
val bind_module : ?item:bool -> t -> env option -> string option -> unit

(** Binds the names of a pattern: of many types are also those within a field of many types. *)
val bind : ?item:bool -> t -> general:bool -> pattern -> unit

(** Makes what is bound so far unknown: anything may have taken its place. *)
val forget : ?item:bool -> t -> unit

(** What a library's module has, if there is one of this name. *)
val library : Longident.t -> Names.t option

(** Brings into scope what the module at this path holds. *)
val put : ?item:bool -> t -> Longident.t -> unit

(** Likewise, of a module that is opened. *)
val opening : t -> module_expr -> unit

(** Likewise, of one that is included. *)
val including : t -> module_expr -> unit
