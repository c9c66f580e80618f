(* What code leaves behind at its end.  Tests that stand there see the names of modules that it
   has opened, too, and the modules that it defines are not its file (Code_file).  Where an
   interface hides the rest of it from them, no type of that hides the interface's. *)

open Parsetree

(** What the code opens, the modules that are in scope at its end, and its types. *)
type t

val nothing : t

val of_code : structure -> t

(** Likewise of source, as far as it matters for [tests]; nothing where it does not parse. *)
val of_text : code:string -> tests:structure -> t

(** What makes these types, for tests that it stands in, those of the code's interface. *)
val declaring : structure -> structure

(** The tests behind that. *)
val before : t -> structure -> structure

(** Tells what becomes of tests from what others make of them. *)
val key : t -> structure -> string
