(* What differs between versions of the compiler's library in object files. *)

(** Writes a unit's bytecode to its file in the present folder. *)
val write : string -> required_globals:Ident.Set.t -> Instruct.instruction list -> unit
