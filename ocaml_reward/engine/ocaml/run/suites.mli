(* The cases of a framework's suites as numbered checks. *)

(** Where a case stands: its check's number, which is -1 where cases are numbered as they are met,
    and its line. *)
type place = int * int

(** Notes where a case stands that the tests write out: its number, its line, and the case. *)
val site : int -> int -> 'a -> 'a

(** Notes that the second stands where the first does, which it was made from. *)
val like : 'a -> 'b -> 'b

(** Says that cases are made by code: those without a number get one. *)
val built_by_code : unit -> unit

(** Where a case stands. *)
val place : 'a -> place

(** Runs cases, each with its path and place, as checks of their own. *)
val checks : (string * place * (unit -> unit)) list -> unit

(** Does a case run? *)
val inside : bool ref
