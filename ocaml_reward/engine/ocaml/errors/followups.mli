(* Decides which errors only follow from an earlier one, whose hole removed a definition or a
   type. *)

open Parsetree

(** The removed and the unbound names. *)
type t

(** No names yet. *)
val start : unit -> t

(** Notes a pattern with too few arguments, which does not bind its names. *)
val unnamed : t -> Nodes.node * Location.t -> structure_item -> string list -> unit

(** Notes a hole. *)
val hole : t -> Nodes.node * Location.t -> structure_item -> unit

(** The names in a word such as "(M.t/2," *)
val names_in : string -> string list

(** Whether a message is about an unbound name. *)
val is_missing : string -> bool

(** Whether an error is about too many arguments. *)
val is_sure : string list -> bool

(** Where to put the hole for an error. *)
val place : Type_items.failure -> structure_item -> Location.t

(** Whether an error only follows from others.  [holes]: locations of errors.  In the code
    unbound names are recorded; in tests each use counts.
    (ucsd-progsys/yunounderstand-data student10/hw3/bigAdd/0099) *)
val follows :
  t ->
  of_tests:bool ->
  holes:Location.t list ->
  Type_items.failure ->
  string list ->
  bool
