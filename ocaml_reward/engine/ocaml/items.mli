(* How much of a program that does not parse still parses, and where the rest is: its
   top-level items, one by one.  An item starts where a line begins with a keyword that
   starts one. *)

(** Items; chunks that hold only comments are none. *)
type t = {
  parsed : int;
  total : int;
  broken : (int * int) list;  (* where those that do not parse start and stop, in bytes, as
                                 far as it is not known that they start later; of one that
                                 a semicolon ends before a definition, only that *)
}

(** Reads a program's text. *)
val of_source : string -> t

(** For Python (partition.py): where each broken item starts, where it stops, and so on. *)
val broken_text : t -> string

(** Whether a broken item may have been a statement, and no definition. *)
val lacks_statement : string -> bool

(** The text with blanks in the place of its broken items. *)
val without_broken : string -> string
