(* The lines that each part of a program has: those with a token of its own. *)

open Parsetree

(** What is known of a program that parses, for Python (partition.py): a list of parts, each
    with what defines [names, lines, needed parts, missing names, what it is as bits, first
    byte, the byte behind it]; empty where there is too much of it.  A [whole] program is judged
    on what it prints: no tests stand behind it. *)
val text : whole:bool -> code:string -> structure -> string
