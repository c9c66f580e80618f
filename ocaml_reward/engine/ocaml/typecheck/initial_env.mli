(* Sets the compiler up as ocamlc would be, with every interface in memory. *)

(** Sets it up with the interfaces in those folders, and returns the names of the units that
    can be used. *)
val prepare_compiler : string list -> string list

(** Sets the collector up: room for some requests, most of whose garbage then never leaves it;
    and no search for older garbage in the short life of a checker. *)
val collect_rarely : unit -> unit
