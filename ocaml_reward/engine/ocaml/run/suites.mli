(* The cases of a framework's suites as numbered checks. *)

(** The number and line of a check; the number is -1 if it is assigned at run time. *)
type place = int * int

(** Notes number and line of a case. *)
val site : int -> int -> 'a -> 'a

(** Copies the place of a case to one made from it. *)
val like : 'a -> 'b -> 'b

(** Cases without a number are numbered at run time. *)
val built_by_code : unit -> unit

val place : 'a -> place

(** Runs cases, with paths and places, as checks. *)
val checks : (string * place * (unit -> unit)) list -> unit

(** A case is running. *)
val inside : bool ref
