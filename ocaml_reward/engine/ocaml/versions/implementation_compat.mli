(* What differs between versions of the compiler's library in a unit as a whole. *)

(** The items of a unit that has typed. *)
type items

(** Types them; raises what is wrong with one of them. *)
val type_items : Env.t -> Parsetree.structure -> items

(** Their tree. *)
val structure : items -> Typedtree.structure

(** All that they define, also what others of them hide. *)
val signature : items -> Types.signature

(** What they define. *)
val simplified : items -> Types.signature

(** How the unit is read as this signature; [marks] what that uses as used. *)
val coercion :
  source:string -> marks:bool -> Env.t -> items -> Types.signature -> Typedtree.module_coercion

(** Raises where a type of the signature is left open. *)
val check_closed : items -> Types.signature -> unit
