(* A program without what it makes and never uses: functions, suspended values, objects. *)

open Parsetree

(** The same program to who looks at what it does, as far as its text tells. *)
val pruned : structure -> structure
