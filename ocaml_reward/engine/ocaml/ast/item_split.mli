(* How much of a program that does not parse still parses, and where the rest is: its
   top-level items, one by one.  An item starts where a line begins with a keyword that
   starts one.  Of a module that would parse but for items in it, only these are not. *)

(** What stands in a structure, as the whole program is one, or in a signature. *)
type sort = Structure | Signature

(** Where something that does not parse starts and stops, in bytes, and what it is an item of
    if that is in a module. *)
type broken = { start : int; stop : int; within : sort option }

(** Items; chunks that hold only comments are none. *)
type t = {
  parsed : int;
  total : int;
  broken : broken list;  (* those that do not parse, as far as it is not known that they start
                            later; of one that a semicolon ends before a definition, only that *)
}

(** Reads a program's text.  Items that begin in what is [given], in bytes, are none of these. *)
val of_source : ?given:Given_places.t -> string -> t

(** For Python (partition.py): where each broken item starts, where it stops, and so on. *)
val broken_text : t -> string

(** Whether a broken item may have been a statement, and no definition. *)
val lacks_statement : string -> bool

(** Whether a broken item is in a module. *)
val lacks_in_module : string -> bool

(** The text with blanks in the place of its broken items. *)
val without_broken : string -> string
