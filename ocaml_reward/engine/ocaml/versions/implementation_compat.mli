(* What differs between versions of the compiler's library in a unit as a whole. *)

(** The typed items of a unit. *)
type items

(** Types the items of a unit.  Raises the error of an item. *)
val type_items : Env.t -> Parsetree.structure -> items

(** The typed tree. *)
val structure : items -> Typedtree.structure

(** All definitions, also those that others hide. *)
val signature : items -> Types.signature

(** The definitions that are visible. *)
val simplified : items -> Types.signature

(** The coercion to a signature; [marks]: mark what it uses as used. *)
val coercion :
  source:string -> marks:bool -> Env.t -> items -> Types.signature -> Typedtree.module_coercion

(** Raises if the signature leaves a type open. *)
val check_closed : items -> Types.signature -> unit
