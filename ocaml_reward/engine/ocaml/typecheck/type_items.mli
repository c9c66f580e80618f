(* Types top-level items in an environment and gives the one they leave, or the first
   error.  A failure leaves the compiler fit for the next attempt; with [undo] every type
   that was there before is as it was. *)

open Parsetree

(** An error of the compiler's. *)
type failure = {
  at : Location.t;
  report : string;  (* all of it, as the compiler prints it *)
  words : string list;  (* after "Error:", without quotes *)
  saved : Cmt_format.binary_part list;  (* what had typed by then, newest first *)
}

(** [Failed None] is an exhausted compiler: a stack overflow, or no more memory. *)
type outcome = Typed of Env.t | Failed of failure option

(** An exception of the compiler that is no error of the program.  It is at no place, so that
    it costs the item that is being typed. *)
val crash : failure

(** Whether the compiler is no more what it was at its start, and must make room for a fresh
    one.  Where it crashed or was exhausted, maybe amid a change, nothing that it knows can
    be relied on.  And it numbers '_weak1 and its kin through the life of a process: where
    lines break in an error depends on how many digits that takes. *)
val stale : bool ref

(** Which names it has printed last, and in which environment, the compiler remembers: some
    of its errors are worded by that alone, and say [int/2]. *)
val forget_names : unit -> unit

(** Does a text name a type that is left open?  Then the compiler is [stale]. *)
val has_weak : string -> bool

(** What an exception of the compiler says; None for what is no error of the program.  The
    compiler can also fail to find words. *)
val failure : exn -> failure option

(** What is not there, by the words of "Unbound value M.x" and its kin: its kind, its path. *)
val unbound : string list -> (string * string) option

(** The places of the expressions [inside] one that had typed when it failed. *)
val typed : failure -> inside:Location.t -> Location.t list

(** Types a structure in an environment. *)
val attempt : Env.t -> structure -> outcome

(** As [attempt]; after a failure no type remembers what it was unified with. *)
val undo : Env.t -> structure -> outcome

(** Types a structure that nobody wrote, to see how far that comes: what [typed] says once it is, or
    where its first error is, if at any place.  Nothing remembers it. *)
val tried : Env.t -> structure -> typed:(unit -> 'a) -> ('a, Location.t option) result

(** Where a typing of [structure] in [env] that has just failed got stuck: the items before
    it, each with the environment it was typed in, the one that all leave, and the items
    from there on. *)
val stuck : Env.t -> structure -> (structure_item * Env.t) list * Env.t * structure

(** Which items of the structure that has just typed leave a type open. *)
val open_items : unit -> Location.t list

(** Between programs: nothing of the last one is left behind. *)
val reset : unit -> unit
