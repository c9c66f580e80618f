(* What differs between versions of the compiler's library around typing. *)

(** Sets the name of the current unit. *)
val set_unit : string -> unit

val message : Location.report -> string
