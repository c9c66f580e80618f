(* Sets the compiler up as ocamlc would be, with every interface in memory. *)

(** Returns the names of the units that can be used. *)
val prepare_compiler : string list -> string list

(** Room for some requests, most of whose garbage then never leaves it; and no search for
    older garbage in the short life of a checker. *)
val collect_rarely : unit -> unit
