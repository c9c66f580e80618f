(* The lines that each part of a program has: those with a token of its own. *)

open Parsetree

(** What is known of a program that parses, for Python (partition.py): a list of parts, each
    with what defines [names, lines, needed parts, what it is as bits, first byte, the byte
    behind it]; empty where there is too much of it. *)
val text : code:string -> structure -> string
