(* The levels of types, which say where a type variable belongs, in every version of the
   compiler's library. *)

(** The current levels. *)
type t

(** Returns the levels, for [recover]. *)
val saved : unit -> t

(** Restores the levels after a failed typing. *)
val recover : t -> unit

(** Runs work and restores the levels. *)
val kept : (unit -> 'a) -> 'a
