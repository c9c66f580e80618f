(* The tests' own [exit 0] ends them, and a check that it ends has not failed.  Not so
   where the code decides whether it is called: in a function that the tests hand on. *)

open Parsetree

(** Unless [exit] is one of the tests', or the code's. *)
val marked : own:Names.Set.t -> structure -> structure
