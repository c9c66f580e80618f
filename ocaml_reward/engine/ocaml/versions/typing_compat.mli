(* What differs between versions of the compiler's library around typing. *)

(** Names the unit that is typed next. *)
val set_unit : string -> unit

(** The main message of an error. *)
val message : Location.report -> string
