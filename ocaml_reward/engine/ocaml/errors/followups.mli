(* Which errors only follow from one found before: a name is not there because what defined
   it had to go, a type does not fit because nobody knows it any more. *)

open Parsetree

(** What is not there any more, and what was missed. *)
type t

(** Nothing yet, but values that may have any type. *)
val start : ?loose:Names.Set.t -> unit -> t

(** Values of these names may have any type from now on. *)
val loosen : t -> Names.Set.t -> unit

(** Names that vanish with a node: what an item defines, and what a pattern binds that is no
    case's. *)
val vanishing : Nodes.node * Location.t -> structure -> string list

(** Takes note of a pattern that gives its constructor too little: what it would have bound is
    not there. *)
val unnamed : t -> Nodes.node * Location.t -> structure_item -> string list -> unit

(** Takes note of a hole; [kept]: what remained in place of the node has just typed. *)
val hole : t -> kept:bool -> Nodes.node * Location.t -> structure_item -> unit

(** The names in a word such as "(M.t/2," *)
val names_in : string -> string list

(** Is an error, as the compiler prints it, about something that is not there? *)
val is_missing : string -> bool

(** Do the words of an error say that something is applied to more arguments than it takes? *)
val is_sure : string list -> bool

(** Does this error only follow from others?  [holes]: where errors were found.  Names become
    known as missed here; in tests each use of one stands for itself. *)
val follows :
  t ->
  of_tests:bool ->
  holes:Location.t list ->
  structure_item ->
  Type_items.failure ->
  string list ->
  bool
