(* What differs between versions of the compiler's library around typing. *)

(** Sets the name of the current unit. *)
val set_unit : string -> unit

(** The text of a compiler message, without its location. *)
val message : Location.report -> string

(** Makes the compiler forget the names that it has printed: it words some errors accordingly
    ([int/2]), and tells where such a type is defined. *)
val forget_names : unit -> unit
