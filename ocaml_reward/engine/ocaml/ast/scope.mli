(* What the names in scope stand for: the parts of a program that define them. *)

(** A name of [kind]: names of different kinds have nothing to do with each other. *)
type kind = Value | Module | Type | Member | Module_type | Class

(** The name in a scope of something of this kind. *)
val key : kind -> string -> string

(** What a name means: the parts it needs, those that it needs where it is used as a whole,
    what a call of it does and, of a module of which that is known, what is inside. *)
type meaning = {
  parts : int list;
  whole : int list;
  doing : Purity.t;
  inside : meaning Names.Map.t option;
}

(** Where a name is looked for that nothing defines: modules of unknown content, opened or
    included. *)
val elsewhere : string

(** What those parts define, and do when it is called. *)
val at : int list -> Purity.t -> meaning

(** The meaning of a member, by whatever lies on the way to it. *)
val through : int list -> meaning -> meaning

(** What is in scope, and what of it the structure has that is being read. *)
type t = { all : meaning Names.Map.t; own : meaning Names.Map.t }

(** Nothing is in scope. *)
val empty : t

(** With a key in scope, one of the structure's [own] unless told otherwise. *)
val add : ?own:bool -> string -> meaning -> t -> t

(** What merging scopes may cost a program; beyond it contents are unknown. *)
val most_merged : int

(** What merging has cost so far; 0 at the start of a program. *)
val merged : int ref

(** [scope] and what is [inside] a module, by way of some parts, as its [own] where it is
    included; None where that is too much. *)
val spread : own:bool -> way:int list -> meaning Names.Map.t -> t -> t option

(** What a look-up finds. *)
type found =
  | Own of meaning
  | Within of int list  (* somewhere in modules of the program: all of them *)
  | Missing

(** Looks up [path], a list of names the last of which is of [kind]. *)
val find : kind -> string list -> t -> found
