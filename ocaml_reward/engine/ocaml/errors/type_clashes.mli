(* Whether two types differ whatever the types are that a structure declares. *)

open Parsetree

(** Do the words of an error, which say that a structure's value does not match its signature, show
    two types that differ in more than what [items] declare?  No, where they cannot be read. *)
val in_words : string list -> structure -> bool
