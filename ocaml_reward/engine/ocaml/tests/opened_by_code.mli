(* What code leaves open at its end: tests that stand behind it see the names of modules that
   it has opened, too. *)

open Parsetree

(** A module that is opened; with true where no definition follows; the names of the library's
    that it hides, up to the end. *)
type opened = { path : Longident.t; is_last : bool; hides : Names.t }

(** The code's own modules that it opens at the top, in their order. *)
val modules : structure -> opened list

(** Likewise of source; none where it does not parse. *)
val modules_of : code:string -> opened list

(** The tests behind these. *)
val before : opened list -> structure -> structure

(** Tells the ones from others. *)
val key : opened list -> string
