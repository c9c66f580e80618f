(* Types top-level items and returns the environment after them, or the first error.  After a
   failure the compiler can be used again; with [undo] all types are restored. *)

open Parsetree

type failure = {
  at : Location.t;
  report : string;  (* the compiler's message *)
  words : string list;  (* after "Error:", without quotes *)
  saved : Cmt_format.binary_part list;  (* what was typed before, newest first *)
}

(** [Failed None]: a stack overflow, or no more memory. *)
type outcome = Typed of Env.t | Failed of failure option

(** A compiler exception that is no type error.  It has no location, so it is attributed to the
    whole item. *)
val crash : failure

(** The compiler has to be replaced by a fresh one: it crashed, or printed a weak type variable.
    These are numbered for the life of a process, and line breaks in messages depend on the
    number's length. *)
val stale : bool ref

(** The compiler remembers names that it has printed, and words some errors accordingly
    ([int/2]). *)
val forget_names : unit -> unit

(** Whether a text has a weak type variable.  Then the compiler is [stale]. *)
val has_weak : string -> bool

(** The error of a compiler exception; None if it is no error of the program or cannot be
    printed. *)
val failure : exn -> failure option

(** Kind and path of an unbound name, from the words of the message. *)
val unbound : string list -> (string * string) option

(** The locations of the expressions [inside] a location that had been typed. *)
val typed : failure -> inside:Location.t -> Location.t list

val attempt : Env.t -> structure -> outcome

(** As [attempt]; types are restored after a failure. *)
val undo : Env.t -> structure -> outcome

(** Types a modified structure: the result of [typed] if it types, else the location of its
    first error.  All types are restored. *)
val tried : Env.t -> structure -> typed:(unit -> 'a) -> ('a, Location.t option) result

(** After a failed typing of [structure] in [env]: the items before the error with their
    environments, the environment after them, and the remaining items. *)
val stuck : Env.t -> structure -> (structure_item * Env.t) list * Env.t * structure

(** The items of the last structure that leave a type open. *)
val open_items : unit -> Location.t list

(** Forgets the last program. *)
val reset : unit -> unit
