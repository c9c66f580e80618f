(* How much of a program that does not parse still parses: its top-level items, one by
   one.  An item starts where a line begins with a keyword that starts one. *)

(** [(parsed, total)]; chunks that hold only comments count for neither. *)
val share : string -> int * int
