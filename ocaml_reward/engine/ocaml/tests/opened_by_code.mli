(* What code leaves behind at its end.  Tests that stand there see the names of modules that it
   has opened, too, and the modules that it defines are not its file (Code_file). *)

open Parsetree

(** What the code opens, and the modules that are in scope at its end. *)
type t

val nothing : t

val of_code : structure -> t

(** Likewise of source, as far as it matters for [tests]; nothing where it does not parse. *)
val of_text : code:string -> tests:structure -> t

(** The tests behind that. *)
val before : t -> structure -> structure

(** Tells what becomes of tests from what others make of them. *)
val key : t -> structure -> string
