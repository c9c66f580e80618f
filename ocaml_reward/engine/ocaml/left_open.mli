(* What code leaves open at its end: tests that stand behind it see the names of modules that
   it has opened, too. *)

open Parsetree

(** The code's own modules that it opens at the top, in their order; with true where no
    definition follows. *)
val modules : structure -> (Longident.t * bool) list

(** Likewise of source; none where it does not parse. *)
val modules_of : code:string -> (Longident.t * bool) list

(** The tests behind these. *)
val before : (Longident.t * bool) list -> structure -> structure

(** Tells the ones from others. *)
val key : (Longident.t * bool) list -> string
