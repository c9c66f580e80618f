(* Names that are tied together, and places as ranges. *)

(** Names as members of their groups, each by one name of it: those of each set are tied. *)
val merged : Names.Set.t list -> Names.Set.t -> Names.Set.t

(** Places in order, as in [3-5,9-9]. *)
val ranges : int list -> string
